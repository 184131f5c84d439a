"""The audit log in words: what was done to what, and the columns that tell one state from another."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.render.numbers import Locale
from runs.services import audit
from runs.telling import tell

ACTIONS = {
    "made": gettext_lazy("made"),
    "changed": gettext_lazy("changed"),
    "deleted": gettext_lazy("deleted"),
    "cancelled": gettext_lazy("cancelled"),
    "filed": gettext_lazy("filed"),
}
NOUNS = {
    "aliasrow": gettext_lazy("merged name"),
    "apitoken": gettext_lazy("API token"),
    "comparisonversion": gettext_lazy("version of a comparison"),
    "erratum of evaluation": gettext_lazy("erratum of an evaluation"),
    "erratum of run": gettext_lazy("erratum of a run"),
    "erratum of source": gettext_lazy("erratum of a source"),
    "erratumrow": gettext_lazy("erratum"),
    "evaluation": gettext_lazy("evaluation"),
    "evaluationrow": gettext_lazy("evaluation"),
    "factmessage": gettext_lazy("reader's message"),
    "hostkey": gettext_lazy("host key"),
    "job": gettext_lazy("job"),
    "plan": gettext_lazy("plan"),
    "savedcomparison": gettext_lazy("saved comparison"),
    "scenariorow": gettext_lazy("scenario"),
    "schedule": gettext_lazy("schedule"),
    "settingedit": gettext_lazy("filled-in setting"),
    "setupprofile": gettext_lazy("setup"),
    "share": gettext_lazy("share"),
    "source": gettext_lazy("source"),
    "target": gettext_lazy("target"),
    "tombstone": gettext_lazy("purged run"),
    "uploadrecord": gettext_lazy("upload"),
    "user": gettext_lazy("user"),
}
# What is not here is called as its column is.
COLUMNS = {
    "accelerators": gettext_lazy("accelerators"),
    "accepted": gettext_lazy("accepted"),
    "accepted_by": gettext_lazy("accepted by"),
    "alias": gettext_lazy("alias"),
    "allow_link_local": gettext_lazy("allow link-local and metadata endpoints"),
    "also": gettext_lazy("also changed"),
    "answer": gettext_lazy("answer"),
    "canonical": gettext_lazy("stands for"),
    "commands": gettext_lazy("commands"),
    "comparison": gettext_lazy("comparison"),
    "connection": gettext_lazy("connection"),
    "content_key": gettext_lazy("digest"),
    "created_by": gettext_lazy("made by"),
    "date": gettext_lazy("date"),
    "decided": gettext_lazy("decided"),
    "decided_by": gettext_lazy("decided by"),
    "decision": gettext_lazy("decision"),
    "email": gettext_lazy("email address"),
    "enabled": gettext_lazy("switched on"),
    "environment": gettext_lazy("environment"),
    "evidence": gettext_lazy("evidence"),
    "expires": gettext_lazy("expires"),
    "expiry": gettext_lazy("expires"),
    "fingerprint": gettext_lazy("fingerprint"),
    "found": gettext_lazy("what was found"),
    "found_at": gettext_lazy("found at"),
    "gpus": gettext_lazy("GPUs"),
    "hint": gettext_lazy("link begins with"),
    "host": gettext_lazy("host"),
    "is_active": gettext_lazy("active"),
    "is_staff": gettext_lazy("staff"),
    "is_superuser": gettext_lazy("superuser"),
    "key": gettext_lazy("key"),
    "key_file": gettext_lazy("key file on the worker"),
    "kind": gettext_lazy("kind"),
    "label": gettext_lazy("label"),
    "language": gettext_lazy("language"),
    "message": gettext_lazy("message"),
    "metric": gettext_lazy("metric"),
    "name": gettext_lazy("name"),
    "notes": gettext_lazy("notes"),
    "number": gettext_lazy("number"),
    "owner": gettext_lazy("owner"),
    "passphrase": gettext_lazy("passphrase"),
    "password": gettext_lazy("password"),
    "plan": gettext_lazy("plan"),
    "port": gettext_lazy("port"),
    "problem": gettext_lazy("problem"),
    "programs": gettext_lazy("programs"),
    "public": gettext_lazy("id"),
    "publisher": gettext_lazy("publisher"),
    "queue": gettext_lazy("queue"),
    "reason": gettext_lazy("reason"),
    "record": gettext_lazy("record"),
    "revision": gettext_lazy("revision"),
    "revoked": gettext_lazy("revoked"),
    "role": gettext_lazy("role"),
    "run": gettext_lazy("run"),
    "run_key": gettext_lazy("run"),
    "runs": gettext_lazy("runs"),
    "sampler": gettext_lazy("power sampler"),
    "scenario_key": gettext_lazy("scenario"),
    "scenario_version": gettext_lazy("version of the scenario"),
    "scopes": gettext_lazy("scopes"),
    "share": gettext_lazy("share"),
    "slug": gettext_lazy("address"),
    "snapshot": gettext_lazy("snapshot"),
    "spec": gettext_lazy("settings"),
    "state": gettext_lazy("state"),
    "status": gettext_lazy("status"),
    "subject": gettext_lazy("subject"),
    "target": gettext_lazy("target"),
    "target_key": gettext_lazy("which"),
    "task": gettext_lazy("task"),
    "title": gettext_lazy("title"),
    "token_key": gettext_lazy("token begins with"),
    "tokenizer": gettext_lazy("tokenizer folder"),
    "url": gettext_lazy("address"),
    "user": gettext_lazy("user"),
    "username": gettext_lazy("username"),
    "value": gettext_lazy("value"),
    "version": gettext_lazy("version"),
    "view": gettext_lazy("view"),
    "working_directory": gettext_lazy("working directory"),
}
CODES = frozenset({"status", "state", "decision", "kind"})
"""Columns whose values are words of a list, not what somebody wrote."""


@dataclass(frozen=True)
class Entry:
    """A row of the log as it is printed; ``kind`` is its noun as it is stored."""

    pk: int
    at: dt.datetime
    who: str
    via: str
    action: str
    noun: str
    kind: str
    key: str
    before: tuple[str, ...]
    after: tuple[str, ...]


def entries(locale: Locale, *, before: int | None, noun: str, limit: int) -> list[Entry]:
    return [
        Entry(
            row.pk,
            row.at,
            row.who,
            _("page") if row.via == "page" else row.via,
            str(ACTIONS.get(row.action, row.action)),
            str(NOUNS.get(row.noun, row.noun)),
            row.noun,
            row.key,
            tuple(_columns(row.before, locale)),
            tuple(_columns(row.after, locale)),
        )
        for row in audit.recent(before=before, noun=noun, limit=limit)
    ]


def _columns(state: dict[str, Any], locale: Locale) -> Iterator[str]:
    for name, value in state.items():
        yield f"{_column(name)}: {_value(name, value, locale)}"


def _column(name: str) -> str:
    bare = name.removesuffix("_id")
    return str(COLUMNS.get(bare, bare.replace("_", " ")))


def _value(name: str, value: object, locale: Locale) -> str:
    if value is None or value == "":
        return "–"
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, list):
        return ", ".join(_column(str(one)) if name == "also" else str(one) for one in value) or "–"
    return tell(str(value), locale) if name in CODES else str(value)
