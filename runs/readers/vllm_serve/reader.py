"""``vllm bench serve --save-result``, ``--append-result``, ``--save-detailed``, sweeps and the forks of its script."""

from dataclasses import replace
from datetime import datetime

from runs.domain.facts import Evidence, Party, State
from runs.domain.records import LONGEST_RUN_S, LocalEnd, Provenance, Remark, Requests, RunRecord, Window
from runs.readers.base import Reader, ReadError, Reading, ReadRun, Upload, clean_text
from runs.readers.vllm_serve.documents import Document, read_documents
from runs.readers.vllm_serve.figures import Figures, as_count, as_number
from runs.readers.vllm_serve.settings import Settings

FORMAT = "vllm_serve"
OPERATOR = Party("this house", "operator of the run")
MAX_REPEATED = 20
SGLANG = ("total_throughput", "random_input_len", "mean_e2e_latency_ms", "server_info")
GENERIC_STEMS = frozenset({"", "result", "results", "output", "out", "bench", "benchmark", "summary", "run", "upload"})
EPOCH = (946_684_800.0, 4_102_444_800.0)


def claims(upload: Upload) -> bool:
    """Whether the head has the keys of a result; latencies stand at the end, beyond the arrays of a detailed one."""
    keys = upload.outline
    if keys.any(*SGLANG):
        return False
    if keys.has("num_prompts") and keys.any("model_id", "tokenizer_id"):
        return True
    return keys.has("completed") and any(key.startswith(("median_", "mean_")) for key in keys.paths if "." not in key)


def read(upload: Upload) -> Reading:
    """The runs of a file. Raises ReadError where none of its documents is a run with completed requests."""
    found = read_documents(upload)
    runs: list[ReadRun] = []
    # What was made of the bytes belongs to every figure that was read from them.
    of_every_run = (*_repeated(upload), *(one for one in found.remarks if one.code == "replaced-bytes"))
    remarks = [one for one in found.remarks if one.code != "replaced-bytes"]
    refused: list[ReadError] = []
    for document in found.documents:
        try:
            record = _record(upload, document, alone=len(found.documents) == 1)
            runs.append(ReadRun(document.place, replace(record, remarks=(*record.remarks, *of_every_run))))
        except ReadError as error:
            refused.append(error)
            remarks.append(Remark("left-out", f"{document.place} was left out: {error.seen}", error.place))
    if not runs:
        if refused:
            raise refused[0]
        raise ReadError(upload.name, "", "at least one result object", "none")
    return Reading(FORMAT, tuple(runs), remarks=tuple(remarks))


def _repeated(upload: Upload) -> list[Remark]:
    """Keys that stand twice in one object, where JSON lets the last value win without a word."""
    keys = upload.outline.repeated[:MAX_REPEATED]
    return [
        Remark("repeated-key", f"{clean_text(key, 60)} stands more than once in one object: its last value was taken")
        for key in keys
    ]


def _record(upload: Upload, document: Document, *, alone: bool) -> RunRecord:
    scalars, place = document.scalars, document.place
    completed = as_count(scalars.get("completed"))
    if completed == 0:
        raise ReadError(
            upload.name, f"{place}, completed", "at least one completed request",
            "zero completed requests: zeros in the file are not measurements",
        )  # fmt: skip
    figures, settings = Figures(document, upload.sha256), Settings(document, upload.sha256)
    quantities, known = figures.read(), settings.read()
    if not any(quantity.metric != "duration" for quantity in quantities):
        raise ReadError(upload.name, place, "a throughput or a latency", "none, so this is no benchmark result")
    requests, request_remarks = _requests(document, completed)
    local_end, window, time_remarks = _times(document, upload.sha256)
    end = _local(str(scalars.get("date")))
    if end is not None:
        settings.setting("date", end, "date", note="end of the run, local time, zone not in the file")
        if local_end is None:
            settings.remark("date", "no duration beside the date, so no window follows from it", "date")
    record = RunRecord(
        label="", provenance=Provenance.MEASURED, party=OPERATOR, settings=known, quantities=quantities,
        requests=requests, window=window, local_end=local_end,
        remarks=(*request_remarks, *time_remarks, *figures.remarks, *settings.remarks, *_detail(document)),
    )  # fmt: skip
    return replace(record, label=_label(upload, document, record, alone=alone))


