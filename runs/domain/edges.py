"""The window that a power log itself suggests: from where its load begins to where it ends."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from runs.domain.energy import active_gpus, require_utc
from runs.domain.facts import Evidence, State
from runs.domain.records import Window
from runs.domain.signals import Floats, PowerError, Signal, signals, total
from runs.domain.trace import PowerTrace
from runs.domain.verdict import clock_text

LEAST_CONTRAST = 1.3
"""Busy over idle power below which no load is seen: noise and drift stay under it, a GPU at work is at 2 to 10."""

LONGEST_DIP_S = 10.0
GREATEST_OTHER_SHARE = 0.1
GREATEST_UNCERTAIN_SHARE = 0.15
LEAST_UNCERTAINTY_S = 1.0


def load_edges(trace: PowerTrace, gpus: Sequence[str] | None = None) -> Window:
    """The window between the rise and the fall of the GPUs' summed power, state ``inferred``.

    The threshold lies halfway between the idle and the busy level, the time-weighted means of what is under and over
    it; the edges are where the sum crosses it. Dips of up to 10 s belong to the load; other loads of less than a tenth
    of its length are passed over. An edge is uncertain by the time that the sum takes between 10 % and 90 % of the
    way, at least one interval and at least the second over which tools average.

    Raises :class:`PowerError` in words where the log has no levels apart, begins or ends under load, holds several
    loads, or where the edges are so slow that they leave more than 15 % of the window open.
    """
    require_utc(trace)
    active = active_gpus(trace, gpus)
    timed = trace.t[np.isfinite(trace.t)]
    if not len(timed):
        raise PowerError("the log has no samples: no load edges to find")
    origin = float(timed.min())
    parts = signals(trace, active, origin)
    whole = total(parts)
    if whole is None:
        raise PowerError("the active GPUs have no time in common in this log: no load edges to find")
    idle, busy = _levels(whole)
    if not busy > LEAST_CONTRAST * max(idle, 0.0):
        raise PowerError(f"no clear load in the log: its two levels, {idle:.0f} W and {busy:.0f} W, are hardly apart")
    start, end = _load(whole, (idle + busy) / 2, origin)
    interval = max(part.interval or 0.0 for part in parts)
    slow = (_slowness(whole, start, idle, busy, rising=True), _slowness(whole, end, idle, busy, rising=False))
    off = max(*slow, interval, LEAST_UNCERTAINTY_S)
    if off > GREATEST_UNCERTAIN_SHARE * (end - start):
        raise PowerError(
            f"the load of {end - start:.1f} s has edges {off:.1f} s uncertain: too slow to place a window by"
        )
    note = f"crossings of {(idle + busy) / 2:.0f} W, halfway between idle ({idle:.0f} W) and busy ({busy:.0f} W)"
    return Window(origin + start, origin + end, State.INFERRED, off, (Evidence("rule", place="load edges"),), note)


def _levels(signal: Signal) -> tuple[float, float]:
    """Idle and busy level: time-weighted means under and over the middle between them, until they stand still."""
    steps = np.diff(signal.t)
    # The line across a gap is at neither level and would draw both together.
    sampled = steps <= signal.gap_limit
    middles, time = ((signal.w[1:] + signal.w[:-1]) / 2)[sampled], steps[sampled]
    idle, busy = float(middles.min()), float(middles.max())
    for _ in range(50):
        over = middles > (idle + busy) / 2
        if over.all() or not over.any():
            break
        fresh = (
            float(np.average(middles[~over], weights=time[~over])),
            float(np.average(middles[over], weights=time[over])),
        )
        if fresh == (idle, busy):
            break
        idle, busy = fresh
    return idle, busy


def _load(signal: Signal, threshold: float, origin: float) -> tuple[float, float]:
    """Begin and end (s) of the one load of the log, or a refusal."""
    over = signal.w > threshold
    if over[0] or over[-1]:
        which = "begins" if over[0] else "ends"
        raise PowerError(
            f"the log {which} under load: the window's {'start' if over[0] else 'end'} cannot be seen in it"
        )
    rises, falls = _crossings(signal, over, threshold)
    joined = np.flatnonzero(rises[1:] - falls[:-1] > LONGEST_DIP_S)
    begins, ends = rises[np.concatenate(([0], joined + 1))], falls[np.concatenate((joined, [len(falls) - 1]))]
    longest = int(np.argmax(ends - begins))
    others = np.delete(ends - begins, longest)
    if np.any(others > GREATEST_OTHER_SHARE * (ends - begins)[longest]):
        times = ", ".join(clock_text(origin + float(begin)) for begin in begins[:5])
        raise PowerError(f"the log holds {len(begins)} loads (from {times}): say which one by start and end")
    return float(begins[longest]), float(ends[longest])


def _crossings(signal: Signal, over: NDArray[np.bool_], threshold: float) -> tuple[Floats, Floats]:
    turns = np.flatnonzero(over[1:] != over[:-1])
    share = (threshold - signal.w[turns]) / (signal.w[turns + 1] - signal.w[turns])
    times = signal.t[turns] + share * (signal.t[turns + 1] - signal.t[turns])
    return times[0::2], times[1::2]


def _slowness(signal: Signal, edge: float, idle: float, busy: float, *, rising: bool) -> float:
    """Seconds from an edge back to the last sample under 10 % of the way, or on to the first over 90 %: the longer."""
    outside = (signal.t <= edge) if rising else (signal.t >= edge)
    low = signal.t[outside & (signal.w <= idle + 0.1 * (busy - idle))]
    high = signal.t[~outside & (signal.w >= idle + 0.9 * (busy - idle))]
    return max((float(np.abs(times - edge).min()) if len(times) else np.inf) for times in (low, high))
