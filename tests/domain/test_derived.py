"""Figures worked out from others, by hand and against fractions."""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.domain.derived import figures
from runs.domain.facts import Basis, State, Status
from runs.domain.figures import Figure
from runs.domain.records import Requests
from runs.domain.units import Interval, as_decimal, round_half_away, rounding_interval
from tests.domain.strategies import full, printed, quantity, records, stated


def of(key: str, *args: object, **changes: object) -> Figure:
    return figures(full(*args, **changes))[key]  # type: ignore[arg-type]


def test_per_gpu_divides_by_the_active_gpus() -> None:
    found = of("per_gpu_total", printed("total_throughput", "5661"), active_gpus=6, node_gpus=8)
    assert found.value == Decimal("943.5")
    assert found.formula == "total_throughput / active_gpus"
    assert [(one.name, one.value) for one in found.inputs] == [("total_throughput", 5661), ("active_gpus", 6)]
    assert (found.basis, found.system_basis) == (Basis.DERIVED, Basis.CONFIGURED)
    assert found.interval is not None
    assert round_half_away(found.interval.low, 3) == Decimal("943.417")  # 5660.5 / 6
    assert round_half_away(found.interval.high, 3) == Decimal("943.583")


def test_observed_gpus_leave_the_figure_measured() -> None:
    observed = stated("active_gpus", 6, State.OBSERVED)
    assert of("per_gpu_total", quantity("total_throughput", 6000.0), active_gpus=observed).system_basis == "measured"


@pytest.mark.parametrize("gpus", [None, 0, stated("active_gpus", None, nominal="a few")])
def test_without_a_number_of_active_gpus_nothing_is_per_gpu(gpus: object) -> None:
    """The GPUs of the node are no substitute."""
    assert "per_gpu_total" not in figures(full(active_gpus=gpus, node_gpus=8))


def test_power_energy_and_efficiency_by_hand() -> None:
    found = figures(
        full(
            quantity("total_throughput", 6000.0),
            printed("gpu_power:mean", "4.80", "kW"),
            quantity("energy", 480_000.0),
            requests=Requests(64, 64, 0, 550_000, 50_000),
            active_gpus=6,
        )
    )
    assert found["gpu_power:mean"].value == 4800
    assert found["gpu_power_per_gpu:mean"].value == 800
    assert found["gpu_power_cap"].value == 4800
    assert found["tok_per_kw_measured"].value == 1250.0
    assert found["tok_per_kw_cap"].value == 1250.0
    assert found["energy_per_token"].value == 0.8
    assert found["energy_per_output_token"].value == 9.6
    assert found["tok_per_kw_cap"].system_basis is Basis.CONFIGURED


def test_assumed_power_weakens_all_that_follows_from_it() -> None:
    found = figures(
        full(printed("total_throughput", "7484"), printed("gpu_power_assumed_per_gpu", "1400", basis=Basis.ASSUMED))
    )
    assert found["gpu_power_assumed"].value == 11200
    assert round_half_away(found["tok_per_kw_assumed"].value or 0, 1) == Decimal("668.2")
    assert {found[key].system_basis for key in ("gpu_power_assumed", "tok_per_kw_assumed")} == {Basis.ASSUMED}


def test_interactivity_is_one_over_median_tpot() -> None:
    found = of("interactivity", printed("tpot:median", "20.4", "ms"))
    assert round_half_away(found.value or 0, 2) == Decimal("49.02")
    assert "interactivity" not in figures(full(quantity("tpot:median", 0.0)))
    assert "interactivity" not in figures(full(quantity("tpot:p99", 0.02)))


def test_a_printed_figure_keeps_its_print_and_gets_a_check() -> None:
    fits = of("per_gpu_total", printed("total_throughput", "5661"), printed("per_gpu_total", "944"), active_gpus=6)
    assert (fits.value, [(check.value, check.agrees) for check in fits.checks]) == (944, [(Decimal("943.5"), True)])
    wrong = of("per_gpu_total", printed("total_throughput", "5661"), printed("per_gpu_total", "943"), active_gpus=6)
    # 943 is [942.5, 943.5] and 5661 / 6 reaches down to 943.42: they have values in common
    assert wrong.checks[0].agrees
    wrong = of("per_gpu_total", printed("total_throughput", "5661"), printed("per_gpu_total", "942"), active_gpus=6)
    assert not wrong.checks[0].agrees


