"""The audit log: who changed what. Saving and deleting the rows of AUDITED is noted by itself; what is changed by a
query, or has a meaning of its own, is noted by the service that does it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from django.db.models import Model, signals

from runs.models import (
    AliasRow,
    ApiToken,
    AuditEntry,
    ComparisonVersion,
    ErratumRow,
    EvaluationRow,
    FactMessage,
    HostKey,
    Job,
    Plan,
    SavedComparison,
    ScenarioRow,
    Schedule,
    SettingEdit,
    SetupProfile,
    Share,
    Source,
    Target,
    Tombstone,
    UploadRecord,
    User,
)


@dataclass(frozen=True)
class Actor:
    user: User | None = None
    via: str = ""


_NOBODY = Actor()
_actor: ContextVar[Actor] = ContextVar("actor", default=_NOBODY)

# Which rows, and which of their columns tell one state from another. Never a secret, a digest or a text.
AUDITED: dict[type[Model], tuple[str, ...]] = {
    AliasRow: ("kind", "alias", "canonical"),
    ApiToken: ("token_key", "name", "scopes", "expiry"),
    ErratumRow: ("target", "target_key", "metric", "kind", "revision"),
    EvaluationRow: ("status", "revision"),
    SettingEdit: ("run_id", "key", "revision"),
    SetupProfile: ("name",),
    Tombstone: ("public_id", "label"),
    ComparisonVersion: ("comparison_id", "number", "scenario_key", "scenario_version"),
    HostKey: ("target_id", "fingerprint", "accepted"),
    Job: ("label", "target_id", "plan_id"),
    Plan: ("name",),
    Schedule: ("plan_id", "target_id"),
    Target: ("name", "connection", "host", "port", "user", "key_file", "working_directory", "allow_link_local"),
    FactMessage: ("share_id", "run_key", "subject", "state", "decision"),
    SavedComparison: ("slug", "name"),
    ScenarioRow: ("key", "version"),
    Share: ("hint", "kind", "comparison_id", "expires", "revoked", "language"),
    Source: ("key", "title", "publisher", "url"),
    UploadRecord: (),
    User: ("username", "role", "language", "is_active", "is_staff", "is_superuser"),
}


QUIET = frozenset({"id", "last_login", "last_used", "at", "changed"})
"""Columns that change by themselves, or with every other."""


@contextmanager
def acting(user: User | None, via: str) -> Iterator[None]:
    """Everything noted within is this user's doing."""
    before = _actor.set(Actor(user, via))
    try:
        yield
    finally:
        _actor.reset(before)


def name_actor(user: User, via: str) -> None:
    """Within :func:`acting`: the user who turned out to be asking (a token is known late). Elsewhere nothing resets it,
    so there nobody is named."""
    if _actor.get() is not _NOBODY:
        _actor.set(Actor(user, via))


def note(
    *, action: str, noun: str, key: str, before: dict[str, Any] | None = None, after: dict[str, Any] | None = None
) -> None:
    """One entry, in the transaction of the change itself."""
    actor = _actor.get()
    AuditEntry.objects.create(
        user=actor.user,
        who=actor.user.get_username() if actor.user else "",
        via=actor.via,
        action=action,
        noun=noun,
        key=key[:120],
        before=before or {},
        after=after or {},
    )


def recent(*, before: int | None = None, noun: str = "", limit: int = 100) -> Sequence[AuditEntry]:
    """The latest entries, or those before an id."""
    entries = AuditEntry.objects.order_by("-id")
    if before is not None:
        entries = entries.filter(pk__lt=before)
    return list(entries.filter(noun=noun)[:limit] if noun else entries[:limit])


def connect() -> None:
    for model in AUDITED:
        signals.pre_save.connect(_keep, sender=model, dispatch_uid=f"audit-keep-{model.__name__}")
        signals.post_save.connect(_saved, sender=model, dispatch_uid=f"audit-saved-{model.__name__}")
        signals.post_delete.connect(_deleted, sender=model, dispatch_uid=f"audit-deleted-{model.__name__}")


def _state(row: Model) -> dict[str, Any]:
    values = {name: getattr(row, name) for name in AUDITED[type(row)]}
    if isinstance(row, UploadRecord):
        return {"runs": [run["id"] for run in row.answer.get("runs", []) if run.get("created")]}
    return {name: value.isoformat() if hasattr(value, "isoformat") else value for name, value in values.items()}


def _columns(row: Model) -> dict[str, Any]:
    names = [field.attname for field in row._meta.concrete_fields if field.attname not in QUIET]  # noqa: SLF001
    return {name: getattr(row, name) for name in names}


def _keep(sender: type[Model], instance: Model, **_more: Any) -> None:
    old = None if instance._state.adding else sender._default_manager.filter(pk=instance.pk).first()  # noqa: SLF001
    instance.__dict__["_audit_before"] = (_state(old), _columns(old)) if old is not None else ({}, {})


def _saved(instance: Model, created: bool, raw: bool, **_more: Any) -> None:
    (before, old), after = instance.__dict__.pop("_audit_before", ({}, {})), _state(instance)
    # What is not told by its value (a text, a passphrase, a record) is told by its name.
    others = sorted(name for name, value in _columns(instance).items() if name not in after and old.get(name) != value)
    if raw or (not created and before == after and not others):
        return
    if others and not created:
        after = {**after, "also": others}
    noun = instance._meta.model_name or ""  # noqa: SLF001
    note(action="made" if created else "changed", noun=noun, key=_key(instance), before=before, after=after)


def _deleted(instance: Model, **_more: Any) -> None:
    noun = instance._meta.model_name or ""  # noqa: SLF001
    note(action="deleted", noun=noun, key=_key(instance), before=_state(instance))


def _key(row: Model) -> str:
    # A token's primary key is its digest.
    if isinstance(row, ApiToken):
        return str(row.token_key)
    if isinstance(row, Job | HostKey):
        return str(row.pk)  # their keys are no names
    return str(getattr(row, "slug", "") or getattr(row, "key", "") or getattr(row, "username", "") or row.pk)
