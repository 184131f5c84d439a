"""Power logs: one compact columnar blob each, and which run draws on which."""

import numpy as np

from runs.domain import traceblob
from runs.domain.trace import PowerTrace
from runs.models import Artifact, PowerLog, PowerSamples, Run, RunPower
from runs.store.codec import text

pack = traceblob.encode


def save_log(artifact: Artifact, trace: PowerTrace, blob: bytes) -> PowerLog:
    """The log of an artifact: found where it was read before, else made."""
    timed = trace.t[np.isfinite(trace.t)]
    log, made = PowerLog.objects.get_or_create(
        artifact=artifact,
        defaults={
            "samples": len(trace),
            "first": float(timed.min()) if len(timed) else None,
            "last": float(timed.max()) if len(timed) else None,
            "gpus": list(trace.gpus),
            "tool": text(trace.tool, 60),
            "clock": trace.clock,
            "scope": text(trace.scope, 40),
        },
    )
    if made:
        PowerSamples.objects.create(log=log, version=traceblob.VERSION, blob=blob)
    return log


def load_trace(log_pk: int) -> PowerTrace:
    """The samples of a log, in one query."""
    return traceblob.decode(bytes(PowerSamples.objects.values_list("blob", flat=True).get(pk=log_pk)))


def link_power(run: Run, log: PowerLog, *, gpus: tuple[str, ...], zone: str, window: tuple[float, float]) -> RunPower:
    """Which log, GPUs and window the analysis in a run's record was made with. One per run."""
    return RunPower.objects.create(
        run=run, log=log, gpus=list(gpus), time_zone=zone, window_start=window[0], window_end=window[1]
    )
