"""The driving article: its demo data as runs, its figures as facts, and where the product shows each of them."""

import csv
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

from runs.domain.compare import compare
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.errata import after
from runs.domain.evaluations import Evaluation
from runs.domain.figures import Figure
from runs.domain.units import as_decimal, convert
from runs.readers import published
from runs.readers.base import Reading, Upload

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Row:
    """One row of the list of figures, as facts."""

    table: str
    row: str
    column: str
    printed: str
    value: str
    low: str
    high: str
    unit: str
    basis: str
    status: str
    party: str
    how: str


@cache
def rows() -> tuple[Row, ...]:
    with (ROOT / "tests/data/article_figures.csv").open(newline="") as file:
        return tuple(Row(**entry) for entry in csv.DictReader(file))


@cache
def reading() -> Reading:
    path = ROOT / "runs/data/demo.yaml"
    return published.read(Upload(path.name, path.read_bytes()))


@cache
def entries() -> dict[str, RunEntry]:
    """Every demo run by the key the data file gives it."""
    found = {}
    for run in reading().runs:
        key = run.place.split()[-1]
        errata = tuple(one.erratum for one in reading().errata if (one.target, one.key) == ("run", run.place))
        found[key] = RunEntry(key, run.record, errata, reading().evaluations)
    return found


@cache
def evaluations() -> dict[str, Evaluation]:
    """Every evaluation of the demo as it stands after its errata."""
    return {
        one.key: after(one, [e.erratum for e in reading().errata if (e.target, e.key) == ("evaluation", one.key)])
        for one in reading().evaluations
    }


@cache
def comparison(*keys: str) -> Comparison:
    """Some demo runs (all without keys, one at a time is enough for figures) under the article's scenario."""
    chosen = [entries()[key] for key in keys]
    return compare(chosen, keys[0], reading().scenarios[0], sources=reading().sources)


def figure(run: str, key: str) -> Figure:
    chosen = compare([entries()[run]], run, reading().scenarios[0], metrics=[key])
    row = chosen.row(key)
    assert row is not None, f"{run} has no row {key}"
    found = row.cells[0].figure
    assert found is not None, f"{run} has no figure {key}"
    return found


def in_unit(found: Figure, unit: str) -> Decimal:
    """The figure's value in the unit of the list ($ units are already those of the scenario)."""
    assert found.value is not None
    if found.unit == unit:
        return as_decimal(found.value)
    return as_decimal(convert(found.value, found.unit, unit))
