"""A power log thinned for drawing: the lowest and the highest sample of every stretch, so that no peak is lost."""

import numpy as np

from dashboard.render.power_chart import Series
from runs.domain.records import PowerAnalysis
from runs.domain.trace import PowerTrace

POINTS = 600
"""Points a GPU, at most about so many."""
MARGIN = 0.15
"""How much is drawn before and after the window, as a share of it."""


def power_series(trace: PowerTrace, analysis: PowerAnalysis, points: int = POINTS) -> tuple[Series, ...]:
    """The samples of each GPU around the window, in seconds from its start. ``trace`` has UTC times."""
    window = analysis.window
    margin = MARGIN * window.duration_s
    near = (trace.t >= window.start - margin) & (trace.t <= window.end + margin)
    found = []
    for place, name in enumerate(trace.gpus):
        mine = near & (trace.gpu == place)
        order = np.argsort(trace.t[mine], kind="stable")
        seconds, watts = (trace.t[mine] - window.start)[order], trace.watts[mine][order]
        kept = extremes(watts, points)
        values = tuple(None if np.isnan(watt) else round(float(watt), 1) for watt in watts[kept])
        times = tuple(round(float(second), 2) for second in seconds[kept])
        found.append(Series(name, times, values, name in analysis.gpus))
    return tuple(found)


def extremes(watts: "np.typing.NDArray[np.float64]", points: int) -> "np.typing.NDArray[np.int64]":
    """Places of the lowest and highest value of each of ``points / 2`` stretches, in order; all where there are few."""
    n = len(watts)
    if n <= points:
        return np.arange(n)
    edges = np.linspace(0, n, points // 2 + 1).astype(np.int64)
    keep: list[int] = []
    for start, end in zip(edges[:-1], edges[1:], strict=True):
        part = watts[start:end]
        missing = np.isnan(part)
        if missing.all():
            keep.append(int(start))
            continue
        keep += sorted({int(start + np.nanargmin(part)), int(start + np.nanargmax(part))})
    return np.array(keep, dtype=np.int64)


def is_thinned(trace: PowerTrace, points: int = POINTS) -> bool:
    return len(trace) > points * max(1, len(trace.gpus))
