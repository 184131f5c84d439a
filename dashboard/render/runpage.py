"""A run's own page: its facts, settings, figures, power and remarks as finished texts."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.render.cells import Line, evidence_text, printed_text, short_repeats
from dashboard.render.errata import was_text
from dashboard.render.numbers import Locale, display_unit, figure_text, format_number, percent
from dashboard.render.power_chart import kilowatts
from dashboard.render.telling import formula
from dashboard.render.wording import (
    FAMILIES,
    Badge,
    _,
    basis_badge,
    cap_text,
    gpus_text,
    metric_name,
    provenance_badge,
    say,
    setting_value,
    state_badge,
    status_badge,
)
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.figures import Figure
from runs.domain.metrics import METRICS, metric
from runs.domain.records import PowerAnalysis, RunRecord, Window
from runs.telling import tell


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
class LatencyRow:
    """One latency with a text for each statistic of the table's head; "" where it was not recorded."""

    name: str
    unit: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class LatencyTable:
    heads: tuple[str, ...]
    rows: tuple[LatencyRow, ...]


@dataclass(frozen=True)
class PowerView:
    verdict: str
    valid: bool
    reasons: tuple[str, ...]
    facts: tuple[Line, ...]


def head_facts(record: RunRecord, locale: Locale) -> tuple[Line, ...]:
    """What every reader of the run must know first."""
    setting = record.setting
    isl, osl = (setting_value(setting(key), locale, brief=True) for key in ("isl", "osl"))
    gpus = gpus_text(setting("active_gpus"), setting("node_gpus"), setting("accelerator"), locale)
    return (
        (say(_("GPUs in use"), locale), gpus),
        (say(_("Power cap per GPU"), locale), cap_text(setting("power_cap_w"), locale)),
        (say(_("Model"), locale), setting_value(setting("model"), locale)),
        (say(_("Runtime"), locale), setting_value(setting("runtime"), locale)),
        (say(_("ISL / OSL"), locale), f"{isl} / {osl}"),
        (say(_("Maximum concurrency"), locale), setting_value(setting("concurrency"), locale)),
        (say(_("Sampling temperature"), locale), setting_value(setting("temperature"), locale)),
        (say(_("Requests"), locale), requests_text(record, locale)),
    )


def requests_text(record: RunRecord, locale: Locale) -> str:
    """Completed and failed requests; what is not known is said to be so."""
    done, failed = record.requests.completed, record.requests.failed
    if done is None:
        return say(_("not stated"), locale)
    if failed is None:
        lost = say(_("failed: not stated"), locale)
    else:
        lost = say(_("{n} failed"), locale).format(n=format_number(failed, locale))
    return f"{say(_('{n} completed'), locale).format(n=format_number(done, locale))}, {lost}"


def figure_groups(
    figures: dict[str, Figure], locale: Locale, errata: Sequence[Erratum] = ()
) -> tuple[FigureGroup, ...]:
    """Figures by family in catalogue order; latencies have a table of their own. A corrected one says what it was."""
    order = [known.key for known in METRICS]
    groups: dict[str, list[FigureLine]] = {}
    for key in sorted(figures, key=lambda key: order.index(key.partition(":")[0])):
        known = metric(key)
        if known.key not in ("ttft", "tpot", "itl", "e2el"):
            groups.setdefault(known.family, []).append(figure_line(figures[key], locale, errata))
    return tuple(FigureGroup(say(FAMILIES[family], locale), tuple(lines)) for family, lines in groups.items())


