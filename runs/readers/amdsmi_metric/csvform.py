"""CSV of amd-smi: by polars, since a watch of a node runs to millions of rows."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import polars as pl

from runs.domain.records import Remark
from runs.domain.trace import PowerTrace
from runs.readers.amdsmi_metric.fields import METRIC, MONITOR, MONITOR_FIELD, POWER_FIELDS, filled_field
from runs.readers.base import (
    Header,
    RawSamples,
    ReadError,
    Table,
    Upload,
    build_trace,
    find_header,
    gpu_label,
    read_table,
)


def is_header(cells: Sequence[str]) -> bool:
    """Whether a header is of metric or monitor; the socket_power of ``static`` is a cap, not a measurement."""
    if "gpu" not in cells or any(cell.startswith(("ppt0_", "slowdown_")) for cell in cells):
        return False
    return MONITOR_FIELD in cells or ("max_power" not in cells and any(name in cells for name in POWER_FIELDS))


def header_of(upload: Upload) -> Header | None:
    return find_header(upload, is_header)


def read_csv(upload: Upload, header: Header) -> PowerTrace:
    """The samples of a CSV log. Raises ReadError with line and column for cells that are no number of theirs."""
    monitor = header.first(MONITOR_FIELD) is not None
    names = (MONITOR_FIELD,) if monitor else POWER_FIELDS
    powers = {name: column for name in names if (column := header.first(name)) is not None}
    gpu, time = header.cells_lower.index("gpu"), header.first("timestamp")
    limit, xcp = (header.first(name) if monitor else None for name in ("max_power", "xcp"))
    extra = [column for column in (time, limit, xcp) if column is not None]
    table = read_table(upload, header, [gpu, *powers.values(), *extra], next(iter(powers.values())))
    table, remarks = _primary_partitions(table, xcp)
    columns = {name: table.numbers(column, "a power in W", "W") for name, column in powers.items()}
    chosen, remark = filled_field(columns)
    times = None if time is None else table.numbers(time, "a time in seconds since 1970")
    if times is not None and np.isnan(times).any():
        raise ReadError(upload.name, "column timestamp", "a time in every row", "rows without one")
    labels = table.column(gpu).fill_null("")
    raw = RawSamples(
        labels=labels, t=times, watts=columns[chosen], clock="none" if times is None else "utc",
        tool=MONITOR if monitor else METRIC, locate=lambda index: table.locate_row(powers[chosen], index),
        limits=None if limit is None else _limits(table, gpu, limit),
        locate_time=None if time is None else partial(table.locate_row, time),
        remarks=(*table.remarks, *remarks, *remark),
    )  # fmt: skip
    return build_trace(upload, raw)


def _primary_partitions(table: Table, xcp: int | None) -> tuple[Table, list[Remark]]:
    """Without the rows of further partitions of a GPU: only the first one carries the power of the package."""
    if xcp is None:
        return table, []
    frame = table.frame.filter(pl.col(str(xcp)).str.strip_chars() == "0")
    gone = table.frame.height - frame.height
    if not gone or not frame.height:
        return table, []
    said = f"{gone} rows of further partitions (XCP) were left out: the first one has the power of the GPU"
    return Table(table.upload, table.header, frame, table.remarks), [Remark("partitions", said)]


def _limits(table: Table, gpu: int, column: int) -> dict[str, float | None]:
    pairs = table.distinct(gpu, column)
    caps = pairs.numbers(column, "a power cap in W", "W")
    return {gpu_label(str(name)): float(cap) for name, cap in zip(pairs.column(gpu), caps, strict=True) if cap > 0}
