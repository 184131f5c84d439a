"""A comparison as CSV: one row for each thing, the same columns for all of them (docs/exports.md).

Numbers are plain (a point, no grouping) and in the unit beside them. A text that a spreadsheet would run as a formula
gets an apostrophe in front; a number stays a number, negative ones too.
"""

import csv
import io
import re
from collections.abc import Iterator
from decimal import Decimal

from dashboard.render.caveats import letter, numbering
from dashboard.render.cells import evidence_text, reason_text
from dashboard.render.exports.document import FORMAT, VERSION, Export, caveat_lines, withheld_line
from dashboard.render.notices import notice_change
from dashboard.render.wording import _, basis_badge, metric_name, say, setting_value
from runs.domain.comparison import Cell, Comparison, Row
from runs.domain.errata import Erratum
from runs.domain.figures import Figure
from runs.domain.metrics import metric, setting_spec
from runs.domain.units import Number
from runs.telling import tell

COLUMNS = (
    "record", "run", "run_id", "run_label", "key", "name", "value", "low", "high", "unit", "basis", "system_basis",
    "basis_words", "status", "party", "relation", "repeats", "printed", "formula", "grade", "grade_reason", "ratio",
    "ratio_low", "ratio_high", "text", "caveats", "sources", "repeat_values",
)  # fmt: skip

_PLAIN_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # full-width signs count in some programs

Line = dict[str, str]


def csv_text(export: Export) -> str:
    """The whole file, with a byte order mark so that spreadsheets read it as UTF-8."""
    target = io.StringIO()
    writer = csv.DictWriter(target, COLUMNS, restval="", lineterminator="\r\n")
    writer.writeheader()
    for line in _lines(export):
        writer.writerow({name: safe(value) for name, value in line.items()})
    return "\ufeff" + target.getvalue()


