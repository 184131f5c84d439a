"""The samples behind a run's power, thinned for a chart."""

from dataclasses import dataclass

import numpy as np
from tsdownsample import MinMaxLTTBDownsampler

from runs import selectors
from runs.domain.records import Window
from runs.domain.zones import localise
from runs.services.answers import MissingError, Problem

MAX_POINTS = 10_000
_thin = MinMaxLTTBDownsampler()  # type: ignore[no-untyped-call]


@dataclass(frozen=True)
class GpuSeries:
    """One GPU's samples: epoch seconds in ``t``, watts in ``w``. ``samples`` is how many there were before thinning."""

    gpu: str
    active: bool
    samples: int
    cap_w: float | None
    t: list[float]
    w: list[float]


@dataclass(frozen=True)
class PowerSeries:
    """A run's power log over all of its time, with the window that counts."""

    run: str
    tool: str
    scope: str
    window: Window
    gpus: tuple[GpuSeries, ...]


def power_series(*, run_id: str, points: int = 1000) -> PowerSeries:
    """At most ``points`` samples a GPU; minima and maxima are among them. Raises MissingError without run or power."""
    found = selectors.run_trace(run_id)
    record = selectors.records([run_id]).get(run_id)
    if found is None or record is None or record.power is None:
        problem = Problem("", "run", "a run with a power log", run_id)
        raise MissingError("power_not_found", f"Run {run_id} has no power log here.", problem)
    trace = localise(found.trace, found.time_zone) if found.trace.clock == "local" else found.trace
    caps = {gpu.gpu: gpu.cap_w for gpu in (*record.power.per_gpu, *record.power.idle)}
    series = []
    for index, gpu in enumerate(trace.gpus):
        mine = (trace.gpu == index) & np.isfinite(trace.t) & np.isfinite(trace.watts)
        order = np.argsort(trace.t[mine], kind="stable")
        t, w = trace.t[mine][order], trace.watts[mine][order]
        if len(t) > points:
            kept = _thin.downsample(t, w, n_out=points)
            thin_t, thin_w = t[kept].tolist(), w[kept].tolist()
        else:
            thin_t, thin_w = t.tolist(), w.tolist()
        series.append(GpuSeries(gpu, gpu in record.power.gpus, len(t), caps.get(gpu), thin_t, thin_w))
    return PowerSeries(run_id, trace.tool, trace.scope, record.power.window, tuple(series))
