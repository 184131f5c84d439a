"""Shares as their readers get them: found by a token, unlocked by a passphrase, with every notice since.

Revoked, expired, guessed and cut off are one answer (None): nothing tells them apart.
"""

import datetime as dt
from dataclasses import dataclass, replace
from typing import Literal

from django.contrib.auth.hashers import check_password
from django.db import transaction
from django.db.models import F, Q, Sum
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from runs.domain import snapshot
from runs.domain.comparison import Comparison, Notice
from runs.domain.redaction import letter_label
from runs.models import Share, ShareAccess
from runs.services import tries
from runs.services.answers import MissingError
from runs.services.compare import existing_runs
from runs.services.saved import SavedView, saved
from runs.services.shares import ShareSpec, build, clean_notes, read_spec, token_hash

MAX_TRIES = 30
"""Wrong passphrases that one share takes in a day before it stays shut until the next."""

AccessKind = Literal["view", "download", "corrected", "wrong-passphrase", "message"]


@dataclass(frozen=True)
class OpenShare:
    """A share that may be shown (once it is unlocked). ``id`` is for services only, never for the page."""

    id: int
    title: str
    kind: str
    language: str
    locked: bool
    created: dt.datetime
    expires: dt.datetime | None
    spec: ShareSpec
    comparison: str = ""


@dataclass(frozen=True)
class Shown:
    """What the page of a share draws on.

    ``since``: notices that a frozen comparison does not carry yet. ``gone``: labels of runs that are no longer here.
    ``corrected``: whether this is the comparison of today in place of the frozen one.
    """

    comparison: Comparison
    since: tuple[Notice, ...] = ()
    gone: tuple[str, ...] = ()
    corrected: bool = False


def find(token: str) -> OpenShare | None:
    """The share of a token; None where there is none, no longer, or not yet again."""
    row = _row(token)
    if row is None:
        return None
    spec = read_spec(row.spec)
    slug = row.comparison.slug if row.comparison else ""
    return OpenShare(
        row.pk, row.title, row.kind, row.language, bool(row.passphrase), row.created, row.expires, spec, slug
    )


def following(share: OpenShare) -> SavedView | None:
    """The newest version of the saved comparison that a live share follows; None where it follows none, or none that is
    still here: then it shows what it was made with."""
    if share.kind != "live" or not share.spec.follow or not share.comparison:
        return None
    try:
        return saved(slug=share.comparison)
    except MissingError:
        return None


def followed(*, share: OpenShare, newest: ShareSpec) -> OpenShare:
    """The share with the selection of the newest version: its runs, baseline, figures, prices and, where the sender
    shares notes, notes. What is withheld stays the sender's choice."""
    spec = replace(newest, redactions=share.spec.redactions, follow=True, saved_version=share.spec.saved_version)
    notes = clean_notes(spec) if share.spec.notes and spec.notes else ""
    return replace(share, spec=replace(spec, notes=notes))


def _row(token: str) -> Share | None:
    open_now = Q(expires__isnull=True) | Q(expires__gt=timezone.now())
    found = Share.objects.filter(open_now, token_hash=token_hash(token), revoked__isnull=True)
    return found.select_related("comparison").defer("snapshot").first()


def unlock(*, share: OpenShare, passphrase: str, address: str) -> str | None:
    """The proof that a reader knows the passphrase, to be kept by their browser; None where they do not.

    ``address`` is the client's: one that guesses is stopped early and cannot shut the share to everybody else; many
    together are stopped by the share's own limit.
    """
    stored = Share.objects.values_list("passphrase", flat=True).get(pk=share.id)
    # Counted before it is looked at, so that many at once cannot slip through.
    if not tries.count_try(address):
        return None
    note_access(share=share, kind="wrong-passphrase")
    if _tries(share) > MAX_TRIES:
        return None
    if not check_password(passphrase, stored):
        return None
    _forgive(share)
    tries.take_back(address)
    return _proof(share.id, stored)


