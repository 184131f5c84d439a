"""Units, rounding and the interval that a printed figure stands for.

Inside the product: seconds, watts, joules, tokens. Milliseconds and kilowatts exist where a source printed them and in
wording; :func:`convert` is the only place that knows the factors.
"""

import re
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal, InvalidOperation
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
        _unit("ktok/s", "token rate", 1000),
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

    A float is taken at its shortest repr, so that 943.45 means 943.45 and not its binary neighbour. Nothing is left
    of the sign of what rounds to 0.
    """
    exact = as_decimal(value)
    if not exact.is_finite():
        raise DomainError(f"cannot round {value!r}: not a finite number")
    try:
        rounded = exact.quantize(Decimal(1).scaleb(-places), context=_ROUND)
    except InvalidOperation:
        raise DomainError(f"cannot round {value!r} to {places} places: too large") from None
    return rounded or rounded.copy_abs()


_ROUND = Context(prec=400, rounding=ROUND_HALF_UP)
_DOWN = Context(prec=28, rounding=ROUND_FLOOR)
_UP = Context(prec=28, rounding=ROUND_CEILING)


@dataclass(frozen=True)
class Interval:
    """A closed interval [low, high] in the unit of the figure it belongs to.

    Products and quotients are rounded outward, so that they hold every product and quotient of what is in the two.
    """

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
        if self.low >= 0 and other.low >= 0:
            return Interval(_DOWN.multiply(self.low, other.low), _UP.multiply(self.high, other.high))
        ends = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(_DOWN.multiply(a, b) for a, b in ends), max(_UP.multiply(a, b) for a, b in ends))

    def __truediv__(self, other: "Interval") -> "Interval":
        if other.low <= 0 <= other.high:
            raise DomainError(f"cannot divide by [{other.low}, {other.high}]: it contains zero")
        if self.low >= 0 and other.low > 0:
            return Interval(_DOWN.divide(self.low, other.high), _UP.divide(self.high, other.low))
        ends = [(a, b) for a in (self.low, self.high) for b in (other.low, other.high)]
        return Interval(min(_DOWN.divide(a, b) for a, b in ends), max(_UP.divide(a, b) for a, b in ends))


def point(value: Number) -> Interval:
    """The interval of an exact value."""
    exact = as_decimal(value)
    return Interval(exact, exact)


def as_decimal(value: Number) -> Decimal:
    """The decimal a person would write for ``value`` (floats by their shortest repr)."""
    if isinstance(value, Decimal):
        return value
    # float's own repr: that of a NumPy scalar is no number
    return Decimal(float.__repr__(value)) if isinstance(value, float) else Decimal(value)


_GROUPED = {
    # A group that begins with 0 is none: 0.650 in "nl" is a decimal in the wrong locale, and never 650.
    "en": re.compile(r"[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?|[+-]?\d+(\.\d+)?", re.ASCII),
    "nl": re.compile(r"[+-]?[1-9]\d{0,2}(\.\d{3})+(,\d+)?|[+-]?\d+(,\d+)?", re.ASCII),
    "plain": re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?", re.ASCII),
}
_MOST_DIGITS = 25
_MOST_ZEROS = 40
_NOISE = "\u00a0\u202f\u2009 "


def parse_printed(text: str, locale: NumberLocale) -> Decimal:
    """The number that ``text`` prints in a locale: 5.661 is 5661 in ``nl`` and 5.661 in ``en``.

    The text is the bare number: no unit, no "circa". Raises :class:`PrintedNumberError`, also for more digits than
    can be computed with exactly.
    """
    bare = text.strip(_NOISE).replace("\u2212", "-")
    if not _GROUPED[locale].fullmatch(bare):
        raise PrintedNumberError(f"{text[:60]!r} is no number as {locale} prints one")
    if locale == "en":
        bare = bare.replace(",", "")
    elif locale == "nl":
        bare = bare.replace(".", "").replace(",", ".")
    try:
        number = Decimal(bare)
    except InvalidOperation:  # an exponent of many digits
        raise PrintedNumberError(f"{text[:60]!r} is too large or too small for a printed number") from None
    if len(number.as_tuple().digits) > _MOST_DIGITS or abs(number.adjusted()) > _MOST_ZEROS:
        raise PrintedNumberError(f"{text[:60]!r} is too large, too small or too long for a printed number")
    return number


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
