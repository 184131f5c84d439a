"""The samples behind a run's power, thinned for a chart."""

from dataclasses import dataclass

from runs import selectors
from runs.domain.records import Window
from runs.domain.thin import Series, thin
from runs.domain.traceblob import TraceBlobError
from runs.domain.zones import localise
from runs.services.answers import MissingError, Problem, RefusedError

MAX_POINTS = 10_000


@dataclass(frozen=True)
class GpuSeries:
    """One GPU's samples: epoch seconds in ``t``, watts in ``w``; before the points in ``breaks`` the log has a gap."""

    gpu: str
    active: bool
    cap_w: float | None
    t: list[float]
    w: list[float]
    breaks: list[int]


@dataclass(frozen=True)
class PowerSeries:
    """A run's power log over all of its time, with the window that counts. ``total`` is the active GPUs' sum."""

    run: str
    tool: str
    scope: str
    window: Window
    gpus: tuple[GpuSeries, ...]
    total: GpuSeries | None


def power_series(*, run_id: str, points: int = 1000) -> PowerSeries:
    """At most ``points`` samples a series; peaks and dips are among them. Raises MissingError without run or power, and
    RefusedError where the stored copy of the log cannot be read."""
    try:
        found = selectors.run_trace(run_id)
    except TraceBlobError as error:
        raise unreadable(run_id, error) from None
    record = selectors.records([run_id]).get(run_id)
    if found is None or record is None or record.power is None:
        problem = Problem("", "run", "a run with a power log", run_id)
        raise MissingError("power_not_found", f"Run {run_id} has no power log here.", problem)
    power = record.power
    trace = localise(found.trace, found.time_zone) if found.trace.clock == "local" else found.trace
    caps = {gpu.gpu: gpu.cap_w for gpu in (*power.per_gpu, *power.idle)}
    active = [gpu for gpu in power.gpus if gpu in trace.gpus]
    idle = [gpu for gpu in trace.gpus if gpu not in power.gpus]
    busy = thin(trace, active, points)
    others = thin(trace, idle, points).per_gpu if idle else ()
    gpus = [_shape(one, one.gpu in active, caps.get(one.gpu)) for one in (*busy.per_gpu, *others)]
    whole = _shape(busy.total, True, None) if busy.total is not None else None
    return PowerSeries(run_id, trace.tool, trace.scope, power.window, tuple(gpus), whole)


def unreadable(place: str, error: TraceBlobError) -> RefusedError:
    """The refusal where the stored copy of a log cannot be read; its file as it came is still here."""
    told = "The stored copy of the power log cannot be read; the original file can still be downloaded."
    return RefusedError("power_unreadable", told, Problem("", place, "a stored power log", str(error)))


def _shape(series: Series, active: bool, cap_w: float | None) -> GpuSeries:
    return GpuSeries(series.gpu, active, cap_w, series.t.tolist(), series.w.tolist(), series.breaks.tolist())
