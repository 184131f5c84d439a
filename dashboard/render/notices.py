"""Errata of the runs shown, in words: what was said of a figure later."""

from dashboard.render.caveats import letter
from dashboard.render.numbers import Locale
from dashboard.render.wording import Badge, _, metric_name, say
from runs.domain.comparison import Comparison, Notice
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.metrics import metric
from runs.domain.units import DomainError

KINDS = {
    ErratumKind.CORRECTED: _("Corrected"),
    ErratumKind.SUPERSEDED: _("Superseded"),
    ErratumKind.HISTORICAL: _("Historical"),
    ErratumKind.WITHDRAWN: _("Withdrawn"),
    ErratumKind.STATEMENT: _("Statement"),
}


def kind_badge(erratum: Erratum, locale: Locale) -> Badge:
    return Badge(f"status-{erratum.kind.value}", say(KINDS[erratum.kind], locale))


def notice_text(notice: Notice, comparison: Comparison, locale: Locale) -> str:
    """B · Run · Corrected on 2026-08-10: TTFT, 0.65 s → 0.70 s. Reason (who): one line."""
    erratum = notice.erratum
    parts = [f"{letter(notice.run)} · {comparison.runs[notice.run].label}"]
    when = say(_("{kind} on {day}"), locale).format(kind=say(KINDS[erratum.kind], locale), day=erratum.date)
    parts.append(f"{when}: {notice_change(erratum, locale)}")
    return " · ".join(parts)


def notice_change(erratum: Erratum, locale: Locale) -> str:
    """What the erratum says: figure, old and new value as they were printed (each in its own language), reason, who."""
    what = _figure(erratum, locale)
    values = ""
    if erratum.old and erratum.new:
        values = f"{erratum.old} → {erratum.new}"
    elif erratum.new:
        values = erratum.new
    head = ", ".join(part for part in (what, values) if part)
    reason = erratum.reason.rstrip(". ")
    who = f" ({erratum.who})" if erratum.who else ""
    return f"{head}. {reason}{who}." if head else f"{reason}{who}."


def _figure(erratum: Erratum, locale: Locale) -> str:
    if erratum.target == "evaluation":
        return say(_("the evaluation {key}"), locale).format(key=erratum.target_key)
    if erratum.target == "source":
        return say(_("the source it was read in"), locale)
    if not erratum.metric:
        return say(_("the whole run"), locale)
    name, _colon, stat = erratum.metric.partition(":")
    try:
        return metric_name(metric(name), stat, locale)
    except DomainError:
        return erratum.metric
