"""``nvidia-smi --query-gpu=timestamp,index,power.draw,... --format=csv -l 1``."""

import re
from collections.abc import Sequence

import numpy as np
import polars as pl
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.readers.base import (
    Header,
    RawSamples,
    Reader,
    ReadError,
    Reading,
    Table,
    Upload,
    build_trace,
    excerpt,
    find_header,
    gpu_label,
    read_table,
)
from runs.readers.nvidia_smi.ticks import labels_by_position, rows_per_tick
from runs.readers.nvidia_smi.times import local_seconds

FORMAT = "nvidia_smi"
TOOL = "nvidia-smi --query-gpu"

# in order of preference; limits (power.limit, power.max_limit, ...) are never among them
POWER = ("power.draw", "power.draw.average", "gpu.power.draw.average", "power.draw.instant", "gpu.power.draw.instant")
MODULE_SCOPE = "GPU modules with their CPUs"
MODULE = ("module.power.draw.average", "module.power.draw.instant")
ORDER = (*POWER, *MODULE)
LIMITS = ("power.limit", "enforced.power.limit", "gpu.power.limit")
IDENTITY = ("index", "gpu", "uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id")

_NO_HEADER = re.compile(r"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\.\d{3}\s*, ")
_DMON = re.compile(r"^# *(Date +Time +)?gpu\b.*\bpwr\b", re.MULTILINE)


def _bare(cell: str) -> str:
    """A header cell without its unit: "power.draw [W]" is power.draw."""
    return cell.split("[", 1)[0].strip().strip('"').lower()


def _is_header(cells: Sequence[str]) -> bool:
    return any(_bare(cell) in ORDER for cell in cells)


def claims(upload: Upload) -> bool:
    if upload.outline.is_json:
        return False
    if find_header(upload, _is_header) is not None:
        return True
    return bool(_NO_HEADER.match(upload.head)) or bool(_DMON.search(upload.head[:2000]))


def read(upload: Upload) -> Reading:
    """The power trace of a log; its clock is ``local`` (the host's, no zone) or, without a timestamp, ``none``.

    Raises ReadError with line and column for a cell that is neither a number nor one of the tool's words for none.
    """
    header = find_header(upload, _is_header)
    if header is None:
        raise _refusal(upload)
    power, remarks = _power_column(header)
    _check_units(upload, header)
    time, gpu, limit = _column(header, ("timestamp",)), _column(header, IDENTITY), _column(header, LIMITS)
    table = read_table(upload, header, [power, *(column for column in (time, gpu, limit) if column is not None)], power,
                       longer=False)  # fmt: skip
    t = None if time is None else local_seconds(table, time)
    labels, said = _labels(table, gpu, t)
    limits, changed = _limits(table, gpu, limit)
    raw = RawSamples(
        labels=labels, t=t, watts=table.numbers(power, "a power in W", "W"), clock="none" if t is None else "local",
        tool=TOOL, locate=lambda row: table.locate_row(power, row), limits=limits,
        scope=MODULE_SCOPE if _bare(header.cells[power]) in MODULE else "GPUs",
        remarks=(*table.remarks, *remarks, *said, *changed),
    )  # fmt: skip
    return Reading(FORMAT, trace=build_trace(upload, raw))


def _check_units(upload: Upload, header: Header) -> None:
    """The tool names watts in its header, or no unit: 0.7 under [kW] is no 0.7 W."""
    for cell in header.cells:
        unit = cell.partition("[")[2].rstrip(' "]').strip()
        if unit not in ("", "W") and _bare(cell) in (*ORDER, *LIMITS):
            raise ReadError(upload.name, f"line {header.line + 1}, column {cell}", "watts, as the tool writes", unit)


def _refusal(upload: Upload) -> ReadError:
    if _DMON.search(upload.head[:2000]):
        expected = "nvidia-smi --query-gpu=timestamp,index,power.draw,power.limit --format=csv -l 1"
        return ReadError(upload.name, "the start", expected, "nvidia-smi dmon, which rounds to whole watts and seconds")
    expected = "the header line (log without noheader, or put it back: timestamp, index, power.draw [W], ...)"
    return ReadError(upload.name, "line 1", expected, f"a row of values: {excerpt(upload.head)}")


def _column(header: Header, names: Sequence[str]) -> int | None:
    bare = [_bare(cell) for cell in header.cells]
    return next((bare.index(name) for name in names if name in bare), None)


def _power_column(header: Header) -> tuple[int, list[Remark]]:
    bare = [_bare(cell) for cell in header.cells]
    column = min((bare.index(name) for name in bare if name in ORDER), key=lambda index: ORDER.index(bare[index]))
    if bare[column] in MODULE:
        said = f"{header.cells[column]} is the power of the module, GPU and CPU together"
        return column, [Remark("module-power", said)]
    others = [cell for cell in header.cells if _bare(cell) in POWER and cell != header.cells[column]]
    if not others:
        return column, []
    return column, [Remark("power-field", f"power is read from {header.cells[column]}, not from {', '.join(others)}")]


def _labels(table: Table, gpu: int | None, t: NDArray[np.float64] | None) -> tuple[pl.Series, list[Remark]]:
    """The GPU of every row: by index, UUID or bus id, else by its place within the tick."""
    if gpu is not None:
        return table.column(gpu).fill_null(""), []
    count = None if t is None else rows_per_tick(t)
    if count is None:
        raise ReadError(
            table.upload.name, f"line {table.header.line + 1}", "a column index, uuid or pci.bus_id, "
            "or the same number of rows at every tick", "neither, so that no row can be given to a GPU",
        )  # fmt: skip
    said = "the log names no GPU: it is taken for one GPU"
    if count > 1:
        said = f"the log names no GPU: each tick has {count} rows, taken for GPUs 0 to {count - 1} in that order"
    return labels_by_position(table.frame.height, count), [Remark("gpu-by-position", said)]


def _limits(table: Table, gpu: int | None, column: int | None) -> tuple[dict[str, float | None], list[Remark]]:
    """The power limit of each GPU that the log carries; None with a remark where it changes within the log."""
    if column is None or gpu is None:
        return {}, []
    pairs = table.distinct(gpu, column)
    caps: dict[str, set[float]] = {}
    for name, cap in zip(pairs.column(gpu), pairs.numbers(column, "a power limit in W", "W"), strict=True):
        if cap > 0:
            caps.setdefault(gpu_label(str(name)), set()).add(float(cap))
    changed = [
        Remark(
            "limit-changed",
            f"the power limit of GPU {name} changes within the log: {', '.join(f'{cap:g} W' for cap in sorted(seen))}",
            f"column {table.header.cells[column]}",
        )
        for name, seen in caps.items()
        if len(seen) > 1
    ]
    return {name: min(seen) if len(seen) == 1 else None for name, seen in caps.items()}, changed


READER = Reader(FORMAT, "nvidia-smi --query-gpu (CSV)", claims, read)
