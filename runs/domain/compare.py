"""compare(): an ordered set of runs, a baseline, metrics and a scenario become the one comparison object."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import partial
from math import isfinite

from runs.domain.caveat_rule import Subject
from runs.domain.caveats import RULES
from runs.domain.caveats_pair import PAIR_RULES, Pair
from runs.domain.comparison import (
    Caveat,
    Cell,
    Comparison,
    Grade,
    Notice,
    Ratio,
    Row,
    RunEntry,
    RunHead,
    SettingRow,
    Span,
    Verdict,
)
from runs.domain.consistency import CONSISTENCY_RULES, FIGURE_RULES
from runs.domain.cost import costs
from runs.domain.derived import figures, quotient
from runs.domain.errata import ErratumKind, applied
from runs.domain.evaluations import covers
from runs.domain.facts import SettingValue
from runs.domain.figures import Figure
from runs.domain.grades import PairGrader
from runs.domain.matters import EVERY_MATTER, MATTERS, Side, same
from runs.domain.metrics import METRICS, SETTINGS, metric
from runs.domain.records import Source
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError, Number, as_decimal

MAX_RUNS = 24
CLOSE = Decimal("0.03")
"""Under 3 % of the larger no winner is named where the number of repeats is 1 or not known: the same both ways."""


def compare(
    entries: Sequence[RunEntry],
    baseline: str = "",
    scenario: Scenario | None = None,
    metrics: Sequence[str] = (),
    sources: Sequence[Source] = (),
) -> Comparison:
    """Compare runs against the one whose key is ``baseline`` (the first where it is empty).

    ``metrics`` are keys (``ttft:median``; a bare name takes every statistic); none means all that a run has. Raises
    DomainError where there are no runs, too many, the same twice, or the baseline is none of them.
    """
    place = _baseline(entries, baseline)
    sides = [_side(entry, scenario) for entry in entries]
    keys = _keys(sides, metrics)
    subjects = [Subject(side, index, keys) for index, side in enumerate(sides)]
    base = sides[place]
    graders = [PairGrader(side, base) for side in sides]
    caveats = _caveats(subjects, place, graders)
    concerned = _by_cell(caveats)
    rows = tuple(_row(key, sides, place, graders, concerned) for key in keys)
    groups = _groups(sides, base)
    return Comparison(
        runs=tuple(_head(entry) for entry in entries),
        baseline=place,
        settings=_settings(sides),
        rows=tuple(replace(row, spans=spans) if (spans := _spans(row, groups)) else row for row in rows),
        caveats=caveats,
        scenario=scenario,
        sources=tuple(sources),
        notices=tuple(Notice(index, erratum) for index, entry in enumerate(entries) for erratum in entry.errata),
    )


def _baseline(entries: Sequence[RunEntry], baseline: str) -> int:
    keys = [entry.key for entry in entries]
    if not keys:
        raise DomainError("a comparison needs at least one run")
    if len(keys) > MAX_RUNS:
        raise DomainError(f"a comparison holds at most {MAX_RUNS} runs, not {len(keys)}")
    if len(set(keys)) != len(keys):
        raise DomainError("a run is in the comparison twice")
    if baseline and baseline not in keys:
        raise DomainError(f"the baseline {baseline!r} is none of the runs compared: {', '.join(keys)}")
    return keys.index(baseline) if baseline else 0


def _side(entry: RunEntry, scenario: Scenario | None) -> Side:
    record = applied(entry.record, entry.errata) if entry.errata and not entry.applied else entry.record
    found = figures(record)
    if scenario is not None:
        found = {**found, **costs(record, found, scenario)}
    validated = any(covers(one, entry.key, record.setup) for one in entry.evaluations)
    said = tuple(one.reason for one in entry.errata if one.kind is ErratumKind.STATEMENT and one.target == "run")
    return Side(record, found, validated, said)


def _head(entry: RunEntry) -> RunHead:
    record = entry.record
    return RunHead(entry.key, record.label, record.provenance, record.party, record.setup, record.notes, record.remarks)


def _keys(sides: Sequence[Side], metrics: Sequence[str]) -> tuple[str, ...]:
    """The keys of the rows, in catalogue order; statistics in the catalogue's order, offers in the scenario's."""
    present: dict[str, dict[str, None]] = {}
    for side in sides:
        for key in side.figures:
            present.setdefault(key.partition(":")[0], {})[key] = None
    wanted = set(metrics)
    for key in wanted:
        metric(key)
    ordered: list[str] = []
    for entry in METRICS:
        if entry.family == "configuration" and entry.key not in wanted:
            continue
        mine = sorted(present.get(entry.key, ()), key=partial(_stat_order, entry.stats))
        ordered.extend(key for key in mine if not wanted or key in wanted or entry.key in wanted)
    return tuple(ordered)


def _stat_order(stats: tuple[str, ...], key: str) -> int:
    stat = key.partition(":")[2]
    return stats.index(stat) if stat in stats else len(stats)


def _caveats(subjects: Sequence[Subject], place: int, graders: Sequence[PairGrader]) -> tuple[Caveat, ...]:
    found: list[Caveat | None] = []
    for subject in subjects:
        found.extend(rule(subject) for rule in (*RULES, *CONSISTENCY_RULES))
        for figure in map(subject.side.figures.get, subject.keys):
            if figure is not None and figure.checks:
                found.extend(rule(subject, figure) for rule in FIGURE_RULES)
        if subject.run != place:
            pair = Pair(subject, subjects[place], graders[subject.run])
            found.extend(rule(pair) for rule in PAIR_RULES)
    return tuple(caveat for caveat in found if caveat is not None)


def _by_cell(caveats: Sequence[Caveat]) -> dict[tuple[int, str], tuple[int, ...]]:
    cells: dict[tuple[int, str], list[int]] = {}
    for number, caveat in enumerate(caveats):
        for key in caveat.metrics:
            cells.setdefault((caveat.run, key), []).append(number)
    return {cell: tuple(numbers) for cell, numbers in cells.items()}


def _row(
    key: str,
    sides: Sequence[Side],
    place: int,
    graders: Sequence[PairGrader],
    concerned: dict[tuple[int, str], tuple[int, ...]],
) -> Row:
    base = sides[place].figures.get(key)
    cells = tuple(
        _cell(
            side.figures.get(key),
            base,
            None if index == place else graders[index].grade(key),
            concerned.get((index, key), ()),
        )
        for index, side in enumerate(sides)
    )
    name, _, stat = key.partition(":")
    unit = next((cell.figure.unit for cell in cells if cell.figure), metric(key).unit)
    return Row(name, stat, unit, cells)


def _cell(figure: Figure | None, base: Figure | None, verdict: Verdict | None, caveats: tuple[int, ...]) -> Cell:
    """A cell; ``verdict`` is None in the baseline's own column."""
    if figure is None:
        return Cell(None, absent="not stated", caveats=caveats)
    if figure.value is None and not figure.is_range:
        return Cell(figure, absent=figure.status.value, caveats=caveats)
    if verdict is None or base is None or verdict.grade is Grade.NOT_COMPARABLE:
        return Cell(figure, verdict=verdict, caveats=caveats)
    return Cell(figure, verdict=verdict, ratio=ratio_of(figure, base), caveats=caveats)


