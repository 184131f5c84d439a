"""How a new claim about a setting settles with what is known: two claims that differ are a dispute that keeps both."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from runs.domain.facts import Setting, State
from runs.domain.records import RunRecord

LENGTHS = ("isl", "osl")
LENGTH_TOLERANCE = 0.02


@dataclass(frozen=True)
class SettingEdit:
    """A setting filled in after upload. ``replaces``: it stands instead of what was known, which the history keeps;
    else it settles beside it."""

    given: Setting
    replaces: bool = False


def edited(record: RunRecord, edits: Iterable[SettingEdit]) -> RunRecord:
    """The record with its settings as they stand after the edits, oldest first."""
    for edit in edits:
        known = record.setting(edit.given.key)
        settled = edit.given if edit.replaces else settle(known, edit.given)
        record = record.with_settings(settled)
    return record


def settle(known: Setting, given: Setting) -> Setting:
    """One setting from what is known and what is given.

    A firm value that differs is disputed and both claims stay. A nominal text joins the exact value. An inferred value
    yields. "Not stated" takes nothing away.
    """
    if given.state is State.NOT_STATED:
        return known if known.is_known else given
    if given.state is State.DISPUTED or (known.state is State.DISPUTED and known.claims):
        return _disputed(known, given)
    if not known.is_firm or known.state is State.DISPUTED:
        return given
    both = (*known.evidence, *given.evidence)
    if given.value is None and given.nominal:
        return replace(known, nominal=given.nominal, evidence=both, note=known.note or given.note)
    if _agree(known, given):
        nominal = known.nominal or given.nominal
        if known.value != given.value and known.key in LENGTHS:
            nominal = given.nominal or str(given.value)
        state = State.OBSERVED if given.state is State.OBSERVED else known.state
        return replace(known, state=state, nominal=nominal, evidence=both, note=known.note or given.note)
    return _disputed(known, given)


def _disputed(known: Setting, given: Setting) -> Setting:
    """Every claim there is, each once: those of an earlier dispute, what was known, what is given."""
    earlier = known.claims if known.state is State.DISPUTED else (claim(known),) if known.is_known else ()
    new = given.claims or (claim(given),)
    claims = tuple(dict.fromkeys((*earlier, *new)))
    return Setting(
        known.key, State.DISPUTED, None, "", (*known.evidence, *given.evidence), claims, given.note or known.note
    )


def claim(setting: Setting) -> str:
    """A claim in words: the value and its state."""
    value = setting.nominal if setting.value is None else setting.value
    said = setting.state.value if setting.state is State.NOT_APPLICABLE else str(value)
    return f"{said} ({setting.state.value})"


def _agree(known: Setting, given: Setting) -> bool:
    left, right = known.value, given.value
    if known.state is State.NOT_APPLICABLE or given.state is State.NOT_APPLICABLE:
        return known.state is given.state
    if isinstance(left, tuple) and isinstance(right, tuple):
        return sorted(left) == sorted(right)
    if left is None:
        return known.nominal == str(right) or known.nominal == given.nominal
    if known.key in LENGTHS and isinstance(left, int) and isinstance(right, int):
        return abs(left - right) <= LENGTH_TOLERANCE * max(left, right)
    if isinstance(left, str) and isinstance(right, str):
        return left.casefold() == right.casefold()
    return left == right
