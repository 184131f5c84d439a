"""Shares as their owner handles them: make, list, revoke, lock. What a reader gets is in runs/services/sharing.py."""

import datetime as dt
import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import msgspec
from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from runs.domain import snapshot
from runs.domain.comparison import Comparison
from runs.domain.redaction import NOTHING, Redactions, redact, redact_text
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError
from runs.models import SavedComparison, Share, ShareAccess, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.compare import compare, comparison_records

TOKEN_BYTES = 24  # 192 bits
MIN_PASSPHRASE, MAX_PASSPHRASE = 8, 200
# 2: labels for readers, following a saved comparison. An older Likewise would show what these withhold.
SPEC_VERSION = 2


@dataclass(frozen=True)
class ShareSpec:
    """What a share shows. The scenario is kept whole: its version stays whatever becomes of it.

    ``saved_version``: the version of the saved comparison it was made from. ``follow``: a live share that shows the
    newest version instead, with the redactions chosen here.
    """

    runs: tuple[str, ...]
    baseline: str = ""
    metrics: tuple[str, ...] = ()
    scenario: Scenario | None = None
    redactions: Redactions = NOTHING
    notes: str = ""
    version: int = SPEC_VERSION
    saved_version: int | None = None
    follow: bool = False


@dataclass(frozen=True)
class ShareDraft:
    """What somebody wants to share, and how."""

    title: str
    spec: ShareSpec
    kind: Literal["frozen", "live"] = "frozen"
    language: str = ""
    expires: dt.datetime | None = None
    passphrase: str = field(default="", repr=False)
    comparison: str = ""


@dataclass(frozen=True)
class ShareItem:
    """A share as its owner sees it; the token itself is not kept."""

    id: int
    title: str
    hint: str
    kind: str
    comparison: str
    language: str
    locked: bool
    owner: str
    created: dt.datetime
    expires: dt.datetime | None
    revoked: dt.datetime | None
    views: int
    spec: ShareSpec

    @property
    def state(self) -> Literal["open", "expired", "revoked"]:
        if self.revoked is not None:
            return "revoked"
        return "expired" if self.expires is not None and self.expires <= timezone.now() else "open"


@dataclass(frozen=True)
class MadeShare:
    """A share just made. ``token`` is shown this once."""

    token: str
    item: ShareItem


def build(spec: ShareSpec) -> Comparison:
    """The comparison as the reader gets it: what is withheld is taken out here and nowhere later."""
    return redact(_whole(spec), spec.redactions, comparison_records(spec.runs))


def cleaned(draft: ShareDraft) -> ShareDraft:
    """The draft with withheld names taken out of its own texts too."""
    found, records, redactions = _whole(draft.spec), comparison_records(draft.spec.runs), draft.spec.redactions
    title = redact_text(draft.title.strip(), found, redactions, records)
    notes = redact_text(draft.spec.notes, found, redactions, records)
    return replace(draft, title=title, spec=replace(draft.spec, notes=notes))


def clean_notes(spec: ShareSpec) -> str:
    """The notes of a spec without the names that it withholds."""
    return redact_text(spec.notes, _whole(spec), spec.redactions, comparison_records(spec.runs))


def _whole(spec: ShareSpec) -> Comparison:
    return compare(run_ids=spec.runs, baseline=spec.baseline, scenario=spec.scenario, metrics=spec.metrics)


@transaction.atomic
def make_share(*, draft: ShareDraft, user: User | None) -> MadeShare:
    """A new link. Raises RefusedError for a draft that cannot be shared."""
    _check(draft)
    draft = cleaned(draft)
    shown = build(draft.spec)
    token = secrets.token_urlsafe(TOKEN_BYTES)
    saved = SavedComparison.objects.filter(slug=draft.comparison).first() if draft.comparison else None
    row = Share.objects.create(
        token_hash=token_hash(token),
        hint=token[:6],
        kind=draft.kind,
        title=draft.title,
        comparison=saved,
        spec=msgspec.to_builtins(draft.spec),
        snapshot=snapshot.to_json(shown) if draft.kind == "frozen" else None,
        language=draft.language,
        passphrase=make_password(draft.passphrase) if draft.passphrase else "",
        expires=draft.expires,
        owner=user,
    )
    return MadeShare(token, item_of(row))


