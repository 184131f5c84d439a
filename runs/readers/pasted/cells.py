"""One pasted cell: a number in every locale that takes it, a range, a unit, "circa", or one of the words for absent."""

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from runs.domain.units import UNITS, NumberLocale, PrintedNumberError, parse_printed

Absent = Literal["", "not stated", "not measured", "not applicable"]

NOT_STATED = frozenset(
    {
        "", "-", "–", "—", "?", "n/a", "na", "tbd", "not stated", "not reported", "not published", "not given",
        "unknown", "unstated", "niet vermeld", "niet gepubliceerd", "niet opgegeven", "niet gemeld", "onbekend",
        "niet bekend", "niet eerder gemeld",
    }
)  # fmt: skip
NOT_MEASURED = frozenset({"not measured", "niet gemeten"})
NOT_APPLICABLE = frozenset({"not applicable", "n.v.t.", "nvt", "niet van toepassing"})

UNIT_WORDS = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "seconde": "s", "seconden": "s",
    "msec": "ms", "milliseconds": "ms", "milliseconden": "ms", "µs": "us", "μs": "us",
    "minutes": "min", "minuten": "min", "hours": "h", "hour": "h", "uur": "h",
    "watt": "W", "watts": "W", "w/gpu": "W", "kilowatt": "kW", "tokens/s": "tok/s", "token/s": "tok/s", "t/s": "tok/s",
    "tok/sec": "tok/s", "tokens/sec": "tok/s", "tokens per second": "tok/s", "tokens per seconde": "tok/s",
    "tokens/second": "tok/s", "output tok/s": "tok/s", "uitvoer-tok/s": "tok/s", "invoer-tok/s": "tok/s",
    "tokens/s/gpu": "tok/s/GPU", "tok/s per gpu": "tok/s/GPU", "tokens/s per gpu": "tok/s/GPU",
    "tokens/s/user": "tok/s/user", "tok/s per kw": "tok/s/kW", "tokens/s/kw": "tok/s/kW",
    "requests/s": "req/s", "percent": "%", "procent": "%", "gpu": "GPUs", "x": "ratio",
}  # fmt: skip
_FOLDED = {symbol.casefold(): symbol for symbol in UNITS if symbol and symbol not in ("mW", "mJ", "MJ")}

_CIRCA = re.compile(r"(?:circa|ca\.?|approximately|approx\.?|about|around|roughly|ongeveer|rond|~|≈)\s*", re.IGNORECASE)
_NUMBER = r"[+\-\u2212]?\d[\d.,]*(?:[eE][+\-]?\d+)?"
_CELL = re.compile(rf"({_NUMBER})(?:\s*(?:-|–|—|\bto\b|\btot\b)\s*({_NUMBER}))?\s*(\D.*)?", re.DOTALL)
_MOST_DIGITS = 40
_MOST_EXPONENT = 24


@dataclass(frozen=True)
class Reading:
    """What a cell says in one number locale: a value, or the two ends of a range."""

    locale: NumberLocale
    value: Decimal | None = None
    low: Decimal | None = None
    high: Decimal | None = None

    @property
    def same_as(self) -> tuple[Decimal | None, ...]:
        return (self.value, self.low, self.high)


@dataclass(frozen=True)
class PastedCell:
    """A cell as it stands. ``readings`` has one entry for each number that it may be; ``printed`` is the bare number
    (or the two ends), ``unit_text`` what stands behind it and ``unit`` its symbol where it is known."""

    text: str
    absent: Absent = ""
    readings: tuple[Reading, ...] = ()
    printed: tuple[str, ...] = ()
    unit_text: str = ""
    unit: str = ""
    circa: bool = False
    problem: str = ""


def read_cell(text: str, locale: NumberLocale | None) -> PastedCell:
    """A cell in the locale stated, or in every locale that takes it where none is stated."""
    text = text.strip()
    absent = absence(text)
    if absent:
        return PastedCell(text, absent)
    bare = _CIRCA.match(text)
    rest = text[bare.end() :] if bare else text
    match = _CELL.fullmatch(rest)
    if match is None:
        return PastedCell(text, problem="no number")
    ends = tuple(filter(None, (match[1], match[2])))
    words = (match[3] or "").strip()
    cell = PastedCell(text, printed=ends, unit_text=words, unit=unit_symbol(words), circa=bare is not None)
    if any(len(end) > _MOST_DIGITS for end in ends):
        return PastedCell(text, problem="a number of more digits than any figure has")
    return _with_readings(cell, locale)


def absence(text: str) -> Absent:
    """Which of the words for absent a text is; "" where it is something else."""
    folded = " ".join(text.casefold().split())
    if folded in NOT_STATED or folded.endswith((" niet vermeld", " not stated")):
        return "not stated"
    if folded in NOT_MEASURED:
        return "not measured"
    return "not applicable" if folded in NOT_APPLICABLE else ""


def unit_symbol(words: str) -> str:
    """The symbol of a unit as people write it; "" where it is none that is known. mW and MW are told apart by case."""
    if words in UNITS:
        return words
    folded = " ".join(words.casefold().split())
    return UNIT_WORDS.get(folded) or _FOLDED.get(folded, "")


def _with_readings(cell: PastedCell, locale: NumberLocale | None) -> PastedCell:
    tried: tuple[NumberLocale, ...] = ("en", "nl") if locale is None else (locale,)
    found: list[Reading] = []
    for one in tried:
        reading = _reading(cell.printed, one)
        if reading is not None and reading.same_as not in [other.same_as for other in found]:
            found.append(reading)
    problem = ""
    if not found:
        names = " or ".join(tried)
        other = next((one for one in ("en", "nl", "plain") if _reading(cell.printed, one)), "")
        problem = f"no number as {names} prints one" + (f"; {other} would take it" if other and locale else "")
    elif any(one.low is not None and one.high is not None and one.low > one.high for one in found):
        problem = "a range upside down"
    elif len(found) > 1:
        problem = "two numbers are possible: say how the source prints numbers"
    return PastedCell(cell.text, "", tuple(found), cell.printed, cell.unit_text, cell.unit, cell.circa, problem)


def _reading(printed: tuple[str, ...], locale: NumberLocale) -> Reading | None:
    try:
        numbers = [parse_printed(text, locale) for text in printed]
    except PrintedNumberError:
        return None
    if any(abs(number.adjusted()) > _MOST_EXPONENT for number in numbers if number):
        return None
    return Reading(locale, numbers[0]) if len(numbers) == 1 else Reading(locale, None, numbers[0], numbers[1])


def looks_whole(text: str) -> bool:
    """Whether a line is one cell with a number or a word for absent, and nothing run into it."""
    cell = read_cell(text, None)
    return bool(cell.absent) or (bool(cell.readings) and (not cell.unit_text or bool(cell.unit)))
