"""Names: models, accelerators and runtimes that go by several, and the one name they are found and compared by.

A printed name stays in the record as it was stated; merging two names adds an alias, un-merging takes it away.
"""

from collections.abc import Mapping
from dataclasses import replace

from runs.domain.facts import Setting
from runs.domain.records import RunRecord
from runs.domain.units import DomainError

KINDS = ("model", "accelerator", "runtime")
"""Settings whose values are names."""

Aliases = Mapping[str, Mapping[str, str]]
"""By kind: the folded alias to the name it stands for, which may itself be an alias."""


def folded(text: str) -> str:
    """A name without case and surplus spaces: how two spellings of one alias are recognised."""
    return " ".join(text.split()).casefold()


def canonical(kind: str, text: str, aliases: Aliases) -> str:
    """The one name behind ``text``: followed from alias to name as far as it goes; ``text`` itself where it is none."""
    known, name, seen = aliases.get(kind, {}), text, set[str]()
    while (key := folded(name)) in known and key not in seen:
        seen.add(key)
        name = known[key]
    return name


def merged(kind: str, alias: str, name: str, aliases: Aliases) -> str:
    """The folded alias that may be added. Raises DomainError for a kind without names, an empty name, a taken alias,
    and an alias that would lead back to itself."""
    if kind not in KINDS:
        raise DomainError(f"names are of a {', '.join(KINDS)}, not of a {kind!r}")
    if not folded(alias) or not folded(name):
        raise DomainError("a merge takes two names")
    if folded(alias) in aliases.get(kind, {}):
        raise DomainError(f"{alias!r} is an alias of {aliases[kind][folded(alias)]!r} already")
    if folded(canonical(kind, name, aliases)) == folded(alias):
        raise DomainError(f"{name!r} stands for {alias!r}: the merge would lead back to itself")
    return folded(alias)


def with_canonical(record: RunRecord, aliases: Aliases) -> RunRecord:
    """The record with the one name beside every name it states."""
    settings = {kind: _named(record.settings[kind], aliases) for kind in KINDS if kind in record.settings}
    changed = {kind: setting for kind, setting in settings.items() if setting is not record.settings[kind]}
    return replace(record, settings={**record.settings, **changed}) if changed else record


def _named(setting: Setting, aliases: Aliases) -> Setting:
    stated = setting.nominal if setting.value is None else str(setting.value)
    name = canonical(setting.key, stated, aliases) if stated else ""
    return setting if name == stated else replace(setting, canonical=name)


def name_of(setting: Setting) -> str:
    """The name a setting is found by: canonical, else as stated; "" where it is not known."""
    if not setting.is_known:
        return ""
    return setting.canonical or (setting.nominal if setting.value is None else str(setting.value))
