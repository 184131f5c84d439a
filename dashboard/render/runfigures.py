"""A run's figures as finished texts: a table by family, and one of the latencies."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.render.cells import by_text, figure_notes, short_repeats
from dashboard.render.errata import was_text
from dashboard.render.numbers import Locale, figure_text
from dashboard.render.telling import formula
from dashboard.render.wording import FAMILIES, Badge, basis_badge, metric_name, say, status_badge, unit_head
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.facts import Party
from runs.domain.figures import Figure
from runs.domain.metrics import METRICS, Metric, metric

LATENCIES = ("ttft", "tpot", "itl", "e2el")


@dataclass(frozen=True)
class FigureLine:
    name: str
    unit: str
    text: str
    basis: Badge
    status: Badge | None
    repeats: str
    detail: str
    definition: str


@dataclass(frozen=True)
class FigureGroup:
    name: str
    lines: tuple[FigureLine, ...]


@dataclass(frozen=True)
class LatencyCell:
    """One statistic; ``text`` empty where it was not recorded. ``badges`` are those that the whole row has not."""

    text: str = ""
    badges: tuple[Badge, ...] = ()
    detail: str = ""


@dataclass(frozen=True)
class LatencyRow:
    """One latency with a cell for each statistic of the table; ``badges`` and ``detail`` hold for all of them."""

    name: str
    unit: str
    badges: tuple[Badge, ...]
    detail: str
    cells: tuple[LatencyCell, ...]


@dataclass(frozen=True)
class LatencyTable:
    heads: tuple[str, ...]
    rows: tuple[LatencyRow, ...]


def figure_groups(
    figures: dict[str, Figure], locale: Locale, errata: Sequence[Erratum] = (), party: Party | None = None
) -> tuple[FigureGroup, ...]:
    """Figures by family in catalogue order; latencies have a table of their own. A corrected one says what it was,
    and one that another than ``party`` says names who does."""
    order = [known.key for known in METRICS]
    groups: dict[str, list[FigureLine]] = {}
    for key in sorted(figures, key=lambda key: order.index(key.partition(":")[0])):
        known = metric(key)
        if known.key not in LATENCIES:
            groups.setdefault(known.family, []).append(figure_line(figures[key], locale, errata, party))
    return tuple(FigureGroup(say(FAMILIES[family], locale), tuple(lines)) for family, lines in groups.items())


def figure_line(
    figure: Figure, locale: Locale, errata: Sequence[Erratum] = (), party: Party | None = None
) -> FigureLine:
    known = metric(figure.key)
    return FigureLine(
        name=metric_name(known, figure.stat, locale),
        unit=unit_head(figure.key, locale, figure.unit),
        text=figure_text(figure, locale) or say(figure.status.value, locale),
        basis=basis_badge(figure.basis, figure.system_basis, locale),
        status=status_badge(figure.status, locale),
        repeats=short_repeats(figure, locale),
        detail=figure_detail(figure, locale, errata, party),
        definition=say(known.definition, locale),
    )


def figure_detail(figure: Figure, locale: Locale, errata: Sequence[Erratum], party: Party | None) -> str:
    """What a figure was, how it was printed or computed, its repeats and note, and who says it."""
    old = [one.old for one in errata if one.kind is ErratumKind.CORRECTED and one.metric == figure.key and one.old]
    worked_out = "" if figure.printed else formula(figure.formula, locale)
    said = (was_text(old, locale), worked_out, by_text(figure, party, locale), *figure_notes(figure, locale))
    return "; ".join(filter(None, said))


def latency_table(
    figures: dict[str, Figure], locale: Locale, errata: Sequence[Erratum] = (), party: Party | None = None
) -> LatencyTable:
    """TTFT, TPOT, ITL and E2EL against the statistics that the run has."""
    known = [one for one in METRICS if one.key in LATENCIES]
    stats = [stat for stat in known[0].stats if any(f"{one.key}:{stat}" in figures for one in known)]
    rows = []
    for one in known:
        found = [figures.get(f"{one.key}:{stat}") for stat in stats]
        lines = [None if figure is None else figure_line(figure, locale, errata, party) for figure in found]
        if any(lines):
            rows.append(_latency_row(one, lines))
    return LatencyTable(tuple(say(stat, locale) for stat in stats), tuple(rows))


def _latency_row(known: Metric, lines: Sequence[FigureLine | None]) -> LatencyRow:
    said = [_badges(line) for line in lines if line is not None]
    common = tuple(badge for badge in said[0] if all(badge in badges for badges in said))
    details = {_detail(line) for line in lines if line is not None}
    shared = details.pop() if len(details) == 1 else ""
    cells = tuple(
        LatencyCell()
        if line is None
        else LatencyCell(
            line.text, tuple(badge for badge in _badges(line) if badge not in common), "" if shared else _detail(line)
        )
        for line in lines
    )
    return LatencyRow(known.key.upper(), known.display_unit, common, shared, cells)


def _badges(line: FigureLine) -> tuple[Badge, ...]:
    return tuple(filter(None, (line.basis, line.status)))


def _detail(line: FigureLine) -> str:
    return "; ".join(filter(None, (line.repeats, line.detail)))
