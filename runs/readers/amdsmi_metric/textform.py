"""Text of amd-smi: blocks per GPU (``metric``), and the table of ``monitor``."""

import re

from runs.domain.trace import PowerTrace
from runs.readers.amdsmi_metric.fields import METRIC, MONITOR, MONITOR_FIELD, POWER_FIELDS, Sample, Samples
from runs.readers.base import ReadError, Upload, excerpt, watts_of

BLOCK = re.compile(r"^GPU: *(\S+)\s*$", re.MULTILINE)
TABLE = re.compile(r"^ *(?:TIMESTAMP +)?GPU +(?:XCP +)?POWER\b.*$", re.MULTILINE)
_POWER = re.compile(r"^ {4}POWER:[ \t]*\r?$", re.MULTILINE)

_UNITS = frozenset({"W", "°C", "C", "%", "MHz", "GB", "MB", "mV", "GHz", "MB/s"})


def is_metric(head: str) -> bool:
    """Whether a text has GPU blocks with a POWER section (``static`` has LIMIT instead)."""
    return bool(BLOCK.search(head)) and bool(_POWER.search(head))


def read_blocks(upload: Upload) -> PowerTrace:
    """The samples of ``metric`` text: SOCKET_POWER and its kin inside POWER, at any tick.

    Raises ReadError with the line for a value that is no power.
    """
    samples = Samples(upload, METRIC)
    gpu, start, section = "", 0, ""
    time: float | None = None
    watts: dict[str, float] = {}

    def close() -> None:
        if gpu and watts:
            samples.add(Sample(gpu, time, dict(watts), f"line {start}, GPU {gpu}"))

    for number, line in enumerate(upload.text.splitlines(), 1):
        key, colon, value = line.partition(":")
        name, value = key.strip(), value.strip()
        if not colon:
            continue
        if name == "GPU" and not key[:1].isspace():
            close()
            gpu, start, section, time = value, number, "", None
            watts.clear()
        elif len(key) - len(key.lstrip()) <= 4:
            section = name if not value else section
            time = _time(upload, value, number) if name == "TIMESTAMP" else time
        elif section == "POWER" and name.lower() in POWER_FIELDS:
            watts[name.lower()] = _watts(upload, value, f"line {number}, {name}")
    close()
    return samples.trace()


def read_monitor(upload: Upload) -> PowerTrace:
    """The samples of the table of ``monitor -p``; the header may come again before every tick."""
    samples = Samples(upload, MONITOR)
    header: list[str] = []
    for number, line in enumerate(upload.text.splitlines(), 1):
        if TABLE.match(line):
            header = line.split()
            continue
        cells = _cells(line)
        if not header or len(cells) < 2 or not cells[0].isdigit():
            continue
        row = dict(zip(header, cells, strict=False))
        if "POWER" not in row or row.get("XCP", "0") != "0":
            continue
        watts = {MONITOR_FIELD: _watts(upload, row["POWER"], f"line {number}, POWER")}
        time = _time(upload, row["TIMESTAMP"], number) if "TIMESTAMP" in header else None
        limit = watts_of(row.get("PWR_CAP", "N/A"))
        limit = limit if limit is not None and limit > 0 else None
        samples.add(Sample(row["GPU"], time, watts, f"line {number}, POWER", limit))
    return samples.trace()


def _cells(line: str) -> list[str]:
    """The cells of a table row, with a unit joined to the number before it."""
    cells: list[str] = []
    for word in line.split():
        if word in _UNITS and cells:
            cells[-1] = f"{cells[-1]} {word}"
        else:
            cells.append(word)
    return cells


def _watts(upload: Upload, value: str, place: str) -> float:
    watts = watts_of(value)
    if watts is None:
        raise ReadError(upload.name, place, "a power in W", excerpt(value))
    return watts


def _time(upload: Upload, value: str, line: int) -> float:
    try:
        return float(value)
    except ValueError:
        raise ReadError(
            upload.name, f"line {line}, TIMESTAMP", "a time in seconds since 1970", excerpt(value)
        ) from None
