"""The paste form's fields as choices: what was typed over what the table suggests. Nothing is kept between steps."""

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from django.http import QueryDict

from runs.domain.metrics import SETTINGS
from runs.domain.records import Source
from runs.domain.units import DomainError, NumberLocale
from runs.readers.pasted import Choices, Column, Whose, column_of
from runs.services.pasting import Paste, owner

LOCALES: dict[str, NumberLocale] = {"en": "en", "nl": "nl", "plain": "plain"}
OWN_HOUSE, OWN_PUBLISHED = "own:house", "own:published"
# What another table of the same document has of its own, and must be said anew.
ITS_OWN = ("isl", "osl")
T = TypeVar("T")


@dataclass(frozen=True)
class PasteForm:
    """What was typed, as typed."""

    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: QueryDict) -> "PasteForm":
        return cls({name: str(value).replace("\0", "") for name, value in data.items() if isinstance(value, str)})

    def text(self, name: str) -> str:
        return self.typed.get(name, "")

    @property
    def fingerprint(self) -> str:
        """What tells whether choices by column and row were made for this very table."""
        told = f"{self.text('table')}\0{self.text('conditions')}\0{self.text('which')}\0{self.text('columns')}"
        return hashlib.sha256(told.encode("utf-8", errors="replace")).hexdigest()[:16]

    @property
    def is_same_table(self) -> bool:
        return self.text("made_for") == self.fingerprint

    def locale(self, source: Source) -> NumberLocale | None:
        """How numbers are printed: as said here, else as the source says."""
        return LOCALES.get(self.text("locale")) if "locale" in self.typed else source.known_locale

    def paste(self, source: Source) -> Paste:
        """What was pasted with every choice. Raises DomainError for a choice that cannot be."""
        which, width = self._whole("which"), self._whole("columns")
        return Paste(source, self.text("table"), self.choices(source), self.text("conditions"), which or 0, width)

    def _whole(self, name: str) -> int | None:
        text = self.text(name).strip()
        return int(text) if text.isascii() and text.isdigit() and len(text) < 5 else None

    def choices(self, source: Source) -> Choices:
        """The choices that were made. Raises DomainError for one that cannot be."""
        kept = self.is_same_table
        return Choices(
            source=source.key,
            locale=self.locale(source),
            columns=self._numbered("map", self._column) if kept else {},
            common={spec.key: text for spec in SETTINGS if (text := self.text(f"set.{spec.key}").strip())},
            labels=self._numbered("label", lambda _at, text: text) if kept else {},
            repeats=self._numbered("repeats", lambda _at, text: text) if kept else {},
            whose=self._whose(source),
            conditions=self._numbered("line", lambda _at, text: column_of(text)) if kept else {},
            one_setup=bool(self.text("one_setup")),
        )

    def _column(self, at: int, target: str) -> Column:
        return column_of(target, self.text(f"unit.{at}").strip(), self.text(f"basis.{at}"))

    def _numbered(self, name: str, make: Callable[[int, str], T]) -> dict[int, T]:
        found: dict[int, T] = {}
        for key, text in self.typed.items():
            first, _, number = key.partition(".")
            if first == name and number.isascii() and number.isdigit() and len(number) < 5:
                found[int(number)] = make(int(number), text)
        return found

    def whose_by_head(self) -> dict[str, str]:
        """Whose the rows of a head are, by the head itself, so that another table of the document keeps it."""
        heads = self._numbered("group", lambda _at, text: text)
        return {head: self.text(f"whose.{at}") for at, head in heads.items() if self.text(f"whose.{at}")}

    def _whose(self, source: Source) -> dict[str, Whose]:
        return {head: whose_of(choice, source) for head, choice in self.whose_by_head().items()}

    def for_the_next_table(self) -> "PasteForm":
        """Conditions, settings and owners without the table and what was its own."""
        dropped = {"table", "which", "columns", "made_for", *(f"set.{key}" for key in ITS_OWN)}
        kept = {
            name: text
            for name, text in self.typed.items()
            if name not in dropped and not name.startswith(("map.", "unit.", "basis.", "label.", "repeats.", "line."))
        }
        return PasteForm(kept)


def whose_of(choice: str, source: Source) -> Whose:
    """A choice of the form: this source's own figures, or another source's that were read in this one."""
    if choice.startswith("via:"):
        return owner(source=source, of=choice.removeprefix("via:"))
    if choice not in (OWN_HOUSE, OWN_PUBLISHED, ""):
        raise DomainError(f"whose the figures are is not said by {choice!r}")
    return owner(source=source, house=choice == OWN_HOUSE)
