"""Charts as SVG or PNG, with what must be known about them inside the picture: basis at every bar, caveats, notices."""

import io
import textwrap
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import matplotlib as mpl
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from dashboard.render.caveats import letter
from dashboard.render.chart_theme import HOUSE, IDLE, LIGHT, PUBLISHED, WARN
from dashboard.render.charts import Bar, Chart, Panel, comparison_charts
from dashboard.render.exports.document import Export, caveat_lines, notice_lines, withheld_line
from dashboard.render.wording import _, grade_badge, metric_name, say
from runs.domain.metrics import metric

PictureFormat = Literal["svg", "png"]

HATCH = {"firm": "", "cap": "////", "estimated": "...", "assumed": "xxxx"}
_METRICS = {
    "throughput": ("per_gpu_total",),
    "latency": ("ttft:median", "tpot:median"),
    "kilowatt": ("tok_per_kw_measured", "tok_per_kw_cap", "tok_per_kw_assumed"),
}
_WIDTH_IN, _DPI = 9.6, 160
_LINE_IN, _BAR_IN, _TEXT_COLUMNS = 0.15, 0.5, 150
SMALL, _PLAIN, _TITLE = 7.6, 8.8, 12.0
# matplotlib keeps its settings and fonts for the whole process.
_drawing = threading.Lock()


@dataclass(frozen=True)
class Picture:
    """A chart of a comparison with the lines that stand under it."""

    chart: Chart
    lines: tuple[str, ...]


def picture_ids(export: Export) -> tuple[str, ...]:
    """The charts that the comparison has figures for."""
    return tuple(chart.id for chart in comparison_charts(export.comparison, export.locale))


def picture(export: Export, chart_id: str, form: PictureFormat) -> bytes | None:
    """A chart as a file; None where the comparison has no such chart."""
    charts = comparison_charts(export.comparison, export.locale)
    chart = next((one for one in charts if one.id == chart_id), None)
    if chart is None:
        return None
    return _draw(Picture(chart, caption(export, chart)), form)


def caption(export: Export, chart: Chart) -> tuple[str, ...]:
    """What stands under the bars: notices, the caveats that concern the figures drawn, by run, their grades against the
    baseline, the sources, the origin."""
    comparison, locale = export.comparison, export.locale
    drawn = _METRICS[chart.id]
    lines = [*notice_lines(export)]
    caveats = [line for line in caveat_lines(comparison, locale) if not line.metrics or set(line.metrics) & set(drawn)]
    for place, head in enumerate(comparison.runs):
        said = [f"{line.title} ({line.name})" for line in caveats if line.run == place]
        if said:
            lines.append(f"{letter(place)} · {head.label}: {'; '.join(said)}.")
    if not caveats:
        lines.append(say(_("No caveat applies to these figures."), locale))
    lines += _grades(export, drawn)
    if comparison.sources:
        named = "; ".join(f"“{one.title}”, {one.publisher}" for one in comparison.sources)
        lines.append(f"{say(_('Sources'), locale)}: {named}.")
    lines += [withheld_line(locale)] if export.withheld else []
    return (*lines, f"{export.title} · {export.made[:10]} · Likewise")


def _grades(export: Export, drawn: Sequence[str]) -> list[str]:
    """How far each drawn figure compares with the baseline's, by metric and run."""
    comparison, locale = export.comparison, export.locale
    found = []
    for row in (one for one in comparison.rows if one.key in drawn):
        graded = [
            f"{letter(place)} {grade_badge(cell.verdict.grade, locale).text}"
            for place, cell in enumerate(row.cells)
            if cell.verdict is not None
        ]
        if graded:
            name = metric_name(metric(row.metric), row.stat, locale)
            against = f"{say(_('Against the baseline'), locale)} {letter(comparison.baseline)}"
            found.append(f"{name} · {against}: {', '.join(graded)}.")
    return found


def _draw(found: Picture, form: PictureFormat) -> bytes:
    panels = found.chart.panels
    bars = max(len(panel.bars) for panel in panels)

    def paint(figure: Figure, bottom: float, top: float) -> None:
        _axes(figure, bottom, top, panels)

    return drawn(found.chart, found.lines, bars * _BAR_IN + 0.55, form, paint)


Painter = Callable[[Figure, float, float], None]
"""Puts axes into a figure, between two heights in shares of it."""


