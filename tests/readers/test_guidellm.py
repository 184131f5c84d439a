"""guidellm's report in its layouts; values are made up and worked out by hand. Real files: test_public_samples."""

import copy
import json
from typing import Any

import pytest

from runs.domain.facts import State
from runs.readers import ReadError, read
from tests.readers.samples import sample, upload


def stats(mean: float, count: int, total: float) -> dict[str, Any]:
    percentiles = {"p001": mean, "p75": mean, "p90": mean + 1, "p95": mean + 2, "p99": mean + 3, "p999": mean + 4}
    entry = {"mean": mean, "median": mean, "std_dev": 0.0, "min": mean, "max": mean + 4, "count": count,
             "total_sum": total, "percentiles": percentiles}  # fmt: skip
    nothing = {key: 0.0 for key in entry if key != "percentiles"} | {"percentiles": {"p99": 0.0}}
    return {"successful": entry, "errored": nothing, "incomplete": nothing, "total": entry}


BENCHMARK: dict[str, Any] = {
    "type_": "generative_benchmark",
    "config": {
        "strategy": {"type_": "concurrent", "streams": 4, "max_concurrency": 4},
        "constraints": {"max_requests": {"args": {"count": 12}}},
        "backend": {
            "target": "http://secret-host:8000", "model": "org/model", "api_key": "sk-NEVER",
            "extras": {"body": {"temperature": 0.0, "top_p": 0.9, "top_k": 20, "ignore_eos": True}},
        },
    },
    "start_time": 1_786_678_100.0, "end_time": 1_786_678_120.0, "duration": 20.0,
    "metrics": {
        "request_totals": {"successful": 10, "errored": 1, "incomplete": 1, "total": 12},
        "prompt_token_count": stats(1000, 10, 10_000), "output_token_count": stats(100, 10, 1000),
        "request_latency": stats(2.0, 10, 20), "time_to_first_token_ms": stats(50, 10, 500),
        "inter_token_latency_ms": stats(20, 990, 19_800), "time_per_output_token_ms": stats(999, 10, 9990),
        "tokens_per_second": stats(5000, 10, 5000),
    },
}  # fmt: skip
REPORT: dict[str, Any] = {
    "metadata": {"version": 2, "guidellm_version": "0.8.1"},
    "config": {"spec": {"data": [{"kind": "synthetic_text", "prompt_tokens": 1000}]}},
    "benchmarks": [BENCHMARK],
}


@pytest.fixture
def report() -> dict[str, Any]:
    return copy.deepcopy(REPORT)


def record(report: dict[str, Any]) -> Any:
    return read(upload(json.dumps(report), "benchmarks.json")).runs[0].record


def test_throughput_comes_from_counted_tokens_not_from_its_own_rates(report: dict[str, Any]) -> None:
    figures = {quantity.key: quantity.value for quantity in record(report).quantities}
    assert figures["total_throughput"] == 11_000 / 20
    assert figures["output_throughput"] == 1000 / 20
    assert figures["request_throughput"] == 10 / 20
    assert figures["tpot:median"] == pytest.approx(0.02)
    assert figures["ttft:p99.9"] == pytest.approx(0.054)
    assert figures["e2el:p90"] == pytest.approx(3.0)


def test_settings(report: dict[str, Any]) -> None:
    found = record(report)
    keys = ("client", "client_version", "model", "isl", "osl", "concurrency", "num_prompts", "temperature",
            "top_p", "top_k", "ignore_eos", "prompts")  # fmt: skip
    assert [found.setting(key).value for key in keys] == [
        "guidellm", "0.8.1", "org/model", 1000, 100, 4, 12, 0.0, 0.9, 20, True, "synthetic text",
    ]  # fmt: skip
    assert found.setting("request_rate").nominal == "unlimited"
    assert found.label == "model @ 4"


def test_the_window_is_in_the_file(report: dict[str, Any]) -> None:
    window = record(report).window
    assert (window.start, window.end, window.state) == (1_786_678_100.0, 1_786_678_120.0, State.OBSERVED)


