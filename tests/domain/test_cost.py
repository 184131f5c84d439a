"""Money per million tokens against a formula in fractions, and by hand."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.domain.cost import CostRefusedError, busy_and_idle, costs
from runs.domain.derived import Figures, figures
from runs.domain.facts import Basis, Status
from runs.domain.figures import figure_of
from runs.domain.records import RunRecord
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError, as_decimal, round_half_away
from tests.domain.strategies import full, printed, quantity

positive = st.decimals(Decimal("0.01"), 10**5, places=2)
shares = st.decimals(Decimal("0.01"), 1, places=2)


def scenario(**given: Any) -> Scenario:
    return Scenario("s", "A scenario", **given)


def under(record: RunRecord, **given: Any) -> Figures:
    return costs(record, figures(record), scenario(**given))


def a_run(total: object = 6000, watts: object = 4000, idle: object = None, **changes: Any) -> RunRecord:
    given = [printed("total_throughput", str(total)), printed("gpu_power:mean", str(watts))]
    if idle is not None:
        given.append(printed("gpu_power_idle", str(idle)))
    return full(*given, **changes)


def near(value: object, exact: Fraction) -> bool:
    return abs(Fraction(as_decimal(value)) - exact) <= exact / 10**22  # type: ignore[arg-type]


@given(positive, positive, positive, positive, shares, st.decimals(1, 3, places=2))
def test_electricity_against_fractions(
    total: Decimal, watts: Decimal, idle: Decimal, price: Decimal, u: Decimal, pue: Decimal
) -> None:
    found = under(a_run(total, watts, idle), price_per_kwh=price, utilisation=u, pue=pue)
    t, busy, rest, p, share, overhead = map(Fraction, (total, watts, idle, price, u, pue))
    kilowatts = (share * busy + (1 - share) * rest) / 1000 * overhead
    per_token = p * kilowatts * 1_000_000 / (share * t * 3600)
    assert near(found["electricity_measured"].value, per_token)
    assert near(found["electricity_year_measured"].value, p * kilowatts * 8760)
    for key in ("electricity_measured", "electricity_year_measured"):
        value, interval = found[key].value, found[key].interval
        assert value is not None
        assert interval is None or value in interval


@given(positive, positive, shares, st.integers(1, 64), st.integers(1, 16))
def test_rental_against_fractions(total: Decimal, rate: Decimal, u: Decimal, active: int, unit: int) -> None:
    found = under(a_run(total, active_gpus=active), utilisation=u, offers=(Offer("O", rate, unit_gpus=unit),))
    billed = -(-active // unit) * unit
    assert near(found["rental:O"].value, billed * Fraction(rate) * 1_000_000 / (Fraction(total) * 3600) / Fraction(u))


@given(positive, positive, positive)
def test_more_tokens_cost_less_and_more_watts_more(total: Decimal, watts: Decimal, price: Decimal) -> None:
    def cost(one: Decimal, other: Decimal) -> Decimal:
        value = under(a_run(one, other), price_per_kwh=price)["electricity_measured"].value
        return as_decimal(value or 0)

    assert cost(total + 1, watts) < cost(total, watts) < cost(total, watts + 1)


@given(positive, positive, shares)
def test_a_token_of_an_idler_machine_costs_more(total: Decimal, rate: Decimal, u: Decimal) -> None:
    offers = (Offer("O", rate, unit_gpus=8),)
    idle, busy = (under(a_run(total), offers=offers, utilisation=one)["rental:O"].value for one in (u, Decimal(1)))
    assert as_decimal(idle or 0) >= as_decimal(busy or 0)


def test_by_hand() -> None:
    # 4 kW at $0.36 for an hour is $1.44; 6000 tok/s x 3600 s is 21.6 million tokens.
    found = under(a_run(), price_per_kwh=Decimal("0.36"))
    assert round_half_away(found["electricity_measured"].value or 0, 4) == Decimal("0.0667")
    assert found["electricity_measured"].unit == "$/Mtok"
    assert found["electricity_year_measured"].value == Decimal("12614.4")  # 1.44 x 8760
    assert found["electricity_year_measured"].unit == "$/year"
    # PUE 1.5 and half used with 1 kW idle: (0.5 x 4 + 0.5 x 1) x 1.5 = 3.75 kW, over half the tokens.
    half = under(a_run(idle=1000), price_per_kwh=Decimal("0.36"), pue=Decimal("1.5"), utilisation=Decimal("0.5"))
    assert round_half_away(half["electricity_measured"].value or 0, 4) == Decimal("0.1250")
    assert half["electricity_year_measured"].value == Decimal(11826)  # 3.75 x 0.36 x 8760


def test_output_tokens_are_costed_apart() -> None:
    record = full(
        printed("total_throughput", "6000"), printed("output_throughput", "600"), quantity("gpu_power:mean", 4e3)
    )
    found = under(record, price_per_kwh=Decimal("0.36"), offers=(Offer("O", Decimal(3), unit_gpus=8),))
    assert float(found["electricity_output_measured"].value or 0) == pytest.approx(0.6667, abs=1e-4)
    # 8 GPUs x $3 = $24 an hour, 2.16 million output tokens
    assert round_half_away(found["rental_output:O"].value or 0, 2) == Decimal("11.11")


def test_idle_power_is_not_guessed() -> None:
    found = under(a_run(), price_per_kwh=Decimal("0.1"), utilisation=Decimal("0.5"))
    refused = found["electricity_measured"]
    assert (refused.value, refused.status) == (None, Status.NOT_STATED)
    assert refused.note == "utilisation 0.5 needs the idle power of the GPUs, which is not stated: not guessed"
    assert found["electricity_year_measured"].value is None
    assert found["electricity_cap"].value is None
    busy = figure_of(printed("gpu_power:mean", "4000"))
    with pytest.raises(CostRefusedError, match="not guessed"):
        busy_and_idle(busy, None, scenario(utilisation=Decimal("0.99")))
    assert busy_and_idle(busy, None, scenario())[0] == 4000


def test_an_assumed_idle_power_weakens_the_cost() -> None:
    record = full(
        quantity("total_throughput", 6000.0),
        quantity("gpu_power:mean", 4000.0),
        quantity("gpu_power_idle", 1000.0, basis=Basis.ASSUMED),
    )
    half = under(record, price_per_kwh=Decimal("0.1"), utilisation=Decimal("0.5"))["electricity_measured"]
    assert half.system_basis is Basis.ASSUMED
    assert [one.name for one in half.inputs if not one.scenario] == [
        "gpu_power:mean",
        "gpu_power_idle",
        "total_throughput",
    ]
    # Fully used, the idle power does not enter.
    full_use = under(record, price_per_kwh=Decimal("0.1"))["electricity_measured"]
    assert full_use.system_basis is Basis.MEASURED


def test_what_the_reader_assumes_does_not_weaken_a_figure() -> None:
    found = under(a_run(), price_per_kwh=Decimal("0.1"))["electricity_measured"]
    assert found.system_basis is Basis.MEASURED
    assert {one.name for one in found.inputs if one.scenario} == {"price_per_kwh", "pue", "utilisation"}


@pytest.mark.parametrize(
    ("unit", "billed"),
    [(1, {"O": 6}), (2, {"O": 6}), (4, {"O": 8}), (8, {"O": 8}), (16, {"O": 16}), (None, {"O": 6, "O, whole node": 8})],
)
def test_gpus_billed(unit: int | None, billed: dict[str, int]) -> None:
    found = under(a_run(1_000_000, active_gpus=6), offers=(Offer("O", Decimal(3600), unit_gpus=unit),))
    # $3600 a GPU and hour is $1 a second; a million tokens a second: dollars are GPUs.
    assert {key.partition(":")[2]: figure.value for key, figure in found.items() if key.startswith("rental:")} == billed


def test_a_year_is_rented_whatever_is_done_in_it() -> None:
    offers = (Offer("O", Decimal("2.95")),)
    found = under(a_run(active_gpus=6), offers=offers, utilisation=Decimal("0.5"))
    # 6 x 2.95 x 8,760 and 8 x 2.95 x 8,760
    assert found["rental_year:O"].value == Decimal(155_052)
    assert found["rental_year:O, whole node"].value == Decimal(206_736)
    assert found["rental_year:O"].unit == "$/year"


def test_no_price_no_throughput_no_gpus_no_cost() -> None:
    assert under(a_run()) == {}
    assert not [key for key in under(a_run(0), price_per_kwh=Decimal(1)) if "year" not in key]
    assert under(a_run(active_gpus=None), offers=(Offer("O", Decimal(3)),)) == {}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"utilisation": Decimal(0)}, "utilisation is above 0"),
        ({"utilisation": Decimal("1.01")}, "at most 1"),
        ({"utilisation": Decimal("NaN")}, "utilisation"),
        ({"pue": Decimal("0.9")}, "PUE is from 1"),
        ({"price_per_kwh": Decimal(-1)}, "price per kWh is 0 or more"),
        ({"offers": (Offer("O", Decimal(1)), Offer("O", Decimal(2)))}, "two offers of one name: O, O"),
    ],
)
def test_scenarios_refuse(given: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        scenario(**given)


@pytest.mark.parametrize(("name", "rate", "unit"), [(" ", 1, None), ("O", -1, None), ("O", 1, 0)])
def test_offers_refuse(name: str, rate: int, unit: int | None) -> None:
    with pytest.raises(DomainError):
        Offer(name, Decimal(rate), unit_gpus=unit)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"price_per_kwh": Decimal("1e400")}, "a price per kWh is 0 or more, at most a million"),
        ({"price_per_kwh": Decimal(-1)}, "a price per kWh is 0 or more"),
        ({"utilisation": Decimal("1e-300")}, "utilisation is above 0"),
        ({"utilisation": Decimal("0E-8")}, "not 0"),
        ({"pue": Decimal("NaN")}, "PUE is from 1 to 10"),
    ],
)
def test_prices_that_no_page_can_show_are_refused(change: dict[str, Decimal], said: str) -> None:
    with pytest.raises(DomainError, match=said):
        Scenario("s", "S", **change)  # type: ignore[arg-type]
    with pytest.raises(DomainError, match="at most a million"):
        Offer("o", Decimal("1e400"))


def test_an_offer_s_name_is_not_that_of_another_s_whole_node() -> None:
    with pytest.raises(DomainError, match="an offer's name cannot end in ', whole node'"):
        Offer("A, whole node", Decimal(1), unit_gpus=8)