def too_many_tries(share: OpenShare, address: str) -> bool:
    return _tries(share) >= MAX_TRIES or not tries.may_try(address)


def is_unlocked(*, share: OpenShare, proof: str) -> bool:
    """Whether a proof is of the passphrase that holds now: another passphrase, and every older proof is void."""
    if not share.locked:
        return True
    stored = Share.objects.values_list("passphrase", flat=True).get(pk=share.id)
    return constant_time_compare(proof, _proof(share.id, stored))


def _proof(share_id: int, stored: str) -> str:
    return salted_hmac("likewise.share", f"{share_id}:{stored}", algorithm="sha256").hexdigest()


def show(*, share: OpenShare, corrected: bool = False) -> Shown:
    """The comparison of a share. Frozen: as it was, with the notices since; ``corrected``: as it would be today.

    Raises SnapshotError (a DomainError) for a snapshot of a later version.
    """
    today, gone = _today(share.spec)
    if share.kind == "live":
        if today is None:
            raise MissingError("runs_gone", "None of the runs of this share is here any more.")
        return Shown(today, gone=gone)
    frozen = snapshot.from_json(bytes(Share.objects.values_list("snapshot", flat=True).get(pk=share.id) or b""))
    since = _since(frozen, today)
    if corrected and today is not None:
        return Shown(today, since, gone, corrected=True)
    labels = {head.key: head.label for head in frozen.runs}
    return Shown(frozen, since, tuple(labels.get(key, key) for key in gone))


def _today(spec: ShareSpec) -> tuple[Comparison | None, tuple[str, ...]]:
    """The comparison as it is now, of the runs that are still here, and the keys of those that are not."""
    here = existing_runs(spec.runs)
    gone = tuple(key for key in spec.runs if key not in here)
    if not here:
        return None, gone
    if not gone:
        return build(spec), ()
    kept = tuple(key for key in spec.runs if key in here)
    # A run keeps the letter of its place in the whole, whatever is gone before it.
    labels = tuple(
        (key, dict(spec.redactions.labels).get(key, letter_label(place)))
        for place, key in enumerate(spec.runs)
        if spec.redactions.labels and key in here
    )
    redactions = replace(spec.redactions, labels=labels)
    return build(replace(spec, runs=kept, baseline=spec.baseline if spec.baseline in here else "",
                         redactions=redactions)), gone  # fmt: skip


def _since(frozen: Comparison, today: Comparison | None) -> tuple[Notice, ...]:
    """Notices of today that the frozen comparison does not have, by the places of its own runs."""
    if today is None:
        return ()
    places = {head.key: place for place, head in enumerate(frozen.runs)}
    known = {(frozen.runs[notice.run].key, notice.erratum) for notice in frozen.notices}
    fresh = []
    for notice in today.notices:
        key = today.runs[notice.run].key
        if (key, notice.erratum) not in known and key in places:
            fresh.append(Notice(places[key], notice.erratum))
    return tuple(fresh)


@transaction.atomic
def note_access(*, share: OpenShare, kind: AccessKind) -> None:
    """One more use of a share today. Nothing of the reader is kept."""
    now = timezone.now()
    row, made = ShareAccess.objects.get_or_create(
        share_id=share.id, day=now.date(), kind=kind, defaults={"count": 1, "last": now}
    )
    if not made:
        ShareAccess.objects.filter(pk=row.pk).update(count=F("count") + 1, last=now)


def _tries(share: OpenShare) -> int:
    today = ShareAccess.objects.filter(share_id=share.id, day=timezone.now().date(), kind="wrong-passphrase")
    return today.aggregate(tries=Sum("count"))["tries"] or 0


def _forgive(share: OpenShare) -> None:
    """The right passphrase was no wrong one: it takes back its own count."""
    today = ShareAccess.objects.filter(share_id=share.id, day=timezone.now().date(), kind="wrong-passphrase")
    today.filter(count__gt=0).update(count=F("count") - 1)
