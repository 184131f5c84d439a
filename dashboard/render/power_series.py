"""The lines of a power chart from the samples of a log, thinned without losing a peak."""

import numpy as np

from dashboard.render.power_chart import Series
from runs.domain import thin
from runs.domain.records import PowerAnalysis
from runs.domain.trace import PowerTrace

POINTS = 600
"""Points a GPU, at most so many."""
MARGIN = 0.15
"""How much is drawn before and after the window, as a share of it."""


def power_series(trace: PowerTrace, analysis: PowerAnalysis, points: int = POINTS) -> tuple[Series, ...]:
    """The line of each GPU around the window, in seconds from its start. ``trace`` has UTC times."""
    window = analysis.window
    margin = MARGIN * window.duration_s
    span = (window.start - margin, window.end + margin)
    thinned = thin.thin(trace, trace.gpus, points, span)
    return tuple(_line(one, window.start, active=one.gpu in analysis.gpus) for one in thinned.per_gpu)


def _line(one: thin.Series, start: float, *, active: bool) -> Series:
    """A pause in the log lifts the pen: a point without a value stands before the first sample after it."""
    seconds = np.insert(one.t - start, one.breaks, one.t[one.breaks] - start)
    watts = np.insert(one.w, one.breaks, np.nan)
    values = tuple(None if np.isnan(watt) else round(float(watt), 1) for watt in watts)
    return Series(one.gpu, tuple(round(float(second), 2) for second in seconds), values, active)


def is_thinned(trace: PowerTrace, points: int = POINTS) -> bool:
    """Whether the chart can hold fewer points than the log has samples."""
    return len(trace) > points * max(1, len(trace.gpus))