def test_no_address_and_no_key_of_the_back_end_is_kept(report: dict[str, Any]) -> None:
    said = repr(record(report))
    assert "sk-NEVER" not in said
    assert "secret-host" not in said


def test_failed_and_cut_off_requests_are_said_apart(report: dict[str, Any]) -> None:
    found = record(report)
    assert (found.requests.attempted, found.requests.completed, found.requests.failed) == (12, 10, 1)
    assert {remark.code for remark in found.remarks} == {"failed-requests", "incomplete-requests"}


def test_temperature_that_was_not_sent_is_not_stated(report: dict[str, Any]) -> None:
    report["benchmarks"][0]["config"]["backend"]["extras"] = None
    assert record(report).setting("temperature").state is State.NOT_STATED


def test_a_rate_with_a_limit_has_both(report: dict[str, Any]) -> None:
    config = report["benchmarks"][0]["config"]
    config["strategy"] = {"type_": "constant", "rate": 5.0, "max_concurrency": 10_240}
    assert record(report).setting("concurrency").nominal == "unlimited"
    config["profile"] = {"kind": "constant", "max_concurrency": 8}
    found = record(report)
    assert (found.setting("concurrency").value, found.setting("request_rate").value) == (8, 5.0)


def test_the_layout_of_0_2(report: dict[str, Any]) -> None:
    old = report["benchmarks"][0]
    del old["config"], old["duration"], report["metadata"], report["config"]
    old["request_totals"] = old["metrics"].pop("request_totals")
    old["args"] = {"strategy": {"type_": "constant", "rate": 1.5}, "max_number": 40}
    old["worker"] = {"backend_model": "org/old"}
    old["request_loader"] = {"data": "prompt_tokens=1000,output_tokens=100"}
    found = record(report)
    assert found.quantity("total_throughput").value == 11_000 / 20
    assert found.setting("request_rate").value == 1.5
    assert (found.setting("model").value, found.setting("num_prompts").value) == ("org/old", 40)
    assert found.setting("concurrency").nominal == "unlimited"
    assert found.setting("prompts").value == "synthetic text"


def test_a_sweep_is_a_run_each_and_an_empty_benchmark_is_left_out(report: dict[str, Any]) -> None:
    empty = copy.deepcopy(BENCHMARK)
    empty["metrics"]["request_totals"] = {"successful": 0, "errored": 3, "incomplete": 0, "total": 3}
    report["benchmarks"] += [empty, copy.deepcopy(BENCHMARK)]
    reading = read(upload(json.dumps(report)))
    assert [run.place for run in reading.runs] == ["[0]", "[2]"]
    assert reading.remarks[0].place == "benchmarks[1], request_totals"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"benchmarks": [{"type_": "x", "metrics": {}}]}, "expected metrics, as guidellm writes from 0.2 on"),
        ({"benchmarks": [7]}, "expected an object, saw '7'"),
        ({"benchmarks": []}, "expected a list of benchmarks"),
    ],
)
def test_what_is_refused(report: dict[str, Any], change: dict[str, Any], words: str) -> None:
    with pytest.raises(ReadError) as refused:
        read(upload(json.dumps({**report, **change})))
    assert words in str(refused.value)


def test_a_file_that_0_8_1_wrote_of_the_simulator() -> None:
    found = read(sample("guidellm", "v0.8.1_simulator_rate20.json")).runs[0].record
    # 6 requests of 32 + 8 tokens.
    assert (found.requests.input_tokens, found.requests.output_tokens, found.requests.completed) == (192, 48, 6)
    total, window = found.quantity("total_throughput"), found.window
    assert total is not None
    assert window is not None
    assert total.value == pytest.approx(240 / window.duration_s)
    keys = ("model", "isl", "osl", "concurrency", "request_rate", "temperature", "top_p", "top_k", "ignore_eos")
    assert [found.setting(key).value for key in keys] == ["likewise-simulator", 32, 8, 2, 20.0, 0.0, 0.9, 20, True]
