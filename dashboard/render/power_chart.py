"""Power over time: the active GPUs' sum or each of them, the cap line, the benchmark window, idle GPUs in grey."""

from dataclasses import dataclass
from typing import Any

from dashboard.render.chart_theme import (
    CONFIG,
    DARK,
    HOUSE,
    IDLE,
    LIGHT,
    WARN,
    escape,
    layout,
    number_axis,
    theme_patch,
)
from dashboard.render.charts import Chart
from dashboard.render.numbers import Locale, format_number, percent, value_with_unit
from dashboard.render.wording import _, say
from runs.domain.records import GpuPower, PowerAnalysis


@dataclass(frozen=True)
class Series:
    """One GPU's samples, thinned for drawing: seconds since the window's start, and watts (None where missing)."""

    gpu: str
    seconds: tuple[float, ...]
    watts: tuple[float | None, ...]
    active: bool


@dataclass(frozen=True)
class PowerLines:
    """A run's power as the chart of its page, with the lines and the cap per GPU that it draws."""

    chart: Chart
    series: tuple[Series, ...]
    cap_w: float | None


def power_chart(
    analysis: PowerAnalysis, series: tuple[Series, ...], cap_w: float | None, locale: Locale, *, thinned: bool = False
) -> Chart:
    """Watts per GPU against seconds from the start of the benchmark window."""
    data = [_trace(one) for one in sorted(series, key=lambda one: one.active)]
    shape = layout(360, margin={"l": 8, "r": 16, "t": 28, "b": 44, "pad": 4})
    shape["xaxis"] = number_axis(say(_("seconds from the start of the window"), locale), rangemode="normal")
    shape["yaxis"] = number_axis(say(_("W per GPU"), locale))
    shape["shapes"], shape["annotations"] = _overlays(analysis, cap_w, locale)
    shape["hovermode"] = "x"
    themes = {"light": _patch(LIGHT, shape), "dark": _patch(DARK, shape)}
    payload = {"data": data, "layout": shape, "config": CONFIG, "themes": themes}
    head = tuple(say(word, locale) for word in (_("GPU"), _("Mean, W"), _("Peak, W"), _("Energy, kJ"), _("Samples"),
                                                _("Covered"), _("Above cap")))  # fmt: skip
    numbers = tuple(gpu_row(gpu, locale) for gpu in analysis.per_gpu) + tuple(
        gpu_row(gpu, locale, idle=True) for gpu in analysis.idle
    )
    title = say(_("Power of each GPU over time"), locale)
    sentence = power_sentence(analysis, cap_w, locale)
    if thinned:
        sentence += " " + say(_("The lines are thinned for drawing; the numbers come from every sample."), locale)
    return Chart("power", title, sentence, payload, head, numbers, 360, _key(series, cap_w, locale))


def _patch(colours: dict[str, str], shape: dict[str, Any]) -> dict[str, Any]:
    patch = theme_patch(colours, 1)
    for place in range(len(shape["annotations"])):
        patch[f"annotations[{place}].font.color"] = colours["muted"]
    return patch


def _trace(one: Series) -> dict[str, Any]:
    line = {"color": HOUSE, "width": 1.3} if one.active else {"color": IDLE, "width": 1}
    return {
        "type": "scatter",
        "mode": "lines",
        "name": escape(f"GPU {one.gpu}"),
        "x": list(one.seconds),
        "y": list(one.watts),
        "connectgaps": False,
        "line": line,
        "opacity": 0.75 if one.active else 0.9,
        "hovertemplate": f"GPU {escape(one.gpu)}: %{{y:.0f}} W<extra></extra>",
    }


def _overlays(
    analysis: PowerAnalysis, cap_w: float | None, locale: Locale
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    shapes: list[dict[str, Any]] = [
        {"type": "rect", "xref": "x", "yref": "paper", "x0": 0, "x1": analysis.window.duration_s, "y0": 0, "y1": 1,
         "fillcolor": "rgba(20,133,121,0.10)", "line": {"width": 0}, "layer": "below"},
    ]  # fmt: skip
    notes = [_label(say(_("benchmark window"), locale), x=0, y=1, xref="x", yref="paper", xanchor="left", yshift=16)]
    if cap_w is not None:
        shapes.append(
            {"type": "line", "xref": "paper", "yref": "y", "x0": 0, "x1": 1, "y0": cap_w, "y1": cap_w,
             "line": {"color": WARN, "width": 1.5, "dash": "dash"}}
        )  # fmt: skip
        text = say(_("power cap {watts}"), locale).format(watts=value_with_unit(cap_w, "W", locale))
        notes.append(_label(text, x=1, y=cap_w, xref="paper", yref="y", xanchor="right", yshift=9))
    return shapes, notes


def _label(text: str, **place: Any) -> dict[str, Any]:
    return {"text": escape(text), "showarrow": False, "font": {"size": 12}, **place}


def gpu_row(gpu: GpuPower, locale: Locale, *, idle: bool = False) -> tuple[str, ...]:
    """One GPU's numbers in words: absent values are said to be absent."""

    def said(value: float | None, places: int, scale: float = 1.0) -> str:
        if value is None:
            return say(_("not measured"), locale)
        return format_number(value / scale, locale, places)

    name = f"{gpu.gpu} ({say(_('idle'), locale)})" if idle else gpu.gpu
    above = say(_("cap not stated"), locale) if gpu.above_cap is None else format_number(gpu.above_cap, locale)
    energy = said(gpu.energy_j, 1, 1000)
    samples = format_number(gpu.samples, locale)
    return (name, said(gpu.mean_w, 0), said(gpu.peak_w, 0), energy, samples, percent(gpu.covered, locale, 1), above)


def power_sentence(analysis: PowerAnalysis, cap_w: float | None, locale: Locale) -> str:
    """The chart in words."""
    mean = say(_("not known"), locale) if analysis.mean_w is None else kilowatts(analysis.mean_w, locale)
    text = say(
        _("Power of {active} active GPUs over {seconds} s: {mean} on average in all, {covered} of the window covered."),
        locale,
    ).format(
        active=len(analysis.gpus),
        seconds=format_number(analysis.window.duration_s, locale, 1),
        mean=mean,
        covered=percent(analysis.covered, locale, 1),
    )
    if cap_w is None:
        return f"{text} {say(_('The power cap is not stated.'), locale)}"
    line = say(_("The dashed line is the cap of {watts} per GPU."), locale)
    return f"{text} {line.format(watts=value_with_unit(cap_w, 'W', locale))}"


def kilowatts(watts: float, locale: Locale) -> str:
    return f"{format_number(watts / 1000, locale, 2)}\u00a0kW"


def _key(series: tuple[Series, ...], cap_w: float | None, locale: Locale) -> tuple[tuple[str, str], ...]:
    found = [("line house", say(_("active GPU"), locale))]
    if any(not one.active for one in series):
        found.append(("line idle", say(_("idle GPU of the node"), locale)))
    if cap_w is not None:
        found.append(("line cap", say(_("power cap per GPU"), locale)))
    return tuple(found)