def safe(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    if _PLAIN_NUMBER.fullmatch(text) or not text.lstrip(" \u00a0").startswith(_DANGEROUS):
        return text
    return f"'{text}"


def plain(value: Number | None) -> str:
    """A number with the digits it has, without an exponent where that is short."""
    if value is None:
        return ""
    return f"{value:f}" if isinstance(value, Decimal) else repr(float(value)).removesuffix(".0")


def _lines(export: Export) -> Iterator[Line]:
    comparison = export.comparison
    yield {"record": "about", "key": FORMAT, "value": str(VERSION), "text": f"{export.title} ({export.made})"}
    if export.withheld:
        yield {"record": "about", "key": "withheld", "text": withheld_line(export.locale)}
    yield from (_run_line(comparison, place) for place in range(len(comparison.runs)))
    yield from (_notice_line(export, notice.run, notice.erratum) for notice in export.notices)
    yield from _scenario_lines(export)
    yield from _setting_lines(export)
    numbers = numbering(comparison)
    for row in comparison.rows:
        for place, cell in enumerate(row.cells):
            yield _figure_line(export, row, place, cell, numbers)
    for line in caveat_lines(comparison, export.locale):
        yield {
            **_run(comparison, line.run),
            "record": "caveat",
            "key": line.id,
            "name": line.name,
            "status": line.severity,
            "text": f"{line.title}. {line.sentence}",
            "caveats": line.name,
        }
    yield from _source_lines(export)


def _run(comparison: Comparison, place: int) -> Line:
    head = comparison.runs[place]
    return {"run": letter(place), "run_id": head.key, "run_label": head.label}


def _run_line(comparison: Comparison, place: int) -> Line:
    head = comparison.runs[place]
    return {
        **_run(comparison, place),
        "record": "run",
        "key": head.provenance.value,
        "name": "baseline" if place == comparison.baseline else "",
        "party": head.party.name,
        "relation": head.party.relation,
        "text": head.notes,
    }


def _notice_line(export: Export, run: int, erratum: Erratum) -> Line:
    return {
        **_run(export.comparison, run),
        "record": "notice",
        "key": erratum.metric,
        "name": erratum.date,
        "status": erratum.kind.value,
        "text": notice_change(erratum, export.locale),
    }


def _scenario_lines(export: Export) -> Iterator[Line]:
    scenario = export.comparison.scenario
    if scenario is None:
        return
    base = {"record": "scenario", "text": scenario.name, "basis": "assumed"}
    for key in ("price_per_kwh", "pue", "utilisation"):
        value = getattr(scenario, key)
        unit = f"{scenario.money}/kWh" if key == "price_per_kwh" else ""
        yield {**base, "key": key, "value": plain(value), "unit": unit}
    for offer in scenario.offers:
        yield {
            **base,
            "key": "offer",
            "name": offer.name,
            "value": plain(offer.rate_per_gpu_hour),
            "unit": f"{scenario.money}/GPU/h",
            "text": offer.includes,
            "sources": " ".join(filter(None, (offer.source, offer.checked))),
        }


def _setting_lines(export: Export) -> Iterator[Line]:
    comparison, locale = export.comparison, export.locale
    for row in comparison.settings:
        for place, setting in enumerate(row.cells):
            number = isinstance(setting.value, int | float | Decimal) and not isinstance(setting.value, bool)
            yield {
                **_run(comparison, place),
                "record": "setting",
                "key": row.key,
                "name": say(setting_spec(row.key).name, locale),
                "value": plain(setting.value) if number else "",  # type: ignore[arg-type]
                "unit": setting_spec(row.key).unit,
                "status": setting.state.value,
                "printed": setting.nominal,
                "text": setting_value(setting, locale),
                "sources": "; ".join(evidence_text(one, locale, comparison.sources) for one in setting.evidence),
            }


def _figure_line(export: Export, row: Row, place: int, cell: Cell, numbers: dict[int, int]) -> Line:
    locale, comparison = export.locale, export.comparison
    line = {
        **_run(comparison, place),
        "record": "figure",
        "key": row.key,
        "name": metric_name(metric(row.metric), row.stat, locale),
        "unit": row.unit,
        "status": cell.absent,
        "caveats": " ".join(map(str, sorted({numbers[one] for one in cell.caveats}))),
    }
    if cell.figure is not None:
        line |= _figure(cell.figure, export)
    if cell.verdict is not None:
        line |= {"grade": cell.verdict.grade.value, "grade_reason": reason_text(cell.verdict, locale)}
    if cell.ratio is not None:
        line |= {
            "ratio": plain(cell.ratio.value),
            "ratio_low": plain(cell.ratio.low),
            "ratio_high": plain(cell.ratio.high),
        }
    return line


def _figure(figure: Figure, export: Export) -> Line:
    return {
        "value": plain(figure.value),
        "low": plain(figure.low),
        "high": plain(figure.high),
        "unit": figure.unit,
        "basis": figure.basis.value,
        "system_basis": figure.system_basis.value,
        "basis_words": basis_badge(figure.basis, figure.system_basis, export.locale).text,
        "status": figure.status.value,
        "party": figure.party.name if figure.party else "",
        "relation": figure.party.relation if figure.party else "",
        "repeats": str(figure.repeats) if figure.repeats is not None else "",
        "printed": figure.printed.text if figure.printed else "",
        "formula": figure.formula,
        "text": tell(figure.note, export.locale),
        "sources": "; ".join(evidence_text(one, export.locale, export.comparison.sources) for one in figure.evidence),
        "repeat_values": " ".join(plain(value) for value in figure.repeat_values),
    }


def _source_lines(export: Export) -> Iterator[Line]:
    for source in export.comparison.sources:
        yield {
            "record": "source",
            "key": source.key,
            "name": source.title,
            "party": source.publisher,
            "relation": source.relation,
            "text": source.url or say(_("URL not stated"), export.locale),
            "sources": " ".join(filter(None, (source.published, source.accessed, source.archived_sha256))),
        }
