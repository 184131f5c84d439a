"""Power over a window: worked by hand, and against exact fractions."""

import math
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.energy import NOTES, PowerError, analyse
from runs.domain.facts import State
from runs.domain.records import Window
from runs.domain.trace import Clock, GpuCap
from tests.domain.power import T0, Exact, Sample, codes, steady, trace, window


def test_ramp_by_hand() -> None:
    """100 W to 300 W over 10 s: mean 200 W, 2,000 J; p95 of the time lies at 290 W."""
    found = analyse(trace([(second, "0", 100 + 20 * second) for second in range(11)]), window(0, 10))
    assert found.mean_w == pytest.approx(200)
    assert found.energy_j == pytest.approx(2000) and found.valid
    assert found.peak_w == 300
    assert found.p50_w == pytest.approx(200, abs=1e-3)
    assert found.p95_w == pytest.approx(290, abs=1e-3)


def test_edges_between_samples_are_interpolated() -> None:
    """100 W to 300 W over 10 s, seen from 2.5 s to 7.5 s: 150 W to 250 W, 1,000 J; the peak is at the edge."""
    found = analyse(trace([(second, "0", 100 + 20 * second) for second in range(11)]), window(2.5, 7.5))
    assert (found.mean_w, found.energy_j, found.peak_w) == (200, 1000, 250)
    assert found.bracketed
    assert codes(found) == {"short-window"} and not found.valid


def test_staggered_gpus() -> None:
    """GPU 0 climbs 0 to 100 W while GPU 1, stamped half a second later, falls 300 to 200 W: 300 W at all times."""
    rows: list[Sample] = [(t, "0", 5.0 * t) for t in range(0, 21, 2)]
    rows += [(t + 0.5, "1", 300 - 5.0 * (t + 0.5)) for t in range(-2, 21, 2)]
    found = analyse(trace(rows), window(0, 20))
    assert found.mean_w == pytest.approx(300)
    assert found.energy_j == pytest.approx(6000)
    assert (found.peak_w, found.p50_w, found.p95_w) == pytest.approx((300, 300, 300))
    assert [power.energy_j for power in found.per_gpu] == pytest.approx([1000, 5000])
    assert [power.mean_w for power in found.per_gpu] == pytest.approx([50, 250])
    assert found.interval_s == 2 and found.valid and found.reasons == ()


def test_mean_is_by_time_not_by_samples() -> None:
    """Ten samples a second at 100 W, then one a second at 700 W: the same time each but for the step between."""
    rows = [(t / 10, "0", 100.0) for t in range(101)] + [(float(t), "0", 700.0) for t in range(11, 21)]
    found = analyse(trace(rows), window(0, 20))
    assert found.mean_w == pytest.approx((10 * 100 + 400 + 9 * 700) / 20)


def test_duplicate_stamps_are_averaged() -> None:
    rows = [*steady("0", 0, 20, 400.0), (10.0, "0", 600.0), (10.0, "0", 500.0)]
    found = analyse(trace(rows), window(0, 20), caps=[GpuCap("0", 550)])
    # 400, 600 and 500 W at 10 s count as 500 W: a triangle of 100 W over two seconds.
    assert found.energy_j == pytest.approx(20 * 400 + 100)
    assert found.peak_w == 500
    assert found.per_gpu[0].samples == 23 and found.per_gpu[0].above_cap == 1


def test_missing_values_are_dropped_and_counted() -> None:
    rows = [(t, gpu, math.nan if t in (5, 6) else w) for t, gpu, w in steady("0", -1, 21, 400.0)]
    found = analyse(trace(rows), window(0, 20))
    assert (found.per_gpu[0].samples, found.per_gpu[0].missing) == (19, 2)
    assert found.mean_w == 400 and found.largest_gap_s == 3
    assert codes(found) == {"missing-values"} and found.valid


def test_gap_is_bridged_but_not_covered() -> None:
    """100 W up to 10 s, 300 W from 20 s: the line across is 200 W on average, and 10 of 60 s have no samples."""
    rows = steady("0", 0, 10, 100.0) + steady("0", 20, 60, 300.0)
    found = analyse(trace(rows), window(0, 60))
    assert found.mean_w == pytest.approx((10 * 100 + 10 * 200 + 40 * 300) / 60)
    assert found.covered == pytest.approx(50 / 60)
    assert found.largest_gap_s == 10 and found.energy_j is None
    assert codes(found) == {"gap", "under-covered"} and not found.valid


@pytest.mark.parametrize(("step", "flagged"), [(3.0, False), (3.125, True)])
def test_gap_limit_of_three_seconds(step: float, flagged: bool) -> None:
    rows = steady("0", 0, 50) + steady("0", 50 + step, 200)
    assert ("gap" in codes(analyse(trace(rows), window(0, 150)))) is flagged


