"""Units, rounding and the interval that a printed figure stands for.

Inside the product: seconds, watts, joules, tokens. Milliseconds and kilowatts exist where a source printed them and in
wording; :func:`convert` is the only place that knows the factors.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction
from typing import Literal

NumberLocale = Literal["en", "nl", "plain"]
Number = Decimal | float | int


class DomainError(ValueError):
    """A value that the domain refuses, said in words a person can act on."""


class UnitError(DomainError):
    """A unit that is unknown, or a conversion between unlike dimensions."""


class PrintedNumberError(DomainError):
    """A printed text that is no number in the stated locale."""


@dataclass(frozen=True)
class Unit:
    """A unit: its symbol, its dimension, and how many base units one of it is (exact)."""

    symbol: str
    dimension: str
    factor: Fraction


def _unit(symbol: str, dimension: str, factor: str | int = 1) -> tuple[str, Unit]:
    return symbol, Unit(symbol, dimension, Fraction(factor))


UNITS: dict[str, Unit] = dict(
    (
        _unit("s", "time"),
        _unit("ms", "time", "1/1000"),
        _unit("us", "time", "1/1000000"),
        _unit("ns", "time", "1/1000000000"),
        _unit("min", "time", 60),
        _unit("h", "time", 3600),
        _unit("W", "power"),
        _unit("mW", "power", "1/1000"),
        _unit("kW", "power", 1000),
        _unit("J", "energy"),
        _unit("mJ", "energy", "1/1000"),
        _unit("kJ", "energy", 1000),
        _unit("MJ", "energy", 1_000_000),
        _unit("Wh", "energy", 3600),
        _unit("kWh", "energy", 3_600_000),
        _unit("tokens", "tokens"),
        _unit("Mtok", "tokens", 1_000_000),
        _unit("tok/s", "token rate"),
        _unit("tok/s/GPU", "token rate per GPU"),
        _unit("tok/s/user", "token rate per user"),
        _unit("tok/s/kW", "token rate per power", "1/1000"),
        _unit("tok/s/W", "token rate per power"),
        _unit("J/tok", "energy per token"),
        _unit("req/s", "request rate"),
        _unit("requests", "requests"),
        _unit("GPUs", "GPUs"),
        _unit("%", "ratio", "1/100"),
        _unit("ratio", "ratio"),
        _unit("GB", "memory", 1_000_000_000),
        _unit("TB", "memory", 1_000_000_000_000),
        _unit("cores", "cores"),
        _unit("rows", "rows"),
        _unit("positions", "positions"),
        _unit("parameters", "parameters"),
        _unit("correct/total", "score"),
        _unit("nats", "divergence"),
        _unit("as stated", "as stated"),
        _unit("", "none"),
    )
)


def unit(symbol: str) -> Unit:
    """The unit with this symbol; raises :class:`UnitError` that lists what is known."""
    try:
        return UNITS[symbol]
    except KeyError:
        raise UnitError(f"unknown unit {symbol!r}; known: {', '.join(sorted(filter(None, UNITS)))}") from None


def convert(value: Number, from_symbol: str, to_symbol: str) -> Number:
    """``value`` in another unit of the same dimension. Decimals stay exact decimals, floats stay floats."""
    source, target = unit(from_symbol), unit(to_symbol)
    if source.dimension != target.dimension:
        raise UnitError(f"{from_symbol} measures {source.dimension}, {to_symbol} measures {target.dimension}")
    factor = source.factor / target.factor
    if isinstance(value, Decimal):
        return value * factor.numerator / factor.denominator
    if factor.denominator == 1:
        return value * factor.numerator
    return value * factor.numerator / factor.denominator


def round_half_away(value: Number, places: int = 0) -> Decimal:
    """Round half away from zero to ``places`` decimals (negative: tens, hundreds …).

    A float is taken at its shortest repr, so that 943.45 means 943.45 and not its binary neighbour.
    """
    exact = value if isinstance(value, Decimal) else Decimal(repr(value) if isinstance(value, float) else value)
    if not exact.is_finite():
        raise DomainError(f"cannot round {value!r}: not a finite number")
    return exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


@dataclass(frozen=True)
class Interval:
    """A closed interval [low, high] in the unit of the figure it belongs to."""

    low: Decimal
    high: Decimal

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise DomainError(f"interval upside down: {self.low} is above {self.high}")

    def __contains__(self, value: Number) -> bool:
        return self.low <= as_decimal(value) <= self.high

    def overlaps(self, other: "Interval") -> bool:
        """Whether the two have a value in common: figures that agree within rounding."""
        return self.low <= other.high and other.low <= self.high

    def __mul__(self, other: "Interval") -> "Interval":
        ends = [a * b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))

    def __truediv__(self, other: "Interval") -> "Interval":
        if other.low <= 0 <= other.high:
            raise DomainError(f"cannot divide by [{other.low}, {other.high}]: it contains zero")
        ends = [a / b for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(ends), max(ends))


def point(value: Number) -> Interval:
    """The interval of an exact value."""
    exact = as_decimal(value)
    return Interval(exact, exact)


def as_decimal(value: Number) -> Decimal:
    """The decimal a person would write for ``value`` (floats by their shortest repr)."""
    if isinstance(value, Decimal):
        return value
    return Decimal(repr(value)) if isinstance(value, float) else Decimal(value)


_GROUPED = {
    "en": re.compile(r"[+-]?\d{1,3}(,\d{3})+(\.\d+)?|[+-]?\d+(\.\d+)?"),
    "nl": re.compile(r"[+-]?\d{1,3}(\.\d{3})+(,\d+)?|[+-]?\d+(,\d+)?"),
    "plain": re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?"),
}
_NOISE = "\u00a0\u202f\u2009 "


def parse_printed(text: str, locale: NumberLocale) -> Decimal:
    """The number that ``text`` prints in a locale: 5.661 is 5661 in ``nl`` and 5.661 in ``en``.

    The text is the bare number: no unit, no "circa". Raises :class:`PrintedNumberError`.
    """
    bare = text.strip(_NOISE).replace("\u2212", "-")
    if not _GROUPED[locale].fullmatch(bare):
        raise PrintedNumberError(f"{text!r} is no number as {locale} prints one")
    if locale == "en":
        bare = bare.replace(",", "")
    elif locale == "nl":
        bare = bare.replace(".", "").replace(",", ".")
    try:
        return Decimal(bare)
    except InvalidOperation:  # pragma: no cover - the pattern admits only numbers
        raise PrintedNumberError(f"{text!r} is no number as {locale} prints one") from None


def rounding_interval(value: Decimal, *, circa: bool = False) -> Interval:
    """The closed interval that a printed number stands for: 4.18 is [4.175, 4.185].

    ``value`` keeps the digits as printed (4.180 is narrower than 4.18). ``circa`` widens it to half of the last
    non-zero digit: circa 3,200 is [3150, 3250].
    """
    exponent = (value.normalize() if circa and value != 0 else value).as_tuple().exponent
    if not isinstance(exponent, int):
        raise DomainError(f"{value} has no rounding interval: not a finite number")
    half = Decimal(5).scaleb(exponent - 1)
    return Interval(value - half, value + half)
