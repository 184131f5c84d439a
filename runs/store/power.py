"""Power logs into one compact columnar blob and back: integers where they carry the very same numbers."""

from typing import Literal, cast

import msgspec
import numpy as np
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.trace import Clock, PowerTrace
from runs.domain.units import DomainError
from runs.models import Artifact, PowerLog, PowerSamples, Run, RunPower
from runs.store.codec import text

VERSION = 1
_Floats = NDArray[np.float64]
_MISSING = np.iinfo(np.int32).min


class _Column(msgspec.Struct, frozen=True):
    """How an array of floats is written: as float64, or as int32 counts of ``1/scale`` above ``base``."""

    kind: Literal["f8", "i4"]
    size: int
    scale: int = 1
    base: float = 0.0


class _Header(msgspec.Struct, frozen=True):
    n: int
    gpus: tuple[str, ...]
    clock: str
    tool: str
    scope: str
    limit_w: tuple[float | None, ...]
    remarks: tuple[Remark, ...]
    t: _Column
    watts: _Column


def pack(trace: PowerTrace) -> bytes:
    """The trace as bytes: four of length, a JSON header, then GPUs (int16), times and watts."""
    t_column, t_bytes = _pack_floats(trace.t)
    w_column, w_bytes = _pack_floats(trace.watts)
    header = msgspec.json.encode(
        _Header(
            len(trace),
            trace.gpus,
            trace.clock,
            trace.tool,
            trace.scope,
            trace.limit_w,
            trace.remarks,
            t_column,
            w_column,
        )
    )
    gpu = np.ascontiguousarray(trace.gpu, "<i2").tobytes()
    return b"".join((len(header).to_bytes(4, "little"), header, gpu, t_bytes, w_bytes))


def unpack(blob: bytes) -> PowerTrace:
    start = 4 + int.from_bytes(blob[:4], "little")
    header = msgspec.json.decode(blob[4:start], type=_Header)
    gpu = np.frombuffer(blob, "<i2", header.n, start)
    start += gpu.nbytes
    times = _unpack_floats(blob, start, header.n, header.t)
    watts = _unpack_floats(blob, start + header.t.size, header.n, header.watts)
    return PowerTrace(
        header.gpus,
        gpu.astype(np.int16),
        times,
        watts,
        cast("Clock", header.clock),
        header.tool,
        header.scope,
        header.limit_w,
        header.remarks,
    )


def _pack_floats(values: _Floats) -> tuple[_Column, bytes]:
    """Integers half the size, but only where they give back every float to the last bit."""
    finite = np.isfinite(values)
    base = float(np.floor(values[finite].min())) if finite.any() else 0.0
    for scale in (1, 1000):
        if not finite.any() or (values[finite].max() - base) * scale >= 2**31 - 1:
            break
        counts = np.where(finite, np.rint((np.where(finite, values, base) - base) * scale), 0.0)
        if np.array_equal(base + counts[finite] / scale, values[finite]) and not np.isinf(values).any():
            small = counts.astype("<i4")
            small[~finite] = _MISSING
            return _Column("i4", small.nbytes, scale, base), small.tobytes()
    plain = np.ascontiguousarray(values, "<f8")
    return _Column("f8", plain.nbytes), plain.tobytes()


def _unpack_floats(blob: bytes, start: int, n: int, column: _Column) -> _Floats:
    if column.kind == "f8":
        return np.frombuffer(blob, "<f8", n, start).astype(np.float64)
    counts = np.frombuffer(blob, "<i4", n, start)
    values = column.base + counts / column.scale
    values[counts == _MISSING] = np.nan
    return values


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
        PowerSamples.objects.create(log=log, version=VERSION, blob=blob)
    return log


def load_trace(log_pk: int) -> PowerTrace:
    """The samples of a log, in one query."""
    row = PowerSamples.objects.get(pk=log_pk)
    if row.version != VERSION:
        raise DomainError(f"power samples of version {row.version} cannot be read; this Likewise reads {VERSION}")
    return unpack(bytes(row.blob))


def link_power(run: Run, log: PowerLog, *, gpus: tuple[str, ...], zone: str, window: tuple[float, float]) -> RunPower:
    """Which log, GPUs and window the analysis in a run's record was made with. One per run."""
    return RunPower.objects.create(
        run=run, log=log, gpus=list(gpus), time_zone=zone, window_start=window[0], window_end=window[1]
    )
