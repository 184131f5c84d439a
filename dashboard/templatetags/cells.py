"""Cells of the wide tables as markup: hundreds a page, where template nodes would take most of its time.

Every text is escaped here; classes and anchors come from the renderer alone.
"""

import html
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from dashboard.render.caveats import Mark, Note
from dashboard.render.cells import FigureCell
from dashboard.render.runlist import ListCell, ListRow
from dashboard.render.tables import MetricLine, SettingCell
from dashboard.render.wording import Badge

register = template.Library()
_BASELINE = '<td class="is-baseline">'


@lru_cache(maxsize=4096)
def escape(text: str) -> str:
    """Text as markup. The words, units and names of a page come back in nearly all of its cells."""
    return html.escape(text)


@register.simple_tag
def figure_rows(lines: tuple[MetricLine, ...], query: str) -> SafeString:
    """Rows of figures, each with its head; each number leads to where it comes from."""
    return mark_safe("\n".join(_figure_row(line, query) for line in lines))  # noqa: S308  # escaped piece by piece


def _figure_row(line: MetricLine, query: str) -> str:
    kinds = " ".join(filter(None, ("companion" if line.companion else "", "spanned" if line.spans else "")))
    address = escape(f"?{query}&figure={line.slug}&of=")
    cells = "".join(
        f"{_BASELINE if cell.baseline else '<td>'}{_figure(cell, f'{address}{place}#origin')}</td>"
        for place, cell in enumerate(line.cells, start=1)
    )
    return (
        f'<tr class="{kinds}"><th scope="row"><span title="{escape(line.definition)}">{escape(line.name)}</span> '
        f'<span class="unit">{escape(line.unit)}</span>{_span("better", line.better)}'
        f"{''.join(_span('span', text) for text in line.spans)}</th>{cells}</tr>"
    )


@register.simple_tag
def setting_cells(cells: tuple[SettingCell, ...], slug: str = "", fact_url: str = "") -> SafeString:
    """The cells of a row of settings: value, state, the quoted evidence, and on a share the way to say otherwise."""
    parts = []
    for place, cell in enumerate(cells, start=1):
        more = _fact(cell, f"{fact_url}?subject=setting:{slug}&run={place}") if fact_url else ""
        parts.append(f"<td>{_setting(cell)}{more}</td>")
    return mark_safe("".join(parts))  # noqa: S308  # escaped piece by piece


def _fact(cell: SettingCell, address: str) -> str:
    words = gettext("supply") if cell.absent else gettext("dispute")
    return f' <a class="fact-link" href="{escape(address)}">{escape(words)}</a>'


@register.simple_tag
def run_rows(rows: tuple[ListRow, ...], picked: set[str]) -> SafeString:
    """The rows of the list of runs; what stands in every row is translated once."""
    pick, gpus, workload, date = map(escape, (gettext("Pick"), gettext("GPUs in use"), gettext("Workload"),
                                              gettext("Date")))  # fmt: skip
    parts = []
    for row in rows:
        label = escape(row.label)
        checked = " checked" if row.id in picked else ""
        figures = "".join(map(_list_figure, row.figures))
        parts.append(
            f'<tr><td class="pick"><label><input type="checkbox" name="runs" value="{escape(row.id)}"{checked}>'
            f'<span class="visually-hidden">{pick} {label}</span></label></td>'
            f'<td class="name"><a href="{escape(reverse("run", args=[row.id]))}">{label}</a><span class="sub">'
            f"{_badge(row.provenance)} {_badge(row.status)} "
            f"{escape(' · '.join(filter(None, (row.runtime, row.model, row.party, row.repeats))))}</span></td>"
            f'<td class="gpus" data-name="{gpus}"><span>{escape(row.gpus)} '
            f'<span class="cap">{escape(row.cap)}</span></span></td>'
            f'<td data-name="{workload}"><span><span class="nowrap">{escape(row.workload)}</span>'
            f'<span class="sub">{escape(row.concurrency)}</span></span></td>{figures}'
            f'<td data-name="{date}"><span class="absent nowrap">{escape(row.date)}</span></td></tr>'
        )
    return mark_safe("\n".join(parts))  # noqa: S308  # escaped piece by piece


def _list_figure(cell: ListCell) -> str:
    basis, status = (escape(badge.text) if badge else "" for badge in (cell.basis, cell.status))
    about = " · ".join(filter(None, (basis, status)))
    shown = f'{escape(cell.text)}<span class="sub">{about}</span>'
    found = shown if cell.text else f'<span class="absent">{escape(cell.absent)}</span>'
    return f'<td class="n" data-name="{escape(cell.name)}, {escape(cell.unit)}"><span>{found}</span></td>'


@register.simple_tag
def caveat_notes(notes: tuple[Note, ...]) -> SafeString:
    """Caveats as items of a list, each with the letters of its runs."""
    parts = (
        f'<li class="note" id="{escape(note.anchor)}"><span class="no">{escape(note.name)}</span><div>'
        f"<strong>{escape(note.title)}.</strong> {escape(note.sentence)}"
        f'<div class="meta">{"".join(_span("letter", one) for one in note.letters)}{_badge(note.severity)}'
        f"<span>{escape(note.concerns)}</span>"
        f"{f'<span>{escape(note.ceiling)}</span>' if note.ceiling else ''}</div></div></li>"
        for note in notes
    )
    return mark_safe("\n".join(parts))  # noqa: S308  # escaped piece by piece


def _span(name: str, text: str) -> str:
    return f'<span class="{name}">{escape(text)}</span>' if text else ""


def _badge(badge: Badge | None) -> str:
    return f'<span class="badge {badge.kind}">{escape(badge.text)}</span>' if badge else ""


def _marks(marks: tuple[Mark, ...]) -> str:
    links = "".join(f'<a href="#{mark.anchor}">{mark.text}</a>' for mark in marks)
    return f'<span class="marks">{links}</span>' if links else ""


def _figure(cell: FigureCell, address: str) -> str:
    if not cell.text:
        return _span("absent", cell.absent)
    number = f'<a class="value" href="{address}">{escape(cell.text)}</a>{_marks(cell.marks)}'
    said = f"{_span('n', cell.repeats)}{_badge(cell.status)}{_span('n', cell.by)}{_span('was', cell.was)}"
    about = f"{_badge(cell.basis)}{said}"
    against = ""
    if cell.grade:
        parts = (_span("ratio", cell.ratio), _badge(cell.grade), _span("ratio-span", cell.span), _span("why", cell.why))
        against = f'<div class="against">{" ".join(filter(None, parts))}</div>'
    return f'<div class="figure">{number}</div><div class="about">{about}</div>{against}'


def _setting(cell: SettingCell) -> str:
    if cell.absent:
        return _badge(cell.state)
    quote = f' <q class="quote">{escape(cell.quote)}</q>' if cell.quote else ""
    return f"{_span('setting-value', cell.text)} {_badge(cell.state)}{quote}"
