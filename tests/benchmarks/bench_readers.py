"""Reading against what the parse alone takes, measured in the same run: ``python -m tests.benchmarks.bench_readers``.

Ratios, not seconds: a power log of a million samples against polars' own parse of the file, a 50 MB detailed result
against a msgspec decode of its summary fields plus one hash of the bytes.
"""

import hashlib
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import msgspec
import polars as pl

from runs.readers import Upload, read, unpack
from tests.readers.logs import PREAMBLE, Ticks, amd_csv_file, amd_csv_stdout, nvidia_csv

SAMPLES, GPUS = 1_000_000, 8
DETAIL_BYTES = 50_000_000
LIMIT = 256 << 20


@dataclass(frozen=True)
class Ratio:
    """A reading, its yardstick, and what it may cost at most."""

    name: str
    seconds: float
    yardstick_s: float
    limit: float

    @property
    def ratio(self) -> float:
        return self.seconds / self.yardstick_s

    def __str__(self) -> str:
        times = f"{self.seconds * 1000:7.0f} ms / {self.yardstick_s * 1000:5.0f} ms"
        return f"{self.name:<42} {times} = {self.ratio:5.2f}x (at most {self.limit:g}x)"


class Summary(msgspec.Struct):
    """The summary fields of a result: what the yardstick decodes."""

    date: str
    model_id: str
    num_prompts: int
    completed: int
    failed: int
    duration: float
    total_input_tokens: int
    total_output_tokens: int
    output_throughput: float
    total_token_throughput: float
    mean_ttft_ms: float
    median_ttft_ms: float
    p99_ttft_ms: float
    median_tpot_ms: float
    median_itl_ms: float


def ticks(samples: int = SAMPLES) -> Ticks:
    dice = random.Random(1)
    return [[dice.randrange(200, 1400) for _ in range(GPUS)] for _ in range(samples // GPUS)]


def detailed(size: int = DETAIL_BYTES) -> bytes:
    """A ``--save-detailed`` result of about ``size`` bytes: 200 gaps and 1 kB of text a request."""
    dice = random.Random(2)
    gaps = [[dice.random() / 40 for _ in range(200)] for _ in range(64)]
    count = size // (len(json.dumps(gaps[0])) + 1060)
    head = {
        "date": "20260812-141530", "endpoint_type": "openai", "model_id": "a/b", "num_prompts": count,
        "request_rate": "inf", "max_concurrency": 16, "duration": 300.0, "completed": count, "failed": 0,
        "total_input_tokens": 1000 * count, "total_output_tokens": 200 * count, "output_throughput": 900.0,
        "total_token_throughput": 4800.0, "input_lens": [1000] * count, "output_lens": [200] * count,
        "ttfts": [dice.random() for _ in range(count)], "itls": [gaps[index % 64] for index in range(count)],
        "generated_texts": ['He said "no" \\ ' * 66] * count, "errors": [""] * count, "mean_ttft_ms": 240.0,
        "median_ttft_ms": 230.0, "p99_ttft_ms": 700.0, "median_tpot_ms": 16.0, "median_itl_ms": 15.0,
    }  # fmt: skip
    return json.dumps(head).encode()


def best(action: Callable[[], object], repeats: int = 5) -> float:
    """The shortest of some runs, in s."""
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        took.append(time.perf_counter() - start)
    return min(took)


def power_log(name: str, data: bytes, skip: int = 0) -> Ratio:
    alone = best(lambda: pl.read_csv(data, skip_lines=skip))
    file = Upload("log.csv", data, "0" * 64)
    trace = read(file).trace
    if trace is None or len(trace) != SAMPLES:
        message = f"{name}: the reader lost samples"
        raise AssertionError(message)
    return Ratio(name, best(lambda: read(Upload("log.csv", data, "0" * 64))), alone, 3.5)


def detailed_result() -> Ratio:
    data, decoder = detailed(), msgspec.json.Decoder(Summary)

    def yardstick() -> None:
        decoder.decode(data)
        hashlib.sha256(data).hexdigest()

    return Ratio(
        f"vllm detailed, {len(data) / 1e6:.0f} MB, hashed and read",
        best(lambda: read(unpack("result.json", data, LIMIT))), best(yardstick), 4,
    )  # fmt: skip


def ratios() -> list[Ratio]:
    """Every reading measured here, slowest first to make."""
    watts = ticks()
    return [
        power_log("amd-smi watch CSV, stdout, 1e6 samples", amd_csv_stdout(watts).encode(), PREAMBLE.count("\n")),
        power_log("amd-smi watch CSV, --file, 1e6 samples", amd_csv_file(watts).encode()),
        power_log("nvidia-smi CSV with units, 1e6 samples", nvidia_csv(watts).encode()),
        detailed_result(),
    ]


if __name__ == "__main__":
    for ratio in ratios():
        print(ratio)  # noqa: T201 - that is what it is run for