@pytest.mark.parametrize(("step", "flagged"), [(6.0, False), (6.25, True)])
def test_gap_limit_of_three_intervals(step: float, flagged: bool) -> None:
    rows = steady("0", 0, 50, step=2.0) + steady("0", 50 + step, 200, step=2.0)
    assert ("gap" in codes(analyse(trace(rows), window(0, 150)))) is flagged


def test_gaps_of_two_gpus_add_up() -> None:
    rows = steady("0", 0, 10) + steady("0", 20, 100) + steady("1", 0, 50) + steady("1", 60, 100)
    found = analyse(trace(rows), window(0, 100))
    assert found.covered == pytest.approx(0.8)
    assert [power.covered for power in found.per_gpu] == pytest.approx([0.9, 0.9])


def test_exactly_95_percent_is_enough() -> None:
    rows = steady("0", 0, 50) + steady("0", 55, 100)
    found = analyse(trace(rows), window(0, 100))
    assert found.covered == 0.95 and found.energy_j == pytest.approx(50_000)
    assert codes(found) == {"gap", "partly-covered"}


def test_unbracketed_window_is_not_extrapolated() -> None:
    """The log ends at 80 s of 100: the mean is of those 80 s, and there is no energy of the window."""
    found = analyse(trace([*steady("0", -5, 79), (80.0, "0", 900.0)]), window(0, 100))
    assert found.mean_w == pytest.approx((79 * 500 + 700) / 80)
    assert found.covered == pytest.approx(0.8) and found.energy_j is None and not found.bracketed
    assert codes(found) == {"under-covered", "not-bracketed"}


@pytest.mark.parametrize(("first", "bracketed"), [(1.0, True), (1.125, False)])
def test_one_interval_off_is_bracketed(first: float, bracketed: bool) -> None:
    found = analyse(trace(steady("0", first, 102)), window(0, 100))
    assert found.bracketed is bracketed and ("not-bracketed" in codes(found)) is not bracketed
    assert found.energy_j == pytest.approx(500 * (100 - first))
    assert "partly-covered" in codes(found)


def test_idle_gpus_stand_apart() -> None:
    found = analyse(trace(steady("01", 0, 60, 700.0) + steady("2", 0, 60, 90.0)), window(0, 60), ["1", "0"])
    assert found.gpus == ("1", "0") and found.mean_w == 1400
    assert [(power.gpu, power.mean_w, power.energy_j) for power in found.idle] == [("2", 90, 5400)]
    assert found.valid and found.reasons == ()


def test_busy_gpu_called_idle_is_noted() -> None:
    found = analyse(trace(steady("0", 0, 60, 90.0) + steady("1", 0, 60, 700.0)), window(0, 60), ["0"])
    assert codes(found) == {"idle-gpus-busy"} and found.valid


def test_caps_given_go_before_the_log_s() -> None:
    log = replace(trace(steady("01", 0, 60, 500.0)), limit_w=(400.0, 400.0))
    found = analyse(log, window(0, 60), caps=[GpuCap("1", 500.0)])
    assert [(power.cap_w, power.above_cap) for power in found.per_gpu] == [(400.0, 61), (500.0, 0)]
    assert analyse(trace(steady("0", 0, 60)), window(0, 60)).per_gpu[0].above_cap is None


def test_active_gpu_missing_from_the_log() -> None:
    found = analyse(trace(steady("01", 0, 60)), window(0, 60), ["0", "5"])
    assert found.mean_w is None and found.energy_j is None and found.p95_w is None and found.covered == 0
    assert [power.mean_w for power in found.per_gpu] == [500, None]
    reason = next(reason for reason in found.reasons if reason.code == "gpu-missing")
    assert "5" in reason.text and "0, 1" in reason.text and not found.valid


def test_active_gpu_without_a_value_is_missing() -> None:
    found = analyse(trace(steady("0", 0, 60) + steady("1", 0, 60, math.nan)), window(0, 60))
    assert "gpu-missing" in codes(found) and found.mean_w is None and found.per_gpu[1].missing == 61


@pytest.mark.parametrize(
    ("clock", "gpus", "words"),
    [
        ("local", None, "time zone"),
        ("none", None, "no times"),
        ("utc", ["7"], "GPUs in the log: 0, 1"),
        ("utc", [], "no active GPU"),
        ("utc", ["0", "0"], "twice"),
    ],
)
def test_senseless_requests_are_refused_in_words(clock: Clock, gpus: list[str] | None, words: str) -> None:
    log = trace(steady("01", 0, 60), clock=clock)
    with pytest.raises(PowerError, match=words):
        analyse(log, window(0, 60), gpus)