def token_hash(token: str) -> str:
    """How a token is found: the time of a look-up by digest says nothing of the token."""
    return hashlib.sha256(token.encode("utf-8", errors="replace")).hexdigest()


def list_shares(*, limit: int = 300) -> Sequence[ShareItem]:
    """Every share, newest first, with how often it was opened."""
    rows = Share.objects.select_related("owner", "comparison").defer("snapshot")[:limit]
    views = _views([row.pk for row in rows])
    return [item_of(row, views.get(row.pk, 0)) for row in rows]


def share_item(*, share_id: int) -> ShareItem:
    row = _found(share_id)
    return item_of(row, _views([row.pk]).get(row.pk, 0))


def accesses(*, share_id: int) -> Sequence[ShareAccess]:
    """The access log of a share: a row a day and kind."""
    return list(ShareAccess.objects.filter(share_id=share_id)[:400])


def revoke_share(*, share_id: int) -> None:
    """Ends a link at once. Doing it twice changes nothing."""
    row = _found(share_id)
    if row.revoked is None:
        row.revoked = timezone.now()
        row.save(update_fields=["revoked"])


def set_passphrase(*, share_id: int, passphrase: str) -> None:
    """Another passphrase, or none. Whoever is in with the old one is out."""
    _check_passphrase(passphrase)
    row = _found(share_id)
    row.passphrase = make_password(passphrase) if passphrase else ""
    row.save(update_fields=["passphrase"])


def read_spec(stored: Any) -> ShareSpec:
    """The spec of a row; raises DomainError for one of a later version."""
    if not isinstance(stored, dict) or stored.get("version", 0) > SPEC_VERSION:
        raise DomainError("this share was made by a later version of Likewise")
    return msgspec.convert(stored, ShareSpec)


def item_of(row: Share, views: int = 0) -> ShareItem:
    return ShareItem(
        id=row.pk,
        title=row.title,
        hint=row.hint,
        kind=row.kind,
        comparison=row.comparison.slug if row.comparison else "",
        language=row.language,
        locked=bool(row.passphrase),
        owner=row.owner.get_username() if row.owner else "",
        created=row.created,
        expires=row.expires,
        revoked=row.revoked,
        views=views,
        spec=read_spec(row.spec),
    )


def _views(keys: Sequence[int]) -> dict[int, int]:
    rows = ShareAccess.objects.filter(share_id__in=keys, kind="view").values("share_id")
    return dict(rows.annotate(views=Sum("count")).values_list("share_id", "views"))


def _found(share_id: int) -> Share:
    row = Share.objects.filter(pk=share_id).select_related("owner", "comparison").first()
    if row is None:
        seen = Problem("", "share", "the number of a share", str(share_id))
        raise MissingError("share_not_found", "There is no such share.", seen)
    return row


def _check(draft: ShareDraft) -> None:
    if not draft.title.strip() or len(draft.title) > 120 or "\0" in draft.title:
        raise RefusedError("invalid_title", "A share has a title of at most 120 characters.")
    if draft.language not in ("", "en", "nl"):
        raise RefusedError("invalid_language", "A share is in en, nl, or the reader's language.")
    if draft.expires is not None and draft.expires <= timezone.now():
        raise RefusedError("invalid_expiry", "A share cannot expire in the past.")
    _check_passphrase(draft.passphrase)


def _check_passphrase(passphrase: str) -> None:
    if passphrase and not MIN_PASSPHRASE <= len(passphrase) <= MAX_PASSPHRASE:
        limits = f"{MIN_PASSPHRASE} to {MAX_PASSPHRASE} characters"
        raise RefusedError("invalid_passphrase", f"A passphrase has {limits}.", Problem("", "passphrase", limits))
