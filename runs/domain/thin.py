"""A power trace thinned for a chart: the least and the greatest sample of every stretch of time are kept."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from runs.domain.energy import active_gpus
from runs.domain.signals import Floats, PowerError, Signal, signals, total
from runs.domain.trace import PowerTrace

LEAST_POINTS = 4


@dataclass(frozen=True, eq=False)
class Series:
    """Points of one line: ``t`` (float64, n, seconds as in the trace) and ``w`` (float64, n, W).

    ``breaks`` are the indices of points before which the log has a gap: a chart lifts its pen there.
    """

    gpu: str
    t: Floats
    w: Floats
    breaks: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Thinned:
    """One series for each GPU and one for their sum (None where the GPUs have no time in common)."""

    per_gpu: tuple[Series, ...]
    total: Series | None


def thin(
    trace: PowerTrace, gpus: Sequence[str] | None, points: int, span: tuple[float, float] | None = None
) -> Thinned:
    """At most ``points`` points a series, of the whole log or of ``span`` (trace seconds, both ends included).

    The first and the last sample stay, and of each stretch of equal time between them the least and the greatest
    sample: no peak and no dip is lost. Samples of one stamp are averaged, ones without a value left out. The sum is
    formed before it is thinned. Raises :class:`PowerError` for fewer than 4 points, unknown GPUs and a trace without
    times; local times are taken as they are.
    """
    if points < LEAST_POINTS:
        raise PowerError(f"a chart needs at least {LEAST_POINTS} points, not {points}")
    if trace.clock == "none":
        raise PowerError(f"this {trace.tool} log carries no times: there is no line to draw")
    timed = trace.t[np.isfinite(trace.t)]
    origin = float(timed.min()) if len(timed) else 0.0
    parts = signals(trace, active_gpus(trace, gpus), origin)
    whole = total(parts)
    holes = np.concatenate([part.holes(part.t[0], part.t[-1]) for part in parts if len(part.t)] or [np.empty((0, 2))])
    return Thinned(
        tuple(_series(part, part.t[1:][np.diff(part.t) > part.gap_limit], points, origin, span) for part in parts),
        _series(_without(whole, holes), holes[:, 1], points, origin, span) if whole is not None else None,
    )


def _without(whole: Signal, holes: Floats) -> Signal:
    """The sum without its points inside a gap of any of its parts, where it is only bridged."""
    begun = np.searchsorted(np.sort(holes[:, 0]), whole.t, "left")
    ended = np.searchsorted(np.sort(holes[:, 1]), whole.t, "right")
    kept = begun <= ended
    return Signal(whole.gpu, whole.t[kept], whole.w[kept], whole.stamps, whole.values)


def _series(signal: Signal, resumes: Floats, points: int, origin: float, span: tuple[float, float] | None) -> Series:
    t, w = signal.t, signal.w
    if span is not None:
        shown = slice(np.searchsorted(t, span[0] - origin), np.searchsorted(t, span[1] - origin, "right"))
        t, w = t[shown], w[shown]
    if len(t) > points:
        kept = _extremes(t, w, (points - 2) // 2)
        t, w = t[kept], w[kept]
    # The first point at or after a gap's end: where the end itself was thinned away, the next one that is left.
    breaks = np.unique(np.searchsorted(t, resumes))
    return Series(signal.gpu, t + origin, w, breaks[(breaks > 0) & (breaks < len(t))])


def _extremes(t: Floats, w: Floats, buckets: int) -> NDArray[np.intp]:
    """Indices of the first and last sample and of the least and greatest of each stretch between, in order."""
    inner_t, inner_w = t[1:-1], w[1:-1]
    edges = np.linspace(inner_t[0], inner_t[-1], buckets + 1)[:-1]
    starts = np.unique(np.searchsorted(inner_t, edges))
    sizes = np.diff(np.append(starts, len(inner_t)))
    kept = [np.array([0, len(t) - 1], dtype=np.intp)]
    for extreme in (np.minimum, np.maximum):
        hits = np.flatnonzero(inner_w == np.repeat(extreme.reduceat(inner_w, starts), sizes))
        firsts = np.searchsorted(hits, starts)
        kept.append(hits[firsts] + 1)
    return np.unique(np.concatenate(kept))
