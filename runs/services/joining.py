"""A power log onto a run: the GPUs, the window and the clock they need, and the analysis; or a refusal in words."""

from dataclasses import dataclass, replace

import numpy as np

from runs.domain import energy
from runs.domain.edges import load_edges
from runs.domain.facts import Evidence, Setting, State
from runs.domain.records import PowerAnalysis, Remark, RunRecord, Window
from runs.domain.settling import settle
from runs.domain.trace import GpuCap, PowerTrace
from runs.domain.units import DomainError, convert
from runs.domain.zones import localise
from runs.services.answers import Problem, RefusedError
from runs.services.meta import Meta


@dataclass(frozen=True)
class Joined:
    """A run's record with its power in it, and what it was worked out with."""

    record: RunRecord
    analysis: PowerAnalysis


def gpus_of(record: RunRecord, meta: Meta, trace: PowerTrace, *, file: str) -> tuple[str, ...]:
    """Labels of the run's GPUs in the log. Raises RefusedError where they are not known: they are never guessed."""
    wanted = meta.active_gpus or _recorded(record)
    if wanted:
        if not set(wanted) & set(trace.gpus):
            expected = f"GPU {', '.join(wanted)} of the run"
            raise _refused(file, "GPU labels", expected, f"a log of GPU {', '.join(trace.gpus)}")
        return wanted
    count = record.setting("active_gpus")
    if count.is_known and count.value == len(trace.gpus):
        return trace.gpus
    stated = f"{count.value} active GPUs stated" if count.is_known else "the active GPUs not stated"
    seen = f"a log of {len(trace.gpus)} GPUs ({', '.join(trace.gpus[:16])}) and {stated}"
    raise _refused(file, "GPU labels", f"which of the {len(trace.gpus)} GPUs ran it: give active_gpus", seen)


def _recorded(record: RunRecord) -> tuple[str, ...]:
    indices = record.setting("active_gpu_indices")
    return tuple(str(one) for one in indices.value) if indices.is_known and isinstance(indices.value, tuple) else ()


def in_utc(trace: PowerTrace, meta: Meta, *, file: str) -> PowerTrace:
    """The trace with UTC times. Raises RefusedError for snapshots without times and for local times without a zone."""
    if trace.clock == "none":
        raise _refused(
            file, "times", "a log with times", "snapshots without a time: a snapshot is no mean over a window"
        )
    if trace.clock == "utc":
        return trace
    if not meta.time_zone:
        raise _refused(file, "times", "a time_zone, as the log's times have none", "local times without a zone")
    try:
        return localise(trace, meta.time_zone)
    except DomainError as error:
        raise _refused(file, "times", "local times of that zone", str(error)) from None


def touches(trace: PowerTrace, window: Window) -> bool:
    """Whether a log has a sample in the window or on both sides of it."""
    times = trace.t[np.isfinite(trace.t)]
    return len(times) > 0 and bool(times.min() <= window.end and times.max() >= window.start)


def join(record: RunRecord, trace: PowerTrace, meta: Meta, *, file: str, sha256: str, alone: bool = True) -> Joined:
    """The record with the power of its GPUs over its window. Raises RefusedError in words.

    ``alone`` says that the log cannot be another run's: only then may its load stand for the run's window.
    """
    gpus = gpus_of(record, meta, trace, file=file)
    utc = in_utc(trace, meta, file=file)
    window = record.window or _load_edges(record, utc, gpus, file=file, alone=alone)
    if not touches(utc, window):
        times = utc.t[np.isfinite(utc.t)]
        seen = f"a log from {_iso(float(times.min()))} to {_iso(float(times.max()))}" if len(times) else "no times"
        raise _refused(file, "times", f"samples between {_iso(window.start)} and {_iso(window.end)}", seen)
    try:
        analysis = energy.analyse(utc, window, gpus, _caps(record, gpus), sha256)
    except DomainError as error:
        raise _refused(file, "samples", "a log that can be analysed", str(error)) from None
    analysis = _of_the_whole_run(analysis, record)
    told = with_scope(record, trace, sha256)
    return Joined(replace(told, window=window, power=analysis), analysis)


def _of_the_whole_run(analysis: PowerAnalysis, record: RunRecord) -> PowerAnalysis:
    """Without energy and not valid where the window is of another length than the run: its joules belong to other
    tokens than those counted."""
    seconds, window = _seconds(record), analysis.window
    if seconds is None or abs(window.duration_s - seconds) <= _allowed(seconds, window):
        return analysis
    told = f"the window of {window.duration_s:.0f} s is not the run's {seconds:.0f} s: no energy is given"
    reasons = (*analysis.reasons, Remark("window-length", told))
    return replace(analysis, energy_j=None, valid=False, reasons=reasons)


def _seconds(record: RunRecord) -> float | None:
    length = record.quantity("duration")
    return float(convert(length.value, length.unit, "s")) if length and length.value is not None else None


def _allowed(seconds: float, window: Window) -> float:
    """How far a window may be from the run's duration, in s."""
    return max(0.1 * seconds, 2 * window.uncertainty_s)


def with_scope(record: RunRecord, trace: PowerTrace, sha256: str) -> RunRecord:
    """The record with what the log's watts cover, as its tool reads it."""
    evidence = (Evidence("file", sha256, "what the tool reads"),)
    scope = Setting("power_scope", State.OBSERVED, trace.scope, evidence=evidence)
    return record.with_settings(settle(record.setting("power_scope"), scope))


def _caps(record: RunRecord, gpus: tuple[str, ...]) -> tuple[GpuCap, ...]:
    cap = record.setting("power_cap_w")
    if not cap.is_known or isinstance(cap.value, bool) or not isinstance(cap.value, int | float):
        return ()
    return tuple(GpuCap(gpu, float(cap.value)) for gpu in gpus)


def _load_edges(record: RunRecord, trace: PowerTrace, gpus: tuple[str, ...], *, file: str, alone: bool) -> Window:
    """The last resort: the window between the rise and the fall of the log's own load, if it is as long as the run."""
    expected = "the run's window: given, by time_zone where the result has a date, or as a clear load in the log"
    if not alone:
        raise _refused(file, "times", expected, "several runs without a window")
    try:
        found = load_edges(trace, gpus)
    except DomainError as error:
        raise _refused(file, "times", expected, str(error)) from None
    seconds = _seconds(record)
    if seconds is not None and abs(found.duration_s - seconds) > _allowed(seconds, found):
        seen = f"a load of {found.duration_s:.0f} s in the log of a run of {seconds:.0f} s"
        raise _refused(file, "times", expected, seen)
    return found


def _iso(seconds: float) -> str:
    return str(np.datetime64(round(seconds * 1000), "ms")) + "Z"


def _refused(file: str, place: str, expected: str, seen: str) -> RefusedError:
    return RefusedError("power_not_joined", f"{file} cannot be joined with the run: expected {expected}, saw {seen}.",
                        Problem(file, place, expected, seen))  # fmt: skip
