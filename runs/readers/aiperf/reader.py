"""One aiperf result into one record. Its window is in the file as instants (to 0.12) or as local times (0.13)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from runs.domain.facts import Evidence, Party, State
from runs.domain.records import LONGEST_RUN_S, LocalEnd, Provenance, Remark, Requests, RunRecord, Window
from runs.readers.aiperf.figures import Figures
from runs.readers.aiperf.settings import Settings
from runs.readers.base import Reader, ReadError, Reading, ReadRun, Upload, clean_text, json_documents

FORMAT = "aiperf"
OPERATOR = Party("this house", "operator of the run")
GENERIC = ("profile_export_aiperf", "profile_export", "result", "results", "upload")
EPOCH = (946_684_800.0, 4_102_444_800.0)


def claims(upload: Upload) -> bool:
    keys = upload.outline
    own = keys.any("aiperf_version", "was_cancelled", "telemetry_data", "inter_chunk_latency")
    return (keys.has("input_config") and (own or keys.has("records", "start_time"))) or _late_config(upload)


def _late_config(upload: Upload) -> bool:
    """The configuration can stand beyond the head, behind long statistics."""
    keys = upload.outline
    return keys.has("request_latency", "output_token_throughput") and keys.any("aiperf_version", "inter_chunk_latency")


def read(upload: Upload) -> Reading:
    """The run of a file. Raises ReadError where it is cancelled, broken or holds no completed request."""
    documents = json_documents(upload)
    document = documents.documents[0]
    if len(documents.documents) != 1 or not isinstance(document, dict):
        raise ReadError(upload.name, "", "one JSON object", f"{len(documents.documents)} documents")
    if documents.remarks:
        raise ReadError(upload.name, documents.remarks[0].place, "a whole result", documents.remarks[0].text)
    return Reading(FORMAT, (ReadRun("", _record(upload, document)),))


def _record(upload: Upload, document: Mapping[str, Any]) -> RunRecord:
    old = document.get("records")
    metrics, prefix = (old, "records.") if isinstance(old, dict) else (document, "")
    figures = Figures(metrics, prefix, upload.sha256)
    completed = figures.count("request_count")
    failed = figures.count("error_request_count") or 0
    if not completed:
        raise ReadError(upload.name, f"{prefix}request_count", "at least one completed request", "none")
    quantities = figures.read()
    if not any(quantity.metric != "duration" for quantity in quantities):
        raise ReadError(upload.name, "", "a throughput or a latency", "none, so this is no benchmark result")
    settings = Settings(document, figures, upload.sha256).read()
    window, local_end, notes = _times(document, figures, upload.sha256)
    remarks = [*notes, *figures.remarks]
    if document.get("was_cancelled"):
        remarks.append(Remark("cancelled", "the run was cancelled before its end", "was_cancelled"))
    if failed:
        said = f"{failed} of {completed + failed} requests failed; figures are of the others"
        remarks.append(Remark("failed-requests", said, f"{prefix}error_request_count"))
    tokens = (figures.count("total_isl"), figures.count("total_osl"))
    model = str(settings["model"].value) if "model" in settings else "model not stated"
    concurrency = f" @ {settings['concurrency'].value}" if "concurrency" in settings else ""
    label = upload.stem if upload.stem.lower() not in GENERIC else f"{model.rsplit('/', 1)[-1]}{concurrency}"
    return RunRecord(
        label=clean_text(label, 120), provenance=Provenance.MEASURED, party=OPERATOR, settings=settings,
        quantities=quantities, requests=Requests(completed + failed, completed, failed, *tokens), window=window,
        local_end=local_end, remarks=tuple(remarks),
    )  # fmt: skip


def _times(
    document: Mapping[str, Any], figures: Figures, sha256: str
) -> tuple[Window | None, LocalEnd | None, list[Remark]]:
    start, end = (figures.number(key) for key in ("min_request_timestamp", "max_response_timestamp"))
    if start is not None and end is not None and EPOCH[0] < start / 1e9 < end / 1e9 < EPOCH[1]:
        evidence = (Evidence("file", sha256, "min_request_timestamp, max_response_timestamp"),)
        return Window(start / 1e9, end / 1e9, State.OBSERVED, evidence=evidence), None, []
    duration, said = figures.number("benchmark_duration"), document.get("end_time")
    if duration is None or not 0 < duration <= LONGEST_RUN_S or not isinstance(said, str):
        return None, None, []
    try:
        ended = datetime.fromisoformat(said)
    except ValueError:
        return None, None, [Remark("date", f"end_time is {clean_text(said, 60)!r}, no time: no window", "end_time")]
    if ended.tzinfo is not None:
        evidence = (Evidence("file", sha256, "end_time, benchmark_duration"),)
        last = ended.timestamp()
        return Window(last - duration, last, State.OBSERVED, evidence=evidence), None, []
    return None, LocalEnd(ended.isoformat(timespec="seconds"), duration), []


READER = Reader(FORMAT, "aiperf result (profile_export_aiperf.json)", claims, read)
