"""Reading against what the parse alone takes.

A power log of a million samples against polars' own parse of the file, a 50 MB detailed result against a msgspec decode
of its summary fields plus one hash of the bytes.
"""

import hashlib
import json
import random

import msgspec
import polars as pl

from runs.readers import Upload, read, unpack
from tests.benchmarks.ratios import Ratio, against
from tests.readers.logs import PREAMBLE, Ticks, amd_csv_file, amd_csv_stdout, nvidia_csv

SAMPLES, GPUS = 1_000_000, 8
DETAIL_BYTES = 50_000_000
LIMIT = 256 << 20


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


def power_log(name: str, data: bytes, skip: int = 0) -> Ratio:
    def reading() -> None:
        trace = read(Upload("log.csv", data, "0" * 64)).trace
        if trace is None or len(trace) != SAMPLES:
            raise AssertionError(f"{name}: the reader lost samples")

    return against(f"read only: {name}", 3.5, reading, lambda: pl.read_csv(data, skip_lines=skip))


def ratios() -> list[Ratio]:
    """Every reading measured here."""
    watts = ticks()
    return [
        power_log("amd-smi watch CSV, stdout", amd_csv_stdout(watts).encode(), PREAMBLE.count("\n")),
        power_log("amd-smi watch CSV, --file", amd_csv_file(watts).encode()),
        power_log("nvidia-smi CSV with units", nvidia_csv(watts).encode()),
        detailed_result(),
    ]


def detailed_result() -> Ratio:
    data = detailed()
    return against(
        f"read only: vLLM detailed, {len(data) / 1e6:.0f} MB", 4,
        lambda: read(unpack("result.json", data, LIMIT)), lambda: decode_and_hash(data),
    )  # fmt: skip


_decoder = msgspec.json.Decoder(Summary)


def decode_and_hash(data: bytes) -> None:
    """The yardstick of a detailed result."""
    _decoder.decode(data)
    hashlib.sha256(data).hexdigest()
