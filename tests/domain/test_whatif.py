"""Bands for what is not stated, their turning points, and the questions that would make them needless."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.comparison import RunEntry
from runs.domain.cost import costs
from runs.domain.derived import figures
from runs.domain.facts import Basis, Printed, Quantity
from runs.domain.metrics import SETTINGS
from runs.domain.question_texts import ASKS
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError, as_decimal
from runs.domain.whatif import INPUTS, band, rivals, survival
from tests.domain.article import entries

PRICES = Scenario("p", "Prices", price_per_kwh=Decimal("0.10"), offers=(Offer("A", Decimal("2.95"), unit_gpus=8),))
ATOM, PAITON = "atom-8k1k", "paiton-8k1k-t0"


def atom() -> RunEntry:
    return entries()[ATOM]


def test_the_power_of_the_driving_case() -> None:
    found = band(atom(), "tok_per_kw_assumed", "power_per_gpu_w", Decimal(700), Decimal(1400))
    assert (round(found.low), round(found.high), found.unit) == (668, 1336, "tok/s/kW")
    house = figures(entries()[PAITON].record)
    others = [(key, house[key].value) for key in ("tok_per_kw_measured", "tok_per_kw_cap")]
    measured, cap = survival(found, others)  # type: ignore[arg-type]
    assert measured.survives and measured.turns_at is None
    assert not cap.survives and cap.turns_at is not None and round(cap.turns_at) == 793


@pytest.mark.parametrize(
    ("key", "name", "low", "high"),
    [
        ("tok_per_kw_assumed", "power_per_gpu_w", "700", "1400"),
        ("electricity_assumed", "power_per_gpu_w", "700", "1400"),
        ("electricity_assumed", "price_per_kwh", "0.05", "0.40"),
        ("rental:A", "gpus_billed", "4", "16"),
        ("rental:A", "utilisation", "0.2", "1"),
    ],
)
@given(share=st.decimals(min_value="0.01", max_value="0.99", places=4))
@settings(deadline=None)
def test_a_turning_point_gives_the_figure_it_turns_at(key: str, name: str, low: str, high: str, share: Decimal) -> None:
    found = band(atom(), key, name, Decimal(low), Decimal(high), PRICES)
    fixed = as_decimal(found.low) + share * (as_decimal(found.high) - as_decimal(found.low))
    (kept,) = survival(found, [("other", fixed)])
    assert not kept.survives and kept.turns_at is not None
    assert Decimal(low) <= kept.turns_at <= Decimal(high)
    if name != "gpus_billed":
        again = band(atom(), key, name, kept.turns_at, kept.turns_at, PRICES)
        assert as_decimal(again.low) == pytest.approx(fixed, rel=Decimal("1e-9"))


def test_a_power_that_the_source_printed_itself_falls_with_what_is_supposed() -> None:
    record = atom().record
    prints = (
        Quantity("gpu_power_assumed", "kW", Basis.DERIVED, value=Decimal("11.2"), printed=Printed("11.2")),
        Quantity("tok_per_kw_assumed", "tok/s/kW", Basis.DERIVED, value=Decimal(668), printed=Printed("668")),
    )
    told = replace(atom(), record=replace(record, quantities=(*record.quantities, *prints)))
    found = band(told, "tok_per_kw_assumed", "power_per_gpu_w", Decimal(700), Decimal(1400))
    assert (round(found.low), round(found.high)) == (668, 1336)


def test_a_price_moves_the_electricity_per_output_token_too() -> None:
    found = band(atom(), "electricity_output_assumed", "price_per_kwh", Decimal("0.10"), Decimal("0.20"), PRICES)
    assert [round(value, 4) for value in (found.low, found.high)] == [Decimal("0.3741"), Decimal("0.7482")]


def test_gpus_billed_are_as_supposed_whatever_the_smallest_unit() -> None:
    found = band(atom(), "rental:A", "gpus_billed", Decimal(6), Decimal(8), PRICES)
    stored = costs(atom().record, figures(atom().record), PRICES)["rental:A"]
    assert found.at_high_input == stored.value
    assert as_decimal(found.at_low_input) < as_decimal(found.at_high_input)


@pytest.mark.parametrize(
    ("key", "name", "low", "high", "words"),
    [
        ("total_throughput", "temperature", "0", "1", "Sampling temperature enters no formula"),
        ("total_throughput", "power_per_gpu_w", "1", "2", "does not depend on"),
        ("tok_per_kw_assumed", "power_per_gpu_w", "2", "1", "a range goes up"),
        ("tok_per_kw_assumed", "power_per_gpu_w", "0", "1", "a range goes up"),
        ("tok_per_kw_assumed", "power_per_gpu_w", "NaN", "1", "a range goes up"),
        ("rental:A", "gpus_billed", "6.5", "8", "whole number"),
        ("rental:A", "utilisation", "0.5", "1.5", "utilisation is above 0 and at most 1"),
        ("rental:B", "gpus_billed", "6", "8", "has no GPU rental"),
    ],
)
def test_what_cannot_be_supposed_is_refused_in_words(key: str, name: str, low: str, high: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        band(atom(), key, name, Decimal(low), Decimal(high), PRICES)


def test_a_band_changes_no_run() -> None:
    before = figures(atom().record)
    band(atom(), "tok_per_kw_assumed", "power_per_gpu_w", Decimal(700), Decimal(1400))
    assert figures(atom().record) == before


def test_rivals_are_figures_of_the_same_meaning() -> None:
    assert rivals("tok_per_kw_assumed") == ("tok_per_kw_measured", "tok_per_kw_cap", "tok_per_kw_assumed")
    assert rivals("rental:A") == ("rental:A",)
    assert all(names for names in INPUTS.values())


def test_every_setting_has_its_question_in_both_languages() -> None:
    assert set(ASKS) == {spec.key for spec in SETTINGS}
    assert all(english.endswith("?") and dutch.endswith("?") and english != dutch for english, dutch in ASKS.values())