def test_float_noise_is_no_disagreement() -> None:
    found = of("per_gpu_total", quantity("total_throughput", 0.3), quantity("per_gpu_total", 0.1), active_gpus=3)
    assert found.checks[0].agrees
    other = of("per_gpu_total", quantity("total_throughput", 0.3), quantity("per_gpu_total", 0.1001), active_gpus=3)
    assert not other.checks[0].agrees


def test_a_weaker_print_is_not_strengthened_by_its_check() -> None:
    given = printed("per_gpu_total", "944", basis=Basis.ASSUMED)
    assert of("per_gpu_total", quantity("total_throughput", 5661.0), given, active_gpus=6).rests_on_assumption


def test_repeats_lie_beneath_a_printed_mean_per_gpu_too() -> None:
    total = printed("total_throughput", "5661", repeats=2, repeat_values=(Decimal(5673), Decimal(5648)))
    found = of("per_gpu_total", total, active_gpus=6)
    assert found.repeats == 2
    assert [round_half_away(value, 1) for value in found.repeat_values] == [Decimal("945.5"), Decimal("941.3")]
    (check,) = found.checks
    assert check.kind == "repeats"
    assert check.value == as_decimal(Decimal("5660.5") / 6)
    assert check.formula.startswith("mean of the repeats")


def test_the_fewest_repeats_stand_behind_a_derived_figure() -> None:
    total = quantity("total_throughput", 6000.0, repeats=3)
    power = quantity("gpu_power:mean", 4000.0, repeats=1)
    assert of("tok_per_kw_measured", total, power).repeats == 1
    assert of("tok_per_kw_measured", total, replace(power, repeats=None)).repeats is None
    assert of("tok_per_kw_cap", total, power).repeats == 3  # a limit is not measured again


@pytest.mark.parametrize("status", [Status.HISTORICAL, Status.SUPERSEDED, Status.CORRECTED, Status.WITHDRAWN])
def test_status_passes_on(status: Status) -> None:
    found = figures(full(quantity("total_throughput", 6000.0, status=status), quantity("gpu_power:mean", 4000.0)))
    assert {found[key].status for key in ("per_gpu_total", "tok_per_kw_measured", "tok_per_kw_cap")} == {status}
    assert found["gpu_power:mean"].status is Status.CURRENT


def test_the_definition_goes_along_with_the_figure() -> None:
    found = of("per_gpu_total", quantity("total_throughput", 6000.0, definition="with failed requests"))
    assert found.definition == "with failed requests"


@given(records())
def test_every_derived_figure_follows_from_its_inputs(record: object) -> None:
    """Its value lies in its interval, its basis is no stronger than any system input, and nothing is invented."""
    for figure in figures(record).values():  # type: ignore[arg-type]
        if figure.basis is not Basis.DERIVED or figure.value is None:
            continue
        assert figure.inputs
        order = list(Basis)
        assert all(order.index(figure.system_basis) >= order.index(one.basis) for one in figure.inputs)
        if figure.interval is not None and not any(isinstance(one.value, float) for one in figure.inputs):
            assert figure.value in figure.interval


@given(st.decimals(1, 10**6, places=2), st.integers(1, 64), st.decimals(Decimal("0.01"), 10**5, places=2))
def test_per_gpu_and_per_kw_against_fractions(total: Decimal, gpus: int, kilowatts: Decimal) -> None:
    found = figures(
        full(
            printed("total_throughput", str(total)),
            printed("gpu_power:mean", str(kilowatts), "kW"),
            active_gpus=gpus,
        )
    )
    exact = Fraction(total) / gpus
    assert abs(Fraction(as_decimal(found["per_gpu_total"].value or 0)) - exact) <= exact / 10**26
    exact = Fraction(total) / Fraction(kilowatts)
    assert abs(Fraction(as_decimal(found["tok_per_kw_measured"].value or 0)) - exact) <= exact / 10**25
    span = found["tok_per_kw_measured"].interval
    power = rounding_interval(kilowatts)
    assert isinstance(span, Interval) == (power.low > 0)
    if span is not None:
        low = Fraction(rounding_interval(total).low) / Fraction(power.high)
        assert Fraction(span.low) <= low
        assert low - Fraction(span.low) <= abs(low) / 10**25
