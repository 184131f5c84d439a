"""SGLang's bench_serving: two runs and one that completed nothing, in one file of made-up values."""

import json
from typing import Any

import pytest

from runs.domain.facts import State
from runs.domain.matters import timing_of
from runs.readers import ReadError, read
from tests.readers.samples import FOLDER, sample, upload

NAME = "sglang_1201_64_8192_1024.jsonl"


@pytest.fixture
def line() -> dict[str, Any]:
    return dict(json.loads((FOLDER / "sglang" / NAME).read_text(encoding="utf-8").splitlines()[0]))


def record(line: dict[str, Any], name: str = "x.jsonl") -> Any:
    return read(upload(json.dumps(line), name)).runs[0].record


def test_every_line_with_completed_requests_is_a_run() -> None:
    reading = read(sample("sglang", NAME))
    assert [(run.place, run.record.label) for run in reading.runs] == [
        ("document 1", "conc16"), ("document 2", "conc1"),
    ]  # fmt: skip
    assert [remark.text for remark in reading.remarks] == [
        "document 3 was left out: zero completed requests: zeros in the file are not measurements"
    ]


def test_figures_by_hand() -> None:
    first = read(sample("sglang", NAME)).runs[0].record
    figures = {quantity.key: quantity.value for quantity in first.quantities}
    assert figures["total_throughput"] == pytest.approx((524_288 + 65_536) / 111.25)
    assert figures["output_throughput"] == pytest.approx(65_536 / 111.25)
    assert figures["request_throughput"] == pytest.approx(64 / 111.25)
    assert figures["ttft:median"] == pytest.approx(1.2886)
    assert figures["tpot:p99"] == pytest.approx(0.0269)
    assert figures["itl:max"] == pytest.approx(0.9133)
    assert figures["e2el:p90"] == pytest.approx(28.8001)
    assert "spec_acceptance_length" not in figures


def test_settings_of_the_line_and_of_the_server() -> None:
    first, second = (run.record for run in read(sample("sglang", NAME)).runs)
    values = {key: first.setting(key).value for key in (
        "isl", "osl", "concurrency", "model", "precision", "tensor_parallel", "runtime_version", "prefix_caching",
        "chunked_prefill_tokens", "speculative_method", "dataset")}  # fmt: skip
    assert values == {
        "isl": 8192, "osl": 1024, "concurrency": 16, "model": "/models/example-moe-400b", "precision": "fp8",
        "tensor_parallel": 8, "runtime_version": "0.5.12", "prefix_caching": False, "chunked_prefill_tokens": 8192,
        "speculative_method": "none", "dataset": "random",
    }  # fmt: skip
    assert first.setting("request_rate").nominal == "unlimited"
    assert second.setting("concurrency").value == 1
    accepted = second.quantity("spec_acceptance_length")
    assert accepted is not None
    assert accepted.value == 2.31
    assert first.setting("client").state is State.INFERRED
    assert timing_of("SGLang bench_serving") not in (timing_of("vllm bench serve"), timing_of("guidellm"))


def test_what_the_file_does_not_record_is_not_stated() -> None:
    first = read(sample("sglang", NAME)).runs[0].record
    for key in ("temperature", "ignore_eos", "active_gpus", "num_prompts", "date"):
        assert first.setting(key).state is State.NOT_STATED
    assert (first.requests.attempted, first.requests.failed, first.window) == (None, None, None)
    assert "sampling-not-recorded" in {remark.code for remark in first.remarks}


def test_the_servers_key_is_nowhere_in_what_was_read() -> None:
    assert "sk-EXAMPLE" in (FOLDER / "sglang" / NAME).read_text(encoding="utf-8")
    assert "sk-EXAMPLE" not in repr(read(sample("sglang", NAME)))


def test_failures_are_counted_where_every_request_has_an_error_text(line: dict[str, Any]) -> None:
    line["errors"] = [""] * 64 + ["refused"] * 6
    found = record(line)
    assert (found.requests.attempted, found.requests.failed) == (70, 6)
    assert found.setting("num_prompts").value == 70
    assert "6 of 70 requests failed; figures are of the others" in {remark.text for remark in found.remarks}


def test_zeros_and_words_are_no_measurements(line: dict[str, Any]) -> None:
    line["total_throughput"], line["mean_ttft_ms"], line["max_concurrency"] = 0.0, "fast", None
    found = record(line)
    keys = {quantity.key for quantity in found.quantities}
    assert not keys & {"total_throughput", "ttft:mean"}
    assert found.setting("concurrency").nominal == "unlimited"
    said = {remark.text for remark in found.remarks}
    assert "total_throughput is 0, which is no measurement: left out" in said


def test_servers_apart_for_prefill_and_decode_state_nothing(line: dict[str, Any]) -> None:
    line["server_info"] = {"prefill": [line["server_info"]], "decode": []}
    found = record(line)
    assert found.setting("tensor_parallel").state is State.NOT_STATED
    assert "disaggregated" in {remark.code for remark in found.remarks}


def test_a_file_in_which_nothing_completed_is_refused(line: dict[str, Any]) -> None:
    with pytest.raises(ReadError, match="zero completed requests"):
        record({**line, "completed": 0})


def test_a_line_that_0_5_23_wrote_of_a_server_of_another_make() -> None:
    found = read(sample("sglang", "v0.5.23_simulator_c2.jsonl")).runs[0].record
    figures = {quantity.key: quantity.value for quantity in found.quantities}
    # 6 requests of 32 + 8 tokens in 0.387 s.
    assert figures["total_throughput"] == pytest.approx(240 / 0.3870521909998388)
    assert found.setting("model").state is State.NOT_STATED
    assert (found.setting("dataset").value, found.setting("concurrency").value) == ("random-ids", 2)
