"""A pasted table read as runs: every cell with its reading or what is wrong with it, row by row."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Literal

from runs.domain.metrics import SETTING_BY_KEY
from runs.domain.units import DomainError
from runs.readers.pasted.cells import PastedCell, read_cell
from runs.readers.pasted.choices import Choices
from runs.readers.pasted.columns import IGNORE, LABEL, Column, suggest
from runs.readers.pasted.conditions import Conditions, first_words, read_conditions
from runs.readers.pasted.figures import FigureEntry, figure_entry
from runs.readers.pasted.grid import Grid
from runs.readers.pasted.heads import read_head
from runs.readers.pasted.statements import Statement, statement

Settings = dict[str, Statement | str | None]


@dataclass(frozen=True)
class SheetCell:
    """One cell: what its column holds, its readings, the unit it is taken in, and what is wrong with it."""

    text: str
    kind: Literal["label", "figure", "setting", "ignore", "undecided"]
    cell: PastedCell | None = None
    unit: str = ""
    problem: str = ""


@dataclass(frozen=True)
class SheetRow:
    """A row as a run: its cells in order, and the settings and figures that follow from them."""

    place: int
    head: str
    group: int
    label: str
    cells: tuple[SheetCell, ...]
    settings: Settings
    figures: dict[str, FigureEntry]
    repeats: str = ""
    problems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sheet:
    """The whole table. ``groups`` are the heads that its rows share; ``problems`` keep it from becoming runs."""

    grid: Grid
    columns: tuple[Column, ...]
    rows: tuple[SheetRow, ...]
    groups: tuple[str, ...]
    common: Settings
    conditions: Conditions
    problems: tuple[str, ...]
    unmatched: tuple[str, ...] = field(default=())


def read_sheet(grid: Grid, choices: Choices, conditions: Grid | None = None) -> Sheet:
    """The table with what was decided about it. What is wrong is said in ``problems`` and at its cell, never raised."""
    columns = tuple(choices.columns.get(at) or suggest(head, at) for at, head in enumerate(grid.head))
    common, problems = _common(choices)
    problems += _column_problems(grid, columns)
    own = [column.setting for column in columns if column.setting]
    found = read_conditions(conditions, choices.conditions, choices.locale, own)
    problems += [problem for line in found.lines for problem in line.problems]
    groups = tuple(dict.fromkeys(_head(row, columns) for row in grid.rows))
    rows = tuple(
        _row(place, texts, columns, choices, groups.index(_head(texts, columns)), common, found)
        for place, texts in enumerate(grid.rows)
    )
    for row in rows:
        named = zip(grid.head, row.cells, strict=True)
        problems += [f"row {row.place + 1}, {head or '(no head)'}: {one.problem}" for head, one in named if one.problem]
        problems += row.problems
    starts = {first_words(group) for group in groups}
    unmatched = tuple(name for name in found.names if name not in starts)
    return Sheet(grid, columns, rows, groups, common, found, tuple(dict.fromkeys(problems)), unmatched)


def _head(texts: tuple[str, ...], columns: tuple[Column, ...]) -> str:
    labels = [text for text, column in zip(texts, columns, strict=True) if column.target == LABEL]
    return " · ".join(filter(None, labels)) or "?"


def _common(choices: Choices) -> tuple[Settings, list[str]]:
    found: Settings = {}
    problems = []
    for key, text in choices.common.items():
        if key not in SETTING_BY_KEY or not text.strip():
            continue
        try:
            found[key] = statement(key, text, choices.locale)
        except DomainError as error:
            problems.append(str(error))
    return found, problems


def _column_problems(grid: Grid, columns: tuple[Column, ...]) -> list[str]:
    found = []
    if not any(column.target == LABEL for column in columns):
        found.append("no column names the runs: choose one as the label")
    if not any(column.figure for column in columns):
        found.append("no column holds a figure")
    targets = [column.target for column in columns if column.target not in (LABEL, IGNORE, "")]
    found += [f"{target} stands in two columns" for target in dict.fromkeys(targets) if targets.count(target) > 1]
    for column, head in zip(columns, grid.head, strict=True):
        if not column.target:
            found.append(f"column {head or '(no head)'}: choose what it holds, or leave it out")
    return found


def _row(
    place: int,
    texts: tuple[str, ...],
    columns: tuple[Column, ...],
    choices: Choices,
    group: int,
    common: Settings,
    conditions: Conditions,
) -> SheetRow:
    head = _head(texts, columns)
    cells, settings, figures = [], dict[str, Statement | str | None](), dict[str, FigureEntry]()
    for text, column in zip(texts, columns, strict=True):
        cell, setting, entry = _cell(text, column, choices)
        cells.append(cell)
        if column.setting and not cell.problem:
            settings[column.setting] = setting
        if column.figure and entry is not None:
            figures[column.figure] = entry
    said: Settings = {**conditions.settings.get(first_words(head), {})}
    named = dict(read_head(head, choices.locale)) if choices.heads_speak else {}
    problems = [f"row {place + 1}: {words}" for words in _contradictions(said, named)]
    merged = {**common, **said, **named, **settings}
    temperature, lengths = _temperature(merged), _lengths(merged)
    for one in conditions.figures.get(first_words(head), ()):
        if one.holds(temperature, lengths):
            figures.setdefault(one.key, one.entry)
    row = SheetRow(place, head, group, "", tuple(cells), merged, figures, problems=tuple(problems))
    label = choices.labels.get(place, "").strip() or _label(row, columns)
    return _with_repeats(replace(row, label=label[:200]), choices.repeats.get(place, "").strip(), choices)


def _cell(text: str, column: Column, choices: Choices) -> tuple[SheetCell, Statement | str | None, FigureEntry | None]:
    if column.target in (LABEL, IGNORE):
        return SheetCell(text, "label" if column.target == LABEL else "ignore"), None, None
    cell = read_cell(text, choices.locale)
    if column.setting:
        try:
            return SheetCell(text, "setting", cell), statement(column.setting, text, choices.locale), None
        except DomainError as error:
            return SheetCell(text, "setting", cell, problem=str(error)), None, None
    if not column.figure:
        return SheetCell(text, "undecided", cell), None, None
    try:
        entry = figure_entry(cell, column)
    except DomainError as error:
        return SheetCell(text, "figure", cell, cell.unit or column.unit, str(error)), None, None
    return SheetCell(text, "figure", cell, str((entry or {}).get("unit", ""))), None, entry


def _contradictions(said: Mapping[str, object], named: Mapping[str, object]) -> list[str]:
    """Settings of which the conditions say one thing and the row's head another."""
    found = []
    for key in said.keys() & named.keys():
        pair = (said[key], named[key])
        values = [one["value"] for one in pair if isinstance(one, dict) and "value" in one]
        if len(values) == 2 and values[0] != values[1]:
            found.append(
                f"{SETTING_BY_KEY[key].name} is {values[1]} in the row’s head and {values[0]} in the conditions"
            )
    return found


