"""What readers, domain and services told in English, in the language of whoever reads it: docs/decisions/0004.

English is what is stored, logged and answered by the API. Here a text is looked up as it is; else it is taken apart
by the catalogue's texts with places ("{file}: expected {expected}, saw {seen}"), and what filled them is told in turn.
"""

import gettext
import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

LOCALE_FOLDER = Path(__file__).resolve().parent.parent / "locale"
MAX_TOLD = 4000
"""Longer texts (a client's output in a message) are left as they are."""

DEEPEST = 4
LEAST_LETTERS = 3
_PLACE = re.compile(r"\{([a-z]\w*)\}")
_COMPUTED = re.compile(r"\{([a-z]\w*)\}(?= (?:%|(?:s|ms|min|W|kW|J|kJ|MiB|GiB)\b))")
"""A place before a unit holds a number worked out here; any other may quote a file or a version, digit for digit."""

_NUMBER = re.compile(r"-?\d+(?:,\d{3})*(?:\.\d+)?")
_SHARE = re.compile(rf"({_NUMBER.pattern})( %)")
_SWAPPED = str.maketrans(",.", ".,")


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
        for name in _COMPUTED.findall(self.other):
            if _NUMBER.fullmatch(given[name]):
                given[name] = given[name].translate(_SWAPPED)
        return _PLACE.sub(lambda place: given.get(place[1], place[0]), self.other)


def tell(text: str, locale: str) -> str:
    """An English text in the language asked for, as far as the catalogue knows it; the rest stays as it was told."""
    if locale == "en" or len(text) > MAX_TOLD:
        return text
    return _tell(text, locale, DEEPEST)


def _best(text: str, locale: str) -> tuple[int, tuple[Pattern, tuple[str, ...]] | None]:
    """The pattern that says most of a text, with what fills it, and the letters that it accounts for."""
    for pattern in patterns(locale):
        filled = pattern.match(text)
        if filled is not None:
            return _letters(pattern.literals), (pattern, filled)
    return 0, None


def _weight(text: str, locale: str) -> int:
    """How many letters of a text the catalogue knows, as it is or by a pattern."""
    known = catalogue(locale)
    return _letters((text,)) if known.get(text, text) != text else _best(text, locale)[0]


@lru_cache(maxsize=4)
def catalogue(locale: str) -> dict[str, str]:
    """Every text that has a translation, with it: {} for English."""
    found = gettext.translation("django", localedir=LOCALE_FOLDER, languages=[locale], fallback=True)
    known = getattr(found, "_catalog", {})
    return {text: other for text, other in known.items() if isinstance(text, str) and text}


@lru_cache(maxsize=8192)
def _tell(text: str, locale: str, depth: int) -> str:
    core = text.strip()
    if not any(map(str.isalpha, core)):
        return (
            _SHARE.sub(lambda share: share[1].translate(_SWAPPED) + share[2], text) if _SHARE.fullmatch(core) else text
        )
    before, _, after = text.partition(core)
    return f"{before}{_core(core, locale, depth)}{after}"


def _core(text: str, locale: str, depth: int) -> str:
    said = catalogue(locale).get(text, text)
    if said != text or not depth:
        return said
    # "place: what is wrong there": where the rest says more by itself than the whole does, it is told apart.
    head, colon, rest = text.partition(": ")
    weight, found = _best(text, locale)
    if colon and _weight(rest, locale) > weight:
        return f"{_tell(head, locale, depth - 1)}: {_tell(rest, locale, depth - 1)}"
    if found is not None:
        pattern, filled = found
        return pattern.fill(tuple(_tell(piece, locale, depth - 1) for piece in filled))
    # A service makes a sentence of what the domain told: "{error}."
    if text.endswith(".") and (inner := _core(text[:-1], locale, depth - 1)) != text[:-1]:
        return f"{inner}."
    return text


@lru_cache(maxsize=4)
def patterns(locale: str) -> tuple[Pattern, ...]:
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