def test_endless_window_is_refused() -> None:
    with pytest.raises(PowerError, match="length"):
        analyse(trace(steady("0", 0, 60)), Window(T0, math.inf, State.STATED))


@pytest.mark.parametrize(("shift", "named"), [(2, "-2 h"), (-5.5, "+5.5 h"), (14, "-14 h")])
def test_window_off_by_a_zone_is_suggested_never_applied(shift: float, named: str) -> None:
    """A log of ten minutes; the window lies in it but for ``shift`` hours."""
    found = analyse(trace(steady("0", 0, 600)), window(60 + shift * 3600, 500 + shift * 3600))
    suggestion = next(reason for reason in found.reasons if reason.code == "zone-suggestion")
    assert f"moved by {named}" in suggestion.text
    assert found.mean_w is None and found.covered == 0 and not found.valid
    assert {"outside-log", "under-covered", "not-bracketed"} <= codes(found)


@pytest.mark.parametrize("shift", [0.3, 15])
def test_no_zone_explains_any_other_shift(shift: float) -> None:
    found = analyse(trace(steady("0", 0, 600)), window(60 + shift * 3600, 500 + shift * 3600))
    assert "zone-suggestion" not in codes(found) and "outside-log" in codes(found)


def test_window_inside_a_hole_of_the_log() -> None:
    """Two hours without samples: the line across them is no measurement."""
    found = analyse(trace(steady("0", 0, 600) + steady("0", 8000, 8600)), window(3000, 3300))
    assert found.mean_w is None and found.peak_w is None and found.per_gpu[0].mean_w is None
    assert {"outside-log", "gap"} <= codes(found) and found.largest_gap_s == 7400


@pytest.mark.parametrize(
    ("watts", "cap", "scope", "code"),
    [
        (-1.0, None, "GPUs", "unit-implausible"),
        (2401.0, 800.0, "GPUs", "unit-implausible"),
        (5001.0, None, "GPUs", "unit-implausible"),
        (0.0, None, "GPUs", "all-zero"),
        (2400.0, 800.0, "GPUs", None),
        (5000.0, None, "GPUs", None),
        (11200.0, None, "wall", None),
    ],
)
def test_implausible_watts(watts: float, cap: float | None, scope: str, code: str | None) -> None:
    caps = [GpuCap("0", cap)] if cap else None
    found = analyse(trace(steady("0", 0, 60, watts), scope=scope), window(0, 60), caps=caps)
    assert codes(found) == ({code} if code else set())
    assert found.valid is (code is None)


def test_one_die_at_zero() -> None:
    found = analyse(trace(steady("0", 0, 60) + steady("1", 0, 60, 0.0)), window(0, 60))
    assert codes(found) == {"gpu-zero"} and not found.valid
    # Half of the GPUs at 0 W would halve the sum and the energy per token: there is no sum.
    assert (found.mean_w, found.energy_j, found.peak_w, found.p50_w, found.p95_w) == (None,) * 5
    measured, silent = found.per_gpu
    assert measured.mean_w == 500 and (silent.mean_w, silent.energy_j, silent.peak_w) == (None, None, None)


def test_a_log_of_zeros_is_no_power_of_zero() -> None:
    found = analyse(trace(steady("0", 0, 60, 0.0) + steady("1", 0, 60, 0.0)), window(0, 60))
    assert codes(found) == {"all-zero"} and (found.mean_w, found.energy_j) == (None, None)


def test_zeros_outside_the_window_and_single_ones_in_it_are_samples_like_others() -> None:
    found = analyse(trace(steady("0", -60, -1, 0.0) + steady("0", 0, 30, 0.0) + steady("0", 31, 60)), window(0, 60))
    assert found.mean_w == pytest.approx(29.5 * 500 / 60) and found.valid


@pytest.mark.parametrize(("step", "valid"), [(320.0, False), (80.0, False), (60.0, True), (1.0, True)])
def test_a_handful_of_regular_snapshots_is_no_mean(step: float, valid: bool) -> None:
    """Two snapshots on both sides of the window are regular, bracketed and without a gap."""
    rows = steady("0", -2.0, 320.0 + step, 500.0, step)
    found = analyse(trace(rows), window(0, 317))
    assert codes(found) == (set() if valid else {"few-samples"}) and found.valid is valid


def test_uncertain_edges_span_the_mean() -> None:
    """Idle 100 W, 500 W from 20 s to 40 s; edges 2 s off either way can take in 2 s of idle at each end."""
    rows = steady("0", 0, 19.5, 100.0, 0.5) + steady("0", 20, 40, 500.0, 0.5) + steady("0", 40.5, 60, 100.0, 0.5)
    found = analyse(trace(rows), window(20, 40, 2.0))
    assert found.mean_w == 500 and found.mean_high_w == 500
    # Both edges outwards: 20 s of 500 W, two half-second ramps of 300 W, and 3 s of 100 W, over 24 s.
    assert found.mean_low_w == pytest.approx((20 * 500 + 1.0 * 300 + 3 * 100) / 24)
    assert codes(found) == {"window-uncertain"} and found.valid


