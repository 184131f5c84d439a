"""``amd-smi static``: the configured power cap of each GPU. Its ``socket_power`` is that cap, never a measurement."""

import csv
import io
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from runs.domain.records import Remark
from runs.domain.trace import GpuCap
from runs.readers.base import (
    MAX_GPUS,
    Header,
    Reader,
    ReadError,
    Reading,
    Upload,
    clean_text,
    excerpt,
    find_header,
    json_documents,
    watts_of,
)

FORMAT = "amdsmi_static"

# (cap, maximum), newest first: ROCm 7 names two controllers of which ppt0 is the package, ROCm 6 has one
FIELDS = (("ppt0_socket_power_limit", "ppt0_max_power_limit"), ("socket_power", "max_power"))

_BLOCK = re.compile(r"^GPU: *\S+\s*$", re.MULTILINE)
_LIMIT = re.compile(r"^ {4}LIMIT:[ \t]*\r?$", re.MULTILINE)

Limits = Mapping[str, Any]


def _is_header(cells: Sequence[str]) -> bool:
    return "gpu" in cells and any(cap in cells and maximum in cells for cap, maximum in FIELDS)


def claims(upload: Upload) -> bool:
    if upload.outline.is_json:
        return upload.outline.has("gpu", "limit") or upload.outline.has("gpu_data.gpu", "gpu_data.limit")
    if find_header(upload, _is_header) is not None:
        return True
    return bool(_BLOCK.search(upload.head)) and bool(_LIMIT.search(upload.head))


def read(upload: Upload) -> Reading:
    """The cap of every GPU. Raises ReadError where no GPU has one, or a value is no power."""
    remarks: list[Remark] = []
    found: dict[str, GpuCap | None] = {}
    for gpu, place, limits in _entries(upload, remarks):
        cap = _cap(upload, gpu, place, limits)
        if found.setdefault(gpu, cap) != cap:
            raise ReadError(upload.name, place, f"one cap for GPU {gpu}", "two different ones in one file")
        if len(found) > MAX_GPUS:
            raise ReadError(upload.name, place, f"at most {MAX_GPUS} GPUs", "more")
    remarks.extend(Remark("no-cap", f"GPU {gpu} states no power cap") for gpu, cap in found.items() if cap is None)
    caps = tuple(cap for cap in found.values() if cap is not None)
    if not caps:
        raise ReadError(upload.name, "", "the power cap of a GPU (amd-smi static --limit)", "none")
    return Reading(FORMAT, caps=caps, remarks=tuple(remarks))


def _entries(upload: Upload, remarks: list[Remark]) -> Iterator[tuple[str, str, Limits]]:
    """GPU, place and its limits by flat name ("ppt0_socket_power_limit") from any of the three forms."""
    if upload.outline.is_json:
        yield from _json_entries(upload, remarks)
    elif (header := find_header(upload, _is_header)) is not None:
        yield from _csv_entries(upload, header)
    else:
        yield from _text_entries(upload)


def _json_entries(upload: Upload, remarks: list[Remark]) -> Iterator[tuple[str, str, Limits]]:
    found = json_documents(upload)
    remarks.extend(found.remarks)
    for number, document in enumerate(found.documents, 1):
        whole = document.get("gpu_data", [document]) if isinstance(document, dict) else document
        for index, element in enumerate(whole if isinstance(whole, list) else [whole]):
            place = f"document {number}, element {index}, limit"
            limit = element.get("limit") if isinstance(element, dict) else None
            if not isinstance(limit, dict) or not isinstance(element.get("gpu"), int | str):
                raise ReadError(upload.name, place, "an object with gpu and limit", excerpt(str(element)))
            ppt0 = limit.get("ppt0")
            nested = {f"ppt0_{key}": value for key, value in ppt0.items()} if isinstance(ppt0, dict) else {}
            yield clean_text(str(element["gpu"]), 40), place, {**limit, **nested}


def _csv_entries(upload: Upload, header: Header) -> Iterator[tuple[str, str, Limits]]:
    names = header.cells_lower
    lines = io.StringIO(upload.text, newline="")
    try:
        for number, cells in enumerate(csv.reader(lines, delimiter=header.separator), 1):
            row = dict(zip(names, (cell.strip() for cell in cells), strict=False))
            if number > header.line + 1 and len(cells) > 1 and row.get("gpu", "gpu").lower() != "gpu":
                yield clean_text(row["gpu"], 40), f"line {number}", row
    except csv.Error as error:
        raise ReadError(upload.name, "", "a table of rows and columns", str(error)) from None


def _text_entries(upload: Upload) -> Iterator[tuple[str, str, Limits]]:
    gpu, start, section, part = "", 0, "", ""
    limits: dict[str, str] = {}
    for number, line in enumerate([*upload.text.splitlines(), "GPU: end"], 1):
        key, colon, value = line.partition(":")
        name, value = key.strip().lower(), value.strip()
        depth = len(key) - len(key.lstrip())
        if not colon:
            continue
        if depth == 0 and name == "gpu":
            if gpu and limits:
                yield clean_text(gpu, 40), f"line {start}, GPU {gpu}", dict(limits)
            gpu, start, section, part = value, number, "", ""
            limits.clear()
        elif depth <= 4:
            section, part = (name if not value else ""), ""
        elif section == "limit" and depth <= 8:
            part = name if not value else ""
            limits.update({name: value} if value else {})
        elif section == "limit" and value:
            limits[f"{part}_{name}"] = value


def _cap(upload: Upload, gpu: str, place: str, limits: Limits) -> GpuCap | None:
    for cap_key, maximum_key in FIELDS:
        if cap_key not in limits:
            continue
        cap = _watts(upload, limits[cap_key], f"{place}, {cap_key}")
        maximum = _watts(upload, limits.get(maximum_key, "N/A"), f"{place}, {maximum_key}")
        if cap is not None:
            return GpuCap(gpu, cap, maximum)
    return None


def _watts(upload: Upload, value: Any, place: str) -> float | None:
    watts = watts_of(value)
    if watts is None or math.isinf(watts) or watts < 0:
        raise ReadError(upload.name, place, "a power cap in W", excerpt(str(value)))
    return watts if watts > 0 else None  # NaN (not stated) and 0 (no limit set) are no cap


READER = Reader(FORMAT, "amd-smi static (power caps; text, JSON or CSV)", claims, read)
