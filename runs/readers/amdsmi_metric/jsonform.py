"""JSON of amd-smi: an array, ``gpu_data``, or one array per tick after each other."""

from collections.abc import Iterator
from typing import Any

from runs.domain.trace import PowerTrace
from runs.readers.amdsmi_metric.fields import MONITOR, MONITOR_FIELD, POWER_FIELDS, Sample, Samples
from runs.readers.base import ReadError, Upload, clean_text, excerpt, json_documents, watts_of


def read_json(upload: Upload) -> PowerTrace:
    """The samples of a JSON log. Raises ReadError with document, element and key for what is no sample."""
    found = json_documents(upload)
    samples = Samples(upload, remarks=list(found.remarks))
    for number, document in enumerate(found.documents, 1):
        for index, element in enumerate(_elements(document)):
            place = f"document {number}, element {index}"
            if not isinstance(element, dict):
                raise ReadError(upload.name, place, "an object with gpu and power", excerpt(str(element)))
            _add(samples, element, place)
    return samples.trace()


def _elements(document: Any) -> Iterator[Any]:
    whole = document.get("gpu_data", [document]) if isinstance(document, dict) else document
    yield from whole if isinstance(whole, list) else [whole]


def _add(samples: Samples, element: dict[str, Any], place: str) -> None:
    gpu, power = element.get("gpu"), element.get("power")
    if isinstance(gpu, bool) or not isinstance(gpu, int | str):
        raise ReadError(samples.upload.name, f"{place}, gpu", "the index of a GPU", excerpt(str(gpu)))
    place = f"{place} (GPU {clean_text(str(gpu), 40)})"
    if MONITOR_FIELD in element:
        samples.tool = MONITOR
        if str(element.get("xcp", 0)) != "0":
            return
        raw = {MONITOR_FIELD: element[MONITOR_FIELD]}
    elif isinstance(power, dict):
        raw = {name: power[name] for name in POWER_FIELDS if name in power}
    else:
        raw = {}
    if not raw:
        samples.without_power += 1
        return
    watts = {name: _watts(samples.upload, value, f"{place}, {name}") for name, value in raw.items()}
    limit = watts_of(element.get("max_power"))
    limit = limit if limit is not None and limit > 0 else None
    samples.add(Sample(clean_text(str(gpu), 40), _time(samples.upload, element, place), watts, place, limit))


def _watts(upload: Upload, value: Any, place: str) -> float:
    watts = watts_of(value)
    if watts is None:
        raise ReadError(upload.name, place, "a power in W", excerpt(str(value)))
    return watts


def _time(upload: Upload, element: dict[str, Any], place: str) -> float | None:
    time = element.get("timestamp")
    if time is None:
        return None
    try:
        if not isinstance(time, bool):
            return float(time)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ReadError(upload.name, f"{place}, timestamp", "a time in seconds since 1970", excerpt(str(time)))
