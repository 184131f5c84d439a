"""Power of a run: a trace and a window in, mean, energy, peak and a verdict out (design, section 7).

Method. Each GPU's samples are joined by straight lines and integrated by the trapezoid, interpolated at the window's
edges; the sum exists where every active GPU has a value, and its energy is the sum of the GPUs' energies there.
Nothing is drawn beyond a log's first and last sample: the mean is over the part of the window that the log spans. A
gap inside it is bridged by its line but not counted as covered, and under 95 % covered there is no energy.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from runs.domain.records import GpuPower, PowerAnalysis, Window
from runs.domain.signals import PowerError, Signal, integral, length_of_union, signals, time_percentiles, total
from runs.domain.trace import GpuCap, PowerTrace
from runs.domain.verdict import LEAST_COVERED, NOTES, Case, is_silent, reasons

__all__ = ["NOTES", "PowerError", "analyse", "require_utc"]


def analyse(
    trace: PowerTrace,
    window: Window,
    gpus: Sequence[str] | None = None,
    caps: Sequence[GpuCap] | None = None,
    log_sha256: str = "",
) -> PowerAnalysis:
    """Mean, energy, peak and percentiles of the active GPUs over the window, per GPU and for their sum.

    ``gpus`` are the active ones by the log's labels (None: all of the log); the others of the log are reported apart,
    as ``idle``. ``caps`` go before the caps that the log itself carries. All figures are of ``trace.scope``.

    ``mean_w`` is time-weighted, over the part of the window that the log spans; ``energy_j`` is the integral over that
    part and None where under 95 % of the window is covered; ``peak_w``, ``p50_w`` and ``p95_w`` are of the lines, by
    time. ``interval_s`` is the coarsest of the active GPUs' median intervals, ``covered`` the share of the window in
    which all of them have samples. Samples of one stamp count as their average, except in ``above_cap``, which counts
    the samples of the file. All are None where no active GPU's samples span any of it, where one is missing, and where
    one has nothing but zeros in it: no GPU draws 0 W, its tool did not measure it.
    ``mean_low_w`` and ``mean_high_w`` say how far the mean moves when the window's edges move by their uncertainty.
    ``valid`` is False when ``reasons`` holds any code that is not in :data:`NOTES`.

    Raises :class:`PowerError` for times that are not UTC, an endless window, and labels of which the log knows none.
    """
    require_utc(trace)
    if not np.isfinite(window.duration_s):
        raise PowerError(f"a window from {window.start} to {window.end} has no length")
    active = active_gpus(trace, gpus)
    case, figures = _case(trace, window, active, _caps(trace, caps or ()))
    steps = [part.interval for part in case.parts if part.interval is not None]
    gaps = [power.largest_gap_s for power in case.per_gpu if power.largest_gap_s is not None]
    found = reasons(case)
    return PowerAnalysis(
        gpus=active,
        scope=trace.scope,
        tool=trace.tool,
        window=window,
        mean_w=figures.mean_w,
        energy_j=figures.energy_j if case.covered >= LEAST_COVERED else None,
        peak_w=figures.peak_w,
        p50_w=figures.p50_w,
        p95_w=figures.p95_w,
        per_gpu=case.per_gpu,
        idle=case.idle,
        interval_s=max(steps, default=None),
        largest_gap_s=max(gaps, default=None),
        covered=case.covered,
        bracketed=case.bracketed,
        valid=all(reason.code in NOTES for reason in found),
        reasons=found,
        log_sha256=log_sha256,
        mean_low_w=case.mean_low_w,
        mean_high_w=case.mean_high_w,
    )


def _case(
    trace: PowerTrace, window: Window, active: tuple[str, ...], limits: dict[str, float]
) -> tuple[Case, "_Figures"]:
    """All that the rules of the verdict look at, and the figures of the active GPUs' sum."""
    seconds = window.duration_s
    parts = signals(trace, active, window.start)
    pieces = tuple(part.clip(0.0, seconds) for part in parts)
    per_gpu = tuple(
        _gpu_power(part, piece, seconds, limits.get(part.gpu)) for part, piece in zip(parts, pieces, strict=True)
    )
    idle = tuple(
        _gpu_power(part, part.clip(0.0, seconds), seconds, limits.get(part.gpu))
        for part in signals(trace, tuple(gpu for gpu in trace.gpus if gpu not in active), window.start)
    )
    covered = _covered(parts, seconds)
    silent = any(is_silent(piece) for piece in pieces)
    whole = total(pieces) if covered > 0 and not silent else None
    figures = _figures(whole)
    low, high = _mean_span(parts, whole, window) if whole is not None else (None, None)
    return Case(trace, window, parts, pieces, per_gpu, idle, covered, figures.mean_w, low, high), figures


