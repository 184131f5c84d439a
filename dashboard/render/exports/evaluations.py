"""Evaluations as CSV, JSON, Markdown and HTML: score, interval, what it covers, status, party, printed text.

The same rules as for a comparison's exports hold (docs/exports.md).
"""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from dashboard.render.cells import evidence_text
from dashboard.render.evaluations import EvaluationRow, evaluation_row
from dashboard.render.exports.blocks import Block, Table
from dashboard.render.exports.csvs import plain, safe
from dashboard.render.exports.html import html_of
from dashboard.render.exports.markdown import markdown_of
from dashboard.render.notices import kind_badge, notice_change
from dashboard.render.numbers import Locale
from dashboard.render.wording import _, say, setting_value
from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation, wilson
from runs.domain.records import Source

FORMAT = "likewise.evaluations"
VERSION = 1
COLUMNS = (
    "key", "task", "correct", "total", "score", "unit", "wilson_low", "wilson_high", "shots", "full_size", "counts",
    "context", "configuration", "covers", "settings", "status", "party", "relation", "printed", "date", "note",
    "errata", "sources",
)  # fmt: skip


@dataclass(frozen=True)
class Exported:
    """An evaluation as it stands, as it was first, and what came out about it since."""

    evaluation: Evaluation
    original: Evaluation
    errata: tuple[Erratum, ...] = ()


@dataclass(frozen=True)
class EvaluationExport:
    """``made`` is an ISO date-time; ``sources`` those that the evaluations were read in."""

    items: tuple[Exported, ...]
    made: str
    locale: Locale = "en"
    sources: tuple[Source, ...] = ()


class EvaluationDocument(msgspec.Struct, frozen=True):
    """The JSON document. ``version`` counts up where a meaning changes."""

    format: str
    version: int
    made: str
    evaluations: tuple[Exported, ...]
    sources: tuple[Source, ...]


_encoder = msgspec.json.Encoder(decimal_format="number")


def csv_bytes(export: EvaluationExport) -> bytes:
    target = io.StringIO()
    writer = csv.DictWriter(target, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for one in export.items:
        writer.writerow({name: safe(value) for name, value in _line(one, export).items()})
    return ("\ufeff" + target.getvalue()).encode()


def json_bytes(export: EvaluationExport) -> bytes:
    document = EvaluationDocument(FORMAT, VERSION, export.made, export.items, export.sources)
    return msgspec.json.format(_encoder.encode(document), indent=2) + b"\n"


def markdown_bytes(export: EvaluationExport) -> bytes:
    return markdown_of(list(_blocks(export))).encode()


def html_bytes(export: EvaluationExport) -> bytes:
    return html_of(list(_blocks(export)), export.locale).encode()


MAKERS: dict[str, Callable[[EvaluationExport], bytes]] = {
    "csv": csv_bytes,
    "json": json_bytes,
    "md": markdown_bytes,
    "html": html_bytes,
}


def _line(one: Exported, export: EvaluationExport) -> dict[str, str]:
    found, locale = one.evaluation, export.locale
    low, high = wilson(found.correct, found.total) if found.correct is not None and found.total else (None, None)
    numbers = {
        "correct": found.correct, "total": found.total, "score": found.score, "wilson_low": low, "wilson_high": high,
        "shots": found.shots, "full_size": found.full_size,
    }  # fmt: skip
    return {
        **{name: plain(value) for name, value in numbers.items()},
        "key": found.key,
        "task": found.task,
        "unit": found.unit,
        "counts": "; ".join(f"{name}={value}" for name, value in found.counts.items()),
        "context": found.context,
        "configuration": found.configuration,
        "covers": " ".join(found.covers),
        "settings": "; ".join(f"{key}={setting_value(value, locale)}" for key, value in found.settings.items()),
        "status": found.status.value,
        "party": found.party.name if found.party else "",
        "relation": found.party.relation if found.party else "",
        "printed": found.printed.text if found.printed else "",
        "date": found.date,
        "note": found.note,
        "errata": " | ".join(_erratum(erratum, locale) for erratum in one.errata),
        "sources": "; ".join(evidence_text(evidence, locale, export.sources) for evidence in found.evidence),
    }


def _erratum(erratum: Erratum, locale: Locale) -> str:
    return f"{kind_badge(erratum, locale).text} {erratum.date}: {notice_change(erratum, locale)}"


def _blocks(export: EvaluationExport) -> Iterator[Block]:
    locale = export.locale
    yield Block(say(_("Evaluations"), locale), (f"{export.made[:10]}.",))
    heads = (
        _("Task"),
        _("Score"),
        _("95 % interval"),
        _("Configuration"),
        _("Status"),
        _("Who says so"),
        _("As printed"),
    )
    rows = tuple(_cells(one, locale) for one in export.items)
    yield Block(say(_("Scores"), locale), table=Table(tuple(say(head, locale) for head in heads), rows))
    notices = tuple((one.evaluation.task, _erratum(erratum, locale)) for one in export.items for erratum in one.errata)
    if notices:
        yield Block(say(_("Corrections and notices"), locale), items=notices)


def _cells(one: Exported, locale: Locale) -> tuple[str, ...]:
    row = evaluation_row(one.evaluation, one.original, locale)
    party = one.evaluation.party
    return (
        _joined(row.task, row.shots),
        _joined(row.score, row.share, row.subset, row.was),
        row.interval,
        _joined(row.configuration, row.context, row.counts, one.evaluation.note),
        _status(row, locale),
        _joined(party.name if party else "", party.relation if party else "", row.date),
        row.printed,
    )


def _status(row: EvaluationRow, locale: Locale) -> str:
    return row.status.text if row.status else say(_("current"), locale)


def _joined(*parts: str) -> str:
    return ", ".join(part for part in parts if part)
