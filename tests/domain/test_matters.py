"""When two settings are the same, what counts as one factor, and what must be known."""

from typing import Any

import pytest
from hypothesis import given

from runs.domain.facts import Setting, State
from runs.domain.matters import (
    FACTORS,
    MATTERS,
    differing_factors,
    same,
    speculates,
    timing_of,
    unknown_on_a_side,
)
from runs.domain.metrics import METRICS, SETTINGS
from runs.domain.records import RunRecord
from tests.domain.strategies import FULL, full, records, stated


def nominal(name: str, value: Any = None, key: str = "isl") -> Setting:
    return Setting(key, State.STATED, value, name)


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (8192, 8192, True),
        (8192, 8029, True),  # 1.99 % off
        (8192, 8028, False),  # 2.002 % off
        (1024, 1003, False),  # 2.05 % off
        (1024, 1004, True),  # 1.95 % off
        (nominal("8K"), nominal("8k"), True),
        (nominal("8K"), 8192, True),
        (nominal("8K"), 8000, True),
        (nominal("8K"), 8400, False),
        (nominal("128K"), 131072, True),
        (nominal("128K"), 128000, True),
        (nominal("1K"), nominal("1024"), True),
        (nominal("1K"), nominal("100"), False),
        (nominal("long"), nominal("8K"), False),
        (nominal("8K", 8192), nominal("8K", 8000), False),  # exact lengths are known: 2.3 % off
        (nominal("8K", 8192), nominal("eight", 8192), True),
        (None, 8192, None),
        (None, None, None),
        (Setting("isl", State.DISPUTED, 8192), 8192, None),
        (Setting("isl", State.NOT_APPLICABLE), Setting("isl", State.NOT_APPLICABLE), True),
        (Setting("isl", State.NOT_APPLICABLE), 8192, False),
        (Setting("isl", State.INFERRED, 8192), 8192, True),
    ],
)
def test_same_length(a: Any, b: Any, answer: bool | None) -> None:
    left, right = (full(isl=side).setting("isl") for side in (a, b))
    assert same(left, right) is answer
    assert same(right, left) is answer


@pytest.mark.parametrize(
    ("key", "a", "b", "answer"),
    [
        ("concurrency", 100, 101, False),  # the tolerance is for lengths only
        ("runtime", "vLLM", " vllm ", True),
        ("temperature", 0, 0.0, True),
        ("temperature", 0, 1.0, False),
        ("prefix_caching", False, True, False),
        ("active_gpu_indices", (0, 1), (1, 2), False),
        ("request_rate", nominal("unlimited", key="request_rate"), nominal("Unlimited", key="request_rate"), True),
        ("request_rate", nominal("unlimited", key="request_rate"), 10, False),
    ],
)
def test_same_setting(key: str, a: Any, b: Any, answer: bool) -> None:
    assert same(full(**{key: a}).setting(key), full(**{key: b}).setting(key)) is answer


@given(records(), records())
def test_same_has_no_direction(a: RunRecord, b: RunRecord) -> None:
    for spec in SETTINGS:
        assert same(a.setting(spec.key), b.setting(spec.key)) is same(b.setting(spec.key), a.setting(spec.key))
    assert differing_factors(a, b) == differing_factors(b, a)
    for keys in MATTERS.values():
        assert unknown_on_a_side(a, b, keys) == unknown_on_a_side(b, a, keys)


def test_fewer_gpus_with_their_parallelism_are_one_factor() -> None:
    six = full(active_gpus=6, active_gpu_indices=(2, 3, 4, 5, 6, 7), tensor_parallel=6)
    assert differing_factors(six, full()) == ("gpus",)
    assert differing_factors(full(active_gpus=6, temperature=0), full()) == ("gpus", "temperature")


def test_another_top_p_is_another_factor_and_none_of_it_is_not_held_against_a_run() -> None:
    assert differing_factors(full(top_p=0.9), full(top_p=1.0)) == ("sampling",)
    assert differing_factors(full(top_p=0.9), full()) == ()
    assert differing_factors(full(seed=1), full(seed=2)) == ()


@pytest.mark.parametrize("key", ["date", "image", "cpu", "client_version"])
def test_what_is_a_caveat_is_no_factor(key: str) -> None:
    one, other = (full().with_settings(stated(key, value)) for value in ("one", "other"))
    assert differing_factors(one, other) == ()


@pytest.mark.parametrize(
    ("method", "answer"),
    [("none", False), ("Off", False), ("DSpark", True), (None, None), (Setting("x", State.NOT_APPLICABLE), False)],
)
def test_whether_a_run_speculates(method: Any, answer: bool | None) -> None:
    assert speculates(full(speculative_method=method)) is answer


def test_without_drafting_there_is_nothing_to_state_about_drafts() -> None:
    plain, drafting = full(), full(speculative_method="DSpark")
    assert unknown_on_a_side(plain, plain, MATTERS["throughput"]) == ()
    assert unknown_on_a_side(plain, drafting, MATTERS["throughput"]) == (
        "draft_model",
        "draft_count",
        "draft_acceptance",
    )


@pytest.mark.parametrize(
    ("a", "b", "alike"),
    [
        ("vllm bench serve", "InferenceX benchmark_serving", True),
        ("vLLM bench serve 0.11", "vllm bench serve", True),
        ("lmx", "vllm bench serve", False),
        ("sglang.bench_serving", "vllm bench serve", False),
        ("guidellm", "aiperf", False),
        ("guidellm", "GuideLLM", True),
    ],
)
def test_clients_that_time_alike(a: str, b: str, alike: bool) -> None:
    assert (timing_of(a) == timing_of(b)) is alike


def test_every_metric_has_settings_that_matter_and_every_setting_its_run() -> None:
    assert {metric.family for metric in METRICS} <= set(MATTERS)
    catalogue = {spec.key for spec in SETTINGS}
    assert frozenset().union(*MATTERS.values(), *FACTORS.values()) <= catalogue
    assert set(FULL) <= catalogue
    # The run of the tables states all that matters, so that a case is about what it changes.
    assert unknown_on_a_side(full(), full(), MATTERS["electricity"]) == ()


def test_a_factor_that_no_metric_minds_is_a_decision() -> None:
    """Known to differ they are factors; not known, they hold nothing up."""
    minded = frozenset().union(*MATTERS.values())
    assert {key for keys in FACTORS.values() for key in keys} - minded == {
        "active_gpu_indices",
        "max_sequence_length",
        "kv_pool_tokens",
        "top_p",
        "top_k",
    }
    assert stated("isl", 1).is_firm
