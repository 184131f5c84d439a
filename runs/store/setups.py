"""Profiles of setups into rows and back."""

from collections.abc import Iterable

import msgspec

from runs.domain.facts import Setting
from runs.domain.setups import Profile
from runs.models import SetupProfile, User

_decoder = msgspec.json.Decoder(dict[str, Setting])


def profiles(names: Iterable[str] | None = None) -> dict[str, Profile]:
    """The profiles of some setups, or of all, by name; one query."""
    rows = SetupProfile.objects.order_by("name")
    if names is not None:
        # No database takes a half character or NUL, not even to look for it.
        rows = rows.filter(name__in={name for name in names if name and name.isprintable()})
    return {name: _decoder.decode(bytes(record)) for name, record in rows.values_list("name", "record")}


def add_profile(name: str, profile: Profile, *, user: User | None, sha256: str = "") -> bool:
    """Writes a profile unless one of that name is here. Gives whether it was written."""
    defaults = {"record": msgspec.json.encode(dict(profile)), "user": user, "sha256": sha256}
    return SetupProfile.objects.get_or_create(name=name, defaults=defaults)[1]
