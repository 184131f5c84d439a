"""One run entered by hand: a table of one row, read by the same rules as a pasted one."""

from collections.abc import Mapping
from dataclasses import replace

from runs.domain.facts import Basis
from runs.domain.metrics import METRICS, metric
from runs.readers.base import clean_text
from runs.readers.pasted.choices import Choices
from runs.readers.pasted.columns import FIGURE, LABEL, Column
from runs.readers.pasted.grid import MAX_CELL, Grid
from runs.readers.pasted.sheet import Sheet, read_sheet

FAMILIES = ("throughput", "latency", "load", "power")
# Times are printed in seconds and in milliseconds: which one is said, never taken for granted.
_ASKED = frozenset({"latency"})


def figure_keys() -> tuple[str, ...]:
    """Every figure that a run may be given by hand, in catalogue order."""
    return tuple(
        f"{one.key}:{stat}" if stat else one.key for one in METRICS if one.family in FAMILIES for stat in one.stats
    )


def single_run(label: str, figures: Mapping[str, str], basis: Basis, repeats: str, choices: Choices) -> Sheet:
    """A run with its figures as typed ("5.661", "0,65 s"), by key of the catalogue; empty ones are left out."""
    given = {key: text.strip() for key, text in figures.items() if text.strip() and key in figure_keys()}
    columns = {0: Column(LABEL)}
    for at, key in enumerate(given, 1):
        known = metric(key)
        derived = basis is Basis.MEASURED and key.startswith("per_gpu")
        unit = "" if known.family in _ASKED and known.unit == "s" else known.unit
        columns[at] = Column(f"{FIGURE}{key}", unit, Basis.DERIVED if derived else basis)
    name = clean_text(label, 200)
    cells = (name, *(clean_text(text, MAX_CELL) for text in given.values()))
    grid = Grid("typed", ("Run", *(metric(key).name for key in given)), (cells,))
    return read_sheet(
        grid, replace(choices, columns=columns, labels={0: name}, repeats={0: repeats}, heads_speak=False)
    )