def _temperature(settings: Settings) -> Decimal | None:
    found = settings.get("temperature")
    return Decimal(str(found["value"])) if isinstance(found, dict) and "value" in found else None


def _lengths(settings: Settings) -> tuple[str, str]:
    return _named(settings.get("isl")), _named(settings.get("osl"))


def _named(found: Statement | str | None) -> str:
    return str(found.get("nominal") or found.get("value") or "") if isinstance(found, dict) else ""


def _label(row: SheetRow, columns: tuple[Column, ...]) -> str:
    """The row's head with what tells its runs apart: temperature and workload."""
    parts = [row.head]
    for cell, column in zip(row.cells, columns, strict=True):
        if column.setting == "temperature" and isinstance(row.settings.get("temperature"), dict):
            parts.append(f"T={cell.text.replace(',', '.')}")
    isl, osl = _lengths(row.settings)
    if isl or osl:
        parts.append(f"{isl or '?'}/{osl or '?'}")
    return " · ".join(parts)


def _with_repeats(row: SheetRow, text: str, choices: Choices) -> SheetRow:
    """Repeats as typed: their number, or their own figures of the throughput, with semicolons between."""
    row = replace(row, repeats=text)
    if not text:
        return row
    parts = [part.strip() for part in text.split(";") if part.strip()]
    if len(parts) == 1 and text.isascii() and text.isdigit() and 0 < int(text) < 10_000:
        return row
    rate = row.figures.get("total_throughput")
    read = [read_cell(part, choices.locale) for part in parts]
    if rate is None or "printed" not in rate or len(parts) < 2 or not all(_is_repeat(cell, rate) for cell in read):
        words = f"row {row.place + 1}: repeats are a number, or two or more totals with ; between, not {text!r}"
        return replace(row, problems=(*row.problems, words))
    values = [cell.printed[0] for cell in read]
    return replace(row, figures={**row.figures, "total_throughput": {**rate, "repeat_values": values}})


def _is_repeat(cell: PastedCell, rate: FigureEntry) -> bool:
    """One number, alone or in the unit of the figure that it repeats."""
    return len(cell.readings) == 1 and (not cell.unit_text or cell.unit == rate.get("unit"))
