"""Repeats: what is grouped and what is not, and means that lie within their values."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.domain.facts import Basis, Quantity, State
from runs.domain.records import Remark, RunRecord
from runs.domain.repeats import fingerprint, mean_record, spreads
from runs.domain.units import DomainError
from tests.builders import record, setting

FIRM = {"node": "node 1", "runtime_version": "0.11", "precision": "MXFP4", "cpu_offload": "none", "tensor_parallel": 6,
        "expert_parallel": 1, "data_parallel": 1, "context_parallel": 1, "prefix_caching": False,
        "chunked_prefill_tokens": 8192, "speculative_method": "none", "draft_model": "none", "draft_count": 0,
        "draft_acceptance": "real", "temperature": 0.0, "ignore_eos": True, "dataset": "random", "prompts": "random",
        "num_prompts": 64, "request_rate": 4.0, "power_cap_w": 800.0}  # fmt: skip


def firm(label: str = "a run", throughput: float = 6000.0, **settings: Any) -> RunRecord:
    return record(label, throughput=throughput, **{**FIRM, **settings})


def test_label_date_and_image_do_not_tell_configurations_apart() -> None:
    other = firm("another", date="2026-12-01", image="sha256:1", accelerator="mi355x ")
    assert fingerprint(firm()) == fingerprint(other) != ""


@pytest.mark.parametrize("changed", [{"temperature": 1.0}, {"power_cap_w": 1400.0}, {"node": "node 2"}])
def test_another_value_is_another_configuration(changed: dict[str, Any]) -> None:
    assert fingerprint(firm()) != fingerprint(firm(**changed))


def test_what_one_states_and_the_other_does_not_is_never_grouped() -> None:
    assert fingerprint(firm(max_sequence_length=140000)) != fingerprint(firm())
    assert fingerprint(firm(temperature=None)) == ""
    inferred = firm().with_settings(setting("temperature", 0.0, State.INFERRED))
    assert fingerprint(inferred) == ""


def test_unknown_settings_group_within_a_declared_setup_only() -> None:
    a, b = (replace(record(label), setup="rack 4") for label in "ab")
    assert fingerprint(a) == fingerprint(b) != ""
    assert fingerprint(a) != fingerprint(replace(b, setup="rack 5"))
    assert fingerprint(replace(a, setup="")) == ""


def test_no_spread_for_one_run() -> None:
    (one,) = [spread for spread in spreads([firm()]) if spread.key == "total_throughput"]
    assert (one.n, one.mean, one.low, one.high) == (1, 6000.0, None, None)
    with pytest.raises(DomainError, match="two or more"):
        mean_record([firm()])


@given(st.lists(st.floats(1.0, 1e9), min_size=2, max_size=6))
def test_a_mean_lies_within_its_values_and_keeps_them(values: list[float]) -> None:
    made = mean_record([firm(str(value), value) for value in values])
    found = made.quantity("total_throughput")
    assert isinstance(found, Quantity)
    assert isinstance(found.value, float)
    assert min(values) * (1 - 1e-12) <= found.value <= max(values) * (1 + 1e-12)
    assert (found.repeats, list(found.repeat_values)) == (len(values), values)
    assert made.power is None and made.window is None
    assert Remark("repeat-mean", f"mean of {len(values)} runs of one configuration") in made.remarks


def test_several_configurations_have_no_mean() -> None:
    with pytest.raises(DomainError, match="one configuration"):
        mean_record([firm(), firm(temperature=1.0)])


def measured(throughput: float, *more: Quantity, label: str = "a run") -> RunRecord:
    latencies = (("ttft", 0.8), ("tpot", 0.1), ("itl", 0.1))
    told = tuple(Quantity(name, "s", Basis.MEASURED, "median", value) for name, value in latencies)
    run = firm(label, throughput)
    return replace(run, quantities=(*run.quantities, *told, *more))


def test_a_run_read_again_from_a_file_that_grew_is_no_repeat() -> None:
    again = replace(measured(6000.0, label="document 1 of 2"), notes="from another file")
    (alone,) = [one for one in spreads([measured(6000.0), again]) if one.key == "total_throughput"]
    assert (alone.n, alone.mean, alone.low, alone.high) == (1, 6000.0, None, None)
    with pytest.raises(DomainError, match="two or more"):
        mean_record([measured(6000.0), again])
    (both,) = [one for one in spreads([measured(6000.0), again, measured(6100.0)]) if one.key == "total_throughput"]
    assert (both.n, both.mean, both.low, both.high) == (2, 6050.0, 6000.0, 6100.0)
    assert mean_record([measured(6000.0), again, measured(6100.0)]).label == "a run (mean of 2 runs)"
