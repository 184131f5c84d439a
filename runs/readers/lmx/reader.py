"""A payload of ``lmx`` into one record. What it calls ``tokSOut`` is the median of a few requests' decode rates."""

from collections.abc import Iterator, Mapping
from typing import Any

from runs.domain.facts import Party
from runs.domain.records import Provenance, Remark, RunRecord
from runs.domain.units import convert
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
)
from runs.readers.lmx.settings import settle

FORMAT = "lmx"
TITLE = "LocalMaxxing lmx run (JSON)"
OPERATOR = Party("this house", "operator of the run")
MOST_RUNS = 2000
RATE = "lmx tokSOut: output tokens of a request from the first to the last streamed token, median of the requests"
OTHER_RATE = "lmx tokSOut, timed by {}"
PREFILL = "lmx tokSPrefill: prompt tokens over time to first token, median of the requests"
TOTAL = "lmx tokSTotal"


def claims(upload: Upload) -> bool:
    keys = upload.outline
    if keys.any("kind") and keys.has("points", "hfId"):
        return True
    return keys.any("tokSOut", "payload.tokSOut") and keys.any("hfId", "payload.hfId", "model.hfId")


def read(upload: Upload) -> Reading:
    """A run of every payload with a rate. Raises ReadError where none has, as in a context sweep without values."""
    documents = json_documents(upload)
    payloads = [one for document in documents.documents for one in _payloads(document)]
    if len(payloads) > MOST_RUNS:
        raise ReadError(upload.name, "", f"at most {MOST_RUNS} runs", str(len(payloads)))
    runs: list[ReadRun] = []
    remarks, refused = list(documents.remarks), list[ReadError]()
    for number, (label, payload) in enumerate(payloads):
        place = "" if len(payloads) == 1 else f"[{number}]"
        try:
            runs.append(ReadRun(place, _record(upload, label, payload, place)))
        except ReadError as error:
            refused.append(error)
            remarks.append(Remark("left-out", f"run {number + 1} was left out: {error.seen}", error.place))
    if not runs:
        raise refused[0] if refused else ReadError(upload.name, "", "at least one run", "none")
    return Reading(FORMAT, tuple(runs), remarks=tuple(remarks))


def _payloads(document: object) -> Iterator[tuple[str, object]]:
    """The payloads of a document with their labels, out of whichever envelope they came in."""
    for one in document if isinstance(document, list) else [document]:
        inner = one.get("payload") if isinstance(one, dict) else None
        label = one.get("label") if isinstance(one, dict) else None
        yield (clean_text(label, 120) if isinstance(label, str) else "", inner if isinstance(inner, dict) else one)


def _record(upload: Upload, label: str, payload: object, place: str) -> RunRecord:
    if not isinstance(payload, dict):
        raise ReadError(upload.name, place, "an object", excerpt(str(payload)))
    if "points" in payload:
        points = payload["points"] if isinstance(payload["points"], list) else []
        seen = f"a context sweep of {len(points)} points, each of them a plan without measurements"
        raise ReadError(upload.name, "points", "a run with tokSOut", seen)
    found = Findings(upload.sha256, place)
    _figures(payload, found)
    if found.is_empty:
        raise ReadError(
            upload.name, found.at("tokSOut"), "tokens per second above 0", excerpt(str(payload.get("tokSOut")))
        )
    settle(payload, found)
    model = found.settings.get("model")
    name = short_name(str(model.value)) if model else "lmx"
    return RunRecord(
        label=label or f"{name}, lmx", provenance=Provenance.MEASURED, party=OPERATOR, settings=found.settings,
        quantities=tuple(found.figures.values()), remarks=tuple(found.remarks),
    )  # fmt: skip


def _figures(payload: Mapping[str, Any], found: Findings) -> None:
    listed = payload.get("samples")
    samples = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    source = clean_text(str(payload.get("timingSource") or ""), 60)
    concurrency = finite(child(payload, "engineFlags").get("concurrency"))
    one_by_one = source == "openai_stream" and concurrency in (None, 1.0)
    definition = RATE if one_by_one else OTHER_RATE.format(source or "what is not stated")
    metric = "request_output_rate" if one_by_one else "output_throughput"
    found.figure(metric, payload.get("tokSOut"), "tokSOut", definition=definition, **_repeats(samples, "tokSOut"))
    for metric, key, meaning in (
        ("prefill_throughput", "tokSPrefill", PREFILL), ("total_throughput", "tokSTotal", TOTAL),
    ):  # fmt: skip
        found.figure(metric, payload.get(key), key, definition=meaning, **_repeats(samples, key))
    stat = "median" if len(samples) > 1 else "single"
    found.figure("ttft", payload.get("ttftMs"), "ttftMs", stat=stat, unit="ms", **_repeats(samples, "ttftMs", "ms"))
    _power(payload, found)


def _repeats(samples: list[dict[str, Any]], key: str, unit: str = "") -> dict[str, Any]:
    """The requests behind a median; without their values how many there were is not stated."""
    found = [one for sample in samples if (one := finite(sample.get(key))) and one > 0]
    values = tuple(float(convert(one, unit, "s")) if unit else one for one in found)
    return {"repeats": len(values) or None, "repeat_values": values if len(values) > 1 else ()}


def _power(payload: Mapping[str, Any], found: Findings) -> None:
    """Watts that somebody typed, one number for each GPU: over what time, and of what, the format does not say."""
    listed = payload.get("gpuPowerWatts")
    watts = [finite(one) for one in listed] if isinstance(listed, list) else []
    known = [one for one in watts if one is not None and one > 0]
    if known and len(known) == len(watts):
        note = f"sum of {len(known)} numbers given by hand (--gpu-power-watts); over which time is not stated"
        found.figure("gpu_power", sum(known), "gpuPowerWatts", stat="snapshot", repeats=None, note=note)
    elif watts:
        found.remark("figure-left-out", "gpuPowerWatts has no value for some GPU: left out", "gpuPowerWatts")


READER = Reader(FORMAT, TITLE, claims, read)
