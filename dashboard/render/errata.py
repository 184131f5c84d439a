"""Errata as readable notices, and the history of a run in words."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.render.caveats import letter, setting_name
from dashboard.render.cells import evidence_text
from dashboard.render.numbers import Locale
from dashboard.render.wording import STATUS, Badge, _, metric_name, say, setting_value, state_badge
from runs.domain.comparison import Comparison
from runs.domain.comparison import Notice as Found
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.facts import Status
from runs.domain.metrics import metric
from runs.domain.records import Source
from runs.domain.settling import SettingEdit
from runs.domain.units import DomainError

KINDS = {
    ErratumKind.CORRECTED: (Status.CORRECTED, _("The number was wrong.")),
    ErratumKind.SUPERSEDED: (Status.SUPERSEDED, _("A newer build or run replaces it.")),
    ErratumKind.HISTORICAL: (Status.HISTORICAL, _("Measured before a change that matters.")),
    ErratumKind.WITHDRAWN: (Status.WITHDRAWN, _("No longer valid.")),
}
FILES = {
    "result": _("result file"),
    "power": _("power log"),
    "caps": _("power caps"),
    "document": _("document"),
}


@dataclass(frozen=True)
class Notice:
    """One erratum in words. ``letters`` are the columns it concerns; ``old`` and ``new`` are empty where no value
    changed."""

    badge: Badge
    what: str
    date: str
    who: str
    reason: str
    old: str
    new: str
    letters: tuple[str, ...]
    successor: str
    evidence: tuple[str, ...]


def kind_badge(kind: ErratumKind, locale: Locale) -> Badge:
    """The kind of an erratum as a mark, with what it means."""
    if kind is ErratumKind.STATEMENT:
        return Badge(
            "status-statement", say(_("statement"), locale), say(_("Said about it; no figure changes."), locale)
        )
    status, meaning = KINDS[kind]
    return Badge(f"status-{status.value}", say(STATUS[status], locale), say(meaning, locale))


def notice(erratum: Erratum, locale: Locale, sources: Sequence[Source] = (), letters: tuple[str, ...] = ()) -> Notice:
    """An erratum in words."""
    corrected = erratum.kind is ErratumKind.CORRECTED
    return Notice(
        badge=kind_badge(erratum.kind, locale),
        what=what_text(erratum, locale, sources),
        date=erratum.date,
        who=erratum.who,
        reason=erratum.reason,
        old=erratum.old if corrected else "",
        new=erratum.new if corrected else "",
        letters=letters,
        successor=erratum.successor,
        evidence=tuple(evidence_text(one, locale, tuple(sources)) for one in erratum.evidence),
    )


def what_text(erratum: Erratum, locale: Locale, sources: Sequence[Source] = ()) -> str:
    """What an erratum is about: a figure by its name, the whole run, an evaluation, a source by its title."""
    if erratum.target == "source":
        title = next((one.title for one in sources if one.key == erratum.target_key), erratum.target_key)
        return say(_("the source “{title}”"), locale).format(title=title)
    if erratum.target == "evaluation":
        return say(_("the evaluation {key}"), locale).format(key=erratum.target_key)
    if not erratum.metric:
        return say(_("the whole run"), locale)
    try:
        known = metric(erratum.metric)
    except DomainError:
        return erratum.metric
    return metric_name(known, erratum.metric.partition(":")[2], locale)


def notices(comparison: Comparison, locale: Locale, since: Sequence[Found] = ()) -> tuple[Notice, ...]:
    """The errata that a comparison's runs have, oldest first; one that several runs share stands once. ``since`` are
    those that a frozen comparison does not carry yet."""
    columns: dict[int, list[int]] = {}
    each: list[Erratum] = []
    for found in (*comparison.notices, *since):
        place = next((place for place, one in enumerate(each) if _same(one, found.erratum)), None)
        if place is None:
            place = len(each)
            each.append(found.erratum)
        if found.run not in columns.setdefault(place, []):
            columns[place].append(found.run)
    made = [
        notice(one, locale, comparison.sources, tuple(letter(run) for run in columns[place]))
        for place, one in enumerate(each)
    ]
    return tuple(sorted(made, key=lambda one: one.date))


def _same(a: Erratum, b: Erratum) -> bool:
    """The same words about the same kind of thing; two runs' statements of one sentence stand once."""
    mine, theirs = (
        (one.kind, one.date, one.reason, one.who, one.metric, one.old, one.new, one.target) for one in (a, b)
    )
    return tuple(mine) == tuple(theirs) and (a.target == "run" or a.target_key == b.target_key)


def old_values(comparison: Comparison) -> Mapping[tuple[int, str], tuple[str, ...]]:
    """What corrected figures were before, oldest first, by column and key of the figure."""
    found: dict[tuple[int, str], tuple[str, ...]] = {}
    for one in comparison.notices:
        if one.erratum.kind is ErratumKind.CORRECTED and one.erratum.target == "run" and one.erratum.old:
            key = (one.run, one.erratum.metric)
            found[key] = (*found.get(key, ()), one.erratum.old)
    return found


def was_text(old: Sequence[str], locale: Locale) -> str:
    """``was 5.648`` beside a corrected figure; every earlier value, the latest first."""
    return say(_("was {old}"), locale).format(old=", ".join(reversed(old))) if old else ""


@dataclass(frozen=True)
class HistoryLine:
    """One event of a run: when (UTC), its revision, what happened, by whom, and the details."""

    at: str
    revision: str
    badge: Badge
    what: str
    who: str
    reason: str
    old: str = ""
    new: str = ""
    evidence: tuple[str, ...] = ()


def moment(at: dt.datetime) -> str:
    """A moment to the minute in UTC."""
    return f"{at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def upload_line(at: dt.datetime, who: str, locale: Locale) -> HistoryLine:
    badge = Badge("event-upload", say(_("upload"), locale))
    return HistoryLine(moment(at), "1", badge, say(_("the run came to be"), locale), who, "")


def file_line(at: dt.datetime, who: str, name: str, role: str, locale: Locale) -> HistoryLine:
    badge = Badge("event-file", say(_("file"), locale))
    return HistoryLine(moment(at), "", badge, f"{say(FILES.get(role, role), locale)}: {name}", who, "")


def erratum_line(
    at: dt.datetime, revision: int, erratum: Erratum, locale: Locale, sources: Sequence[Source]
) -> HistoryLine:
    told = notice(erratum, locale, sources)
    return HistoryLine(
        at=moment(at),
        revision=str(revision) if revision else "",
        badge=told.badge,
        what=f"{told.what} ({told.date})",
        who=told.who,
        reason=told.reason,
        old=told.old,
        new=told.new,
        evidence=told.evidence,
    )


def edit_line(
    at: dt.datetime, revision: int, who: str, edit: SettingEdit, reason: str, locale: Locale, sources: Sequence[Source]
) -> HistoryLine:
    given = edit.given
    name = setting_name(given.key, locale)
    what = say(_("{name} replaced"), locale) if edit.replaces else say(_("{name} filled in"), locale)
    state = state_badge(given.state, locale).text
    return HistoryLine(
        at=moment(at),
        revision=str(revision),
        badge=Badge("event-edit", say(_("setting"), locale)),
        what=what.format(name=name),
        who=who,
        reason=" ".join(filter(None, (reason, given.note))),
        new=f"{setting_value(given, locale)} ({state})",
        evidence=tuple(evidence_text(one, locale, tuple(sources)) for one in given.evidence),
    )
