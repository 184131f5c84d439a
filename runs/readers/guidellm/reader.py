"""Every benchmark of a guidellm report into one record, with its window, which the file has as instants.

Its own tokens per second are wrong in 0.2 and no sum in 0.5: throughput is tokens of successful requests over the
duration. Its "time per output token" changed its meaning in 0.4 and is not taken; its inter-token latency is the
catalogue's TPOT in every version.
"""

from collections.abc import Mapping
from typing import Any

from runs.domain.facts import Party, State
from runs.domain.records import Provenance, Remark, Requests, RunRecord, Window
from runs.readers.base import (
    Findings,
    Reader,
    ReadError,
    Reading,
    ReadRun,
    Upload,
    child,
    clean_text,
    excerpt,
    finite,
    json_documents,
    short_name,
    whole,
)
from runs.readers.guidellm.settings import settle

FORMAT = "guidellm"
TITLE = "guidellm report (benchmarks.json)"
OPERATOR = Party("this house", "operator of the run")
EPOCH = (946_684_800.0, 4_102_444_800.0)
STATS = {"median": "median", "mean": "mean", "std": "std_dev", "min": "min", "max": "max", "p75": "percentiles.p75",
         "p90": "percentiles.p90", "p95": "percentiles.p95", "p99": "percentiles.p99",
         "p99.9": "percentiles.p999"}  # fmt: skip
LATENCIES = (
    ("ttft", "time_to_first_token_ms", "ms"),
    ("tpot", "inter_token_latency_ms", "ms"),
    ("e2el", "request_latency", "s"),
)
WEIGHTED = "mean per request, weighted by its output tokens"
"""guidellm from 0.4 counts a request's mean once for every token of it."""


def claims(upload: Upload) -> bool:
    keys = upload.outline
    known = ("benchmarks.type_", "benchmarks.args", "benchmarks.config", "benchmarks.run_stats", "benchmarks.metrics",
             "benchmarks.scheduler_state")  # fmt: skip
    return keys.has("benchmarks") and (keys.any(*known) or keys.has("metadata.guidellm_version"))


def read(upload: Upload) -> Reading:
    """A run of every benchmark with successful requests. Raises ReadError where there is none."""
    documents = json_documents(upload)
    document = documents.documents[0]
    if len(documents.documents) != 1 or not isinstance(document, dict):
        raise ReadError(upload.name, "", "one JSON object", f"{len(documents.documents)} documents")
    benchmarks = document.get("benchmarks")
    if not isinstance(benchmarks, list) or not benchmarks:
        raise ReadError(upload.name, "benchmarks", "a list of benchmarks", excerpt(str(benchmarks)))
    runs: list[ReadRun] = []
    remarks, refused = list(documents.remarks), list[ReadError]()
    for number, benchmark in enumerate(benchmarks):
        try:
            runs.append(ReadRun(f"[{number}]", _record(upload, document, benchmark, f"benchmarks[{number}]")))
        except ReadError as error:
            refused.append(error)
            remarks.append(Remark("left-out", f"benchmark {number + 1} was left out: {error.seen}", error.place))
    if not runs:
        raise refused[0]
    return Reading(FORMAT, tuple(runs), remarks=tuple(remarks))


def _record(upload: Upload, document: Mapping[str, Any], benchmark: object, place: str) -> RunRecord:
    if not isinstance(benchmark, dict):
        raise ReadError(upload.name, place, "an object", excerpt(str(benchmark)))
    metrics = child(benchmark, "metrics")
    if not metrics:
        seen = "results of 0.1 or of another tool" if "results" in benchmark else "no metrics"
        raise ReadError(upload.name, f"{place}.metrics", "metrics, as guidellm writes from 0.2 on", seen)
    found = Findings(upload.sha256, place)
    requests = _requests(benchmark, metrics, found)
    if not requests.completed:
        seen = "none: zeros in the file are not measurements"
        raise ReadError(upload.name, found.at("request_totals"), "at least one successful request", seen)
    window = _window(benchmark, found)
    seconds = finite(benchmark.get("duration")) or (window.duration_s if window else None)
    _throughputs(requests, seconds, found)
    for metric, key, unit in LATENCIES:
        _latencies(metric, child(metrics, key, "successful"), f"metrics.{key}.successful", unit, requests, found)
    if found.is_empty:
        raise ReadError(upload.name, place, "a throughput or a latency", "none, so this is no benchmark result")
    settle(document, benchmark, requests, found)
    return RunRecord(
        label=_label(found), provenance=Provenance.MEASURED, party=OPERATOR, settings=found.settings,
        quantities=tuple(found.figures.values()), requests=requests, window=window, remarks=tuple(found.remarks),
    )  # fmt: skip


