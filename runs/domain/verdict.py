"""What speaks against a power analysis, and what a reader must know of it: one small rule each."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from runs.domain.records import GpuPower, Remark, Window
from runs.domain.signals import Signal
from runs.domain.trace import PowerTrace

LEAST_COVERED = 0.95
LEAST_WINDOW_S = 10.0
LEAST_SAMPLES = 5
GREATEST_GPU_W = 5000.0
GREATEST_OVER_CAP = 3.0
FURTHEST_SHIFT_H = 14

NOTES = frozenset({"zone-suggestion", "partly-covered", "missing-values", "window-uncertain", "idle-gpus-busy"})
"""Codes that inform and leave the verdict alone."""


@dataclass(frozen=True, eq=False)
class Case:
    """All that the rules look at. Signals count seconds from the window's start; ``pieces`` are those in the window."""

    trace: PowerTrace
    window: Window
    parts: tuple[Signal, ...]
    pieces: tuple[Signal | None, ...]
    per_gpu: tuple[GpuPower, ...]
    idle: tuple[GpuPower, ...]
    covered: float
    mean_w: float | None
    mean_low_w: float | None
    mean_high_w: float | None

    @cached_property
    def present(self) -> tuple[Signal, ...]:
        """The active GPUs of which the log has any value."""
        return tuple(part for part in self.parts if len(part.t))

    @cached_property
    def bracketed(self) -> bool:
        """Whether every active GPU has a sample at or before the start and at or after the end, or one interval off."""
        return len(self.present) == len(self.parts) and not self.unbracketed

    @cached_property
    def unbracketed(self) -> tuple[str, ...]:
        seconds = self.window.duration_s
        return tuple(
            part.gpu
            for part in self.present
            if float(part.t[0]) > (part.interval or 0.0) or float(part.t[-1]) < seconds - (part.interval or 0.0)
        )


Rule = Callable[[Case], Iterator[Remark]]


def is_silent(piece: Signal | None) -> bool:
    """Whether a GPU's samples in the window are all 0 W: what a tool writes for a GPU that it cannot measure."""
    return piece is not None and not piece.w.any()


def reasons(case: Case) -> tuple[Remark, ...]:
    """What all rules find, in their order."""
    return tuple(remark for rule in RULES for remark in rule(case))


def missing_gpu(case: Case) -> Iterator[Remark]:
    """An active GPU of which the log has no value: the sum over the active GPUs cannot be said."""
    absent = [part.gpu for part in case.parts if not len(part.t)]
    if absent:
        known = ", ".join(case.trace.gpus)
        yield Remark("gpu-missing", f"the log has no value of active GPU {', '.join(absent)}; GPUs in the log: {known}")


def outside_log(case: Case) -> Iterator[Remark]:
    """No active GPU has samples over any part of the window."""
    if case.covered > 0 or not case.present:
        return
    start, end = case.window.start, case.window.end
    first = start + min(float(part.t[0]) for part in case.present)
    last = start + max(float(part.t[-1]) for part in case.present)
    yield Remark(
        "outside-log",
        f"no part of the window, {clock_text(start)} to {clock_text(end)}, has samples of every active GPU; "
        f"the log runs from {clock_text(first)} to {clock_text(last)}",
    )


def zone_suggestion(case: Case) -> Iterator[Remark]:
    """Whole and half hours by which the window would fall into the log: a suggestion, never applied."""
    if case.covered > 0 or len(case.present) < len(case.parts):
        return
    halves = sorted(range(-2 * FURTHEST_SHIFT_H, 2 * FURTHEST_SHIFT_H + 1), key=lambda half: (half % 2, abs(half)))
    fitting = [f"{half / 2:+g} h" for half in halves if half and _fits(case, half * 1800.0)]
    if fitting:
        first, others = fitting[0], ", ".join(fitting[1:4])
        move = f"{first} (so would {others})" if others else first
        yield Remark(
            "zone-suggestion", f"the log would cover the window if it were moved by {move}: check the time zone"
        )


def _fits(case: Case, shift: float) -> bool:
    start, end = shift, shift + case.window.duration_s
    for part in case.parts:
        slack = part.interval or 0.0
        if part.t[0] > start + slack or part.t[-1] < end - slack:
            return False
        if np.searchsorted(part.t, end, "right") == np.searchsorted(part.t, start):
            return False
    return True


def gap(case: Case) -> Iterator[Remark]:
    """A step between samples over max(3 s, 3 median intervals)."""
    for part, power in zip(case.parts, case.per_gpu, strict=True):
        if power.largest_gap_s is not None and power.largest_gap_s > part.gap_limit:
            limit = f"{part.gap_limit:g} s are allowed at a median interval of {part.interval:g} s"
            yield Remark("gap", f"GPU {part.gpu}: {power.largest_gap_s:g} s without a sample; {limit}")