def require_utc(trace: PowerTrace) -> None:
    """Refuse a trace that cannot be laid beside a window."""
    if trace.clock == "local":
        raise PowerError(f"the times of this {trace.tool} log are local: say in which time zone before they are used")
    if trace.clock == "none":
        raise PowerError(f"this {trace.tool} log carries no times: a snapshot of power has no mean over a window")


def active_gpus(trace: PowerTrace, gpus: Sequence[str] | None) -> tuple[str, ...]:
    """The active GPUs by label; raises :class:`PowerError` for none at all, one named twice, or none that is known."""
    active = tuple(trace.gpus if gpus is None else gpus)
    known = ", ".join(trace.gpus) or "none"
    if not active:
        raise PowerError(f"no active GPU named; GPUs in the log: {known}")
    if len(set(active)) < len(active):
        raise PowerError(f"a GPU is named twice among the active ones: {', '.join(active)}")
    if not set(active) & set(trace.gpus):
        raise PowerError(f"the log has none of the GPUs {', '.join(active)}; GPUs in the log: {known}")
    return active


def _caps(trace: PowerTrace, given: Sequence[GpuCap]) -> dict[str, float]:
    limits = {gpu: cap for gpu, cap in zip(trace.gpus, trace.limit_w, strict=False) if cap is not None}
    return limits | {cap.gpu: cap.cap_w for cap in given}


def _gpu_power(part: Signal, piece: Signal | None, seconds: float, cap_w: float | None) -> GpuPower:
    inside = part.values[(part.stamps >= 0) & (part.stamps <= seconds)]
    missing = len(inside) - int(np.count_nonzero(np.isfinite(inside)))
    covered = _covered((part,), seconds)
    begins, ends = part.steps(0.0, seconds)
    seen = piece if covered > 0 and not is_silent(piece) else None
    joules = integral(seen) if seen is not None else None
    return GpuPower(
        gpu=part.gpu,
        samples=len(inside) - missing,
        missing=missing,
        mean_w=joules / seen.seconds if seen is not None and joules is not None else None,
        energy_j=joules if covered >= LEAST_COVERED else None,
        peak_w=float(seen.w.max()) if seen is not None else None,
        covered=covered,
        largest_gap_s=float((ends - begins).max()) if piece is not None else None,
        cap_w=cap_w,
        above_cap=int(np.count_nonzero(inside > cap_w)) if cap_w is not None else None,
    )


def _covered(parts: Sequence[Signal], seconds: float) -> float:
    """Share of the window in which all of these have samples."""
    holes = np.concatenate([part.holes(0.0, seconds) for part in parts])
    return max(seconds - length_of_union(holes), 0.0) / seconds


@dataclass(frozen=True)
class _Figures:
    mean_w: float | None = None
    energy_j: float | None = None
    peak_w: float | None = None
    p50_w: float | None = None
    p95_w: float | None = None


def _figures(whole: Signal | None) -> _Figures:
    if whole is None:
        return _Figures()
    joules = integral(whole)
    p50, p95 = time_percentiles(whole, (0.50, 0.95))
    return _Figures(joules / whole.seconds, joules, float(whole.w.max()), p50, p95)


def _mean_span(parts: Sequence[Signal], whole: Signal, window: Window) -> tuple[float | None, float | None]:
    """Least and greatest mean over windows whose edges lie within the uncertainty, on a grid of five by five.

    Only the slivers at the edges are integrated anew; an edge stays inside the log.
    """
    reach = window.uncertainty_s
    start, end = float(whole.t[0]), float(whole.t[-1])
    if not reach > 0 or 2 * reach >= end - start:
        return None, None
    joules = integral(whole)
    begins = [_sliver(parts, start, start + off) for off in np.linspace(-reach, reach, 5)]
    closes = [_sliver(parts, end, end + off) for off in np.linspace(-reach, reach, 5)]
    means = [
        (joules - early + late) / (whole.seconds - before + after) for before, early in begins for after, late in closes
    ]
    return min(means), max(means)


def _sliver(parts: Sequence[Signal], edge: float, moved: float) -> tuple[float, float]:
    """Signed seconds and joules of the sum from an edge to where it is moved, as far as the log reaches."""
    piece = total([part.clip(min(edge, moved), max(edge, moved)) for part in parts])
    if piece is None:
        return 0.0, 0.0
    sign = 1.0 if moved > edge else -1.0
    return sign * piece.seconds, sign * integral(piece)
