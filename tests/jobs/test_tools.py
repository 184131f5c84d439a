"""Tools beside those of the other tests: nvidia-smi for power and caps, and a client that prints its result."""

from typing import Any

import pytest

from tests.jobs.rig import STANDINS, Rig


def record_of(rig: Rig, run: str) -> dict[str, Any]:
    return dict(
        rig.ask(
            "from runs import selectors\nfrom runs.services.meta import msgspec\n"
            f"result = msgspec.to_builtins(selectors.run_detail({run!r}).record)"
        )
    )


def test_power_and_caps_by_nvidia_smi(faulty: Rig, unique: str) -> None:
    programs = {"nvidia-smi": str(STANDINS / "nvidia-smi")}
    target = faulty.target(unique, programs=programs, sampler="nvidia-smi")
    faulty.worker()
    job = faulty.job(target, seconds=11, active_gpus=[0, 1], power_cap_w=700)
    assert faulty.ended(job, 60) == "done", faulty.look(job)
    agent = faulty.look(job)["agent"]
    assert agent["sampler"] == [
        programs["nvidia-smi"], "--query-gpu=timestamp,index,power.draw,power.limit", "--format=csv", "-lms", "500",
    ]  # fmt: skip
    assert agent["caps_before"] == agent["caps_after"] == {"0": 700.0, "1": 700.0}
    told = record_of(faulty, faulty.runs(job)[0])
    assert told["provenance"] == "simulated"
    assert "nvidia-smi says" in str(told["remarks"])
    cap = told["settings"]["power_cap_w"]
    assert (cap["state"], cap["value"]) == ("observed", 700)
    assert told["settings"]["accelerator"]["value"] == "Stand-in H100"
    power = told["power"]
    assert (power["tool"], power["gpus"], power["bracketed"]) == (
        "nvidia-smi --query-gpu", ["0", "1"], True,
    )  # fmt: skip
    # 300.12 W and 301.12 W, all the time.
    assert power["mean_w"] == pytest.approx(601.24)
    assert power["covered"] == pytest.approx(1, abs=0.01)
    assert told["window"]["state"] == "observed"
    assert power["energy_j"] == pytest.approx(601.24 * (told["window"]["end"] - told["window"]["start"]), rel=0.01)


def test_a_client_that_prints_its_result_ends_in_a_run_for_every_test(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique, programs={"llama-bench": str(STANDINS / "llama-bench")})
    faulty.worker()
    plan: dict[str, Any] = {
        "client": "llama-bench",
        "command": "",
        "parameters": {},
        "model": "/models/x.gguf",
        "isl": 512,
        "osl": 64,
    }
    job = faulty.job(target, **plan, num_prompts=3)
    assert faulty.ended(job) == "done", faulty.look(job)
    assert {"llama-bench.json", "output.log"} <= set(faulty.files(job))
    assert faulty.look(job)["tail"].endswith("done\n")
    records = [record_of(faulty, run) for run in faulty.runs(job)]
    figures = {one["metric"]: (one["value"], one["repeats"]) for record in records for one in record["quantities"]}
    assert figures == {"prefill_throughput": (2048.0, 3), "output_throughput": (128.0, 3)}
    assert all(record["settings"]["client"]["value"] == "llama-bench" for record in records)
    assert all(record["settings"]["temperature"]["state"] == "not applicable" for record in records)