def coverage(case: Case) -> Iterator[Remark]:
    """Under 95 % of the window covered (no energy), or not all of it (a note)."""
    share = f"{100 * case.covered:.1f} % of the window of {case.window.duration_s:g} s"
    if case.covered < LEAST_COVERED:
        yield Remark("under-covered", f"samples cover {share}, under 95 %: no energy is given")
    elif case.covered < 1 - 1e-9:
        yield Remark("partly-covered", f"samples cover {share}; mean and energy are of the part that the log spans")


def bracket(case: Case) -> Iterator[Remark]:
    """The log begins after the window or ends before it, by more than one interval."""
    if case.unbracketed:
        gpus = ", ".join(case.unbracketed)
        yield Remark("not-bracketed", f"GPU {gpus}: the log does not reach from before the window's start to its end")


def short_window(case: Case) -> Iterator[Remark]:
    """Tools average over about a second: a short window says little."""
    if case.window.duration_s < LEAST_WINDOW_S:
        yield Remark("short-window", f"the window is {case.window.duration_s:g} s long, under {LEAST_WINDOW_S:g} s")


def few_samples(case: Case) -> Iterator[Remark]:
    """A line between a handful of snapshots is no mean, however regular they are."""
    few = {power.gpu: power.samples for power in case.per_gpu if power.samples < LEAST_SAMPLES}
    if case.covered > 0 and few:
        counts = ", ".join(f"GPU {gpu}: {count}" for gpu, count in few.items())
        yield Remark("few-samples", f"under {LEAST_SAMPLES} samples in the window: {counts}")


def implausible(case: Case) -> Iterator[Remark]:
    """Watts that no GPU draws: negative, far above the cap, above 5,000 W; or nothing but zeros."""
    zeros = []
    for part, piece, power in zip(case.parts, case.pieces, case.per_gpu, strict=True):
        if piece is None:
            continue
        least, most = float(piece.w.min()), float(piece.w.max())
        if least < 0:
            yield Remark("unit-implausible", f"GPU {part.gpu}: {least:g} W is below zero")
        if power.cap_w and most > GREATEST_OVER_CAP * power.cap_w:
            yield Remark("unit-implausible", f"GPU {part.gpu}: {most:g} W is over 3 times its cap of {power.cap_w:g} W")
        elif case.trace.scope == "GPUs" and most > GREATEST_GPU_W:
            yield Remark("unit-implausible", f"GPU {part.gpu}: {most:g} W is more than a GPU draws: milliwatts?")
        if is_silent(piece):
            zeros.append(part.gpu)
    if zeros and len(zeros) == len(case.parts):
        yield Remark("all-zero", "every sample of every active GPU is 0 W: nothing was measured, so there is no power")
    elif zeros:
        told = f"GPU {', '.join(zeros)}: every sample is 0 W: the tool did not measure it, so there is no sum"
        yield Remark("gpu-zero", told)


def missing_values(case: Case) -> Iterator[Remark]:
    """Samples that carry no value are left out of every figure."""
    missing = sum(power.missing for power in case.per_gpu)
    if missing:
        taken = sum(power.samples for power in case.per_gpu)
        yield Remark("missing-values", f"{missing} of {missing + taken} samples in the window carry no value")


def uncertain_window(case: Case) -> Iterator[Remark]:
    """How far the mean moves when the window's edges move by their uncertainty."""
    off = case.window.uncertainty_s
    if off > 0 and case.mean_low_w is not None and case.mean_high_w is not None:
        span = f"{case.mean_low_w:.1f} to {case.mean_high_w:.1f} W"
        yield Remark("window-uncertain", f"the window's edges are known to {off:g} s; over that the mean is {span}")
    elif off > 0 and case.mean_w is not None:
        yield Remark("window-uncertain", f"the window's edges are known to {off:g} s only, too coarse for its length")


def busy_idle(case: Case) -> Iterator[Remark]:
    """GPUs said to be idle that draw more than half of what the active ones do: the wrong ones may be named."""
    means = [power.mean_w for power in case.per_gpu if power.mean_w is not None]
    if not means:
        return
    active = sum(means) / len(means)
    busy = [power.gpu for power in case.idle if power.mean_w is not None and power.mean_w > active / 2 > 0]
    if busy:
        gpus = ", ".join(busy)
        yield Remark("idle-gpus-busy", f"GPU {gpus} is not among the active ones but draws over half of their mean")


RULES: tuple[Rule, ...] = (
    missing_gpu,
    outside_log,
    zone_suggestion,
    gap,
    coverage,
    bracket,
    short_window,
    few_samples,
    implausible,
    missing_values,
    uncertain_window,
    busy_idle,
)


def clock_text(epoch: float) -> str:
    """An instant as a person reads it: 2026-08-12 14:15:30 UTC."""
    try:
        return f"{datetime.fromtimestamp(epoch, UTC):%Y-%m-%d %H:%M:%S} UTC"
    except (OverflowError, OSError, ValueError):
        return f"{epoch:g} s"