def drawn(chart: Chart, below: Sequence[str], plot_in: float, form: PictureFormat, paint: Painter) -> bytes:
    """A chart's title and key, what ``paint`` draws on ``plot_in`` inches of height, and the lines below it."""
    lines = [part for line in below for part in textwrap.wrap(line, _TEXT_COLUMNS) or [""]]
    tall = [0.62, plot_in, len(lines) * _LINE_IN + 0.2]
    height = sum(tall)
    settings: dict[str, Any] = {
        "svg.fonttype": "none",
        "svg.hashsalt": "likewise",
        "font.family": ["DejaVu Sans"],
        "hatch.linewidth": 0.7,
        "text.parse_math": False,
    }
    with _drawing, mpl.rc_context(settings):  # type: ignore[arg-type]
        figure = Figure(figsize=(_WIDTH_IN, height), dpi=_DPI, facecolor=LIGHT["paper"])
        FigureCanvasAgg(figure)
        _head(figure, chart, height)
        paint(figure, (tall[2] + 0.42) / height, (tall[2] + tall[1] - 0.08) / height)
        _foot(figure, lines, height)
        target = io.BytesIO()
        metadata: dict[str, Any] = {
            "Title": chart.title,
            "Description": " ".join(below),
            "Creator": "Likewise",
        }
        figure.savefig(target, format=form, metadata={**metadata, "Date": None} if form == "svg" else metadata)
    return target.getvalue()


def _head(figure: Figure, chart: Chart, height: float) -> None:
    figure.text(0.02, 1 - 0.27 / height, chart.title, size=_TITLE, weight="bold", color=LIGHT["text"], va="center")
    at = 0.02
    for kind, words in chart.key:
        for text, colour, gap in ((_swatch(kind), _swatch_colour(kind), 4), (words, LIGHT["muted"], 14)):
            drawn_text = figure.text(at, 1 - 0.52 / height, text, size=SMALL, color=colour, va="center")
            at += (drawn_text.get_window_extent().width + gap * _DPI / 72) / figure.bbox.width


def _swatch(kind: str) -> str:
    """A sign for a pattern: the words beside it say the same."""
    pattern, _space, which = kind.partition(" ")
    signs = {"cap": "▨", "estimated": "▒", "assumed": "▩", "line": "╍╍" if which == "cap" else "━━"}
    return signs.get(pattern, "■")


def _swatch_colour(kind: str) -> str:
    pattern, _space, which = kind.partition(" ")
    if pattern in ("estimated", "assumed") or kind == "line cap":
        return WARN
    return {"house": HOUSE, "idle": IDLE}.get(which, PUBLISHED)


def _axes(figure: Figure, bottom: float, top: float, panels: Sequence[Panel]) -> None:
    left, right, gap = 0.27, 0.02, 0.05
    wide = (1 - left - right - gap * (len(panels) - 1)) / len(panels)
    for place, panel in enumerate(panels):
        area = (left + place * (wide + gap), bottom, wide, top - bottom)
        _bars(figure.add_axes(area), panel, names=place == 0)


def _bars(axes: Any, panel: Panel, *, names: bool) -> None:
    longest = max(bar.high or bar.value for bar in panel.bars) or 1.0
    for place, bar in enumerate(panel.bars):
        colour, start = _colour(bar), bar.low if bar.low is not None else 0.0
        end = bar.high if bar.high is not None else bar.value
        face = colour if bar.kind == "firm" else LIGHT["paper"]
        axes.barh(place, end - start, left=start, height=0.46, color=face, edgecolor=colour, hatch=HATCH[bar.kind])
        label = f"{bar.text}\n{bar.words}"
        axes.text(end + longest * 0.015, place, label, size=SMALL, va="center", color=LIGHT["text"], linespacing=1.25)
    axes.set_xlim(0, longest * 1.36)
    axes.set_ylim(len(panel.bars) - 0.5, -0.5)
    axes.set_xlabel(panel.title, size=SMALL, color=LIGHT["muted"])
    axes.set_yticks(range(len(panel.bars)), [_name(bar) for bar in panel.bars] if names else [])
    axes.set_xticks([])
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=LIGHT["text"])
    for side in ("top", "right", "bottom"):
        axes.spines[side].set_visible(False)
    axes.spines["left"].set_color(LIGHT["muted"])


def _name(bar: Bar) -> str:
    lines = textwrap.wrap(f"{bar.letter} · {bar.name}" if bar.letter else bar.name, 38)
    return "\n".join(lines[:3])


def _colour(bar: Bar) -> str:
    if bar.kind in ("assumed", "estimated"):
        return WARN
    return HOUSE if bar.house else PUBLISHED


def _foot(figure: Figure, lines: Sequence[str], height: float) -> None:
    text = "\n".join(lines)
    figure.text(0.02, 0.16 / height, text, size=SMALL, color=LIGHT["muted"], va="bottom", linespacing=1.35)
