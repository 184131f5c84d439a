"""A run's power over time as SVG or PNG, with its verdict, window, numbers, errata and log inside the picture."""

from collections.abc import Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter

from dashboard.render.chart_theme import HOUSE, IDLE, LIGHT, WARN
from dashboard.render.charts import Chart
from dashboard.render.exports.pictures import SMALL, PictureFormat, drawn
from dashboard.render.notices import notice_change
from dashboard.render.numbers import Locale, format_number
from dashboard.render.power_chart import PowerLines
from dashboard.render.runpage import power_view, run_badges, window_view
from dashboard.render.wording import _, cap_text, say
from runs.domain.errata import Erratum
from runs.domain.records import PowerAnalysis, RunRecord

_PLOT_IN = 3.6


def power_picture(
    record: RunRecord, lines: PowerLines, errata: Sequence[Erratum], made: str, locale: Locale, form: PictureFormat
) -> bytes | None:
    """The chart as a file; None where the run has no power. ``made`` is an ISO date."""
    power = record.power
    if power is None:
        return None

    def paint(figure: Figure, bottom: float, top: float) -> None:
        _lines(figure, (0.06, bottom, 0.92, top - bottom), power, lines, locale)

    caption = power_caption(record, power, lines.chart, errata, made, locale)
    return drawn(lines.chart, caption, _PLOT_IN, form, paint)


def power_caption(
    record: RunRecord, power: PowerAnalysis, chart: Chart, errata: Sequence[Erratum], made: str, locale: Locale
) -> tuple[str, ...]:
    """What stands under the lines: errata, how the run came to be, the verdict with what speaks against it, the window,
    the numbers of each GPU, the log by its SHA-256."""
    view = power_view(power, locale)
    window = window_view(power.window, locale)
    facts = "; ".join(f"{name}: {text}" for name, text in view.facts)
    gpus = "; ".join(f"{name} {' / '.join(texts)}" for name, *texts in chart.numbers)
    came = ", ".join(badge.text for badge in run_badges(record, locale))
    log = f"{say(_('Power log'), locale)}: SHA-256 {power.log_sha256}." if power.log_sha256 else ""
    return tuple(
        line
        for line in (
            *(f"{one.date}: {notice_change(one, locale)}" for one in errata),
            f"{record.label}: {came}. {' '.join((view.verdict, *view.reasons))}",
            chart.alternative,
            f"{say(_('Benchmark window'), locale)}: {window.text} ({window.state.text}). {window.note}".strip(),
            f"{say(_('Power cap per GPU'), locale)}: {cap_text(record.setting('power_cap_w'), locale)}.",
            f"{facts}.",
            f"{chart.head[0]} {' / '.join(chart.head[1:])} — {gpus}.",
            log,
            f"{made} · Likewise",
        )
        if line
    )


def _lines(
    figure: Figure, area: tuple[float, float, float, float], power: PowerAnalysis, lines: PowerLines, locale: Locale
) -> None:
    axes = figure.add_axes(area)
    axes.axvspan(0, power.window.duration_s, color=HOUSE, alpha=0.1, linewidth=0)
    for one in sorted(lines.series, key=lambda one: one.active):
        watts = [float("nan") if value is None else value for value in one.watts]
        colour, width = (HOUSE, 1.0) if one.active else (IDLE, 0.8)
        axes.plot(one.seconds, watts, color=colour, linewidth=width, alpha=0.75, label=f"GPU {one.gpu}")
    if lines.cap_w is not None:
        axes.axhline(lines.cap_w, color=WARN, linewidth=1.2, linestyle="--")
    axes.margins(x=0, y=0.08)
    axes.set_ylim(bottom=0)
    axes.set_xlabel(say(_("seconds from the start of the window"), locale), size=SMALL, color=LIGHT["muted"])
    axes.set_ylabel(say(_("W per GPU"), locale), size=SMALL, color=LIGHT["muted"])
    said = FuncFormatter(lambda value, _place: format_number(value, locale, 0 if value == int(value) else 1))
    axes.xaxis.set_major_formatter(said)
    axes.yaxis.set_major_formatter(said)
    axes.tick_params(length=0, labelsize=SMALL, labelcolor=LIGHT["text"])
    axes.grid(visible=True, axis="y", color=LIGHT["grid"], linewidth=0.8)
    axes.set_axisbelow(True)
    for side in ("top", "right", "left"):
        axes.spines[side].set_visible(False)
    axes.spines["bottom"].set_color(LIGHT["muted"])