def test_uncertain_edges_stay_in_the_log() -> None:
    found = analyse(trace(steady("0", 0, 60)), window(0, 60, 5.0))
    assert (found.mean_low_w, found.mean_high_w) == (500, 500)


def test_edges_too_uncertain_for_a_span() -> None:
    found = analyse(trace(steady("0", 0, 60)), window(20, 40, 10.0))
    assert found.mean_low_w is None and codes(found) == {"window-uncertain"}


def test_an_empty_log() -> None:
    with pytest.raises(PowerError, match="no active GPU"):
        analyse(trace([]), window(0, 60))


quarters = st.integers(0, 600 * 8).map(lambda k: k / 8)
# Above 0: a GPU at 0 W throughout is no measurement and gives no sum, by a rule of its own.
watts = st.one_of(st.integers(1, 4000).map(lambda k: k / 4), st.just(math.nan))
samples = st.lists(st.tuples(quarters, st.sampled_from("01"), watts), min_size=1, max_size=60)


@st.composite
def dense_samples(draw: st.DrawFn) -> list[Sample]:
    """Two GPUs at an uneven step with some stamps twice, some gaps, some values missing, in any order."""
    rows: list[Sample] = []
    for gpu in "01":
        t = draw(st.integers(-80, 80)) / 8
        for _ in range(draw(st.integers(2, 40))):
            rows.append((t, gpu, draw(watts)))
            t += draw(st.sampled_from([0, 0.125, 0.5, 1, 1, 1, 1.125, 2, 3, 3.125, 20]))
    return draw(st.permutations(rows))


@settings(max_examples=300, deadline=None)
@given(st.one_of(samples, dense_samples()), st.integers(-100, 800), st.integers(1, 800))
def test_agrees_with_exact_fractions(rows: list[Sample], begin: int, length: int) -> None:
    start, end = begin / 8, (begin + length) / 8
    gpus = sorted({gpu for _, gpu, _ in rows})
    exact = Exact(rows, "".join(gpus), start, end)
    found = analyse(trace(rows), window(start, end))
    assert found.covered == pytest.approx(float(exact.covered()), abs=1e-9)
    if exact.covered() == 0:
        assert found.mean_w is None and found.energy_j is None and found.p50_w is None and not found.valid
        return
    assert found.mean_w == pytest.approx(float(exact.energy() / exact.seconds()), rel=1e-9, abs=1e-6)
    assert found.peak_w == pytest.approx(float(max(max(w0, w1) for _, w0, w1 in exact.pieces())), rel=1e-9, abs=1e-6)
    assert (found.energy_j is None) is (exact.covered() < Fraction(95, 100))
    if found.energy_j is not None:
        assert found.energy_j == pytest.approx(float(exact.energy()), rel=1e-9, abs=1e-6)
    for share, at in ((0.50, found.p50_w), (0.95, found.p95_w)):
        assert at is not None
        off = Fraction(max(found.peak_w or 0.0, 1.0)) / 10**5
        assert exact.share_below(Fraction(at) + off) >= share - 1e-9
        assert exact.share_below(Fraction(at) - off) <= share + 1e-9


@settings(max_examples=100, deadline=None)
@given(dense_samples(), st.randoms(use_true_random=False))
def test_order_of_the_file_does_not_matter(rows: list[Sample], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    one, other = analyse(trace(rows), window(0, 15)), analyse(trace(shuffled), window(0, 15))
    for figure, same in ((one.mean_w, other.mean_w), (one.energy_j, other.energy_j)):
        assert (figure is None) is (same is None)
        assert (figure or 0.0) == pytest.approx(same or 0.0, rel=1e-12, abs=1e-9)
    assert (one.covered, one.bracketed, codes(one)) == (other.covered, other.bracketed, codes(other))


@settings(max_examples=200, deadline=None)
@given(dense_samples(), st.integers(1, 160))
def test_mean_lies_below_the_peak_and_energy_adds_up(rows: list[Sample], length: int) -> None:
    found = analyse(trace(rows), window(0, length / 8))
    if found.mean_w is not None and found.peak_w is not None:
        assert found.mean_w <= found.peak_w * (1 + 1e-12) + 1e-9
    if found.energy_j is not None and found.covered == 1:
        assert found.energy_j == pytest.approx(sum(power.energy_j or 0 for power in found.per_gpu), abs=1e-6)
    assert found.valid is all(reason.code in NOTES for reason in found.reasons)
