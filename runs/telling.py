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


def tell(text: str, locale: str) -> str:
    """An English text in the language asked for, as far as the catalogue knows it; the rest stays as it was told."""
    if locale == "en" or len(text) > MAX_TOLD:
        return text
    return _tell(text, locale, DEEPEST)


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
        return text
    before, _, after = text.partition(core)
    return f"{before}{_core(core, locale, depth)}{after}"


def _core(text: str, locale: str, depth: int) -> str:
    said = catalogue(locale).get(text, text)
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
