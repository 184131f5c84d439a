"""What readers of shares say about settings and figures: kept for the owner of the share (and for administrators, as an
owner may leave), shown to nobody else."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from celery import current_app
from django.core.exceptions import ValidationError
from django.core.mail import send_mail
from django.core.validators import validate_email
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from runs.domain.metrics import metric, setting_spec
from runs.domain.units import DomainError
from runs.models import FactMessage, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.rights import Right, may
from runs.services.sharing import OpenShare, note_access

MAX_TEXT = 4000
MAX_A_DAY = 40
"""Messages that one share takes in a day."""


@dataclass(frozen=True)
class FactDraft:
    """What a reader says. ``subject`` is ``setting:KEY`` or ``figure:KEY``; empty: about the whole."""

    message: str
    run_key: str = ""
    subject: str = ""
    value: str = ""
    evidence: str = ""
    email: str = ""


@dataclass(frozen=True)
class InboxItem:
    id: int
    share: str
    run_key: str
    subject: str
    value: str
    message: str
    evidence: str
    email: str
    at: dt.datetime
    state: str
    decision: str
    answer: str
    decided_by: str


@transaction.atomic
def send_fact(*, share: OpenShare, draft: FactDraft) -> None:
    """Keeps a message and wakes the mailer. Raises RefusedError in words, also where too many came today."""
    _check(share, draft)
    since = timezone.now() - dt.timedelta(days=1)
    if FactMessage.objects.filter(share_id=share.id, at__gt=since).count() >= MAX_A_DAY:
        raise RefusedError("too_many_messages", _("Too many messages came through this link today. Try tomorrow."))
    row = FactMessage.objects.create(
        share_id=share.id,
        run_key=draft.run_key,
        subject=draft.subject,
        value=draft.value,
        message=draft.message,
        evidence=draft.evidence,
        email=draft.email,
    )
    note_access(share=share, kind="message")
    transaction.on_commit(lambda: current_app.send_task("runs.tasks.mail_fact", [row.pk]), robust=True)


def _check(share: OpenShare, draft: FactDraft) -> None:
    if not draft.message.strip():
        raise RefusedError("no_message", _("Say in a sentence what you know."), Problem("", "message"))
    texts = (draft.message, draft.evidence, draft.value, draft.email)
    if any(len(text) > MAX_TEXT or "\0" in text for text in texts) or len(draft.value) > 200:
        raise RefusedError("too_long", _("A text is too long, or holds what cannot be stored."), Problem("", "message"))
    if draft.run_key and draft.run_key not in share.spec.runs:
        raise RefusedError("not_shared", _("That is not part of this page."), Problem("", "run"))
    if draft.email:
        try:
            validate_email(draft.email)
        except ValidationError:
            raise RefusedError("invalid_email", _("That is no e-mail address."), Problem("", "email")) from None
    if draft.subject:
        _check_subject(share, draft.subject)


def _check_subject(share: OpenShare, subject: str) -> None:
    kind, _colon, key = subject.partition(":")
    try:
        known = bool(setting_spec(key) if kind == "setting" else metric(key)) and kind in ("setting", "figure")
    except DomainError:
        known = False
    if not known or len(subject) > 80 or key in share.spec.redactions.withheld_settings:
        raise RefusedError("not_shared", _("That is not part of this page."), Problem("", "subject"))


def messages_for(user: User) -> QuerySet[FactMessage]:
    """The messages that a user may see."""
    if may(user, Right.ADMIN):
        return FactMessage.objects.all()
    return FactMessage.objects.filter(share__owner=user)


def inbox(*, user: User, state: str = "", limit: int = 200) -> Sequence[InboxItem]:
    """The user's messages, newest first."""
    rows = messages_for(user).select_related("share", "decided_by")
    if state:
        rows = rows.filter(state=state)
    return [_item(row) for row in rows[:limit]]


def inbox_item(*, message_id: int, user: User) -> InboxItem:
    row = messages_for(user).filter(pk=message_id).select_related("share", "decided_by").first()
    if row is None:
        raise MissingError("message_not_found", "There is no such message.")
    return _item(row)


def mail_fact(*, message_id: int, url: str) -> bool:
    """Tells the owner of the share, in their language; False where there is nobody to tell."""
    row = FactMessage.objects.filter(pk=message_id).select_related("share__owner").first()
    owner = row.share.owner if row is not None else None
    if row is None or owner is None or not owner.email:
        return False
    with override(owner.language):
        subject = _("A reader of “%(title)s” supplied or disputed a fact") % {"title": row.share.title}
        said = [
            _("%(at)s UTC") % {"at": date_format(row.at, "DATETIME_FORMAT")},
            f"{_about(row.subject)}{f' → {row.value}' if row.value else ''}",
            row.message,
            f"{_('Evidence')}: {row.evidence}" if row.evidence else "",
            _("See it and decide: %(url)s") % {"url": f"{url}/inbox/"},
        ]
        # A header is one line.
        return send_mail(" ".join(subject.split()), "\n\n".join(filter(None, said)), None, [owner.email]) == 1


def _about(subject: str) -> str:
    """What a message is about, in the language that is on."""
    kind, _colon, key = subject.partition(":")
    name, _other, stat = key.partition(":")
    if kind == "setting":
        return f"{_('Setting')}: {_(setting_spec(key).name)}"
    if kind == "figure":
        return f"{_('Figure')}: {_(metric(name).name)}{f', {_(stat)}' if stat else ''}"
    return _("About the whole")


def _item(row: FactMessage) -> InboxItem:
    return InboxItem(
        row.pk,
        row.share.title,
        row.run_key,
        row.subject,
        row.value,
        row.message,
        row.evidence,
        row.email,
        row.at,
        row.state,
        row.decision,
        row.answer,
        row.decided_by.get_username() if row.decided_by else "",
    )
