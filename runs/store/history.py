"""Errata, edits of settings and tombstones into rows and back."""

import hashlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import msgspec
from django.db.models import Q

from runs.domain.errata import Erratum, Target
from runs.domain.settling import SettingEdit
from runs.models import ErratumRow, User
from runs.models import SettingEdit as EditRow
from runs.store.codec import text

_erratum = msgspec.json.Decoder(Erratum)
_edit = msgspec.json.Decoder(SettingEdit)

About = tuple[str, str]
"""What an erratum is about: the kind of target and its key."""


@dataclass(frozen=True)
class NewErratum:
    """An erratum for its row. ``content_key`` is set where a file holds it: the same file adds it once."""

    erratum: Erratum
    target: Target
    target_key: str
    revision: int = 0
    content_key: str | None = None

    @classmethod
    def of_file(cls, erratum: Erratum, target: Target, target_key: str, sha256: str) -> "NewErratum":
        named = hashlib.sha256(f"{sha256}\nerratum {erratum.key}".encode("utf-8", errors="replace")).hexdigest()
        return cls(erratum, target, target_key, content_key=named)


def add_errata(new: Iterable[NewErratum], *, user: User | None) -> int:
    """New rows, in two queries; those of a file that are here already stay as they are. How many were added."""
    wanted = list(new)
    keys = [one.content_key for one in wanted if one.content_key]
    here = set(ErratumRow.objects.filter(content_key__in=keys).values_list("content_key", flat=True)) if keys else set()
    rows = [_row(one, user) for one in wanted if one.content_key is None or one.content_key not in here]
    ErratumRow.objects.bulk_create(rows)
    return len(rows)


def _row(new: NewErratum, user: User | None) -> ErratumRow:
    erratum = replace(new.erratum, target=new.target, target_key=new.target_key)
    return ErratumRow(
        target=new.target,
        target_key=text(new.target_key, 100),
        metric=text(erratum.metric, 60),
        kind=erratum.kind.value,
        date=text(erratum.date, 10),
        revision=new.revision,
        content_key=new.content_key,
        user=user,
        record=msgspec.json.encode(erratum),
    )


def errata_about(about: Collection[About]) -> Mapping[About, tuple[Erratum, ...]]:
    """Errata by what they are about, oldest first; one query."""
    by_target: dict[str, list[str]] = defaultdict(list)
    for target, key in about:
        by_target[target].append(key)
    if not by_target:
        return {}
    wanted = Q()
    for target, keys in by_target.items():
        wanted |= Q(target=target, target_key__in=keys)
    found: dict[About, list[Erratum]] = defaultdict(list)
    for target, key, record in (
        ErratumRow.objects.filter(wanted).order_by("pk").values_list("target", "target_key", "record")
    ):
        found[target, key].append(_erratum.decode(bytes(record)))
    return {about: tuple(errata) for about, errata in found.items()}


def decode_erratum(blob: bytes) -> Erratum:
    return _erratum.decode(blob)


def add_edit(run_pk: int, edit: SettingEdit, *, reason: str, revision: int, user: User | None) -> None:
    EditRow.objects.create(
        run_id=run_pk,
        key=edit.given.key,
        reason=text(reason, 1000),
        revision=revision,
        user=user,
        record=msgspec.json.encode(edit),
    )


def edits_of(run_pks: Collection[int]) -> Mapping[int, tuple[SettingEdit, ...]]:
    """Edits of settings by run, oldest first; one query."""
    found: dict[int, list[SettingEdit]] = defaultdict(list)
    for run_pk, record in EditRow.objects.filter(run_id__in=run_pks).order_by("pk").values_list("run_id", "record"):
        found[run_pk].append(_edit.decode(bytes(record)))
    return {run_pk: tuple(edits) for run_pk, edits in found.items()}


def decode_edit(blob: bytes) -> SettingEdit:
    return _edit.decode(blob)
