"""CSV of amd-smi: by polars, since a watch of a node runs to millions of rows."""

from collections.abc import Sequence

import numpy as np
import polars as pl

from runs.domain.records import Remark
from runs.domain.trace import PowerTrace
from runs.readers.amdsmi_metric.fields import METRIC, MONITOR, MONITOR_FIELD, POWER_FIELDS, filled_field
from runs.readers.base import Header, ReadError, Table, Upload, build_trace, find_header, read_table


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
    gpu, time, limit, xcp = (header.first(name) for name in ("gpu", "timestamp", "max_power", "xcp"))
    assert gpu is not None, "is_header has seen it"
    extra = [column for column in (time, limit if monitor else None, xcp if monitor else None) if column is not None]
    table = read_table(upload, header, [gpu, *powers.values(), *extra], next(iter(powers.values())))
    table, remarks = _primary_partitions(table, xcp if monitor else None)
    columns = {name: table.numbers(column, "a power in W", "W") for name, column in powers.items()}
    chosen, remark = filled_field(columns)
    times = None if time is None else table.numbers(time, "a time in seconds since 1970")
    if times is not None and np.isnan(times).any():
        raise ReadError(upload.name, "column timestamp", "a time in every row", "rows without one")
    labels = table.column(gpu).str.strip_chars()
    limits = _limits(table, labels, limit) if monitor and limit is not None else None
    power = powers[chosen]
    return build_trace(
        upload, labels, times, columns[chosen], "none" if times is None else "utc", MONITOR if monitor else METRIC,
        lambda index: table.locate(power, table.column(power)[index]), limits,
        (*table.remarks, *remarks, *remark),
    )  # fmt: skip


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


def _limits(table: Table, labels: pl.Series, column: int) -> dict[str, float | None]:
    values = table.numbers(column, "a power cap in W", "W")
    pairs = pl.DataFrame({"gpu": labels, "cap": values}).filter(~pl.col("cap").is_nan()).unique(maintain_order=True)
    return {str(gpu): float(cap) for gpu, cap in pairs.iter_rows()}
