"""Setups that bring settings: what a run of one takes from it, and where two statements of one differ."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from runs.domain.facts import Setting, State
from runs.domain.records import Remark, RunRecord
from runs.domain.settling import claim, settle

Profile = Mapping[str, Setting]


def with_profile(record: RunRecord, profile: Profile, said: Collection[str] = ()) -> RunRecord:
    """The record with what its setup says where nothing else does. What a file or an uploader (``said``) says stands;
    a remark names both values where they differ."""
    filled, remarks = [], []
    for key, given in profile.items():
        known = record.setting(key)
        if key not in said and not known.is_firm and known.state is not State.DISPUTED and given.is_known:
            filled.append(_of_setup(given, record.setup))
        elif differs(known, given):
            text = f"{key}: {claim(known)} stands; the setup {record.setup} says {claim(given)}"
            remarks.append(Remark("setup-differs", text))
    return replace(record.with_settings(*filled), remarks=(*record.remarks, *remarks))


def _of_setup(given: Setting, setup: str) -> Setting:
    """The setting with its evidence, which names the setup that it was taken from."""
    places = (f"setup {setup}, {one.place}" if one.place else f"setup {setup}" for one in given.evidence)
    evidence = tuple(replace(one, place=place) for one, place in zip(given.evidence, places, strict=True))
    return replace(given, evidence=evidence)


def differs(known: Setting, given: Setting) -> bool:
    """Whether two statements of a setting are two values."""
    if not (known.is_known and given.is_known):
        return False
    firm = known if known.is_firm else replace(known, state=State.STATED)
    return settle(firm, given).state is State.DISPUTED


def conflicts(known: Profile, given: Profile) -> list[tuple[str, str, str]]:
    """The settings in which two profiles differ, with both claims; what one of them leaves out is a difference too."""
    return [
        (key, _told(known.get(key)), _told(given.get(key)))
        for key in dict.fromkeys((*known, *given))
        if _told(known.get(key)) != _told(given.get(key))
    ]


def _told(setting: Setting | None) -> str:
    if setting is None or not (setting.is_known or setting.claims):
        return "not stated"
    return " and ".join(setting.claims) or " ".join(filter(None, (setting.nominal, claim(setting))))
