"""Numbers as a reader's language prints them. Every digit on every surface comes through here."""

import re
from decimal import Decimal
from typing import Literal

from runs.domain.facts import Printed
from runs.domain.figures import Figure
from runs.domain.metrics import metric
from runs.domain.units import (
    Interval,
    Number,
    PrintedNumberError,
    as_decimal,
    convert,
    parse_printed,
    round_half_away,
    unit,
)

Locale = Literal["en", "nl"]

MINUS = "\u2212"
NBSP = "\u00a0"
FIGURE_SPACE = "\u2007"
PUNCTUATION_SPACE = "\u2008"

# Decimals of a metric that was measured or derived, in its display unit; printed figures keep their own.
PLACES = {
    "ttft": 2,
    "tpot": 2,
    "itl": 2,
    "e2el": 2,
    "duration": 1,
    "request_throughput": 2,
    "request_goodput": 2,
    "gpu_power": 2,
    "gpu_power_cap": 1,
    "gpu_power_assumed": 1,
    "energy": 1,
    "energy_per_token": 3,
    "energy_per_output_token": 3,
    "electricity_cap": 3,
    "electricity_measured": 3,
    "electricity_assumed": 3,
    "electricity_output_cap": 3,
    "electricity_output_measured": 3,
    "electricity_output_assumed": 3,
    "rental": 2,
    "rental_output": 2,
    "spec_acceptance": 1,
    "spec_acceptance_length": 2,
    "gpu_memory_used": 1,
}
_FEWER_DIGITS = {"power": 2, "electricity": 2, "rental": 2}
_MOST_PLACES = 8


def format_number(value: Number, locale: Locale, places: int | None = None) -> str:
    """``value`` with ``places`` decimals (None: the digits it has), half away from zero, grouped as the language does.

    Negative places round to tens and hundreds. 5660.5 is "5,661" in English and "5.661" in Dutch.
    """
    exact = as_decimal(value)
    if places is not None:
        exact = round_half_away(exact, places)
    text = f"{exact:,f}".replace("-", MINUS)
    return text if locale == "en" else text.translate(str.maketrans(",.", ".,"))


def sensible_places(value: Number, fixed: int, least_digits: int = 3) -> int:
    """``fixed`` decimals, or as many more as a small value needs to keep ``least_digits`` significant digits."""
    exact = abs(as_decimal(value))
    places = fixed
    if exact == 0:
        return places
    while places < _MOST_PLACES and round_half_away(exact, places) < Decimal(1).scaleb(least_digits - 1 - places):
        places += 1
    return places


def display_unit(key: str, figure_unit: str = "") -> str:
    """The unit of a metric's row; money keeps the currency of its figure."""
    known = metric(key)
    return (figure_unit or known.unit) if known.family in ("electricity", "rental") else known.display_unit


def in_display_unit(value: Number, key: str, figure_unit: str) -> Number:
    """``value`` of a figure in the unit that tables show."""
    target = display_unit(key, figure_unit)
    return value if target == figure_unit else convert(value, figure_unit, target)


def printed_places(figure: Figure) -> int | None:
    """The decimals that a printed figure keeps in its display unit; None where it was not printed.

    The interval tells: it is one unit of the last printed digit wide, whatever the unit it was printed in.
    """
    if figure.printed is None or figure.interval is None or figure.is_range:
        return None
    width = _interval_in_display(figure, figure.interval)
    if width == 0:
        return None
    places = -width.adjusted()
    if not figure.printed.circa:
        return places
    return max(places, printed_text_places(figure.printed) or places)


_NUMBER = re.compile(r"\d[\d.,]*\d|\d")


def printed_number(printed: Printed) -> Decimal | None:
    """The first number in a printed text ("circa 696 W/GPU"), with its digits; None where it has none."""
    found = _NUMBER.search(printed.text)
    try:
        return parse_printed(found[0], printed.locale) if found else None
    except PrintedNumberError:
        return None