def figure_line(figure: Figure, locale: Locale, errata: Sequence[Erratum] = ()) -> FigureLine:
    known = metric(figure.key)
    old = [one.old for one in errata if one.kind is ErratumKind.CORRECTED and one.metric == figure.key and one.old]
    detail = (
        f"{say(_('printed'), locale)} {printed_text(figure, locale)}"
        if figure.printed
        else formula(figure.formula, locale)
    )
    return FigureLine(
        name=metric_name(known, figure.stat, locale),
        unit=display_unit(figure.key, figure.unit),
        text=figure_text(figure, locale) or say(figure.status.value, locale),
        basis=basis_badge(figure.basis, figure.system_basis, locale),
        status=status_badge(figure.status, locale),
        repeats=short_repeats(figure, locale),
        detail="; ".join(filter(None, (was_text(old, locale), detail))),
        definition=say(known.definition, locale),
    )


def latency_table(figures: dict[str, Figure], locale: Locale) -> LatencyTable:
    """TTFT, TPOT, ITL and E2EL against the statistics that the run has."""
    known = [one for one in METRICS if one.key in ("ttft", "tpot", "itl", "e2el")]
    stats = [stat for stat in known[0].stats if any(f"{one.key}:{stat}" in figures for one in known)]
    rows = []
    for one in known:
        found = [figures.get(f"{one.key}:{stat}") for stat in stats]
        if any(found):
            texts = tuple("" if figure is None else figure_text(figure, locale) for figure in found)
            rows.append(LatencyRow(one.key.upper(), one.display_unit, texts))
    return LatencyTable(tuple(say(stat, locale) for stat in stats), tuple(rows))


def power_view(power: PowerAnalysis, locale: Locale) -> PowerView:
    """The verdict on a power analysis with what speaks against it, and its numbers."""
    verdict = _("The power log covers the window.") if power.valid else _("The power figures are doubtful.")
    reasons = tuple(f"{tell(one.text, locale)} {tell(one.place, locale)}".strip() for one in power.reasons)
    return PowerView(say(verdict, locale), power.valid, reasons, _power_facts(power, locale))


def _power_facts(power: PowerAnalysis, locale: Locale) -> tuple[Line, ...]:
    unknown = say(_("not known"), locale)

    def watts(value: float | None) -> str:
        return unknown if value is None else kilowatts(value, locale)

    def seconds(value: float | None) -> str:
        return unknown if value is None else f"{format_number(value, locale, 2)}\u00a0s"

    energy = unknown if power.energy_j is None else f"{format_number(power.energy_j / 1000, locale, 1)}\u00a0kJ"
    return (
        (say(_("Mean, active GPUs"), locale), watts(power.mean_w)),
        (say(_("Energy"), locale), energy),
        (say(_("Peak of the sum"), locale), watts(power.peak_w)),
        (say(_("p50 / p95"), locale), f"{watts(power.p50_w)} / {watts(power.p95_w)}"),
        (say(_("Window covered"), locale), percent(power.covered, locale, 1)),
        (say(_("Sampling interval"), locale), seconds(power.interval_s)),
        (say(_("Largest gap"), locale), seconds(power.largest_gap_s)),
        (say(_("Watts cover"), locale), power.scope),
        (say(_("Tool"), locale), power.tool),
    )


@dataclass(frozen=True)
class WindowView:
    text: str
    state: Badge
    note: str


def window_view(window: Window, locale: Locale) -> WindowView:
    """The benchmark window in UTC, with how it is known and how far off it may be."""
    start, end = (dt.datetime.fromtimestamp(edge, dt.UTC) for edge in (window.start, window.end))
    text = f"{start:%Y-%m-%d %H:%M:%S} – {end:%H:%M:%S} UTC, {format_number(window.duration_s, locale, 1)}\u00a0s"
    off = f"±{format_number(window.uncertainty_s, locale, 1)}\u00a0s" if window.uncertainty_s else ""
    evidence = [evidence_text(one, locale) for one in window.evidence]
    return WindowView(
        text, state_badge(window.state, locale), "; ".join(filter(None, [off, tell(window.note, locale), *evidence]))
    )


def run_badges(record: RunRecord, locale: Locale) -> tuple[Badge, ...]:
    return (provenance_badge(record.provenance, locale),)
