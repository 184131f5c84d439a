"""Which field is the power of a GPU, and how samples from JSON or text become a trace."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from runs.domain.records import Remark
from runs.domain.trace import PowerTrace
from runs.readers.base import MAX_SAMPLES, RawSamples, ReadError, Upload, build_trace

METRIC = "amd-smi metric"
MONITOR = "amd-smi monitor"

# in order of preference: which of them is filled differs by generation of the GPU and of the tool
POWER_FIELDS = ("socket_power", "current_socket_power", "average_socket_power", "current_power")
MONITOR_FIELD = "power_usage"


@dataclass(frozen=True)
class Sample:
    """One GPU at one tick: power fields by name in W (NaN missing), its time in epoch seconds, where it stands."""

    gpu: str
    time: float | None
    watts: Mapping[str, float]
    place: str
    limit_w: float | None = None


@dataclass
class Samples:
    """Samples as a parser finds them, and the remarks it makes on the way."""

    upload: Upload
    tool: str = METRIC
    found: list[Sample] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    without_power: int = 0

    def add(self, sample: Sample) -> None:
        if len(self.found) >= MAX_SAMPLES:
            raise ReadError(self.upload.name, sample.place, f"at most {MAX_SAMPLES} samples", "more")
        self.found.append(sample)

    def trace(self) -> PowerTrace:
        """The trace of the samples. Raises ReadError where there are none, or only some of them have a time."""
        timed = [sample.time is not None for sample in self.found]
        if any(timed) and not all(timed):
            place = self.found[timed.index(False)].place
            raise ReadError(self.upload.name, place, "a timestamp, as other samples have", "none")
        if self.without_power:
            said = f"{self.without_power} elements have no power field at all and were left out"
            self.remarks.append(Remark("no-power", said))
        filled, remark = filled_field({name: self._column(name) for name in self._fields()})
        times = np.array([sample.time for sample in self.found], dtype=np.float64) if any(timed) else None
        limits = {sample.gpu: sample.limit_w for sample in self.found}
        raw = RawSamples(
            labels=pl.Series([sample.gpu for sample in self.found], dtype=pl.String), t=times,
            watts=self._column(filled), clock="none" if times is None else "utc", tool=self.tool,
            locate=lambda index: self.found[index].place, limits=limits, remarks=(*self.remarks, *remark),
        )  # fmt: skip
        return build_trace(self.upload, raw)

    def _fields(self) -> list[str]:
        present = {name for sample in self.found for name in sample.watts}
        return [name for name in (*POWER_FIELDS, MONITOR_FIELD) if name in present]

    def _column(self, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        return np.array([sample.watts.get(name, math.nan) for sample in self.found], dtype=np.float64)


def filled_field(columns: Mapping[str, np.ndarray[tuple[int], np.dtype[np.float64]]]) -> tuple[str, list[Remark]]:
    """The first field that has a value anywhere (or the first of all), with a remark where a choice was made."""
    filled = [name for name, values in columns.items() if not np.isnan(values).all()]
    chosen = (filled or list(columns) or [""])[0]
    if len(columns) < 2:
        return chosen, []
    said = f"power is read from {chosen}; the log also has {', '.join(name for name in columns if name != chosen)}"
    return chosen, [Remark("power-field", said)]