def ratio_of(figure: Figure, base: Figure) -> Ratio | None:
    """figure / baseline with the span that rounding and repeats leave it; None where a side has no single value."""
    if figure.value is None or base.value is None or base.value <= 0:
        return None
    value = quotient(figure.value, base.value)
    mine, theirs = _extent(figure), _extent(base)
    low, high = quotient(mine[0], theirs[1]), quotient(mine[1], theirs[0]) if theirs[0] > 0 else value
    if not all(map(isfinite, (value, low, high))):
        return None
    unsure = any(side.repeats is None or side.repeats == 1 for side in (figure, base))
    less, more = sorted((as_decimal(figure.value), as_decimal(base.value)))
    close = more - less < CLOSE * more
    return Ratio(value, low, high, too_close=unsure and close)


def _extent(figure: Figure) -> tuple[Number, Number]:
    """From the lowest to the highest the figure may be: its interval, widened by its repeats."""
    value = figure.value if figure.value is not None else 0
    if not figure.repeat_values and isinstance(value, Decimal) and figure.interval is not None:
        return min(value, figure.interval.low), max(value, figure.interval.high)
    ends: list[Number] = [value]
    if figure.interval is not None:
        ends += [figure.interval.low, figure.interval.high]
    ends += figure.repeat_values
    if any(isinstance(end, float) for end in ends):
        numbers = [float(end) for end in ends]
        return min(numbers), max(numbers)
    exact = [as_decimal(end) for end in ends]
    return min(exact), max(exact)


def _settings(sides: Sequence[Side]) -> tuple[SettingRow, ...]:
    rows = []
    for spec in SETTINGS:
        cells = tuple(side.record.setting(spec.key) for side in sides)
        differs = len(cells) > 1 and any(same(cells[0], cell) is not True for cell in cells[1:])
        both_unknown = not any(cell.is_known for cell in cells)
        rows.append(SettingRow(spec.key, cells, differs and not both_unknown))
    return tuple(rows)


@dataclass(frozen=True)
class _Group:
    """Runs of one setup that have at least two known values of a setting which the baseline does not state."""

    setting: str
    runs: tuple[int, ...]
    values: tuple[tuple[SettingValue, str], ...]


def _groups(sides: Sequence[Side], base: Side) -> list[_Group]:
    setups: dict[str, list[int]] = {}
    for index, side in enumerate(sides):
        if side.record.setup:
            setups.setdefault(side.record.setup, []).append(index)
    groups = []
    for key in sorted(EVERY_MATTER):
        if base.record.setting(key).is_known:
            continue
        for members in setups.values():
            known = {index: one for index in members if (one := sides[index].record.setting(key)).is_known}
            values = tuple((one.value, one.nominal) for one in known.values())
            if len(set(values)) > 1:
                groups.append(_Group(key, tuple(known), values))
    return groups


def _spans(row: Row, groups: Sequence[_Group]) -> tuple[Span, ...]:
    """Where the baseline does not state a setting and a setup ran at several values of it: the span over those runs."""
    spans = []
    for group in groups:
        if group.setting not in MATTERS[metric(row.key).family]:
            continue
        found = [
            (index, ratio, value)
            for index, value in zip(group.runs, group.values, strict=True)
            if (ratio := row.cells[index].ratio) is not None
        ]
        if len({value for _, _, value in found}) > 1:
            ratios = [as_decimal(ratio.value) for _, ratio, _ in found]
            spans.append(Span(group.setting, tuple(index for index, _, _ in found), min(ratios), max(ratios)))
    return tuple(spans)
