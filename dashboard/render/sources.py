"""A source and what was read in it, as finished texts."""

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.render.caveats import setting_name
from dashboard.render.numbers import Locale, figure_text
from dashboard.render.wording import (
    Badge,
    _,
    metric_name,
    provenance_badge,
    say,
    setting_value,
    status_badge,
    unit_head,
)
from runs.domain.facts import Evidence
from runs.domain.figures import figure_of
from runs.domain.metrics import metric
from runs.domain.records import RunRecord, Source

LOCALES = {"en": _("English: 5,661.5"), "nl": _("Dutch: 5.661,5"), "plain": _("plain: 5661.5")}


@dataclass(frozen=True)
class SourceView:
    """A source as pages print it; every absent part is said to be absent."""

    key: str
    title: str
    publisher: str
    relation: str
    url: str
    published: str
    accessed: str
    language: str
    numbers: str
    archived: str
    note: str


def source_view(source: Source, locale: Locale) -> SourceView:
    silent = say(_("not stated"), locale)
    known = source.known_locale
    return SourceView(
        key=source.key,
        title=source.title,
        publisher=source.publisher,
        relation=source.relation or silent,
        url=source.url,
        published=_told(source.published, silent),
        accessed=_told(source.accessed, silent),
        language=source.language or silent,
        numbers=say(LOCALES[known], locale) if known else silent,
        archived=source.archived_sha256,
        note=source.note,
    )


def _told(text: str, silent: str) -> str:
    return silent if text in ("", "not stated") else text


@dataclass(frozen=True)
class Quoted:
    """One fact of a run with the words it was read in."""

    name: str
    text: str
    quote: str
    read_in: bool


@dataclass(frozen=True)
class QuotedRun:
    """A run of a source, with what it was quoted for."""

    id: str
    label: str
    provenance: Badge
    status: Badge | None
    quotes: tuple[Quoted, ...]


def quoted_runs(key: str, runs: Mapping[str, RunRecord], locale: Locale) -> tuple[QuotedRun, ...]:
    """The runs that rest on a source, each with every fact that was read in it."""
    return tuple(
        QuotedRun(
            run_id,
            record.label,
            provenance_badge(record.provenance, locale),
            next((status_badge(one.status, locale) for one in record.quantities[:1]), None),
            _quotes(key, record, locale),
        )
        for run_id, record in runs.items()
    )


def _quotes(key: str, record: RunRecord, locale: Locale) -> tuple[Quoted, ...]:
    found = []
    for quantity in record.quantities:
        evidence = _of(key, quantity.evidence)
        if evidence is not None:
            figure = figure_of(quantity)
            number = figure_text(figure, locale)
            unit = unit_head(figure.key, locale, figure.unit)
            text = f"{number} {unit}" if number else say(figure.status.value, locale)
            found.append(_quoted(key, metric_name(metric(quantity.key), quantity.stat, locale), text, evidence))
    for setting in record.settings.values():
        evidence = _of(key, setting.evidence)
        if evidence is not None and evidence.quote:
            value = setting_value(setting, locale)
            found.append(_quoted(key, setting_name(setting.key, locale), value, evidence))
    return tuple(found)


def _quoted(key: str, name: str, text: str, evidence: Evidence) -> Quoted:
    return Quoted(name, text, evidence.quote, read_in=evidence.ref != key)


def _of(key: str, evidence: tuple[Evidence, ...]) -> Evidence | None:
    return next((one for one in evidence if one.kind == "document" and key in (one.ref, one.via)), None)
