"""Files as tools write them, made on the spot: a benchmark result with a window, and a power log that covers it."""

import json
import math
from datetime import UTC, datetime, timedelta

START = datetime(2026, 8, 6, 13, 23, 14, 990249, tzinfo=UTC)
SECONDS = 315.248


def result(model: str = "Kimi-K3.1-Pro", **changes: object) -> bytes:
    """What ``vllm bench serve`` writes in InferenceX's fork: with the window in Unix time."""
    latencies = {
        f"{stat}_{name}_ms": value * factor
        for name, value in {"ttft": 400.0, "tpot": 33.0, "itl": 60.0, "e2el": 30514.0}.items()
        for stat, factor in {"mean": 1.1, "median": 1.0, "std": 0.1, "p90": 1.3, "p99": 2.0}.items()
    }
    found = {
        "date": "20260806-132830",
        "backend": "vllm",
        "model_id": model,
        "tokenizer_id": model,
        "num_prompts": 640,
        "request_rate": "inf",
        "burstiness": 1.0,
        "max_concurrency": 64,
        "duration": SECONDS,
        "benchmark_start_time_unix": START.timestamp(),
        "benchmark_end_time_unix": START.timestamp() + SECONDS,
        "completed": 640,
        "total_input_tokens": 4729077,
        "total_output_tokens": 588102,
        "request_throughput": 640 / SECONDS,
        "output_throughput": 588102 / SECONDS,
        "total_token_throughput": (4729077 + 588102) / SECONDS,
        **latencies,
        **changes,
    }
    return json.dumps(found).encode()


def power_log(gpus: int = 8, active: int = 6, limit: float = 800.0) -> bytes:
    """An nvidia-smi CSV log from 20 s before the window to 20 s after it, a sample a second and GPU."""
    lines = ["timestamp, index, power.draw [W], power.limit [W]"]
    for second in range(-20, int(SECONDS) + 21):
        at = START + timedelta(seconds=second)
        for gpu in range(gpus):
            busy = gpus - gpu <= active and 0 <= second <= SECONDS
            watts = 690 + 70 * math.sin(second / 9 + gpu) + gpu * 3 if busy else 140 + gpu
            stamp = f"{at:%Y/%m/%d %H:%M:%S}.{at.microsecond // 1000:03d}"
            lines.append(f"{stamp}, {gpu}, {watts:.2f} W, {limit:.2f} W")
    return "\n".join(lines).encode()
