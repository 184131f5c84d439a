"""The pieces under the power analysis that only a large log reaches."""

import numpy as np
import pytest

from runs.domain.signals import Floats, Signal, length_of_union, time_percentiles, total


def signal(t: Floats, w: Floats) -> Signal:
    return Signal("0", t, w, t, w)


def share_below(found: Signal, watts: float) -> float:
    """Share of the time at or below ``watts``, straight from the definition."""
    low, high = np.minimum(found.w[1:], found.w[:-1]), np.maximum(found.w[1:], found.w[:-1])
    rise = np.where(high > low, high - low, 1.0)
    part = np.where(high > low, np.clip((watts - low) / rise, 0, 1), watts >= high)
    return float(np.dot(part, np.diff(found.t)) / found.seconds)


@pytest.mark.parametrize("shape", ["noise", "plateau", "walk", "spikes", "two levels"])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.5, 0.95, 1.0])
def test_percentiles_of_many_lines(shape: str, share: float) -> None:
    """The shortcut by every so many-th line finds what the whole distribution says, whatever the shape."""
    rng = np.random.default_rng(7)
    t = np.cumsum(rng.uniform(0.01, 2, 40_000))
    noise = rng.uniform(300, 800, len(t))
    w = {
        "noise": noise,
        "plateau": np.minimum(noise, 600.0),
        "walk": np.cumsum(rng.normal(size=len(t))),
        "spikes": np.where(np.arange(len(t)) % 10 == 0, 5000.0, 100.0),
        "two levels": np.where(t < t[-1] * 0.95, 100.0, 700.0),
    }[shape]
    found = signal(t, w)
    (watts,) = time_percentiles(found, [share])
    step = 2e-6 * (w.max() - w.min())
    assert share_below(found, watts + step) >= share - 1e-9
    assert share_below(found, watts - step) <= share + 1e-9
    assert w.min() <= watts <= w.max()


def test_percentile_of_a_level() -> None:
    assert time_percentiles(signal(np.array([0.0, 5.0]), np.array([300.0, 300.0])), [0.1, 0.9]) == (300, 300)


def test_sum_of_unlike_stamps_is_exact_at_all_of_them() -> None:
    one = signal(np.array([0.0, 10.0]), np.array([0.0, 100.0]))
    other = signal(np.array([-1.0, 4.0, 12.0]), np.array([50.0, 50.0, 50.0]))
    found = total([one, other])
    assert found is not None
    assert found.t.tolist() == [0, 4, 10] and found.w.tolist() == [50, 90, 150]


def test_no_sum_without_a_common_stretch() -> None:
    early = signal(np.array([0.0, 1.0]), np.array([1.0, 1.0]))
    late = signal(np.array([1.0, 2.0]), np.array([1.0, 1.0]))
    assert total([early, late]) is None
    assert total([early, None]) is None
    assert total([]) is None


def test_union_counts_overlap_once() -> None:
    assert length_of_union(np.array([[5.0, 6.0], [0.0, 3.0], [1.0, 2.0], [2.5, 4.0]])) == 5
    assert length_of_union(np.empty((0, 2))) == 0
