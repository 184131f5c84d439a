"""Power as a signal: samples joined by straight lines, one signal a GPU, and the sum of several.

Seconds are counted from an origin that the caller chooses (a window's start), which keeps microseconds exact where
epoch seconds would not. A signal ends at its last sample: nothing is drawn beyond it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from runs.domain.trace import PowerTrace
from runs.domain.units import DomainError

Floats = NDArray[np.float64]

LEAST_GAP_S = 3.0
GAP_INTERVALS = 3.0


class PowerError(DomainError):
    """A question that a power log cannot be asked, in words."""


@dataclass(frozen=True, eq=False)
class Signal:
    """One GPU's samples, or a sum's.

    ``t`` (float64, n, seconds from the origin) rises strictly; ``w`` (float64, n, W) is finite. ``stamps`` and
    ``values`` are all samples of the GPU in the order of the file, those without a value (NaN) too.
    """

    gpu: str
    t: Floats
    w: Floats
    stamps: Floats
    values: Floats

    @cached_property
    def interval(self) -> float | None:
        """Median step between samples that have a value, in seconds; None with fewer than two."""
        return float(np.median(np.diff(self.t))) if len(self.t) > 1 else None

    @property
    def seconds(self) -> float:
        """From the first sample to the last."""
        return float(self.t[-1] - self.t[0])

    @property
    def gap_limit(self) -> float:
        """A longer step than this is a gap: 3 s or three median intervals, whichever is more."""
        return max(LEAST_GAP_S, GAP_INTERVALS * (self.interval or 0.0))

    def clip(self, start: float, end: float) -> "Signal | None":
        """The part in [start, end], its edges interpolated; None where no stretch of the signal lies in it."""
        if len(self.t) == 0:
            return None
        start, end = max(start, float(self.t[0])), min(end, float(self.t[-1]))
        if not end > start:
            return None
        if start == self.t[0] and end == self.t[-1]:
            return self
        inner = slice(int(np.searchsorted(self.t, start, "right")), int(np.searchsorted(self.t, end, "left")))
        edges = np.interp([start, end], self.t, self.w)
        t = np.concatenate(([start], self.t[inner], [end]))
        return Signal(self.gpu, t, np.concatenate((edges[:1], self.w[inner], edges[1:])), t, self.values)

    def steps(self, start: float, end: float) -> tuple[Floats, Floats]:
        """Begin and end of every step between samples that overlaps (start, end): two arrays of one length."""
        first = max(int(np.searchsorted(self.t, start, "right")) - 1, 0)
        last = int(np.searchsorted(self.t, end, "left"))
        knots = self.t[first : last + 1]
        return knots[:-1], knots[1:]

    def holes(self, start: float, end: float) -> Floats:
        """The stretches of [start, end] without samples (float64, k x 2): gaps, and what lies outside the signal."""
        if len(self.t) == 0:
            return np.array([[start, end]])
        begins, ends = self.steps(start, end)
        wide = ends - begins > self.gap_limit
        found = np.column_stack((begins[wide], ends[wide]))
        outside = np.array([[start, self.t[0]], [self.t[-1], end]])
        clipped = np.clip(np.concatenate((found, outside)), start, end)
        return np.asarray(clipped[clipped[:, 1] > clipped[:, 0]])


def signals(trace: PowerTrace, gpus: Sequence[str], origin: float) -> tuple[Signal, ...]:
    """One signal for each of these GPUs, an empty one for a label that the log does not know.

    Samples without a value or a time are left out, stamps out of order are sorted, and samples of one stamp are
    averaged (amd-smi stamps whole seconds).
    """
    return tuple(_signal(trace, gpu, origin) for gpu in gpus)


def _signal(trace: PowerTrace, gpu: str, origin: float) -> Signal:
    number = trace.gpus.index(gpu) if gpu in trace.gpus else -1
    mine = np.flatnonzero(trace.gpu == number) if number >= 0 else np.empty(0, np.intp)
    stamps, values = trace.t[mine] - origin, trace.watts[mine]
    valued = np.isfinite(stamps) & np.isfinite(values)
    t, w = (stamps, values) if valued.all() else (stamps[valued], values[valued])
    if np.any(t[1:] <= t[:-1]):
        t, w = _in_order(t, w)
    return Signal(gpu, t, w, stamps, values)


def _in_order(t: Floats, w: Floats) -> tuple[Floats, Floats]:
    order = np.argsort(t, kind="stable")
    t, w = t[order], w[order]
    firsts = np.flatnonzero(np.concatenate(([True], t[1:] > t[:-1])))
    counts = np.diff(np.append(firsts, len(t)))
    return t[firsts], np.add.reduceat(w, firsts) / counts


def total(parts: Sequence[Signal | None]) -> Signal | None:
    """The sum, on the union of all sample times, over the stretch in which every part has a value.

    None where there is no such stretch. Exact for straight lines: between two neighbouring times of the union every
    part is one line.
    """
    present = [part for part in parts if part is not None and len(part.t)]
    if not present or len(present) < len(parts):
        return None
    start, end = max(float(part.t[0]) for part in present), min(float(part.t[-1]) for part in present)
    pieces = [piece for part in present if (piece := part.clip(start, end)) is not None]
    if len(pieces) < len(present):
        return None
    if all(np.array_equal(piece.t, pieces[0].t) for piece in pieces[1:]):
        t, w = pieces[0].t, np.sum([piece.w for piece in pieces], axis=0)
    else:
        t = np.sort(np.concatenate([piece.t for piece in pieces]), kind="stable")
        t = t[np.concatenate(([True], t[1:] > t[:-1]))]
        w = np.zeros(len(t))
        for piece in pieces:
            w += np.interp(t, piece.t, piece.w)
    return Signal("", t, w, t, w)


def integral(signal: Signal) -> float:
    """Energy in J: the trapezoid over all of the signal."""
    # Not np.dot: BLAS threads that wait for a busy core cost ten times the sum.
    return float(((signal.w[1:] + signal.w[:-1]) * np.diff(signal.t)).sum() / 2)


def length_of_union(stretches: Floats) -> float:
    """Seconds that at least one of these stretches (float64, k x 2) covers."""
    if len(stretches) == 0:
        return 0.0
    begins, ends = stretches[np.argsort(stretches[:, 0], kind="stable")].T
    reached = np.maximum.accumulate(ends)
    fresh = np.maximum(begins[1:], reached[:-1])
    return float(ends[0] - begins[0] + np.maximum(ends[1:] - fresh, 0).sum())


def time_percentiles(signal: Signal, shares: Sequence[float]) -> tuple[float, ...]:
    """For each share (0 to 1) the least power that the signal stays at or below for that share of its time, in W.

    By time, not by samples, and along the lines between samples: a ramp from 100 to 300 W has p50 = 200 W. Found by
    inverting the distribution function of the lines to a millionth of the signal's range.
    """
    low, high = np.minimum(signal.w[1:], signal.w[:-1]), np.maximum(signal.w[1:], signal.w[:-1])
    bottom, top = float(low.min()), float(high.max())
    if not top > bottom:
        return tuple(top for _ in shares)
    # A level stretch counts as a ramp of one tolerance: without jumps the function has an inverse everywhere.
    tolerance = 1e-6 * (top - bottom)
    lines = _Lines(low, 1 / np.maximum(high - low, tolerance), np.diff(signal.t))
    return tuple(min(lines.percentile(share, bottom, top + tolerance, tolerance), top) for share in shares)


@dataclass(frozen=True, eq=False)
class _Lines:
    """The lines of a signal by power: the lowest power of each (W), 1 / its rise (1/W) and its duration (s)."""

    low: Floats
    steep: Floats
    time: Floats

    def time_below(self, watts: float) -> float:
        part = watts - self.low
        part *= self.steep
        np.clip(part, 0.0, 1.0, out=part)
        part *= self.time
        return float(part.sum())

    def percentile(self, share: float, bottom: float, top: float, tolerance: float) -> float:
        """The inverse at one share: where there are many lines, every so many-th one says where to look first."""
        seconds = float(self.time.sum())
        wanted, tries = share * seconds, [(bottom, -share * seconds), (top, seconds - share * seconds)]
        every = len(self.time) // 4000
        if every > 1:
            few = _Lines(self.low[::every], self.steep[::every], self.time[::every])
            near = [few.percentile(min(max(share + off, 0.0), 1.0), bottom, top, tolerance) for off in (-0.02, 0.02)]
            tries += [(watts, self.time_below(watts) - wanted) for watts in near]
        least = max(tried for tried in tries if tried[1] < 0 or tried == tries[0])
        most = min(tried for tried in tries if tried[1] >= 0)
        crossing = self._crossing(least[0], most[0])
        # What is under the lower power is known; of that, the crossing lines are counted anew.
        settled = wanted + least[1] - crossing.time_below(least[0])
        return crossing._between(wanted - settled, least, most, tolerance)  # noqa: SLF001

    def _crossing(self, least: float, most: float) -> "_Lines":
        """The lines that are somewhere between two powers; the others count the same wherever one looks there."""
        kept = (self.low < most) & ((least - self.low) * self.steep < 1)
        return _Lines(self.low[kept], self.steep[kept], self.time[kept])

    def _between(self, wanted: float, least: tuple[float, float], most: tuple[float, float], tolerance: float) -> float:
        """Illinois' secant between two (W, seconds too many), a bisection every fifth turn so that none can stall."""
        (low, under), (high, over) = least, most
        turn, side = 0, 0
        while high - low > tolerance:
            turn += 1
            secant = turn % 5 != 0 and over > under
            guess = low - under * (high - low) / (over - under) if secant else (low + high) / 2
            guess = min(max(guess, low + tolerance / 2), high - tolerance / 2)
            missed = self.time_below(guess) - wanted
            if missed >= 0:
                high, over, under, side = guess, missed, under / 2 if side > 0 else under, 1
            else:
                low, under, over, side = guess, missed, over / 2 if side < 0 else over, -1
        return high
