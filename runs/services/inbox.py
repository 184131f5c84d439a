"""What readers of shares say about settings and figures: kept for the owner, shown to nobody else."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from celery import current_app
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from runs.domain.facts import Evidence, State
from runs.domain.metrics import metric, setting_spec
from runs.domain.units import DomainError
from runs.models import FactMessage, Run, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.editing import Claimed, edit_setting
from runs.services.mailing import link, mail
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


def inbox(*, state: str = "", limit: int = 200) -> Sequence[InboxItem]:
    """Messages, newest first."""
    rows = FactMessage.objects.select_related("share", "decided_by")
    if state:
        rows = rows.filter(state=state)
    return [_item(row) for row in rows[:limit]]


def count_new() -> int:
    return FactMessage.objects.filter(state=FactMessage.State.NEW).count()


def inbox_item(*, message_id: int) -> InboxItem:
    row = FactMessage.objects.filter(pk=message_id).select_related("share", "decided_by").first()
    if row is None:
        raise MissingError("message_not_found", "There is no such message.")
    return _item(row)


def decide(*, message_id: int, decision: str, answer: str, user: User | None, value: object = None) -> InboxItem:
    """Accepts a message as disputed, stated or correction, or declines it (empty ``decision``).

    Accepted as disputed or stated, with a setting, a run and a ``value`` of the setting's kind, it is written down at
    the run in the same transaction. A correction is filed at the run by whoever decides: which digits are meant is
    theirs to say. Raises RefusedError, and nothing is decided, where the run does not take it.
    """
    if decision and decision not in FactMessage.Decision.values:
        raise RefusedError("invalid_decision", "A message is accepted as disputed, stated or correction.")
    with transaction.atomic():
        row = FactMessage.objects.filter(pk=message_id).select_for_update(of=("self",)).first()
        if row is None:
            raise MissingError("message_not_found", "There is no such message.")
        row.state = FactMessage.State.ACCEPTED if decision else FactMessage.State.DECLINED
        row.decision, row.answer = decision, answer[:MAX_TEXT].replace("\0", "")
        row.decided_by, row.decided = user, timezone.now()
        row.save(update_fields=["state", "decision", "answer", "decided_by", "decided"])
        if decision in _STATES and value is not None:
            _write_down(row, value, user)
    return inbox_item(message_id=message_id)


_STATES = {FactMessage.Decision.DISPUTED.value: State.DISPUTED, FactMessage.Decision.STATED.value: State.STATED}


def _write_down(row: FactMessage, value: object, user: User | None) -> None:
    """A reader's word as an edit of the run, with what they wrote as its evidence."""
    kind, _colon, key = row.subject.partition(":")
    seen = Run.objects.filter(public_id=row.run_key).values_list("revision", flat=True).first()
    if kind != "setting" or seen is None:
        return
    evidence = (Evidence("statement", quote=" ".join(row.message.split())[:500]),)
    claimed = Claimed(key, _STATES[row.decision], value, note=" ".join(row.evidence.split())[:500], evidence=evidence)
    reason = f"supplied through the share “{row.share.title}”"
    edit_setting(run_id=row.run_key, given=claimed, reason=reason, seen=seen, user=user)


def mail_fact(*, message_id: int) -> bool:
    """Tells the owner of the share, in their language; False where there is nobody to tell."""
    row = FactMessage.objects.filter(pk=message_id).select_related("share__owner").first()
    owner = row.share.owner if row is not None else None
    if row is None or owner is None or not owner.email:
        return False
    with override(owner.language):
        subject = _("A reader of “%(title)s” supplied or disputed a fact") % {"title": row.share.title}
        about = row.subject or _("About the whole")
        decide = _("See it and decide: %(url)s") % {"url": link("/inbox/")}
        return mail(to=owner.email, subject=subject, paragraphs=(about, row.message, decide))


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
