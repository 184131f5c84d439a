"""LocalMaxxing's lmx in its three envelopes, of made-up values."""

import json
from typing import Any

import pytest

from runs.domain.facts import State
from runs.readers import ReadError, read
from tests.readers.samples import FOLDER, sample, upload


@pytest.fixture
def payload() -> dict[str, Any]:
    return dict(json.loads((FOLDER / "lmx" / "run_plain.json").read_text(encoding="utf-8")))


def record(payload: object) -> Any:
    return read(upload(json.dumps(payload), "lmx.json")).runs[0].record


@pytest.mark.parametrize(
    ("name", "label"),
    [("run_plain.json", "Qwen3-8B, lmx"), ("run_envelope.json", "Qwen3-8B, lmx"),
     ("batch_label_payload.json", "b70-tp1")],
)  # fmt: skip
def test_every_envelope_gives_the_same_run(name: str, label: str) -> None:
    found = read(sample("lmx", name)).runs[0].record
    figures = {quantity.key: (quantity.value, quantity.repeats) for quantity in found.quantities}
    assert found.label == label
    assert figures == {
        "request_output_rate": (121.4, 3), "prefill_throughput": (5321.0, None), "total_throughput": (598.2, None),
        "ttft:median": (pytest.approx(0.0962), 3), "gpu_power:snapshot": (528.9, None),
    }  # fmt: skip


def test_its_rate_has_a_definition_of_its_own(payload: dict[str, Any]) -> None:
    rate = record(payload).quantity("request_output_rate")
    assert rate.definition.startswith("lmx tokSOut: output tokens of a request from the first to the last")
    assert rate.repeat_values == (120.8, 121.4, 122.0)


def test_several_requests_at_once_or_another_clock_make_it_a_throughput(payload: dict[str, Any]) -> None:
    payload["engineFlags"]["concurrency"] = 16
    found = record(payload)
    assert found.quantity("request_output_rate") is None
    assert found.quantity("output_throughput").definition == "lmx tokSOut, timed by openai_stream"


def test_settings(payload: dict[str, Any]) -> None:
    found = record(payload)
    keys = ("client", "model", "runtime", "runtime_version", "precision", "accelerator", "isl", "osl", "temperature",
            "tensor_parallel", "concurrency")  # fmt: skip
    assert [found.setting(key).value for key in keys] == [
        "lmx", "Qwen/Qwen3-8B", "vLLM", "0.25.1", "fp8", "AMD Instinct MI300X", 512, 128, 0.0, 1, 1,
    ]  # fmt: skip
    assert found.setting("temperature").state is State.STATED
    assert found.setting("active_gpus").state is State.NOT_STATED


def test_nested_as_the_site_gives_it(payload: dict[str, Any]) -> None:
    row = {
        "id": 7, "model": {"hfId": payload.pop("hfId")}, "user": {"email": "somebody@example.org"},
        "engine": {"engineName": payload.pop("engineName"), "quantization": payload.pop("quantization")}, **payload,
    }  # fmt: skip
    found = record([row])
    assert (found.setting("model").value, found.setting("precision").value) == ("Qwen/Qwen3-8B", "fp8")
    assert "somebody" not in repr(found)


def test_the_command_line_is_not_kept(payload: dict[str, Any]) -> None:
    payload["engineFlags"]["commandSnippet"] = "vllm serve --api-key sk-NEVER"
    assert "sk-NEVER" not in repr(record(payload))


def test_watts_of_some_gpus_are_no_power(payload: dict[str, Any]) -> None:
    payload["gpuPowerWatts"] = [528.9, None]
    assert record(payload).quantity("gpu_power:snapshot") is None


@pytest.mark.parametrize("change", [{"tokSOut": 0}, {"tokSOut": "121"}])
def test_a_run_without_any_rate_is_refused(payload: dict[str, Any], change: dict[str, Any]) -> None:
    bare = {"hfId": payload["hfId"], "engineName": "vllm", **change}
    with pytest.raises(ReadError, match="tokens per second above 0"):
        record(bare)


def test_a_sweep_of_plans_without_values_says_so() -> None:
    sweep = {"hfId": "a/b", "kind": "kvcache_context_sweep", "points": [{"contextTokens": 1}]}
    with pytest.raises(ReadError, match="a context sweep of 1 points"):
        record(sweep)
