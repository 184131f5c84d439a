"""Small power traces, and exact reference arithmetic in fractions to hold the product's against."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from math import isnan
from statistics import median

import numpy as np

from runs.domain.facts import State
from runs.domain.records import PowerAnalysis, Window
from runs.domain.trace import Clock, PowerTrace

T0 = 1_786_500_000.0
Sample = tuple[float, str, float]


def trace(samples: Iterable[Sample], clock: Clock = "utc", origin: float = T0, scope: str = "GPUs") -> PowerTrace:
    """A trace of (seconds after ``origin``, GPU, watts) in this order."""
    rows = list(samples)
    labels = tuple(sorted({gpu for _, gpu, _ in rows}))
    return PowerTrace(
        gpus=labels,
        gpu=np.array([labels.index(gpu) for _, gpu, _ in rows], dtype=np.int16),
        t=np.array([origin + t for t, _, _ in rows], dtype=np.float64),
        watts=np.array([w for _, _, w in rows], dtype=np.float64),
        clock=clock,
        tool="nvidia-smi",
        scope=scope,
    )


def window(start: float, end: float, off: float = 0.0) -> Window:
    return Window(T0 + start, T0 + end, State.STATED, off)


def steady(gpus: str, start: float, end: float, watts: float = 500.0, step: float = 1.0) -> list[Sample]:
    """Samples of constant power at an even step."""
    return [(float(t), gpu, watts) for t in np.arange(start, end + step / 2, step) for gpu in gpus]


def codes(analysis: PowerAnalysis) -> set[str]:
    return {reason.code for reason in analysis.reasons}


class Exact:
    """The same questions answered in fractions, one elementary stretch of time at a time."""

    def __init__(self, samples: Sequence[Sample], gpus: str, start: float, end: float) -> None:
        self.knots = {gpu: _knots(samples, gpu) for gpu in gpus}
        self.start, self.end = Fraction(start), Fraction(end)
        times = {t for knots in self.knots.values() for t, _ in knots if self.start < t < self.end}
        ordered = [self.start, *sorted(times), self.end]
        self.stretches = list(pairwise(ordered))

    def at(self, gpu: str, t: Fraction) -> Fraction | None:
        for (t0, w0), (t1, w1) in pairwise(self.knots[gpu]):
            if t0 <= t <= t1:
                return w0 + (w1 - w0) * (t - t0) / (t1 - t0)
        return None

    def sampled(self, gpu: str, t: Fraction) -> bool:
        knots = self.knots[gpu]
        if len(knots) < 2:
            return False
        limit = max(Fraction(3), 3 * median(b[0] - a[0] for a, b in pairwise(knots)))
        return any(a[0] <= t <= b[0] and b[0] - a[0] <= limit for a, b in pairwise(knots))

    def covered(self) -> Fraction:
        seen = sum(b - a for a, b in self.stretches if all(self.sampled(gpu, (a + b) / 2) for gpu in self.knots))
        return Fraction(seen) / (self.end - self.start)

    def pieces(self) -> list[tuple[Fraction, Fraction, Fraction]]:
        """(seconds, sum at the begin, sum at the end) of the stretches in which every GPU has a value."""
        found = []
        for a, b in self.stretches:
            firsts, lasts = ([self.at(gpu, t) for gpu in self.knots] for t in (a, b))
            if None not in firsts and None not in lasts:
                found.append((b - a, sum(w for w in firsts if w is not None), sum(w for w in lasts if w is not None)))
        return [(seconds, Fraction(w0), Fraction(w1)) for seconds, w0, w1 in found]

    def energy(self) -> Fraction:
        return sum((seconds * (w0 + w1) / 2 for seconds, w0, w1 in self.pieces()), Fraction(0))

    def seconds(self) -> Fraction:
        return sum((seconds for seconds, _, _ in self.pieces()), Fraction(0))

    def share_below(self, watts: Fraction) -> Fraction:
        below = Fraction(0)
        for seconds, w0, w1 in self.pieces():
            low, high = min(w0, w1), max(w0, w1)
            part = Fraction(int(watts >= high)) if high == low else (watts - low) / (high - low)
            below += seconds * min(max(part, Fraction(0)), Fraction(1))
        return below / self.seconds()


def _knots(samples: Sequence[Sample], gpu: str) -> list[tuple[Fraction, Fraction]]:
    by_time: dict[Fraction, list[Fraction]] = {}
    for t, label, w in samples:
        if label == gpu and not isnan(w):
            by_time.setdefault(Fraction(t), []).append(Fraction(w))
    return [(t, sum(ws, Fraction(0)) / len(ws)) for t, ws in sorted(by_time.items())]
