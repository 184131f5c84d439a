"""The window a log itself suggests."""

import pytest

from runs.domain.edges import load_edges
from runs.domain.facts import State
from runs.domain.signals import PowerError
from tests.domain.power import T0, Sample, steady, trace


def run(*levels: tuple[float, float, float], gpus: str = "0") -> list[Sample]:
    return [sample for start, end, watts in levels for sample in steady(gpus, start, end, watts)]


def test_one_load() -> None:
    """100 W, 500 W from 30 s to 90 s, 100 W: the line from 29 s to 30 s crosses 300 W in its middle."""
    found = load_edges(trace(run((0, 29, 100), (30, 90, 500), (91, 120, 100))))
    assert (found.start - T0, found.end - T0) == pytest.approx((29.5, 90.5), abs=0.02)
    assert found.state is State.INFERRED and found.uncertainty_s == 1
    assert found.evidence[0].kind == "rule" and "idle (" in found.note


def test_slow_edge_is_uncertain() -> None:
    """A climb from 100 W to 500 W over 8 s: 10 % and 90 % of the way are some 3 s from the middle."""
    climb = [(30.0 + k, "0", 100 + 50.0 * k) for k in range(9)]
    found = load_edges(trace(run((0, 29, 100)) + climb + run((39, 120, 500), (121, 150, 100))))
    assert found.start - T0 == pytest.approx(34, abs=0.2)
    assert 3 <= found.uncertainty_s <= 4.5


def test_hole_at_the_edge_is_uncertain() -> None:
    found = load_edges(trace(run((0, 29, 100), (49, 140, 500), (141, 180, 100))))
    assert found.start - T0 == pytest.approx(39, abs=0.2) and found.uncertainty_s == pytest.approx(10, abs=0.2)


def test_only_the_active_gpus_count() -> None:
    rows = run((0, 29, 100), (30, 90, 500), (91, 120, 100)) + run((0, 120, 700), gpus="1")
    assert load_edges(trace(rows), ["0"]).start - T0 == pytest.approx(29.5, abs=0.02)


def test_short_dip_and_short_warm_up_do_not_matter() -> None:
    rows = run(
        (0, 29, 100), (30, 32, 500), (33, 60, 100), (61, 100, 500), (101, 106, 100), (107, 160, 500), (161, 180, 100)
    )
    found = load_edges(trace(rows))
    assert (found.start - T0, found.end - T0) == pytest.approx((60.5, 160.5), abs=0.2)


@pytest.mark.parametrize(
    ("levels", "words"),
    [
        (((0, 120, 100),), "no clear load"),
        (((0, 60, 100), (61, 120, 120)), "hardly apart"),
        (((0, 60, 500), (61, 120, 100)), "begins under load"),
        (((0, 60, 100), (61, 120, 500)), "ends under load"),
        (((0, 29, 100), (30, 60, 500), (61, 90, 100), (91, 120, 500), (121, 150, 100)), "2 loads"),
    ],
)
def test_refusals(levels: tuple[tuple[float, float, float], ...], words: str) -> None:
    with pytest.raises(PowerError, match=words):
        load_edges(trace(run(*levels)))


def test_a_mere_hump_is_refused() -> None:
    hump = [(float(k), "0", 100 + 10.0 * (40 - abs(k - 40))) for k in range(81)]
    with pytest.raises(PowerError, match="too slow"):
        load_edges(trace(hump))


def test_no_samples_no_common_time_no_zone() -> None:
    with pytest.raises(PowerError, match="no samples"):
        load_edges(trace([(float("nan"), "0", 1.0)]))
    with pytest.raises(PowerError, match="no time in common"):
        load_edges(trace(run((0, 10, 100)) + run((20, 30, 100), gpus="1")))
    with pytest.raises(PowerError, match="time zone"):
        load_edges(trace(run((0, 10, 100)), clock="local"))
