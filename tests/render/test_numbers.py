"""Numbers as each language prints them, checked by hand."""

from decimal import Decimal

import pytest

from dashboard.render.numbers import (
    MINUS,
    NBSP,
    Locale,
    align,
    change,
    figure_text,
    format_number,
    sensible_places,
    tidy,
    value_with_unit,
)
from runs.domain.facts import Basis, Printed, Quantity
from runs.domain.figures import figure_of


@pytest.mark.parametrize(
    ("value", "places", "en", "nl"),
    [
        (Decimal(5661), None, "5,661", "5.661"),
        (5660.5, 0, "5,661", "5.661"),
        (Decimal("-5660.5"), 0, f"{MINUS}5,661", f"{MINUS}5.661"),
        (Decimal("0.65"), None, "0.65", "0,65"),
        (1234567.891, 1, "1,234,567.9", "1.234.567,9"),
        (Decimal("943.5"), 0, "944", "944"),
        (Decimal("0.0205"), 3, "0.021", "0,021"),
    ],
)
def test_digits_and_rounding(value: Decimal | float, places: int | None, en: str, nl: str) -> None:
    assert format_number(value, "en", places) == en
    assert format_number(value, "nl", places) == nl


@pytest.mark.parametrize(
    ("key", "text", "unit", "circa", "shown"),
    [
        ("total_throughput", "5.661", "tok/s", False, "5.661"),
        ("output_throughput", "831,6", "tok/s", False, "831,6"),
        ("ttft:median", "0,65", "s", False, "0,65"),
        ("ttft:median", "122", "s", False, "122"),
        ("ttft:median", "116", "ms", False, "0,116"),
        ("tpot:median", "20,4", "ms", False, "20,4"),
        ("gpu_power:mean", "4,18", "kW", False, "4,18"),
        ("gpu_power_per_gpu:mean", "696", "W", True, "696"),
        ("prefill_throughput", "3.200", "tok/s", True, "3.200"),
    ],
)
def test_printed_digits_stay_as_printed(key: str, text: str, unit: str, circa: bool, shown: str) -> None:
    name, _, stat = key.partition(":")
    value = Decimal(text.replace(".", "").replace(",", "."))
    quantity = Quantity(name, unit, Basis.MEASURED, stat, value, printed=Printed(text, "nl", circa))
    assert figure_text(figure_of(quantity), "nl") == shown


def test_measured_figures_get_the_same_digits() -> None:
    measured = [
        figure_of(Quantity("tpot", "s", Basis.MEASURED, "median", value)) for value in (0.0330146783, 0.02, 0.1523)
    ]
    assert [figure_text(figure, "en") for figure in measured] == ["33.01", "20.00", "152.30"]


def test_a_range_is_shown_as_a_range() -> None:
    estimate = Quantity("per_gpu_total", "tok/s/GPU", Basis.ESTIMATED, low=Decimal(1035), high=Decimal(1105))
    assert figure_text(figure_of(estimate), "en") == "1,035–1,105"
    assert figure_text(figure_of(estimate), "nl") == "1.035–1.105"


def test_small_values_keep_digits_that_mean_something() -> None:
    assert sensible_places(0.652, 2) == 3
    assert sensible_places(Decimal("0.0096"), 3, 2) == 3
    assert sensible_places(0, 2) == 2


@pytest.mark.parametrize(
    ("ratio", "places", "locale", "text"),
    [
        (Decimal(944) / 936, 1, "en", f"+0.9{NBSP}%"),
        (Decimal(756) / 936, 1, "en", f"{MINUS}19.2{NBSP}%"),
        (Decimal(756) / 936, 0, "nl", f"{MINUS}19{NBSP}%"),
        (Decimal(1), 1, "en", f"0.0{NBSP}%"),
        (Decimal("0.9999"), 1, "nl", f"0,0{NBSP}%"),
        (Decimal(23), 1, "en", f"23.0{NBSP}×"),
    ],
)
def test_changes(ratio: Decimal, places: int, locale: Locale, text: str) -> None:
    assert change(ratio, locale, places) == text


def test_decimal_signs_stand_under_one_another() -> None:
    padded = align(["831.6", "629", "1.23", ""], "en")
    assert [len(text) for text in padded[:2]] == [6, 6]
    assert [text.rstrip("\u2007\u2008") for text in padded] == ["831.6", "629", "1.23", ""]


def test_money_signs_stand_in_front() -> None:
    assert value_with_unit(Decimal("0.10"), "$/kWh", "nl") == "$0,10/kWh"
    assert value_with_unit(800.0, "W", "en") == f"800{NBSP}W"
    assert tidy(0.1 + 0.2) == Decimal("0.3")
