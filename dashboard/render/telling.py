"""What the domain, the readers and the services told in English, in the reader's language: see docs/decisions/0004.

English is what is stored, logged and answered by the API. Here a text is looked up as it is; else it is taken apart
by the catalogue's texts with places ("{file}: expected {expected}, saw {seen}"), and what filled them is told in turn.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from dashboard.render.numbers import Locale
from dashboard.render.wording import _, catalogue, metric_name, say
from runs.domain.metrics import BY_KEY, SETTING_BY_KEY

MAX_TOLD = 4000
"""Longer texts (a client's output in a message) are left as they are."""

DEEPEST = 4
LEAST_LETTERS = 3
_KEY = re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)*)(?::([a-z0-9]+))?\b")
FORMULA_NAMES = {
    "price_per_kwh": _("price per kWh"),
    "pue": "PUE",
    "utilisation": _("utilisation"),
    "gpus_billed": _("GPUs billed"),
    "rate_per_gpu_hour": _("rate per GPU and hour"),
    "input_tokens": _("input tokens"),
    "output_tokens": _("output tokens"),
}
"""Inputs of formulas that are neither a figure nor a setting."""

_PLACE = re.compile(r"\{([a-z]\w*)\}")


@dataclass(frozen=True)
class Pattern:
    """A text with places: what stands around them, their names, and the text of the other language."""

    literals: tuple[str, ...]
    names: tuple[str, ...]
    other: str

    def match(self, text: str) -> tuple[str, ...] | None:
        """What fills the places, or None. In linear time: each literal is sought once, from the left."""
        first, *middle, last = self.literals
        if not text.startswith(first) or not text.endswith(last) or len(text) < len(first) + len(last):
            return None
        at, end, filled = len(first), len(text) - len(last), []
        for literal in middle:
            found = text.find(literal, at, end)
            if found < 0:
                return None
            filled.append(text[at:found])
            at = found + len(literal)
        return (*filled, text[at:end])

    def fill(self, filled: tuple[str, ...]) -> str:
        given = dict(zip(self.names, filled, strict=True))
        return _PLACE.sub(lambda place: given.get(place[1], place[0]), self.other)


def tell(text: str, locale: Locale) -> str:
    """An English text in the language asked for, as far as the catalogue knows it; the rest stays as it was told."""
    if locale == "en" or len(text) > MAX_TOLD:
        return text
    return _tell(text, locale, DEEPEST)


def formula(text: str, locale: Locale) -> str:
    """A formula with its inputs by their names: "total_throughput / active_gpus" is what English readers see."""
    if locale == "en":
        return text
    return _KEY.sub(lambda key: _input_name(key[1], key[2] or "", locale) or key[0], tell(text, locale))


def _input_name(key: str, stat: str, locale: Locale) -> str:
    if key in BY_KEY:
        name = metric_name(BY_KEY[key], stat, locale)
    elif key in SETTING_BY_KEY:
        name = say(SETTING_BY_KEY[key].name, locale)
    else:
        name = say(FORMULA_NAMES.get(key, ""), locale) if key in FORMULA_NAMES else ""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


@lru_cache(maxsize=8192)
def _tell(text: str, locale: Locale, depth: int) -> str:
    core = text.strip()
    if not any(map(str.isalpha, core)):
        return text
    before, _, after = text.partition(core)
    return f"{before}{_core(core, locale, depth)}{after}"


def _core(text: str, locale: Locale, depth: int) -> str:
    said = say(text, locale)
    if said != text or not depth:
        return said
    for pattern in patterns(locale):
        filled = pattern.match(text)
        if filled is not None:
            return pattern.fill(tuple(_tell(piece, locale, depth - 1) for piece in filled))
    # A service makes a sentence of what the domain told: "{error}."
    if text.endswith(".") and (inner := _core(text[:-1], locale, depth - 1)) != text[:-1]:
        return f"{inner}."
    return text


@lru_cache(maxsize=4)
def patterns(locale: Locale) -> tuple[Pattern, ...]:
    """The catalogue's texts with places, those that say most first."""
    found = []
    for text, other in catalogue(locale).items():
        parts = _PLACE.split(text)
        literals, names = tuple(parts[::2]), tuple(parts[1::2])
        adjacent = any(not literal for literal in literals[1:-1])
        distinct = len(set(names)) == len(names)
        if names and distinct and not adjacent and _letters(literals) >= LEAST_LETTERS:
            found.append(Pattern(literals, names, other))
    return tuple(sorted(found, key=lambda one: (-_letters(one.literals), -len("".join(one.literals)), one.literals)))


def _letters(literals: tuple[str, ...]) -> int:
    return sum(map(str.isalpha, "".join(literals)))
