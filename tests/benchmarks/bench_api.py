"""The API against a bare view of the same server, in ratios: ``python -m tests.benchmarks.bench_api``.

A real server (granian, one worker) on SQLite with 10,000 runs. The bare view is one of this file's own: the same
middleware, login and renderer, 50 rows of one table, no record behind them.
"""

import http.client
import io
import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from urllib.parse import urlsplit

import polars as pl

from tests import live
from tests.benchmarks.bench_readers import GPUS, Ratio, ticks
from tests.builders import vllm_result
from tests.readers.logs import START, amd_csv_file, nvidia_csv

RUNS = 10_000
SETTINGS = "tests.benchmarks.settings"


def timed(ask: Callable[[], object], repeats: int = 60) -> float:
    """The median of some requests after a few to warm up, in s."""
    for _ in range(5):
        ask()
    took = []
    for _ in range(repeats):
        start = time.perf_counter()
        ask()
        took.append(time.perf_counter() - start)
    return median(took)


class Link:
    """One kept connection with a token."""

    def __init__(self, server: live.Server) -> None:
        self.http = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=120)
        login = json.dumps({"username": server.admin_username, "password": server.admin_password}).encode()
        self.headers: dict[str, str] = {}
        token = self.ask("POST", "/api/v1/auth/login", login, "application/json", 201)["token"]
        self.headers = {"Authorization": f"Token {token}"}

    def ask(
        self, method: str, path: str, body: bytes | None = None, kind: str = "", status: int = 200
    ) -> dict[str, object]:
        headers = {**self.headers, **({"Content-Type": kind} if kind else {})}
        self.http.request(method, path, body, headers)
        answer = self.http.getresponse()
        content = answer.read()
        if answer.status != status:
            raise AssertionError(f"{method} {path}: {answer.status} {content[:500]!r}")
        found: dict[str, object] = json.loads(content)
        return found

    def get(self, path: str) -> dict[str, object]:
        return self.ask("GET", path)


def seed(installation: live.Installation) -> None:
    """Ten thousand runs straight into the database, in a process of its own."""
    installation.shell(f"from tests.benchmarks.seeding import seed\nseed({RUNS})")


def multipart(parts: Sequence[tuple[str, str, bytes]]) -> bytes:
    body = io.BytesIO()
    for name, file, content in parts:
        named = f'; filename="{file}"' if file else ""
        body.write(f'--bench\r\nContent-Disposition: form-data; name="{name}"{named}\r\n\r\n'.encode())
        body.write(content)
        body.write(b"\r\n")
    body.write(b"--bench--\r\n")
    return body.getvalue()


def upload_ratio(link: Link, name: str, data: bytes, zone: str) -> Ratio:
    """A log of a million samples with its run: uploaded, read, stored, analysed; against polars' parse of the file."""
    took, alone = [], []
    for _number in range(5):
        # Beside one another, so that what else the machine does weighs on both.
        alone += [_once(lambda: pl.read_csv(data)) for _ in range(3)]
        # A byte of its own makes every repeat a new file and a new run.
        content = data + b"\n" * (random.randrange(1, 10_000) if _number else 1)
        edges = {"benchmark_start_time_unix": START + 100, "benchmark_end_time_unix": START + 100_000}
        result = vllm_result(label=f"bench {random.random()}", **edges)
        meta = json.dumps({"time_zone": zone, "active_gpus": list(range(GPUS))}).encode()
        body = multipart([("file", "result.json", result), ("file", name, content), ("meta", "", meta)])
        started = time.perf_counter()
        answer = link.ask("POST", "/api/v1/uploads", body, "multipart/form-data; boundary=bench", 201)
        took.append(time.perf_counter() - started)
        power = answer["runs"][0]["power"]  # type: ignore[index]
        if power is None:
            raise AssertionError(f"{name}: not joined: {answer['warnings']}")
    return Ratio(f"1e6 samples uploaded to analysed, {name}", min(took), min(alone), 5)


def _once(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def ratios(server: live.Server) -> list[Ratio]:
    link = Link(server)
    bare = timed(lambda: link.get("/bare/"))
    listed = "/api/v1/runs?sort=-per_gpu_total&runtime=vLLM&isl=8192"
    ids = [str(one["id"]) for one in link.get("/api/v1/runs?limit=8")["results"]]  # type: ignore[attr-defined]
    compared = f"/api/v1/comparisons?runs={','.join(ids)}&price_per_kwh=0.10"
    found = [
        Ratio("bare view of 50 rows", bare, bare, 1),
        Ratio(f"list of {RUNS} runs, filtered and sorted", timed(lambda: link.get(listed)), bare, 4),
        Ratio("comparison of 8 runs", timed(lambda: link.get(compared)), bare, 6),
        Ratio("one run", timed(lambda: link.get(f"/api/v1/runs/{ids[0]}")), bare, 6),
        Ratio("facets of 10,000 runs", timed(lambda: link.get("/api/v1/runs/facets"), 10), bare, 40),
    ]
    watts = ticks()
    found.append(upload_ratio(link, "nvidia.csv", nvidia_csv(watts).encode(), "UTC"))
    found.append(upload_ratio(link, "amdsmi.csv", amd_csv_file(watts).encode(), "UTC"))
    return found


def main() -> int:
    temporary = tempfile.TemporaryDirectory(prefix="likewise-bench-")
    with temporary as folder, live.installed(Path(folder), demo=False) as bare:
        installation = replace(bare, environment={**bare.environment, "DJANGO_SETTINGS_MODULE": SETTINGS})
        seed(installation)
        with live.serving(installation) as server:
            measured = ratios(server)
    for ratio in measured:
        print(ratio)  # noqa: T201 - that is what it is run for
    return int(any(ratio.ratio > ratio.limit for ratio in measured))


if __name__ == "__main__":
    sys.exit(main())
