"""A pasted cell as a figure in the published-runs format."""

from typing import Any

from runs.domain.metrics import metric
from runs.domain.units import DomainError, unit
from runs.readers.pasted.cells import PastedCell
from runs.readers.pasted.columns import Column

FigureEntry = dict[str, Any]


def figure_entry(cell: PastedCell, column: Column) -> FigureEntry | None:
    """The figure of a cell, its text kept as quote; None where it does not apply. Raises DomainError in words."""
    if cell.absent == "not applicable":
        return None
    if cell.absent:
        return {"status": cell.absent, "quote": cell.text, "basis": column.basis.value}
    if cell.problem or not cell.readings:
        raise DomainError(cell.problem or "no number")
    reading = cell.readings[0]
    entry: FigureEntry = {
        "unit": figure_unit(cell, column),
        "basis": column.basis.value,
        "locale": reading.locale,
        "quote": cell.text,
        "circa": cell.circa,
    }
    if reading.value is not None:
        return {**entry, "printed": cell.printed[0]}
    return {**entry, "low": cell.printed[0], "high": cell.printed[1]}


def figure_unit(cell: PastedCell, column: Column) -> str:
    """The unit that stands in the cell, else the column's. Raises DomainError where there is none, or it cannot be."""
    wanted = metric(column.figure).unit
    if cell.unit_text and not cell.unit:
        raise DomainError(f"{cell.unit_text!r} behind the number is no unit that is known")
    symbol = cell.unit or column.unit
    # A rate per GPU printed as tok/s under a head that says "per GPU" is the rate per GPU.
    if symbol == "tok/s" and wanted == "tok/s/GPU":
        symbol = wanted
    if not symbol:
        raise DomainError(f"no unit in the cell or the column's head: expected {wanted} or another of its kind")
    if unit(symbol).dimension != unit(wanted).dimension:
        raise DomainError(f"{metric(column.figure).name} is not measured in {symbol}")
    return symbol
