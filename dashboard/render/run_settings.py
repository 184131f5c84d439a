"""The settings of one run by group, with what each rests on."""

from collections import Counter
from dataclasses import dataclass

from dashboard.render.cells import evidence_parts
from dashboard.render.numbers import Locale
from dashboard.render.tables import SettingCell, setting_cell
from dashboard.render.wording import GROUPS, say
from runs.domain.facts import Setting, State
from runs.domain.metrics import SETTINGS
from runs.domain.records import RunRecord, Source
from runs.telling import tell


@dataclass(frozen=True)
class SettingLine:
    """A setting with its state and its evidence, readable without hovering."""

    name: str
    cell: SettingCell
    evidence: tuple[str, ...]
    note: str


@dataclass(frozen=True)
class SettingGroup:
    """Settings of which something is said, and the names of the others."""

    name: str
    lines: tuple[SettingLine, ...]
    not_stated: tuple[str, ...]


@dataclass(frozen=True)
class SettingsView:
    """``references``: documents and files that more than one setting rests on, named once; [1] is the first."""

    groups: tuple[SettingGroup, ...]
    references: tuple[str, ...]


def settings_view(record: RunRecord, locale: Locale, sources: tuple[Source, ...] = ()) -> SettingsView:
    """Settings by group; those of which nothing is known are named together at the end of their group."""
    found = [record.setting(spec.key) for spec in SETTINGS]
    parts = {one.key: [evidence_parts(evidence, locale, sources) for evidence in one.evidence] for one in found}
    counts = Counter(where for of_one in parts.values() for where, _what in of_one)
    references = tuple(where for where, count in counts.items() if count > 1)
    said = {key: tuple(_short(where, what, references) for where, what in of_one) for key, of_one in parts.items()}
    groups: dict[str, list[Setting]] = {}
    for spec, one in zip(SETTINGS, found, strict=True):
        groups.setdefault(spec.group, []).append(one)
    return SettingsView(tuple(_group(group, of_it, said, locale) for group, of_it in groups.items()), references)


def _short(where: str, what: str, references: tuple[str, ...]) -> str:
    if where in references:
        return f"[{references.index(where) + 1}] {what}".rstrip()
    return f"{where}, {what}" if what else where


def _group(group: str, found: list[Setting], said: dict[str, tuple[str, ...]], locale: Locale) -> SettingGroup:
    names = {spec.key: say(spec.name, locale) for spec in SETTINGS}
    silent = [one for one in found if one.state is State.NOT_STATED and not one.evidence and not one.note]
    lines = tuple(
        SettingLine(names[one.key], setting_cell(one, locale), said[one.key], tell(one.note, locale))
        for one in found
        if one not in silent
    )
    return SettingGroup(say(GROUPS[group], locale), lines, tuple(names[one.key] for one in silent))
