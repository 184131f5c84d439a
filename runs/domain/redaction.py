"""What a sender withholds from a comparison, taken out of the object itself before it is kept or shown.

Grades and caveats are worked out on the whole truth first, then the withheld words are taken out of every text of the
comparison, wherever they stand: a node's name also stands in labels, quotes, paths and caveats.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from typing import Any

from runs.domain.comparison import Caveat, Comparison, RunHead, SettingRow
from runs.domain.facts import Evidence, Setting, State
from runs.domain.figures import Figure
from runs.domain.metrics import setting_spec
from runs.domain.records import Remark, RunRecord, Source
from runs.domain.units import DomainError

MAX_LABEL = 120
WITHHELD = "[…]"
"""Stands in every language where something was withheld."""

# Codes and keys: not for readers, and what the object is held together by.
_CODES = frozenset({"key", "metric", "metrics", "stat", "unit", "kind", "settings", "setting", "locale", "code", "id"})


@dataclass(frozen=True)
class Redactions:
    """``nodes``: names of machines; ``notes``: free texts of runs and figures; ``files``: names, paths and digests of
    files; ``settings``: keys of settings whose values are withheld; ``labels``: runs (by key) that are called otherwise
    than by their own label. Where any is, a run that is not among them is called by its letter."""

    nodes: bool = False
    notes: bool = False
    files: bool = False
    settings: tuple[str, ...] = ()
    labels: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        for _key, label in self.labels:
            if not label.strip() or len(label) > MAX_LABEL or not label.isprintable():
                raise DomainError(f"a run's label for readers is 1 to {MAX_LABEL} printable characters")
        for key in self.settings:
            setting_spec(key)

    @property
    def withheld_settings(self) -> frozenset[str]:
        return frozenset(self.settings) | (frozenset({"node"}) if self.nodes else frozenset())

    @property
    def nothing(self) -> bool:
        return not (self.nodes or self.notes or self.files or self.settings or self.labels)


NOTHING = Redactions()


def redact(comparison: Comparison, redactions: Redactions, records: Iterable[RunRecord] = ()) -> Comparison:
    """The comparison without what is withheld. ``records`` are those it was made from: they name nodes that no
    setting row of the comparison shows (superseded claims)."""
    if redactions.nothing:
        return comparison
    hidden = redactions.withheld_settings
    eraser = _Eraser(redactions, _names(comparison, hidden, records), relabelled(comparison, redactions))
    cleaned = replace(
        comparison,
        settings=tuple(row for row in comparison.settings if row.key not in hidden),
        caveats=tuple(_caveat(caveat, hidden) for caveat in comparison.caveats),
        rows=tuple(
            replace(row, spans=tuple(span for span in row.spans if span.setting not in hidden))
            for row in comparison.rows
        ),
    )
    found: Comparison = _walk(cleaned, eraser)
    if not redactions.labels:
        return found
    heads = zip(found.runs, relabelled(comparison, redactions), strict=True)
    return replace(found, runs=tuple(replace(head, label=eraser.names(label)) for head, (_old, label) in heads))


def relabelled(comparison: Comparison, redactions: Redactions) -> tuple[tuple[str, str], ...]:
    """Each run's own label and what readers see instead of it; nothing where labels stay."""
    if not redactions.labels:
        return ()
    given = dict(redactions.labels)
    heads = enumerate(comparison.runs)
    return tuple((head.label, given.get(head.key, letter_label(place))) for place, head in heads)


def letter_label(place: int) -> str:
    """What a run is called by its column alone: Run A, Run B …"""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return f"Run {letters[place]}" if place < len(letters) else f"Run {place + 1}"


def redact_text(text: str, comparison: Comparison, redactions: Redactions, records: Iterable[RunRecord] = ()) -> str:
    """A text that goes with the comparison (a title, notes), without the names that are withheld from it."""
    names = _names(comparison, redactions.withheld_settings, records)
    return _Eraser(redactions, names, relabelled(comparison, redactions)).text(text)


def _caveat(caveat: Caveat, hidden: frozenset[str]) -> Caveat:
    """A caveat that a withheld setting caused keeps its sentence, without the setting's values."""
    if not hidden.intersection(caveat.settings):
        return caveat
    return replace(caveat, params=dict.fromkeys(caveat.params, WITHHELD))


def _names(comparison: Comparison, hidden: frozenset[str], records: Iterable[RunRecord]) -> tuple[str, ...]:
    """Every text by which a withheld setting is called, longest first."""
    settings = [cell for row in comparison.settings if row.key in hidden for cell in row.cells]
    settings += [setting for record in records for key, setting in record.settings.items() if key in hidden]
    found: set[str] = set()
    for setting in settings:
        found.update(_said(setting))
    return tuple(sorted((name for name in found if _is_name(name)), key=lambda name: (-len(name), name)))


