"""A power log as arrays: one entry a sample, never a row in a database."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.units import DomainError

Clock = Literal["utc", "local", "none"]


@dataclass(frozen=True, eq=False)
class PowerTrace:
    """Samples of GPU power from one log.

    ``gpus`` are the labels the tool gave ("0", "1", a UUID); ``gpu`` (int16, shape n) indexes into them; ``t``
    (float64, n, seconds) is epoch time when ``clock`` is ``utc``, wall-clock time counted as if it were UTC when
    ``local`` (a zone is still to come), and NaN when ``none`` (snapshots without a time); ``watts`` (float64, n) is NaN
    where the tool gave no value. Samples keep the order of the file. ``limit_w`` is the cap per GPU that the log
    itself carries, None where it carries none.
    """

    gpus: tuple[str, ...]
    gpu: NDArray[np.int16]
    t: NDArray[np.float64]
    watts: NDArray[np.float64]
    clock: Clock
    tool: str
    scope: str = "GPUs"
    limit_w: tuple[float | None, ...] = ()
    remarks: tuple[Remark, ...] = ()

    def __post_init__(self) -> None:
        if not len(self.gpu) == len(self.t) == len(self.watts):
            raise DomainError("a power trace needs a GPU, a time and a value (or NaN) for every sample")

    def __len__(self) -> int:
        return len(self.t)


@dataclass(frozen=True)
class GpuCap:
    """The power cap of one GPU as a tool reported it, in W; ``maximum_w`` is what the board allows."""

    gpu: str
    cap_w: float
    maximum_w: float | None = None
