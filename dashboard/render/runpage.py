"""A run's own page: its facts, settings, figures, power and remarks as finished texts."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.render.cells import Line, evidence_text
from dashboard.render.notices import kind_badge, notice_change
from dashboard.render.numbers import Locale, format_number, percent
from dashboard.render.power_chart import kilowatts
from dashboard.render.wording import (
    Badge,
    _,
    cap_text,
    gpus_text,
    provenance_badge,
    say,
    setting_value,
    state_badge,
)
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.powerfigures import ENERGY
from runs.domain.records import PowerAnalysis, RunRecord, Window
from runs.telling import tell


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


def power_view(power: PowerAnalysis, locale: Locale) -> PowerView:
    """The verdict on a power analysis with what speaks against it, and its numbers."""
    verdict = _("The power log covers the window.") if power.valid else _("The power figures are doubtful.")
    reasons = tuple(f"{tell(one.text, locale)} {tell(one.place, locale)}".strip() for one in power.reasons)
    return PowerView(say(verdict, locale), power.valid, reasons, _power_facts(power, locale))


def power_errata(errata: Sequence[Erratum], locale: Locale) -> tuple[str, ...]:
    """What came out about the watts of the log since: they stay as they are, the figures above stand as corrected."""
    return tuple(
        f"{kind_badge(one, locale).text} {one.date}: {notice_change(one, locale)}"
        for one in errata
        if one.target == "run"
        and one.kind is not ErratumKind.STATEMENT
        and (one.metric in ("", ENERGY) or one.metric.startswith("gpu_power:"))
    )


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
