"""A benchmark client for tests that behaves as it is told: well, or in one of the ways that clients go wrong."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

SAMPLE = Path(__file__).parents[1] / "samples" / "vllm_serve" / "v0.33_plain_default_percentiles.json"


def result(seconds: float) -> bytes:
    document = json.loads(SAMPLE.read_bytes())
    document["duration"] = seconds + time.time_ns() % 1_000_000_007 / 1e12  # a run of its own every time
    return json.dumps(document).encode()


def main(mode: str, seconds: float) -> int:
    print(f"started {mode}", flush=True)
    if mode == "hang":
        time.sleep(3600)
    if mode == "orphans":
        # A child that leaves group, session and parent, as daemons do, and one that ignores TERM.
        subprocess.Popen(
            [sys.executable, "-c", "import os,time\nif os.fork(): os._exit(0)\nos.setsid(); time.sleep(3600)"]
        )
        subprocess.Popen(["bash", "-c", "trap '' TERM; while true; do sleep 1; done"])
        time.sleep(3600)
    if mode == "flood":
        block = b"x" * 1023 + b"\n"
        for _number in range(1024):
            os.write(1, block * 1024)
        os.write(1, b"the end of the flood\n")
    if mode == "fill":
        with Path("big").open("wb") as file:
            while True:
                file.write(b"x" * 65536)
                file.flush()
    began = time.time()
    print("Traffic request rate: inf", flush=True)
    time.sleep(seconds)
    print("============ Serving Benchmark Result ============", flush=True)
    ended = time.time()
    if mode == "many":
        for number in range(25):
            Path(f"extra-{number}.txt").write_text(str(time.time_ns()), encoding="ascii")
    if mode == "nothing":
        return 0
    data = result(seconds)
    Path("result.json").write_bytes(data[: len(data) // 2] if mode == "half" else data)
    Path("span.txt").write_text(f"{began} {ended}", encoding="ascii")
    return 3 if mode == "fail" else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], float(sys.argv[2])))