def printed_text_places(printed: Printed) -> int | None:
    """Decimals of the printed text itself."""
    number = printed_number(printed)
    exponent = number.as_tuple().exponent if number is not None else None
    return -exponent if isinstance(exponent, int) and exponent < 0 else None


def _interval_in_display(figure: Figure, interval: Interval) -> Decimal:
    width = interval.high - interval.low
    return as_decimal(in_display_unit(width, figure.key, figure.unit))


def figure_places(figure: Figure, value: Number) -> int:
    """The decimals that ``value`` (in the display unit) of this figure is shown with."""
    printed = printed_places(figure)
    if printed is not None:
        return printed
    family = metric(figure.key).family
    return sensible_places(value, PLACES.get(figure.metric, 0), _FEWER_DIGITS.get(family, 3))


def _end_places(figure: Figure, end: Number) -> int:
    """The decimals of an end of a range: those it was printed with, where it was."""
    if figure.printed is None or not isinstance(end, Decimal):
        return figure_places(figure, end)
    exponent = end.normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def figure_text(figure: Figure, locale: Locale) -> str:
    """The number of a figure without its unit: "5,661", "1,035–1,105", or "" where it has none."""
    if figure.low is not None and figure.high is not None:
        ends = [in_display_unit(end, figure.key, figure.unit) for end in (figure.low, figure.high)]
        return "–".join(format_number(end, locale, _end_places(figure, end)) for end in ends)
    if figure.value is None:
        return ""
    shown = in_display_unit(figure.value, figure.key, figure.unit)
    return format_number(shown, locale, figure_places(figure, shown))


def percent(value: Number, locale: Locale, places: int = 0) -> str:
    """A share of 1 as a percentage: 0.985 is "98.5 %" with one place."""
    return f"{format_number(as_decimal(value) * 100, locale, places)}{NBSP}%"


def change(ratio: Number, locale: Locale, places: int = 1) -> str:
    """A ratio as a signed change: 1.0085 is "+0.9 %", 0.81 "−19.0 %"; from ten times on as a factor."""
    exact = as_decimal(ratio)
    if exact >= 10:
        return f"{format_number(exact, locale, 1)}{NBSP}×"
    rounded = round_half_away((exact - 1) * 100, places)
    sign = "+" if rounded > 0 else ""
    return f"{sign}{format_number(abs(rounded) if rounded == 0 else rounded, locale)}{NBSP}%"


def value_with_unit(value: Number, symbol: str, locale: Locale) -> str:
    """A number with the digits it has and its unit; money signs stand in front."""
    text = format_number(tidy(value), locale)
    if symbol[:1] in ("$", "€", "£"):
        rest = symbol[1:]
        return f"{symbol[0]}{text}{rest}" if rest else f"{symbol[0]}{text}"
    return f"{text}{NBSP}{symbol}" if symbol else text


def tidy(value: Number) -> Decimal:
    """A number with at most six significant digits and no trailing noise of binary floats."""
    if isinstance(value, Decimal) or float(value).is_integer():
        exact = as_decimal(value)
        return exact.quantize(Decimal(1)) if exact == exact.to_integral_value() and exact.as_tuple().exponent else exact
    return Decimal(f"{value:.6g}")


def align(texts: list[str], locale: Locale) -> list[str]:
    """Texts of one column, padded behind with digit-wide spaces so that decimal signs stand under one another."""
    sign = "." if locale == "en" else ","
    tails = [len(text.partition(sign)[2]) for text in texts]
    most = max(tails, default=0)
    return [_pad(text, tail, most) if text[-1:].isdigit() else text for text, tail in zip(texts, tails, strict=True)]


def _pad(text: str, tail: int, most: int) -> str:
    if most == tail:
        return text
    return text + (PUNCTUATION_SPACE if tail == 0 else "") + FIGURE_SPACE * (most - tail)


def known_unit(symbol: str) -> bool:
    """Whether the catalogue of units has this symbol (money has none there)."""
    try:
        unit(symbol)
    except ValueError:
        return False
    return True
