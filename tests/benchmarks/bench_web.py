"""API, pages and uploads of a real server (granian, one worker, SQLite) with 10,000 runs.

Requests against a bare view of the same server (:mod:`tests.benchmarks.bare`); uploads, from the first byte sent to the
answer, against the parse alone of the file they carry.
"""

import itertools
import json
import random
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import process_time

import polars as pl

from tests import live
from tests.benchmarks.bench_readers import GPUS, decode_and_hash, detailed, ticks
from tests.benchmarks.clients import Person, Program, multipart
from tests.benchmarks.ratios import Clock, Ratio, against, clock_of
from tests.builders import vllm_result
from tests.readers.logs import START, amd_csv_file, nvidia_csv

RUNS = 10_000
SETTINGS = "tests.benchmarks.settings"
LIST = "runtime=vLLM&isl=8192&sort=-per_gpu_total"


@contextmanager
def server() -> Iterator[live.Server]:
    """The application with one more view, the demo's runs and ten thousand more."""
    temporary = tempfile.TemporaryDirectory(prefix="likewise-bench-")
    with temporary as folder, live.installed(Path(folder)) as bare:
        installation = replace(
            bare, environment={**bare.environment, "DJANGO_SETTINGS_MODULE": SETTINGS, "LIKEWISE_LOG_LEVEL": "WARNING"}
        )
        installation.shell(f"from tests.benchmarks.seeding import seed\nseed({RUNS})")
        with live.serving(installation) as found:
            yield found


def ratios() -> list[Ratio]:
    with server() as found:
        cpu = clock_of(live.processes_with("LIKEWISE_NAMESPACE", found.environment["LIKEWISE_NAMESPACE"]))
        return [*of_the_api(found, cpu), *of_pages(found, cpu), *of_uploads(found, cpu)]


def of_the_api(found: live.Server, cpu: Clock) -> list[Ratio]:
    program = Program(found)
    ids = compared_ids(program)

    def measured(name: str, limit: float | None, path: str, repeats: int = 10) -> Ratio:
        bare = partial(program.get, "/bare/")
        return against(name, limit, partial(program.get, path), bare, rounds=10, repeats=repeats, clocks=(cpu, cpu))

    return [
        measured(f"API: list of {RUNS:,} runs, filtered and sorted", 4, f"/api/v1/runs?{LIST}"),
        measured("API: comparison of 8 runs", 6, f"/api/v1/comparisons?runs={ids}&price_per_kwh=0.10"),
        measured("API: one run", None, f"/api/v1/runs/{ids.partition(',')[0]}"),
        measured(f"API: facets of {RUNS:,} runs", None, "/api/v1/runs/facets", 3),
    ]


def compared_ids(program: Program) -> str:
    """Eight of the demo's runs, most of them at 8K/1K, with all their settings, figures and caveats."""
    demo = "/api/v1/runs?provenance=house+document&provenance=published&sort=-total_throughput&limit=8"
    runs = program.json(demo)["results"]
    if len(runs) != 8:
        raise AssertionError(f"8 runs to compare, not {len(runs)}")
    return ",".join(str(run["id"]) for run in runs)


def of_pages(found: live.Server, cpu: Clock) -> list[Ratio]:
    person, ids = Person(found), compared_ids(Program(found))
    fresh = itertools.count()

    def measured(name: str, limit: float, address: Callable[[], str]) -> Ratio:
        bare = partial(person.get, "/bare/")
        return against(name, limit, lambda: person.get(address()), bare, rounds=10, repeats=5, clocks=(cpu, cpu))

    compared = f"/compare/?runs={ids}"
    return [
        measured(f"page: list of {RUNS:,} runs, filtered and sorted", 10, lambda: f"/runs/?{LIST}"),
        measured("page: comparison of 8 runs, cold", 12, lambda: f"{compared}&cold={next(fresh)}"),
        measured("page: comparison of 8 runs, warm", 3, lambda: compared),
    ]


def of_uploads(found: live.Server, cpu: Clock) -> list[Ratio]:
    program = Program(found)
    watts = ticks()
    logs = {"nvidia-smi CSV": nvidia_csv(watts).encode(), "amd-smi watch CSV": amd_csv_file(watts).encode()}
    made = [
        against(
            f"upload: {name}, 1,000,000 samples", 5, partial(send_log, program, data), partial(pl.read_csv, data),
            clocks=(cpu, process_time),
        )
        for name, data in logs.items()
    ]  # fmt: skip
    data = detailed()
    return [
        *made,
        against(
            f"upload: vLLM detailed, {len(data) / 1e6:.0f} MB", 4, partial(send_result, program, data),
            partial(decode_and_hash, data), clocks=(cpu, process_time),
        ),
    ]  # fmt: skip


def send_log(program: Program, data: bytes) -> None:
    """A power log with its run, both new to the server by a byte of their own; stored, joined and analysed."""
    edges = {"benchmark_start_time_unix": START + 100, "benchmark_end_time_unix": START + 100_000}
    result = vllm_result(label=f"bench {random.random()}", **edges)
    meta = json.dumps({"time_zone": "UTC", "active_gpus": list(range(GPUS))}).encode()
    log = data + b"\n" * random.randrange(1, 100_000)
    answer = send(program, [("file", "result.json", result), ("file", "log.csv", log), ("meta", "", meta)])
    if answer["runs"][0]["power"] is None:
        raise AssertionError(f"not joined: {answer['warnings']}")


def send_result(program: Program, data: bytes) -> None:
    send(program, [("file", "result.json", data + b" " * random.randrange(1, 100_000))])


def send(program: Program, parts: list[tuple[str, str, bytes]]) -> dict[str, list[dict[str, object]]]:
    kind = "multipart/form-data; boundary=bench"
    answer: dict[str, list[dict[str, object]]] = json.loads(
        program.ask("POST", "/api/v1/uploads", multipart(parts), kind, 201)
    )
    return answer
