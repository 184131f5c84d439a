"""Rounding, printed numbers, intervals and conversions, against fractions and by hand."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from runs.domain.units import (
    UNITS,
    DomainError,
    Interval,
    NumberLocale,
    PrintedNumberError,
    UnitError,
    as_decimal,
    convert,
    parse_printed,
    point,
    round_half_away,
    rounding_interval,
    unit,
)

decimals = st.decimals(-(10**12), 10**12, places=6)


def half_away(value: Fraction, places: int) -> Fraction:
    """Independent of decimal: shift, add a half to the size, cut."""
    scaled = abs(value) * Fraction(10) ** places
    size = Fraction((2 * scaled.numerator + scaled.denominator) // (2 * scaled.denominator)) / Fraction(10) ** places
    return -size if value < 0 else size


@given(decimals, st.integers(-4, 8))
@example(Decimal("5660.5"), 0)
@example(Decimal("-0.5"), 0)
@example(Decimal("1E+30"), 2)
def test_rounding_is_half_away_from_zero(value: Decimal, places: int) -> None:
    assert Fraction(round_half_away(value, places)) == half_away(Fraction(value), places)


@given(st.floats(-1e15, 1e15), st.integers(0, 6))
def test_a_float_is_rounded_as_a_person_would_write_it(value: float, places: int) -> None:
    assert Fraction(round_half_away(value, places)) == half_away(Fraction(repr(value)), places)


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        ((5673 + 5648) / 2, 0, "5661"),  # Python's round() and "%.0f" give 5660
        (943.45, 1, "943.5"),  # its binary neighbour is below
        (Decimal("-2.5"), 0, "-3"),
        (-0.4, 0, "0"),  # not "-0"
        (Decimal("0.005"), 2, "0.01"),
        (3151, -2, "3.2E+3"),
        (1e300, 2, f"{Decimal('1e300'):f}.00"),
    ],
)
def test_rounding_by_hand(value: float | Decimal, places: int, text: str) -> None:
    assert str(round_half_away(value, places)) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), Decimal("NaN"), Decimal("1e9999")])
def test_what_cannot_be_rounded_is_refused(value: float | Decimal) -> None:
    with pytest.raises(DomainError, match="cannot round"):
        round_half_away(value, 2)


def test_numpy_scalars_are_numbers() -> None:
    assert as_decimal(np.float64(0.1)) == Decimal("0.1")


@given(st.decimals(-(10**9), 10**9, places=3), st.integers(0, 3), decimals)
def test_the_interval_holds_exactly_what_rounds_to_the_print(value: Decimal, places: int, other: Decimal) -> None:
    shown = round_half_away(value, places)
    span = rounding_interval(shown)
    assert value in span
    half = Decimal(5).scaleb(-places - 1)
    near = shown + max(min(other, 3 * half), -3 * half)
    if round_half_away(near, places) == shown:
        assert near in span
    else:
        # Closed: the end that rounds away belongs to it too, nothing beyond.
        assert near not in span or near in (span.low, span.high)


@pytest.mark.parametrize(
    ("text", "circa", "low", "high"),
    [
        ("4.18", False, "4.175", "4.185"),
        ("4.180", False, "4.1795", "4.1805"),
        ("5661", False, "5660.5", "5661.5"),
        ("3200", True, "3150", "3250"),
        ("3151", True, "3150.5", "3151.5"),
        ("0.50", True, "0.45", "0.55"),
        ("0", True, "-0.5", "0.5"),
        ("-2", False, "-2.5", "-1.5"),
    ],
)
def test_intervals_by_hand(text: str, circa: bool, low: str, high: str) -> None:
    assert rounding_interval(Decimal(text), circa=circa) == Interval(Decimal(low), Decimal(high))


def test_circa_3200_agrees_with_3151() -> None:
    assert Decimal(3151) in rounding_interval(Decimal(3200), circa=True)
    assert Decimal(3151) not in rounding_interval(Decimal(3200))


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("5.661", "nl", "5661"),
        ("5.661", "en", "5.661"),
        ("5,661", "en", "5661"),
        ("5,661", "nl", "5.661"),
        ("1.234.567,89", "nl", "1234567.89"),
        ("1,234,567.89", "en", "1234567.89"),
        ("0,65", "nl", "0.65"),
        ("12768", "nl", "12768"),
        ("\u22124,2", "nl", "-4.2"),
        ("\u00a0830 ", "en", "830"),
        ("1e-3", "plain", "0.001"),
        ("20.40", "plain", "20.40"),
    ],
)
def test_printed_numbers_by_hand(text: str, locale: NumberLocale, value: str) -> None:
    assert str(parse_printed(text, locale)) in (value, str(Decimal(value)))
    assert parse_printed(text, locale) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "locale"),
    [
        ("0.650", "nl"),  # a decimal in the wrong locale: never 650
        ("0,650", "en"),
        ("00.650", "nl"),
        ("1.23", "nl"),
        ("1,23", "en"),
        ("1.2345", "nl"),
        ("12.34.567", "nl"),
        ("5,661", "plain"),
        ("4,18 kW", "nl"),
        ("circa 696", "nl"),
        ("1e3", "en"),
        ("", "en"),
        ("-", "plain"),
        ("NaN", "plain"),
        ("Infinity", "plain"),
        ("\u0661\u0662", "plain"),
        ("1e999999999", "plain"),
        ("1e99999999999999999999", "plain"),
        ("1" * 26, "plain"),
    ],
)
def test_what_is_no_printed_number_is_refused(text: str, locale: NumberLocale) -> None:
    with pytest.raises(PrintedNumberError):
        parse_printed(text, locale)


@given(st.decimals(-(10**9), 10**9, places=3), st.integers(0, 3), st.sampled_from(["en", "nl"]))
@example(Decimal(5661), 0, "nl")
@example(Decimal("5.661"), 3, "en")
def test_print_and_read_back(value: Decimal, places: int, locale: NumberLocale) -> None:
    shown = round_half_away(value, places)
    text = f"{shown:,f}"
    text = text if locale == "en" else text.translate(str.maketrans(",.", ".,"))
    assert parse_printed(text, locale) == shown
    assert parse_printed(text, locale).as_tuple().exponent == shown.as_tuple().exponent


@given(st.text(max_size=20), st.sampled_from(["en", "nl", "plain"]))
def test_any_text_is_a_number_or_refused(text: str, locale: NumberLocale) -> None:
    try:
        number = parse_printed(text, locale)
    except PrintedNumberError:
        return
    assert number.is_finite()
    assert number in rounding_interval(number)


symbols = st.sampled_from(sorted(UNITS))


@given(decimals, symbols, symbols)
def test_conversions_are_exact_and_invertible(value: Decimal, source: str, target: str) -> None:
    assume(UNITS[source].dimension == UNITS[target].dimension)
    there = convert(value, source, target)
    exact = Fraction(value) * UNITS[source].factor / UNITS[target].factor
    error = abs(Fraction(as_decimal(there)) - exact)
    # 28 significant digits: to nothing where the quotient ends, to a part in 10^27 where it does not (s to h)
    assert error <= abs(exact) / 10**27
    assert abs(Fraction(as_decimal(convert(there, target, source))) - Fraction(value)) <= abs(Fraction(value)) / 10**26


@given(st.floats(1e-6, 1e12), symbols, symbols)
def test_floats_convert_to_the_last_bits(value: float, source: str, target: str) -> None:
    assume(UNITS[source].dimension == UNITS[target].dimension)
    factor = float(UNITS[source].factor / UNITS[target].factor)
    assert convert(value, source, target) == pytest.approx(value * factor, rel=1e-15)


@pytest.mark.parametrize(
    ("value", "source", "target", "result"),
    [
        (Decimal("20.4"), "ms", "s", Decimal("0.0204")),
        (Decimal("4.18"), "kW", "W", Decimal(4180)),
        (Decimal("1.5"), "kWh", "J", Decimal(5_400_000)),
        (Decimal("1182.5"), "tok/s/kW", "tok/s/W", Decimal("1.1825")),
        (45, "%", "ratio", 0.45),
        (2, "h", "min", 120),
    ],
)
def test_conversions_by_hand(value: Decimal | int, source: str, target: str, result: Decimal | float) -> None:
    assert convert(value, source, target) == result


def test_unlike_dimensions_and_unknown_units_are_refused_in_words() -> None:
    with pytest.raises(UnitError, match="kW measures power, s measures time"):
        convert(1, "kW", "s")
    with pytest.raises(UnitError, match=r"unknown unit 'tokens/s'; known: .*tok/s"):
        unit("tokens/s")


@st.composite
def intervals(draw: st.DrawFn) -> tuple[Interval, Decimal]:
    """An interval and a value in it."""
    low, inside, high = sorted(draw(st.tuples(decimals, decimals, decimals)))
    return Interval(low, high), inside


@given(intervals(), intervals())
@example((point(1), Decimal(1)), (point(3), Decimal(3)))
def test_products_and_quotients_enclose_every_pair(
    left: tuple[Interval, Decimal], right: tuple[Interval, Decimal]
) -> None:
    product = left[0] * right[0]
    exact = Fraction(left[1]) * Fraction(right[1])
    assert Fraction(product.low) <= exact <= Fraction(product.high)
    if right[0].low <= 0 <= right[0].high:
        with pytest.raises(DomainError, match="contains zero"):
            left[0] / right[0]
        return
    quotient = left[0] / right[0]
    exact = Fraction(left[1]) / Fraction(right[1])
    assert Fraction(quotient.low) <= exact <= Fraction(quotient.high)


def test_the_enclosure_is_tight() -> None:
    assert Interval(Decimal(-2), Decimal(3)) * Interval(Decimal(-5), Decimal(4)) == Interval(Decimal(-15), Decimal(12))
    assert Interval(Decimal(-2), Decimal(3)) / Interval(Decimal(-4), Decimal(-2)) == Interval(
        Decimal("-1.5"), Decimal(1)
    )


def test_intervals_refuse_to_stand_on_their_head_and_overlap_at_their_ends() -> None:
    with pytest.raises(DomainError, match="upside down"):
        Interval(Decimal(2), Decimal(1))
    assert rounding_interval(Decimal(943)).overlaps(rounding_interval(Decimal(944)))
    assert not rounding_interval(Decimal(943)).overlaps(rounding_interval(Decimal(945)))
