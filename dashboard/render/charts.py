"""Charts of a comparison as Plotly figures in plain dicts, each with a sentence that says the same and its numbers."""

from dataclasses import dataclass, replace
from typing import Any

from dashboard.render.caveats import letter
from dashboard.render.chart_theme import (
    CONFIG,
    DARK,
    HOUSE,
    LIGHT,
    PUBLISHED,
    WARN,
    escape,
    label_lines,
    layout,
    name_axis,
    number_axis,
    theme_patch,
)
from dashboard.render.numbers import NBSP, Locale, figure_text, in_display_unit
from dashboard.render.wording import _, basis_badge, metric_name, say, unit_head
from runs.domain.comparison import Comparison, Row
from runs.domain.facts import Basis
from runs.domain.figures import Figure
from runs.domain.metrics import metric
from runs.domain.records import Provenance

# One pattern for each way a number came to be; "" is a full bar. A cap has its own: it is a limit, no consumption.
PATTERN = {"firm": "", "cap": "/", "estimated": ".", "assumed": "x"}


@dataclass(frozen=True)
class Chart:
    """A figure for Plotly (``payload``), its sentence, and its numbers for the table beside it."""

    id: str
    title: str
    alternative: str
    payload: dict[str, Any]
    head: tuple[str, ...]
    numbers: tuple[tuple[str, ...], ...]
    height: int = 300
    key: tuple[tuple[str, str], ...] = ()
    panels: "tuple[Panel, ...]" = ()

    @property
    def script_id(self) -> str:
        """The id of the JSON element that holds the payload."""
        return f"chart-{self.id}-data"

    @property
    def section(self) -> str:
        """The section of the comparison page that the chart belongs to."""
        return "power" if self.id == "kilowatt" else "speed"


@dataclass(frozen=True)
class Bar:
    """One bar: whose, how long, how it is labelled and how the number came to be."""

    name: str
    words: str
    value: float
    text: str
    kind: str
    house: bool
    low: float | None = None
    high: float | None = None
    letter: str = ""


@dataclass(frozen=True)
class Panel:
    """Bars that share an axis; ``name`` where there is more than one panel."""

    name: str
    unit: str
    bars: list[Bar]

    @property
    def title(self) -> str:
        return f"{self.name}, {self.unit}" if self.name else self.unit


def comparison_charts(comparison: Comparison, locale: Locale) -> tuple[Chart, ...]:
    """The charts that the comparison has figures for: throughput, latency, throughput per kW."""
    made = (throughput_chart(comparison, locale), latency_chart(comparison, locale), kilowatt_chart(comparison, locale))
    return tuple(chart for chart in made if chart is not None)


def throughput_chart(comparison: Comparison, locale: Locale) -> Chart | None:
    row = comparison.row("per_gpu_total")
    bars = row_bars(row, comparison, locale) if row else []
    if row is None or not bars:
        return None
    title = say(_("Total throughput per active GPU"), locale)
    unit = unit_head(row.metric, locale, row.unit)
    return _bar_chart("throughput", title, [Panel("", unit, bars)], locale)


def latency_chart(comparison: Comparison, locale: Locale) -> Chart | None:
    """Median TTFT and median TPOT side by side: lower is better."""
    panels: list[Panel] = []
    for key in ("ttft:median", "tpot:median"):
        row = comparison.row(key)
        bars = row_bars(row, comparison, locale) if row else []
        if row is not None and bars:
            name = metric_name(metric(key), row.stat, locale)
            panels.append(Panel(name, unit_head(row.metric, locale, row.unit), bars))
    if not panels:
        return None
    return _bar_chart("latency", say(_("Median latency (lower is better)"), locale), panels, locale)


def kilowatt_chart(comparison: Comparison, locale: Locale) -> Chart | None:
    """Total throughput per kW; which kW stands in words at every bar, and shows in its pattern."""
    bars: list[Bar] = []
    for place in range(len(comparison.runs)):
        for key, words, kind in (
            ("tok_per_kw_measured", _("measured kW"), ""),
            ("tok_per_kw_cap", _("kW of power cap"), "cap"),
            ("tok_per_kw_assumed", _("assumed kW"), "assumed"),
        ):
            row = comparison.row(key)
            if row is not None:
                found = row_bars(row, comparison, locale, only=place, words=say(words, locale))
                bars += [replace(bar, kind=kind or bar.kind) for bar in found]
    if not bars:
        return None
    unit = unit_head("tok_per_kw_measured", locale)
    return _bar_chart(
        "kilowatt", say(_("Total throughput per kW, naming which kW"), locale), [Panel("", unit, bars)], locale
    )


def row_bars(
    row: Row, comparison: Comparison, locale: Locale, only: int | None = None, words: str | None = None
) -> list[Bar]:
    """The bars of a row: one for each run that has the figure. Nothing is drawn for a figure that is missing."""
    bars = []
    for place, cell in enumerate(row.cells):
        if only not in (None, place) or cell.figure is None or figure_text(cell.figure, locale) == "":
            continue
        head = comparison.runs[place]
        house = head.provenance is not Provenance.PUBLISHED
        bar = figure_bar(cell.figure, head.label, locale, house=house, words=words)
        bars.append(replace(bar, letter=letter(place)))
    return bars


def figure_bar(figure: Figure, name: str, locale: Locale, *, house: bool, words: str | None = None) -> Bar:
    said = words if words is not None else basis_badge(figure.basis, figure.system_basis, locale).text
    low, high = _number(figure, figure.low), _number(figure, figure.high)
    value = _number(figure, figure.value)
    if value is None:
        value = ((low or 0.0) + (high or 0.0)) / 2
    soft = figure.system_basis in (Basis.ASSUMED, Basis.ESTIMATED)
    kind = figure.system_basis.value if soft else "firm"
    return Bar(name, said, value, figure_text(figure, locale), kind, house, low, high)


