"""Cells of the wide tables as markup: hundreds a page, where template nodes would take most of its time.

Every text is escaped here; classes and anchors come from the renderer alone.
"""

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

from dashboard.render.caveats import Mark
from dashboard.render.cells import FigureCell
from dashboard.render.tables import SettingCell
from dashboard.render.wording import Badge

register = template.Library()


@register.simple_tag
def figure_cells(cells: tuple[FigureCell, ...], query: str, slug: str) -> SafeString:
    """The cells of a row of figures; each number leads to where it comes from."""
    address = escape(f"?{query}&figure={slug}&of=")
    parts = []
    for place, cell in enumerate(cells, start=1):
        opened = '<td class="is-baseline">' if cell.baseline else "<td>"
        parts.append(f"{opened}{_figure(cell, f'{address}{place}#origin')}</td>")
    return mark_safe("".join(parts))  # noqa: S308  # escaped piece by piece


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
    about = f"{_badge(cell.basis)}{_span('n', cell.repeats)}{_badge(cell.status)}{_span('was', cell.was)}"
    against = ""
    if cell.grade:
        parts = (_span("ratio", cell.ratio), _badge(cell.grade), _span("ratio-span", cell.span), _span("why", cell.why))
        against = f'<div class="against">{" ".join(filter(None, parts))}</div>'
    return f'<div class="figure">{number}</div><div class="about">{about}</div>{against}'


def _setting(cell: SettingCell) -> str:
    if cell.absent:
        return _badge(cell.state)
    quote = f'<q class="quote">{escape(cell.quote)}</q>' if cell.quote else ""
    return f"{_span('setting-value', cell.text)} {_badge(cell.state)}{quote}"
