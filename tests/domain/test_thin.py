"""A trace thinned for a chart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.signals import PowerError
from runs.domain.thin import thin
from tests.domain.power import T0, Sample, steady, trace

steps = st.lists(
    st.tuples(st.sampled_from([0.25, 1.0, 1.0, 2.0, 30.0]), st.integers(-50, 900)), min_size=2, max_size=200
)


@settings(deadline=None)
@given(steps, st.integers(4, 60))
def test_keeps_peaks_and_ends_within_the_bound(rows: list[tuple[float, int]], points: int) -> None:
    times = np.cumsum([step for step, _ in rows])
    log = trace([(float(t), "0", float(w)) for t, (_, w) in zip(times, rows, strict=True)])
    found = thin(log, None, points)
    series = found.per_gpu[0]
    assert len(series.t) <= points
    assert series.w.min() == log.watts.min() and series.w.max() == log.watts.max()
    assert (series.t[0], series.t[-1]) == (log.t[0], log.t[-1])
    assert np.all(np.diff(series.t) > 0)
    assert set(zip(series.t, series.w, strict=True)) <= set(zip(log.t, log.watts, strict=True))
    if len(rows) <= points:
        assert len(series.t) == len(rows)


def test_peak_of_the_sum_is_kept() -> None:
    """Two GPUs that peak at one moment among many peaks at different moments."""
    rows: list[Sample] = [(float(t), g, 600.0 if t % 7 == int(g) else 100.0) for t in range(1000) for g in "01"]
    rows += [(500.5, "0", 590.0), (500.5, "1", 590.0)]
    total = thin(trace(rows), None, 50).total
    assert total is not None and total.w.max() == 1180 and total.w.min() == 200
    assert len(total.t) <= 50


def test_pen_is_lifted_at_a_gap() -> None:
    found = thin(trace(steady("01", 0, 50) + steady("01", 100, 150)), ["1"], 40)
    (series,) = found.per_gpu
    assert series.gpu == "1"
    assert [series.t[at] >= T0 + 100 and series.t[at - 1] <= T0 + 50 for at in series.breaks] == [True]


def test_sum_is_not_drawn_inside_one_gpu_s_gap() -> None:
    total = thin(trace(steady("0", 0, 150) + steady("1", 0, 50) + steady("1", 100, 150)), None, 500).total
    assert total is not None
    assert not np.any((total.t > T0 + 50) & (total.t < T0 + 100))
    assert total.t[total.breaks].tolist() == [T0 + 100]


def test_span() -> None:
    found = thin(trace(steady("0", 0, 100)), None, 100, (T0 + 10, T0 + 20)).per_gpu[0]
    assert (found.t[0], found.t[-1], len(found.t)) == (T0 + 10, T0 + 20, 11)
    assert len(thin(trace(steady("0", 0, 100)), None, 100, (T0 + 200, T0 + 300)).per_gpu[0].t) == 0


def test_gpus_without_a_common_time_have_no_sum() -> None:
    found = thin(trace(steady("0", 0, 10) + steady("1", 20, 30)), None, 10)
    assert found.total is None and len(found.per_gpu) == 2


def test_refusals() -> None:
    log = trace(steady("0", 0, 10))
    with pytest.raises(PowerError, match="at least 4"):
        thin(log, None, 3)
    with pytest.raises(PowerError, match="GPUs in the log: 0"):
        thin(log, ["9"], 100)
    with pytest.raises(PowerError, match="no times"):
        thin(trace(steady("0", 0, 10), clock="none"), None, 100)