def _said(setting: Setting) -> Iterable[str]:
    if isinstance(setting.value, str):
        yield setting.value
    yield setting.nominal
    for claim in setting.claims:
        yield claim
        yield re.sub(r" \([a-z ]+\)$", "", claim)
    if setting.state is not State.NOT_STATED:
        yield from (evidence.quote for evidence in setting.evidence)


def _is_name(text: str) -> bool:
    """Numbers and single letters stand everywhere with other meanings; they are withheld with their row only."""
    return len(text) > 1 and any(char.isalpha() for char in text)


class _Eraser:
    """Takes names out of texts, and puts a run's label for readers where its own stands."""

    def __init__(self, redactions: Redactions, names: tuple[str, ...], labels: tuple[tuple[str, str], ...]) -> None:
        self.redactions = redactions
        self.labels = {own.casefold(): label for own, label in reversed(labels) if _is_name(own)}
        self.numbers_withheld = any(setting_spec(key).kind != "text" for key in redactions.settings)
        self.withheld = _pattern(names)
        self.own_labels = _pattern(tuple(own for own, _label in labels if _is_name(own)))

    def names(self, text: str) -> str:
        return self.withheld.sub(WITHHELD, text) if self.withheld else text

    def text(self, text: str) -> str:
        """Labels first, whole: a name within a label must not keep the rest of it readable."""
        parts = re.split(f"({self.own_labels.pattern})", text, flags=re.IGNORECASE) if self.own_labels else [text]
        # Every second part is a label; what stands for it is the sender's word and is cleaned like the rest.
        return "".join(self.names(self.labels.get(part.casefold(), part)) for part in parts)

    def changes(self, found: Any) -> dict[str, Any]:
        """Whole fields that go, by the type they belong to."""
        gone: dict[str, Any] = {}
        names = {field.name for field in fields(found)}
        if self.redactions.notes:
            gone |= {name: "" for name in ("notes", "note") if name in names}
        if self.redactions.labels or self.redactions.settings:
            gone |= _of_setups(found)
        if isinstance(found, Figure) and self.numbers_withheld:
            # A number that is withheld can be worked out from the others of its formula.
            gone |= {"inputs": tuple(one for one in found.inputs if one.scenario)}
        if self.redactions.files:
            if isinstance(found, Evidence) and found.kind == "file":
                gone |= {"ref": "", "place": "", "quote": ""}
            if isinstance(found, Source):
                gone |= {"archived_sha256": ""}
            if isinstance(found, Remark):
                gone |= {"place": ""}
        return gone


def _of_setups(found: Any) -> dict[str, Any]:
    """A setup's name is somebody's word for the machine, and often holds its settings ("six-800w")."""
    if isinstance(found, RunHead):
        return {"setup": ""}
    if isinstance(found, Evidence) and found.place.startswith("setup "):
        return {"place": ""}
    return {"text": WITHHELD} if isinstance(found, Remark) and found.code == "setup-differs" else {}


def _pattern(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """Any of the names as a whole word, the longest first; a name may begin or end with a sign such as ")"."""
    if not names:
        return None
    any_name = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<![^\W_])(?:{any_name})(?![^\W_])", re.IGNORECASE)


def _walk(found: Any, eraser: _Eraser) -> Any:
    if isinstance(found, Enum) or found is None or isinstance(found, bool | int | float):
        return found
    if isinstance(found, str):
        return eraser.text(found)
    if isinstance(found, tuple):
        return tuple(_walk(one, eraser) for one in found)
    if isinstance(found, dict):
        return {name: _walk(one, eraser) for name, one in found.items()}
    if is_dataclass(found) and not isinstance(found, type):
        changed = {
            field.name: _walk(getattr(found, field.name), eraser)
            for field in fields(found)
            if not _is_code(found, field.name)
        }
        return replace(found, **{**changed, **eraser.changes(found)})
    return found


def _is_code(found: Any, name: str) -> bool:
    """Whether a field holds a code. A source's key is made of words; evidence refers to it, so both change alike."""
    value = getattr(found, name)
    if name not in _CODES or (isinstance(found, Source) and name == "key"):
        return False
    return isinstance(value, str) or (isinstance(value, tuple) and all(isinstance(one, str) for one in value))


def withheld_rows(redactions: Redactions, rows: Iterable[SettingRow]) -> tuple[str, ...]:
    """Keys of the settings that a comparison had and the reader does not get."""
    hidden = redactions.withheld_settings
    return tuple(row.key for row in rows if row.key in hidden and any(cell.is_known for cell in row.cells))