def _number(figure: Figure, value: Any) -> float | None:
    return None if value is None else float(in_display_unit(value, figure.key, figure.unit))


def _bar_chart(kind: str, title: str, panels: list[Panel], locale: Locale) -> Chart:
    most = max(len(panel.bars) for panel in panels)
    lines = max(_tick(bar, kind).count("<br>") + 1 for panel in panels for bar in panel.bars)
    height = 76 + most * (18 * lines + 14)
    data: list[dict[str, Any]] = []
    shape = layout(height, **({"grid": {"rows": 1, "columns": 2, "xgap": 0.18}} if len(panels) > 1 else {}))
    for number, panel in enumerate(panels, start=1):
        suffix = "" if number == 1 else str(number)
        data += _bar_traces(panel.bars, suffix, kind)
        longest = max(bar.high or bar.value for bar in panel.bars)
        shape[f"xaxis{suffix}"] = number_axis(panel.title, range=[0, longest * 1.22])
        shape[f"yaxis{suffix}"] = name_axis(**({"showticklabels": False, "matches": "y"} if number > 1 else {}))
    themes = {"light": theme_patch(LIGHT, len(panels)), "dark": theme_patch(DARK, len(panels))}
    payload = {"data": data, "layout": shape, "config": CONFIG, "themes": themes, "narrow": _narrow(panels, kind)}
    head, numbers = _numbers(panels, locale)
    words = bars_sentence(title, panels, locale)
    return Chart(kind, title, words, payload, head, numbers, height, _key(panels, locale), tuple(panels))


def _narrow(panels: list[Panel], kind: str) -> dict[str, Any]:
    """What is laid out otherwise on a narrow screen: letters of runs for their labels, as in the table beside."""
    bars = panels[0].bars
    patch: dict[str, Any] = {
        "yaxis.tickvals": [_tick(bar, kind) for bar in bars],
        "yaxis.ticktext": [
            f"{bar.letter}<br>{escape(bar.words)}" if kind == "kilowatt" else bar.letter for bar in bars
        ],
    }
    for number in range(1, len(panels) + 1):
        axis = "xaxis" if number == 1 else f"xaxis{number}"
        patch |= {f"{axis}.nticks": 4, f"{axis}.tickangle": 0}
    return patch


def _numbers(panels: list[Panel], locale: Locale) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The table beside the chart: a row for each bar, a column for each panel."""
    head = (say(_("Run"), locale), *(panel.title for panel in panels), say(_("Basis"), locale))
    rows: dict[tuple[str, str], list[str]] = {}
    for place, panel in enumerate(panels):
        for bar in panel.bars:
            rows.setdefault((f"{bar.letter} · {bar.name}", bar.words), [say(_("not stated"), locale)] * len(panels))[
                place
            ] = bar.text
    return head, tuple((name, *texts, words) for (name, words), texts in rows.items())


def _bar_traces(bars: list[Bar], suffix: str, kind: str) -> list[dict[str, Any]]:
    names = [_tick(bar, kind) for bar in bars]
    axes = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "orientation": "h", "type": "bar"}
    ranged = [bar.low is not None for bar in bars]
    return [
        {
            **axes,
            "y": names,
            "x": [(bar.high or 0) - (bar.low or 0) if is_range else bar.value
                  for bar, is_range in zip(bars, ranged, strict=True)],
            "base": [bar.low if bar.low is not None else 0 for bar in bars],
            "text": [bar.text for bar in bars],
            "textposition": "outside",
            "cliponaxis": False,
            "customdata": [[bar.name, bar.words] for bar in bars],
            "hovertemplate": "%{customdata[0]}<br>%{text} · %{customdata[1]}<extra></extra>",
            "marker": _marker(bars),
        }
    ]  # fmt: skip


def _tick(bar: Bar, kind: str) -> str:
    lines = label_lines(bar.name)
    if kind == "kilowatt":
        lines.append(bar.words)
    return "<br>".join(escape(line) for line in lines[:3])


def _marker(bars: list[Bar]) -> dict[str, Any]:
    colours = [_colour(bar) for bar in bars]
    return {
        "color": colours,
        "line": {"color": colours, "width": 1.5},
        "pattern": {
            "shape": [PATTERN[bar.kind] for bar in bars],
            "fillmode": "replace",
            "size": 7,
            "solidity": 0.28,
        },
    }


def _colour(bar: Bar) -> str:
    if bar.kind in ("assumed", "estimated"):
        return WARN
    return HOUSE if bar.house else PUBLISHED


def _key_words(bar: Bar, locale: Locale) -> str:
    if bar.kind in ("assumed", "estimated"):
        return bar.words
    whose = say(_("this house") if bar.house else _("published by others"), locale)
    return f"{whose}, {bar.words}" if bar.kind == "cap" else whose


def _key(panels: list[Panel], locale: Locale) -> tuple[tuple[str, str], ...]:
    """The legend in words: one entry for every pattern that occurs."""
    seen: dict[str, str] = {}
    for panel in panels:
        for bar in panel.bars:
            side = "" if bar.kind in ("assumed", "estimated") else ("house" if bar.house else "published")
            seen.setdefault(f"{bar.kind} {side}".strip(), _key_words(bar, locale))
    return tuple(seen.items())


def bars_sentence(title: str, panels: list[Panel], locale: Locale) -> str:
    """The chart in words: every bar with its value and how it came to be."""
    parts = []
    for panel in panels:
        listed = "; ".join(f"{bar.name} {bar.text} ({bar.words})" for bar in panel.bars)
        parts.append(f"{panel.title}:{NBSP}{listed}.")
    return f"{title}. {say(_('Bars:'), locale)} {' '.join(parts)}"
