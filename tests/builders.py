"""Records, and files as the tools write them, with round numbers that a test can work out by hand."""

import datetime as dt
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from runs.domain.facts import Basis, Evidence, Party, Printed, Quantity, Setting, State
from runs.domain.records import Provenance, RunRecord

# 2026-12-01 12:00:00 UTC
NOON = 1_796_126_400.0


def setting(key: str, value: Any, state: State = State.STATED, nominal: str = "") -> Setting:
    return Setting(key, state, value, nominal, (Evidence("statement"),))


def record(label: str = "A run", *, throughput: float | None = 6000.0, **settings: Any) -> RunRecord:
    """A measured run of six GPUs at 8192/1024 tokens; keyword arguments replace settings, None takes one out."""
    values = {
        "model": "example/model",
        "runtime": "vLLM",
        "accelerator": "MI355X",
        "isl": 8192,
        "osl": 1024,
        "concurrency": 64,
        "active_gpus": 6,
        "client": "vllm bench serve",
        **settings,
    }
    quantities = [Quantity("ttft", "ms", Basis.MEASURED, "median", 500.0, repeats=1)]
    if throughput is not None:
        quantities.append(Quantity("total_throughput", "tok/s", Basis.MEASURED, value=throughput, repeats=1))
    return RunRecord(
        label=label,
        provenance=Provenance.MEASURED,
        party=Party("this house"),
        settings={key: setting(key, value) for key, value in values.items() if value is not None},
        quantities=tuple(quantities),
    )


def printed_record(label: str = "A published run", text: str = "5.661") -> RunRecord:
    """A run by document: 5661 tok/s as a Dutch text prints it."""
    quantity = Quantity(
        "total_throughput",
        "tok/s",
        Basis.MEASURED,
        value=Decimal(text.replace(".", "")),
        printed=Printed(text, "nl"),
        evidence=(Evidence("document", "article"),),
    )
    return RunRecord(label, Provenance.PUBLISHED, Party("a vendor", "maker of the runtime"), quantities=(quantity,))


def vllm_result(**changes: Any) -> bytes:
    """A ``vllm bench serve`` result: 64 requests of 8192 + 1024 tokens in 100 s from noon UTC, 5898.24 tok/s."""
    result = {
        "date": "20261201-120140",
        "endpoint_type": "vllm",
        "backend": "vllm",
        "label": None,
        "model_id": "example/model",
        "tokenizer_id": "example/model",
        "num_prompts": 64,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 64,
        "duration": 100.0,
        "completed": 64,
        "failed": 0,
        "total_input_tokens": 524288,
        "total_output_tokens": 65536,
        "request_throughput": 0.64,
        "output_throughput": 655.36,
        "total_token_throughput": 5898.24,
        "mean_ttft_ms": 510.0,
        "median_ttft_ms": 500.0,
        "std_ttft_ms": 10.0,
        "p99_ttft_ms": 900.0,
        "mean_tpot_ms": 21.0,
        "median_tpot_ms": 20.0,
        "std_tpot_ms": 1.0,
        "p99_tpot_ms": 25.0,
        "mean_itl_ms": 21.0,
        "median_itl_ms": 20.0,
        "std_itl_ms": 1.0,
        "p99_itl_ms": 30.0,
    }
    kept = {key: value for key, value in {**result, **changes}.items() if value != "left out"}
    return json.dumps(kept).encode()


def windowed_result(**changes: Any) -> bytes:
    """The same with its window in Unix time, noon to 12:01:40 UTC, as a fork of the client writes it."""
    return vllm_result(benchmark_start_time_unix=NOON, benchmark_end_time_unix=NOON + 100, **changes)


def nvidia_log(
    *,
    gpus: int = 8,
    watts: float = 700.0,
    start: float = NOON - 10,
    seconds: int = 120,
    limits: Sequence[float] = (),
) -> bytes:
    """``nvidia-smi --query-gpu`` CSV, a sample a second and GPU, in UTC without saying so."""
    caps = list(limits) or [1000.0] * gpus
    lines = ["timestamp, index, power.draw [W], power.limit [W]"]
    for second in range(seconds + 1):
        stamp = dt.datetime.fromtimestamp(start + second, dt.UTC).strftime("%Y/%m/%d %H:%M:%S.000")
        lines += [f"{stamp}, {gpu}, {watts:.2f} W, {caps[gpu]:.2f} W" for gpu in range(gpus)]
    return "\n".join(lines).encode() + b"\n"
