"""A table of conditions: a setting a line, a configuration a column, as documents print them beside their results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from runs.domain.facts import Basis
from runs.domain.units import DomainError, NumberLocale
from runs.readers.pasted.cells import absence, read_cell
from runs.readers.pasted.columns import FIGURE, IGNORE, Column, suggest
from runs.readers.pasted.figures import FigureEntry, figure_entry
from runs.readers.pasted.grid import Grid
from runs.readers.pasted.heads import lengths_in, read_head, temperature_in
from runs.readers.pasted.statements import Statement, statement


@dataclass(frozen=True)
class Line:
    """A line of conditions: its head, what it holds, its texts by configuration, and what is wrong with them."""

    place: int
    head: str
    column: Column
    texts: tuple[str, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Confined:
    """A figure that a line's head confines to one temperature or workload; None: to any."""

    key: str
    entry: FigureEntry
    temperature: Decimal | None
    lengths: tuple[str, str] | None

    def holds(self, temperature: Decimal | None, lengths: tuple[str, str]) -> bool:
        return (self.temperature is None or self.temperature == temperature) and (
            self.lengths is None or tuple(map(str.casefold, self.lengths)) == tuple(map(str.casefold, lengths))
        )


@dataclass(frozen=True)
class Conditions:
    """What a table of conditions says, by the name its columns begin with ("Paiton", "ATOM")."""

    lines: tuple[Line, ...] = ()
    names: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    settings: Mapping[str, Mapping[str, Statement | str | None]] = field(default_factory=dict)
    figures: Mapping[str, tuple[Confined, ...]] = field(default_factory=dict)


def first_words(head: str) -> str:
    """What a head begins with, before its first comma: the name by which tables of one document agree."""
    return head.split(",", maxsplit=1)[0].strip().casefold()


def read_conditions(
    grid: Grid | None, chosen: Mapping[int, Column], locale: NumberLocale | None, shared: Sequence[str]
) -> Conditions:
    """The conditions; ``shared`` are settings with a column of their own in the table of results, which go first."""
    if grid is None:
        return Conditions()
    names = tuple(first_words(head) for head in grid.head[1:])
    settings: dict[str, dict[str, Statement | str | None]] = {name: {} for name in names}
    figures: dict[str, list[Confined]] = {name: [] for name in names}
    lines = []
    for place, row in enumerate(grid.rows):
        column = chosen.get(place) or suggest_line(row[0])
        column = Column(IGNORE) if column.setting in shared else column
        problems = []
        for name, text in zip(names, row[1:], strict=True):
            try:
                if column.setting:
                    settings[name] |= _settings(column.setting, text, locale)
                elif column.figure:
                    figures[name] += _figures(row[0], column, text, locale)
            except DomainError as error:
                problems.append(f"{row[0]}, {name}: {error}")
        if not column.target:
            problems.append(f"{row[0]}: choose what this line holds, or leave it out")
        lines.append(Line(place, row[0], column, row[1:], tuple(problems)))
    return Conditions(tuple(lines), names, grid.head, settings, {name: tuple(found) for name, found in figures.items()})


def suggest_line(head: str) -> Column:
    """As for a column; "GPUs" of a configuration are its active ones."""
    found = suggest(head)
    return Column(found.target, found.unit, Basis.MEASURED) if found.target == f"{FIGURE}gpu_power:mean" else found


def _settings(key: str, text: str, locale: NumberLocale | None) -> dict[str, Statement | str | None]:
    if key == "active_gpus" and not absence(text):
        found = read_head(text, locale)
        said: dict[str, Statement | str | None] = {
            name: found[name] for name in ("active_gpus", "accelerator") if name in found
        }
        if said:
            return said
    if key == "speculative_method" and absence(text) and len(text) > 14:
        return {key: None}
    return {key: statement(key, text, locale)}


def _figures(head: str, column: Column, text: str, locale: NumberLocale | None) -> list[Confined]:
    """The figure of a cell; "4.18 kW, circa 696 W/GPU" is two, the second per GPU."""
    temperature, lengths = temperature_in(head), lengths_in(head)
    first, comma, second = text.partition(", ")
    parts = [(column, first)]
    if comma and column.target == f"{FIGURE}gpu_power:mean" and "/gpu" in second.casefold():
        parts.append((Column(f"{FIGURE}gpu_power_per_gpu:mean", "W", Basis.DERIVED), second))
    else:
        parts = [(column, text)]
    found = []
    for one, words in parts:
        entry = figure_entry(read_cell(words, locale), one)
        if entry is not None and "status" not in entry:
            found.append(Confined(one.figure, entry, temperature, lengths))
    return found
