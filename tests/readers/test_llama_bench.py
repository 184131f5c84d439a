"""llama-bench: one run a test, and rates that compare with nothing that asked a server."""

import json
from typing import Any

import pytest

from runs.domain.comparison import Grade
from runs.domain.derived import figures
from runs.domain.facts import State
from runs.domain.grades import grade, runs_block
from runs.domain.matters import Side
from runs.readers import ReadError, read
from tests.readers.samples import upload

TEST: dict[str, Any] = {
    "build_commit": "1c1409e1", "build_number": 6865, "gpu_info": "Made-up GPU, Made-up GPU", "backends": "ROCm",
    "model_filename": "/home/somebody/model-Q4.gguf", "model_type": "made-up 20B Q4", "n_gpu_layers": 99,
    "n_prompt": 512, "n_gen": 0, "n_depth": 0, "test_time": "2026-10-28T18:04:31Z", "avg_ns": 500_000_000,
    "avg_ts": 1024.0, "stddev_ts": 0.0, "samples_ns": [500_000_000, 500_000_000], "samples_ts": [1000.0, 1048.0],
}  # fmt: skip


def runs(*tests: dict[str, Any], lines: bool = False) -> list[Any]:
    text = "\n".join(json.dumps(test) for test in tests) if lines else json.dumps(list(tests))
    return [run.record for run in read(upload(text)).runs]


@pytest.mark.parametrize("lines", [False, True])
def test_an_array_and_lines_give_the_same(lines: bool) -> None:
    prompt, generation, both = runs(
        TEST, {**TEST, "n_prompt": 0, "n_gen": 128, "avg_ts": 50.5}, {**TEST, "n_gen": 128, "n_depth": 1024},
        lines=lines,
    )  # fmt: skip
    assert [record.label for record in (prompt, generation, both)] == [
        "model-Q4.gguf pp512", "model-Q4.gguf tg128", "model-Q4.gguf pp512+tg128 @ d1024",
    ]  # fmt: skip
    assert prompt.quantity("prefill_throughput").value == 1024.0
    assert generation.quantity("output_throughput").value == 50.5
    assert both.quantity("total_throughput").value == 1024.0
    assert (prompt.setting("osl").state, generation.setting("isl").state) == (State.NOT_APPLICABLE,) * 2
    assert both.setting("isl").note == "at a context that holds 1024 tokens already"


def test_repeats_stand_behind_the_mean() -> None:
    rate = runs(TEST)[0].quantity("prefill_throughput")
    assert (rate.repeats, rate.repeat_values) == (2, (1000.0, 1048.0))
    assert runs({**TEST, "samples_ts": []})[0].quantity("prefill_throughput").repeats == 1


def test_settings() -> None:
    record = runs(TEST)[0]
    keys = ("client", "client_version", "runtime", "model", "accelerator", "isl", "concurrency", "date")
    assert [record.setting(key).value for key in keys] == [
        "llama-bench", "b6865 (1c1409e1)", "llama.cpp", "model-Q4.gguf", "Made-up GPU", 512, 1, "2026-10-28T18:04:31Z",
    ]  # fmt: skip
    assert record.setting("temperature").state is State.NOT_APPLICABLE
    assert record.setting("active_gpus").state is State.NOT_STATED
    assert "/home/somebody" not in repr(record)
    assert runs({**TEST, "n_gpu_layers": 0})[0].setting("accelerator").state is State.NOT_STATED


def test_another_depth_is_another_workload() -> None:
    shallow, deep = runs(TEST)[0], runs({**TEST, "n_depth": 4096})[0]
    assert deep.setting("prompts").value == "random tokens behind a context of 4096 tokens"
    verdict = grade(Side(shallow, figures(shallow)), Side(deep, figures(deep)), "prefill_throughput")
    assert (verdict.grade, verdict.settings) == (Grade.NOT_COMPARABLE, ("prompts",))
    same = grade(Side(shallow, figures(shallow)), Side(shallow, figures(shallow)), "prefill_throughput")
    assert same.grade is not Grade.NOT_COMPARABLE


def test_the_window_is_inferred_with_what_it_may_be_off() -> None:
    window = runs(TEST)[0].window
    assert window.state is State.INFERRED
    assert (window.duration_s, window.uncertainty_s) == (1.0, 1.5)
    assert runs({**TEST, "test_time": "yesterday"})[0].window is None


def test_against_a_client_of_a_server_it_is_not_comparable() -> None:
    generation = runs({**TEST, "n_prompt": 0, "n_gen": 128})[0]
    served = json.dumps({"model_id": "model-Q4.gguf", "num_prompts": 4, "completed": 4, "duration": 2.0,
                         "output_throughput": 9.0, "endpoint_type": "vllm"})  # fmt: skip
    other = read(upload(served)).runs[0].record
    verdict = runs_block(generation, other)
    assert verdict is not None
    assert verdict.reason == "client-times-differently"


@pytest.mark.parametrize(
    ("change", "words"),
    [({"avg_ts": 0}, "tokens per second above 0"), ({"n_prompt": 0}, "n_prompt or n_gen above 0"),
     ({"avg_ts": "fast"}, "tokens per second above 0")],
)  # fmt: skip
def test_what_is_no_measurement_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ReadError, match=words):
        runs({**TEST, **change})
