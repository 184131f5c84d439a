"""Which GPU a row is of, where the log does not say: the same number of rows at every tick."""

import numpy as np
import polars as pl
from numpy.typing import NDArray

from runs.readers.base import MAX_GPUS


def rows_per_tick(t: NDArray[np.float64]) -> int | None:
    """How many rows make a tick of a log with times ``t`` (s, in file order); None where that is not constant.

    The rows of one tick lie within milliseconds, ticks further apart: the first step over half of the largest early
    step ends a tick, and every tick must then have as many rows and be shorter than half the step to the next.
    """
    if len(t) < 2:
        return 1
    steps = np.diff(t)
    largest = float(steps[: 4 * MAX_GPUS].max())
    if largest <= 0 or not (steps <= largest / 2).any():
        return 1 if largest > 0 else None
    count = int(np.flatnonzero(steps > largest / 2)[0]) + 1
    whole = t[: len(t) // count * count].reshape(-1, count)
    lengths = whole[:, -1] - whole[:, 0]
    between = whole[1:, 0] - whole[:-1, -1]
    if len(between) and (lengths.max() > 0.5 * np.median(between) or between.min() <= lengths.max()):
        return None
    return count


def labels_by_position(rows: int, count: int) -> pl.Series:
    """Labels "0" to "count - 1" in turn, for ``rows`` rows."""
    names = pl.Series([str(index) for index in range(count)], dtype=pl.String)
    return names.gather(pl.Series(np.arange(rows) % count))
