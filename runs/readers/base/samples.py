"""Power samples: the words that mean "no value", plausibility, and the trace that a log becomes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.trace import Clock, PowerTrace
from runs.readers.base.contract import ReadError, Upload, clean_text, excerpt

MAX_SAMPLES = 20_000_000
MAX_GPUS = 1024
MAX_WATTS = 20_000.0
EPOCH = (946_684_800.0, 4_102_444_800.0)  # the years 2000 to 2100

_MISSING = frozenset({"", "n/a", "na", "-", "nan", "none", "null", "unknown error", "not supported"})


def is_missing_word(text: str) -> bool:
    """Whether a cell says that there is no value: "N/A", "N/A mV", "[GPU is lost]", "-"."""
    bare = text.strip().lower()
    return bare in _MISSING or bare.startswith("n/a ") or (bare.startswith("[") and bare.endswith("]"))


def watts_of(value: object, unit: object = "W") -> float | None:
    """A power in W, NaN for "no value", None for what is neither.

    Takes a number, "142 W", {"value": 142, "unit": "W"}, and the words and null that mean "no value".
    """
    if isinstance(value, dict):
        return watts_of(value.get("value"), value.get("unit", "W"))
    if value is None or (isinstance(value, str) and is_missing_word(value)):
        return float("nan")
    if isinstance(value, str):
        value, _, said = value.strip().partition(" ")
        unit = said or "W"
    if isinstance(value, bool) or not isinstance(value, int | float | str) or unit not in ("W", "", None):
        return None
    try:
        return float(value)
    except ValueError:
        return None
    except OverflowError:
        return float("inf")


@dataclass(frozen=True, eq=False)
class RawSamples:
    """The n samples of a log as a parser found them.

    ``labels`` names the GPU (text, n), ``t`` is in s (n; None without a clock), ``watts`` in W (n, NaN missing).
    ``locate(i)`` names the place of sample i for errors, ``locate_time(i)`` that of its time; ``limits`` the cap in W
    that the log carries by GPU, ``scope`` what the watts cover.
    """

    labels: pl.Series
    t: NDArray[np.float64] | None
    watts: NDArray[np.float64]
    clock: Clock
    tool: str
    locate: Callable[[int], str]
    limits: dict[str, float | None] | None = None
    locate_time: Callable[[int], str] | None = None
    scope: str = "GPUs"
    remarks: Sequence[Remark] = ()


def build_trace(upload: Upload, raw: RawSamples) -> PowerTrace:
    """The trace of the samples of a log, with remarks on what is odd about them.

    Raises ReadError for no samples, too many, too many GPUs, and for watts or times that are no such thing.
    """
    count, t, watts = len(raw.watts), raw.t, raw.watts
    if not count:
        raise ReadError(upload.name, "", "samples of GPU power", "none")
    if count > MAX_SAMPLES:
        raise ReadError(upload.name, "", f"at most {MAX_SAMPLES} samples", str(count))
    absurd = (watts < 0) | (watts > MAX_WATTS)
    _refuse(upload, raw.locate, absurd, watts, f"0 to {MAX_WATTS:.0f} W for one GPU")
    if raw.clock == "utc" and t is not None:
        where = raw.locate_time or raw.locate
        _refuse(upload, where, ~((t > EPOCH[0]) & (t < EPOCH[1])), t, "a time in seconds since 1970")
    gpus, codes = _gpus(upload, raw.labels)
    cap = tuple((raw.limits or {}).get(gpu) for gpu in gpus)
    said = [*raw.remarks, *_time_remarks(raw.clock, t), *_watt_remarks(gpus, codes, watts)]
    return PowerTrace(
        gpus=gpus, gpu=codes, t=np.full(count, np.nan) if t is None else t, watts=watts, clock=raw.clock,
        tool=raw.tool, scope=raw.scope, limit_w=cap if any(limit is not None for limit in cap) else (),
        remarks=tuple(said),
    )  # fmt: skip


def gpu_label(text: str) -> str:
    """A GPU's label as it is kept: stripped, unquoted, safe to show."""
    return clean_text(text.strip(' "'), 80)


def _gpus(upload: Upload, labels: pl.Series) -> tuple[tuple[str, ...], NDArray[np.int16]]:
    """The different GPUs in order of appearance, and which of them each sample is of."""
    raw = labels.unique(maintain_order=True)
    if raw.len() > MAX_GPUS:
        raise ReadError(upload.name, "", f"at most {MAX_GPUS} GPUs", str(raw.len()))
    names = [gpu_label(str(name)) for name in raw]
    gpus = tuple(dict.fromkeys(names))
    codes = labels.cast(pl.Enum(raw)).to_physical().to_numpy()
    if "" in names:
        nameless = int(np.argmax(codes == names.index("")))
        raise ReadError(upload.name, f"sample {nameless + 1}", "the GPU of every sample", "a sample without one")
    if len(gpus) == len(names):
        return gpus, codes.astype(np.int16)
    return gpus, np.array([gpus.index(name) for name in names], dtype=np.int16)[codes]


def _refuse(
    upload: Upload,
    locate: Callable[[int], str],
    bad: NDArray[np.bool_],
    values: NDArray[np.float64],
    expected: str,
) -> None:
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise ReadError(upload.name, locate(first), expected, excerpt(f"{values[first]:.15g}"))


def _time_remarks(clock: Clock, t: NDArray[np.float64] | None) -> list[Remark]:
    if clock == "none" or t is None:
        return [Remark("no-time", "the log has no time: its samples are snapshots and give no mean and no energy")]
    steps = np.diff(t)
    back = np.flatnonzero(steps < -0.5)
    if not len(back):
        return []
    jump = float(-steps[back[0]])
    place = f"sample {int(back[0]) + 2}"
    if clock == "local" and 3000 <= jump <= 4200:
        said = f"the local clock goes back {jump:.0f} s, as at the end of summer time: times there occur twice"
        return [Remark("clock-fold", said, place)]
    said = f"time goes back {len(back)} times, first by {jump:.3f} s: two logs in one file, or a clock that was set"
    return [Remark("clock-back", said, place)]


def _watt_remarks(gpus: tuple[str, ...], codes: NDArray[np.int16], watts: NDArray[np.float64]) -> list[Remark]:
    remarks: list[Remark] = []
    missing = np.isnan(watts)
    if watts.all() and not missing.any():  # NaN counts as true
        return []
    if missing.any():
        remarks.append(Remark("missing-values", f"{int(missing.sum())} of {len(watts)} samples carry no value"))
    count = len(gpus)
    known = np.bincount(codes, weights=~missing, minlength=count)
    nonzero = np.bincount(codes, weights=~missing & (watts != 0), minlength=count)
    zero = [gpu for gpu, seen, live in zip(gpus, known, nonzero, strict=True) if seen and not live]
    if zero:
        said = f"GPU {', '.join(zero)} reads 0 W throughout: some dies report nothing, which is no measurement of 0 W"
        remarks.append(Remark("zero-watts", said))
    empty = [gpu for gpu, seen in zip(gpus, known, strict=True) if not seen]
    if empty:
        remarks.append(Remark("no-watts", f"GPU {', '.join(empty)} has no value in any sample"))
    return remarks
