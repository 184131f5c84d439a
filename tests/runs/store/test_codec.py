"""What a run's record may hold before it is stored."""

import math
from dataclasses import replace

import pytest

from runs import store
from runs.domain.compare import ratio_of
from runs.domain.derived import figures
from runs.domain.facts import Basis, Quantity, Status
from tests.builders import record as run_record


@pytest.mark.parametrize("seconds", [1e-323, 1e-16, 1e16])
def test_a_figure_beyond_all_measure_counts_as_not_measured(seconds: float) -> None:
    tpot = Quantity("tpot", "s", Basis.MEASURED, "median", seconds)
    record = store.finite(replace(run_record(), quantities=(tpot,)))
    kept = record.quantity("tpot:median")
    assert kept is not None
    assert (kept.value, kept.status) == (None, Status.NOT_MEASURED)
    assert [remark.code for remark in record.remarks] == ["not-finite"]
    assert "interactivity" not in figures(record)


@pytest.mark.parametrize("seconds", [0.0, 1e-15, 1e15])
def test_a_figure_that_can_be_computed_with_is_kept(seconds: float) -> None:
    tpot = Quantity("tpot", "s", Basis.MEASURED, "median", seconds)
    record = store.finite(replace(run_record(), quantities=(tpot,)))
    kept = record.quantity("tpot:median")
    assert kept is not None
    assert kept.value == seconds
    assert all(math.isfinite(figure.value or 0) for figure in figures(record).values())


def test_a_record_stored_before_gives_no_infinite_figure_or_ratio() -> None:
    tiny, plain = (
        replace(run_record(), quantities=(Quantity("tpot", "s", Basis.MEASURED, "median", seconds),))
        for seconds in (1e-323, 0.1)
    )
    assert "interactivity" not in figures(tiny)
    assert ratio_of(figures(plain)["tpot:median"], figures(tiny)["tpot:median"]) is None
