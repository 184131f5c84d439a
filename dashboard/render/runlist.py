"""Rows of the list of runs: finished cells from what the list knows of each run."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, Protocol, cast

from dashboard.render.numbers import Locale, align, figure_text, format_number, printed_number, tidy
from dashboard.render.wording import Badge, _, basis_badge, metric_name, provenance_badge, say, status_badge, unit_head
from runs.domain.facts import Basis, Printed, Status
from runs.domain.figures import Figure
from runs.domain.metrics import metric
from runs.domain.records import Provenance
from runs.domain.units import Interval, Number, NumberLocale, as_decimal

COLUMNS = ("per_gpu_total", "total_throughput", "ttft:median", "tpot:median", "gpu_power:mean")
"""Columns of figures, by the key of the catalogue; the list is sorted by the same key."""


class ListedFigure(Protocol):
    """A figure as a list keeps it: canonical unit, printed digits kept."""

    @property
    def unit(self) -> str: ...
    @property
    def basis(self) -> str: ...
    @property
    def system_basis(self) -> str: ...
    @property
    def value(self) -> Decimal | float | None: ...
    @property
    def low(self) -> Decimal | float | None: ...
    @property
    def high(self) -> Decimal | float | None: ...
    @property
    def status(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def locale(self) -> str: ...
    @property
    def circa(self) -> bool: ...
    @property
    def repeats(self) -> int | None: ...


@dataclass(frozen=True)
class ListedRun:
    """What the list knows of a run. Empty texts and None are "not stated"."""

    id: str
    label: str
    provenance: str
    status: str
    party: str
    model: str
    runtime: str
    accelerator: str
    workload: str
    concurrency: int | None
    active_gpus: int | None
    node_gpus: int | None
    power_cap_w: float | None
    date: str
    not_stated: int
    figures: Mapping[str, ListedFigure]
    repeats: int = 1


@dataclass(frozen=True)
class ListCell:
    """A figure in the list; ``absent`` stands in place of a number. ``name`` labels it on a narrow screen."""

    name: str
    text: str
    unit: str
    basis: Badge | None = None
    absent: str = ""
    status: Badge | None = None


@dataclass(frozen=True)
class ListRow:
    id: str
    label: str
    party: str
    provenance: Badge
    status: Badge | None
    model: str
    runtime: str
    gpus: str
    cap: str
    workload: str
    concurrency: str
    date: str
    gaps: str
    figures: tuple[ListCell, ...]
    repeats: str = ""


@dataclass(frozen=True)
class ColumnHead:
    sort: str
    name: str
    unit: str


def column_heads(locale: Locale) -> tuple[ColumnHead, ...]:
    """Names and units of the columns of figures."""
    return tuple(
        ColumnHead(key, metric_name(metric(key), key.partition(":")[2], locale), unit_head(key, locale))
        for key in COLUMNS
    )


def list_rows(runs: Sequence[ListedRun], locale: Locale) -> tuple[ListRow, ...]:
    """The rows of a page, decimal signs of each column under one another."""
    columns = [_column([run.figures.get(key) for run in runs], key, locale) for key in COLUMNS]
    return tuple(_row(run, tuple(column[place] for column in columns), locale) for place, run in enumerate(runs))


def _row(run: ListedRun, figures: tuple[ListCell, ...], locale: Locale) -> ListRow:
    known = _known(locale)
    return ListRow(
        id=run.id,
        label=run.label,
        party=run.party,
        provenance=provenance_badge(Provenance(run.provenance), locale),
        status=status_badge(Status(run.status), locale),
        model=known(run.model, _("model not stated")),
        runtime=known(run.runtime, _("runtime not stated")),
        gpus=gpus_text(run, locale),
        cap=cap_text(run.power_cap_w, locale),
        workload=known(run.workload, _("workload not stated")),
        concurrency=concurrency_text(run.concurrency, locale),
        date=known(run.date, _("not stated")),
        gaps=say(_("{n} settings not stated"), locale).format(n=run.not_stated) if run.not_stated else "",
        figures=figures,
        repeats=say(_("{n} runs of this configuration"), locale).format(n=run.repeats) if run.repeats > 1 else "",
    )


def _known(locale: Locale) -> Callable[[str, str], str]:
    return lambda text, otherwise: text or say(otherwise, locale)


def gpus_text(run: ListedRun, locale: Locale) -> str:
    """Active GPUs of those of the node: "6 of 8 × MI355X", "8 × MI355X"."""
    name = run.accelerator or say(_("accelerator not stated"), locale)
    if run.active_gpus is None:
        return f"{name} · {say(_('active GPUs not stated'), locale)}"
    if run.node_gpus is None or run.node_gpus == run.active_gpus:
        return f"{run.active_gpus} × {name}"
    return f"{run.active_gpus} {say(_('of'), locale)} {run.node_gpus} × {name}"


def cap_text(watts: float | None, locale: Locale) -> str:
    """The cap per GPU in few words: "800 W", "cap not stated"."""
    return say(_("cap not stated"), locale) if watts is None else f"{format_number(tidy(watts), locale)}\u00a0W"


def concurrency_text(concurrency: int | None, locale: Locale) -> str:
    if concurrency is None:
        return say(_("concurrency not stated"), locale)
    return say(_("{n} at once"), locale).format(n=format_number(concurrency, locale))


def _column(found: list[ListedFigure | None], key: str, locale: Locale) -> list[ListCell]:
    figures = [None if one is None else listed_figure(one, key) for one in found]
    texts = align(["" if one is None else figure_text(one, locale) for one in figures], locale)
    name = metric_name(metric(key), key.partition(":")[2], locale)
    return [_cell(one, text, name, key, locale) for one, text in zip(figures, texts, strict=True)]


def _cell(figure: Figure | None, text: str, name: str, key: str, locale: Locale) -> ListCell:
    if figure is None or not text:
        words = say(_("not stated") if figure is None else figure.status.value, locale)
        return ListCell(name, "", unit_head(key, locale), absent=words)
    circa = "≈\u00a0" if figure.printed and figure.printed.circa else ""
    # A list has no room for what a figure was derived from, except where that weakens it.
    soft = figure.system_basis in (Basis.ASSUMED, Basis.ESTIMATED)
    basis = basis_badge(figure.basis, figure.system_basis if soft else Basis.MEASURED, locale)
    return ListCell(name, circa + text, unit_head(key, locale), basis, status=status_badge(figure.status, locale))


def listed_figure(found: ListedFigure, key: str) -> Figure:
    """A figure of a list with the interval its printed digits stand for."""
    name, _colon, stat = key.partition(":")
    printed = Printed(found.printed, cast("NumberLocale", found.locale), found.circa) if found.printed else None
    return Figure(
        metric=name,
        stat=stat,
        unit=found.unit,
        value=found.value,
        basis=Basis(found.basis),
        system_basis=Basis(found.system_basis),
        status=Status(found.status),
        low=found.low,
        high=found.high,
        interval=_interval(found.value, printed),
        printed=printed,
        repeats=found.repeats,
    )


def _interval(value: Number | None, printed: Printed | None) -> Interval | None:
    """What the printed digits stand for in the canonical unit: as many significant digits, whatever the unit was."""
    if value is None or printed is None:
        return None
    number = printed_number(printed)
    if number is None:
        return None
    digits = len(number.as_tuple().digits)
    exact = as_decimal(value)
    half = Decimal(5).scaleb(exact.adjusted() - digits)
    return Interval(exact - half, exact + half)


Direction = Literal["ascending", "descending", ""]


def direction(sort: str, column: str) -> Direction:
    """How a list sorted by ``sort`` is ordered by this column."""
    if sort.removeprefix("-") != column:
        return ""
    return "descending" if sort.startswith("-") else "ascending"
