"""One line of SGLang's ``bench_serving`` into one record: its figures and its counts. It has no date and no window."""

import re
from collections.abc import Mapping
from typing import Any

from runs.domain.facts import Party
from runs.domain.records import Provenance, Remark, Requests, RunRecord
from runs.readers.base import (
    Findings,
    Reader,
    ReadError,
    Reading,
    ReadRun,
    Upload,
    clean_text,
    excerpt,
    finite,
    json_documents,
    short_name,
    whole,
)
from runs.readers.sglang.settings import settle

FORMAT = "sglang"
TITLE = "SGLang bench_serving (JSON lines)"
OPERATOR = Party("this house", "operator of the run")
OWN = ("total_throughput", "random_input_len", "mean_e2e_latency_ms", "server_info")
SCALARS = {
    "total_throughput": "total_throughput",
    "output_throughput": "output_throughput",
    "request_throughput": "request_throughput",
    "max_output_tokens_per_s": "peak_output_throughput",
    "duration": "duration",
    "accept_length": "spec_acceptance_length",
}
LATENCY = re.compile(r"(mean|median|std|min|max|p75|p90|p95|p99)_(ttft|tpot|itl|e2e_latency)_ms")
DEFAULT_NAME = re.compile(r"[a-z-]+_\d{4}_\d+(_\d+_\d+)?|result|results|output|out|bench", re.IGNORECASE)


def claims(upload: Upload) -> bool:
    keys = upload.outline
    return keys.has("backend", "dataset_name", "request_rate") and keys.any(*OWN)


def read(upload: Upload) -> Reading:
    """A run of every line with completed requests; of the others a remark. Raises ReadError where no line has any."""
    found = json_documents(upload)
    runs: list[ReadRun] = []
    remarks, refused = list(found.remarks), list[ReadError]()
    alone = len(found.documents) == 1
    for number, document in enumerate(found.documents, 1):
        place = "" if alone else f"document {number}"
        try:
            runs.append(ReadRun(place, _record(upload, document, place)))
        except ReadError as error:
            refused.append(error)
            remarks.append(Remark("left-out", f"document {number} was left out: {error.seen}", error.place))
    if not runs:
        raise refused[0] if refused else ReadError(upload.name, "", "at least one result", "none")
    return Reading(FORMAT, tuple(runs), remarks=tuple(remarks))


def _record(upload: Upload, document: object, place: str) -> RunRecord:
    if not isinstance(document, dict):
        raise ReadError(upload.name, place, "an object", excerpt(str(document)))
    found = Findings(upload.sha256, place)
    completed = whole(document.get("completed"))
    if not completed:
        raise ReadError(
            upload.name, found.at("completed"), "at least one completed request",
            "zero completed requests: zeros in the file are not measurements" if completed == 0 else "no such count",
        )  # fmt: skip
    _figures(document, found)
    if found.is_empty:
        raise ReadError(upload.name, place, "a throughput or a latency", "none, so this is no benchmark result")
    requests = _requests(document, completed, found)
    settle(document, found, requests)
    return RunRecord(
        label=_label(upload, document, found), provenance=Provenance.MEASURED, party=OPERATOR,
        settings=found.settings, quantities=tuple(found.figures.values()), requests=requests,
        remarks=tuple(found.remarks),
    )  # fmt: skip


def _figures(document: Mapping[str, Any], found: Findings) -> None:
    for key, metric in SCALARS.items():
        found.figure(metric, document.get(key), key)
    latencies = [match for key in document if (match := LATENCY.fullmatch(key))]
    for name, metric in (("ttft", "ttft"), ("tpot", "tpot"), ("itl", "itl"), ("e2e_latency", "e2el")):
        keys = {match.group(1): match.group() for match in latencies if match.group(2) == name}
        # NaN is what it writes where it had nothing to take a mean of.
        values = {stat: document[key] for stat, key in keys.items() if document[key] == document[key]}
        found.statistics(metric, values, keys, unit="ms")


def _requests(document: Mapping[str, Any], completed: int, found: Findings) -> Requests:
    """The file counts no failures; only one with ``--output-details`` has an error text for every request."""
    attempted = failed = None
    errors = document.get("errors")
    if isinstance(errors, list) and len(errors) >= completed:
        attempted, failed = len(errors), len(errors) - completed
    if failed:
        said = f"{failed} of {attempted} requests failed; figures are of the others"
        found.remark("failed-requests", said, "errors")
    arrays = [key for key, value in document.items() if isinstance(value, list)]
    if arrays:
        names = ", ".join(map(str, arrays))
        found.remark("detail-not-kept", f"arrays stay in the file and are not in the record: {names}", arrays[0])
    tokens = [whole(document.get(key)) for key in ("total_input_tokens", "total_output_tokens")]
    return Requests(attempted, completed, failed, *tokens)


def _label(upload: Upload, document: Mapping[str, Any], found: Findings) -> str:
    tag = document.get("tag")
    if isinstance(tag, str) and tag.strip():
        return clean_text(tag, 120)
    if not found.place and not DEFAULT_NAME.fullmatch(upload.stem):
        return upload.stem
    model = found.settings.get("model")
    name = short_name(str(model.value)) if model else "SGLang bench_serving"
    load = finite(document.get("max_concurrency"))
    label = f"{name} @ {load:g}" if load else name
    return clean_text(f"{label}, {found.place}" if found.place else label, 120)


READER = Reader(FORMAT, TITLE, claims, read)
