"""A setting as a person types or a table prints it: a value, what it was called, or one of the words for absent."""

import re
from decimal import Decimal
from typing import Any

from runs.domain.metrics import SettingSpec, setting_spec
from runs.domain.units import UNITS, DomainError, NumberLocale, convert
from runs.readers.pasted.cells import Reading, absence, read_cell

_ON = frozenset({"on", "true", "yes", "aan", "ja", "enabled"})
_OFF = frozenset({"off", "false", "no", "uit", "nee", "disabled"})
_NOMINAL = re.compile(r"\d+(?:[.,]\d+)?\s*[kKmM]")
_BOTH = re.compile(r"(.+?)\s*\(([^()]+)\)")
_INFERRED = re.compile(r"\s*\((?:inferred|afgeleid)\)$", re.IGNORECASE)
_SECOND_NUMBER = re.compile(r"[\W_x]*\d", re.IGNORECASE)
"""Words behind a number that begin with another one: 8 192, 10 x 16, 16 / 32."""
_MOST_INDICES = 1024

Statement = dict[str, Any]
"""A setting in the published-runs format: value, nominal, state, quote."""


def statement(key: str, text: str, locale: NumberLocale | None, quote: str = "") -> Statement | str | None:
    """What a text says of a setting; None where it is absent, "not applicable" where it says so.

    "8K" is a name without an exact value, "8192 (8K)" both, "random (inferred)" a value with its state. Raises
    DomainError where the text does not fit the setting, or is two numbers at once.
    """
    spec, text = setting_spec(key), text.strip()
    absent = absence(text)
    if absent:
        return "not applicable" if absent == "not applicable" else None
    found: Statement = {"quote": quote or text}
    if _INFERRED.search(text):
        text, found["state"] = _INFERRED.sub("", text), "inferred"
    both = _BOTH.fullmatch(text) if spec.kind in ("int", "float") else None
    if both:
        text, found["nominal"] = both[1], both[2]
    return found | _value(spec, text, locale)


def _value(spec: SettingSpec, text: str, locale: NumberLocale | None) -> Statement:
    if spec.kind == "text":
        return {"value": text}
    if spec.kind == "bool":
        if text.casefold() not in _ON | _OFF:
            raise DomainError(f"{spec.name}: expected on or off, saw {text!r}")
        return {"value": text.casefold() in _ON}
    if spec.kind == "indices":
        return {"value": list(_indices(text))}
    if _NOMINAL.fullmatch(text):
        return {"nominal": text.replace(" ", "")}
    if text.casefold() in ("unlimited", "inf", "onbeperkt"):
        return {"nominal": "unlimited"}
    return {"value": _number(spec, text, locale)}


def _number(spec: SettingSpec, text: str, locale: NumberLocale | None) -> int | float:
    cell = read_cell(text, locale)
    if cell.problem or not cell.readings or cell.readings[0].value is None:
        raise DomainError(f"{spec.name}: {cell.problem or 'expected one number'}, saw {text!r}")
    value = _in_unit(spec, cell.readings[0], cell.unit, cell.unit_text)
    if spec.kind == "int" and value != value.to_integral_value():
        raise DomainError(f"{spec.name}: expected a whole number, saw {text!r}")
    return int(value) if value == value.to_integral_value() else float(value)


def _in_unit(spec: SettingSpec, reading: Reading, symbol: str, words: str) -> Decimal:
    value = reading.value or Decimal(0)
    if value < 0:
        raise DomainError(f"{spec.name}: expected 0 or more, saw {value}")
    if words and not symbol and _SECOND_NUMBER.match(words):
        raise DomainError(f"{spec.name}: expected one number, saw another behind it: {words!r}")
    if words and not symbol and spec.unit in UNITS and UNITS[spec.unit].dimension in ("power", "time"):
        raise DomainError(f"{spec.name}: {words!r} is no unit that is known")
    if symbol and spec.unit and UNITS[symbol].dimension == UNITS[spec.unit].dimension:
        return Decimal(convert(value, symbol, spec.unit))
    if symbol and symbol != spec.unit and spec.unit:
        raise DomainError(f"{spec.name} is not measured in {symbol}")
    if words and not symbol and not spec.unit:
        raise DomainError(f"{spec.name}: expected a number alone, saw {words!r} behind it")
    return value


def _indices(text: str) -> tuple[int, ...]:
    found: list[int] = []
    for part in text.replace(",", " ").replace("–", "-").split():
        first, dash, last = part.partition("-")
        ends = (first, last) if dash else (first, first)
        if not all(end.isascii() and end.isdigit() and len(end) < 5 for end in ends) or int(ends[0]) > int(ends[1]):
            raise DomainError(f"GPU indices are such as 2-7 or 0, 1, not {part!r}")
        found += range(int(ends[0]), int(ends[1]) + 1)
        if len(found) > _MOST_INDICES:
            raise DomainError(f"at most {_MOST_INDICES} GPU indices")
    return tuple(found)