def _label(upload: Upload, document: Document, record: RunRecord, *, alone: bool) -> str:
    label = document.scalars.get("label")
    if isinstance(label, str) and label.strip():
        return clean_text(label, 120)
    if alone and upload.stem.lower() not in GENERIC_STEMS:
        return upload.stem
    model = str(record.setting("model").value or "model not stated").rstrip("/").rsplit("/", 1)[-1]
    concurrency = record.setting("concurrency")
    load = concurrency.nominal or (str(concurrency.value) if concurrency.is_known else "")
    name = f"{model} @ {load}" if load else model
    return name if alone else f"{name}, {document.place}"


def _requests(document: Document, completed: int | None) -> tuple[Requests, list[Remark]]:
    scalars, place = document.scalars, document.place
    attempted, failed = as_count(scalars.get("num_prompts")), as_count(scalars.get("failed"))
    remarks: list[Remark] = []
    if attempted is not None and completed is not None:
        if completed > attempted:
            said = f"{completed} requests completed of {attempted} attempted: one of the two is wrong"
            remarks.append(Remark("request-counts", said, f"{place}, completed"))
        elif failed is None:
            failed = attempted - completed
    if failed:
        said = f"{failed} of {attempted if attempted is not None else '?'} requests failed; figures are of the others"
        remarks.append(Remark("failed-requests", said, f"{place}, failed"))
    tokens = [as_count(scalars.get(key)) for key in ("total_input_tokens", "total_output_tokens")]
    return Requests(attempted, completed, failed, tokens[0], tokens[1]), remarks


def _times(document: Document, sha256: str) -> tuple[LocalEnd | None, Window | None, list[Remark]]:
    """The end in local time from ``date``, the window from a fork's Unix times, and what is wrong with either."""
    scalars, place = document.scalars, document.place
    remarks: list[Remark] = []
    date, duration = scalars.get("date"), as_number(scalars.get("duration"))
    local_end = None
    if date is not None:
        end = _local(str(date))
        if end is None:
            said = f"date is {clean_text(str(date), 60)!r}, not YYYYMMDD-HHMMSS (--metadata can change it): no window"
            remarks.append(Remark("date", said, f"{place}, date"))
        elif duration is not None and 0 < duration <= LONGEST_RUN_S:
            local_end = LocalEnd(end, duration)
    start, stop = (as_number(scalars.get(f"benchmark_{edge}_time_unix")) for edge in ("start", "end"))
    window = None
    if start is not None and stop is not None:
        if EPOCH[0] < start < stop < EPOCH[1]:
            keys = "benchmark_start_time_unix, benchmark_end_time_unix"
            window = Window(start, stop, State.OBSERVED, evidence=(Evidence("file", sha256, f"{place}, {keys}"),))
        else:
            said = f"start {start!r} and end {stop!r} are no window in Unix time: left out"
            remarks.append(Remark("window", said, f"{place}, benchmark_start_time_unix"))
    return local_end, window, remarks


def _local(text: str) -> str | None:
    try:
        return datetime.strptime(text, "%Y%m%d-%H%M%S").isoformat()  # noqa: DTZ007 - the file has no zone
    except ValueError:
        return None


def _detail(document: Document) -> list[Remark]:
    """What a detailed file holds and the record does not: arrays per request, with prompts' answers and errors."""
    if not document.arrays:
        return []
    requests = max((len(lengths) for lengths in document.lengths.values()), default=0)
    of = f" of {requests} requests" if requests else ""
    names = clean_text(", ".join(document.arrays), 200)
    said = f"{len(document.arrays)} arrays{of} stay in the file and are not in the record: {names}"
    return [Remark("detail-not-kept", said, document.place)]


RESULT = Reader(FORMAT, "vllm bench serve result (JSON)", claims, read)