def _requests(benchmark: Mapping[str, Any], metrics: Mapping[str, Any], found: Findings) -> Requests:
    totals = child(benchmark, "request_totals") or child(metrics, "request_totals")
    completed, failed, unfinished, total = (
        whole(totals.get(key)) for key in ("successful", "errored", "incomplete", "total")
    )
    if failed:
        said = f"{failed} of {total} requests failed; figures are of the successful ones"
        found.remark("failed-requests", said, "request_totals.errored")
    if unfinished:
        said = f"{unfinished} requests were cut off by the end of the run and are in no figure"
        found.remark("incomplete-requests", said, "request_totals.incomplete")
    tokens = [
        whole(child(metrics, f"{side}_token_count", "successful").get("total_sum")) for side in ("prompt", "output")
    ]
    return Requests(total, completed, failed, *tokens)


def _window(benchmark: Mapping[str, Any], found: Findings) -> Window | None:
    start, end = finite(benchmark.get("start_time")), finite(benchmark.get("end_time"))
    if start is None or end is None:
        return None
    if not EPOCH[0] < start < end < EPOCH[1]:
        found.remark("window", f"start {start!r} and end {end!r} are no window in Unix time: left out", "start_time")
        return None
    return Window(start, end, State.OBSERVED, evidence=found.evidence("start_time, end_time"))


def _throughputs(requests: Requests, seconds: float | None, found: Findings) -> None:
    found.figure("duration", seconds, "duration")
    if not seconds or seconds < 0:
        return
    tokens_in, tokens_out = requests.input_tokens, requests.output_tokens
    sums = "{}_token_count.successful.total_sum"
    if tokens_in and tokens_out:
        source = f"({sums.format('prompt')} + {sums.format('output')}) / duration"
        found.figure("total_throughput", (tokens_in + tokens_out) / seconds, source)
    if tokens_out:
        found.figure("output_throughput", tokens_out / seconds, f"{sums.format('output')} / duration")
    if requests.completed:
        found.figure("request_throughput", requests.completed / seconds, "request_totals.successful / duration")


def _latencies(
    metric: str, entry: Mapping[str, Any], source: str, unit: str, requests: Requests, found: Findings
) -> None:
    counted = whole(entry.get("count"))
    if not counted:
        return
    percentiles = child(entry, "percentiles")
    values = {
        stat: percentiles.get(key.partition(".")[2]) if "." in key else entry.get(key) for stat, key in STATS.items()
    }
    sources = {stat: f"{source}.{key}" for stat, key in STATS.items()}
    weighted = metric == "tpot" and requests.completed is not None and counted > requests.completed
    found.statistics(metric, values, sources, unit=unit, **({"definition": WEIGHTED} if weighted else {}))


def _label(found: Findings) -> str:
    model = found.settings.get("model")
    name = short_name(str(model.value)) if model else "guidellm"
    rate, load = found.settings.get("request_rate"), found.settings.get("concurrency")
    if rate and rate.value is not None:
        return clean_text(f"{name} @ {rate.value:g} req/s", 120)
    if load:
        return clean_text(f"{name} @ {load.value or load.nominal}", 120)
    return clean_text(f"{name}, {found.place}", 120)


READER = Reader(FORMAT, TITLE, claims, read)
