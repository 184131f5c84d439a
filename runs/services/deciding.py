"""A reader's message accepted or declined: what it says is written down at the run in the same step, or nothing is."""

from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from runs.domain.errata import ErratumKind
from runs.domain.facts import Evidence, State
from runs.domain.units import NumberLocale
from runs.models import FactMessage, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.correcting import Given, file_erratum
from runs.services.editing import Claimed, edit_setting
from runs.services.inbox import MAX_TEXT, InboxItem, inbox_item, messages_for

DISPUTED, STATED, CORRECTION = (str(one) for one in FactMessage.Decision.values)
DECISIONS = {"setting": (DISPUTED, STATED, CORRECTION), "figure": (DISPUTED, CORRECTION), "": (DISPUTED, STATED)}
"""What a message can be accepted as, by the kind of its subject."""


@dataclass(frozen=True)
class Deciding:
    """What becomes of a message. ``decision`` empty: declined.

    ``value`` is of the setting's kind, ``new`` the figure's corrected text by ``locale``; ``seen`` is the revision of
    the run that the decider saw. ``who``, ``reason`` and ``quote`` are what readers of the run will see: nothing of the
    sender is put there by itself.
    """

    decision: str
    answer: str = ""
    value: object = None
    new: str = ""
    locale: NumberLocale = "plain"
    seen: int = 0
    who: str = ""
    reason: str = ""
    quote: str = ""


def decide(*, message_id: int, given: Deciding, user: User) -> tuple[InboxItem, bool]:
    """The decided message, and whether something was written down at its run.

    A figure accepted as a correction becomes an erratum, one accepted as disputed a statement about it; a setting
    becomes an edit: stated, disputed, or (a correction) in place of what was known. The message is the evidence. Raises
    MissingError without the message and RefusedError, with nothing decided or written, where the run does not take it
    or (``conflict``) where the message was decided or the value changed meanwhile.
    """
    with transaction.atomic():
        row = messages_for(user).filter(pk=message_id).select_for_update(of=("self",)).first()
        if row is None:
            raise MissingError("message_not_found", "There is no such message.")
        if row.state != FactMessage.State.NEW:
            said = Problem("", "message", "a message that waits for a decision", row.state)
            raise RefusedError("conflict", "The message was decided meanwhile; nothing was changed.", said)
        if given.decision:
            _check(row, given.decision)
        row.state = FactMessage.State.ACCEPTED if given.decision else FactMessage.State.DECLINED
        row.decision, row.answer = given.decision, given.answer[:MAX_TEXT].replace("\0", "")
        row.decided_by, row.decided = user, timezone.now()
        row.save(update_fields=["state", "decision", "answer", "decided_by", "decided"])
        written = bool(given.decision) and _write_down(row, given, user)
    return inbox_item(message_id=message_id, user=user), written


def _check(row: FactMessage, decision: str) -> None:
    known = DECISIONS[row.subject.partition(":")[0] if row.run_key else ""]
    if decision not in known:
        said = Problem("", "decision", f"one of: {', '.join(known)}", decision[:40])
        raise RefusedError("invalid_decision", "The message cannot be accepted as that; nothing was written.", said)


def _write_down(row: FactMessage, given: Deciding, user: User | None) -> bool:
    kind, _colon, key = row.subject.partition(":")
    if not row.run_key or not kind:
        return False
    # The number of the message leads whoever may see the inbox back to its sender; nobody else.
    evidence = (Evidence("statement", ref=f"message {row.pk}", quote=" ".join(given.quote.split())[:500]),)
    if kind == "figure":
        _file(row, key, given, evidence, user)
        return True
    if given.value is None and given.decision == DISPUTED:
        return False
    state = State.DISPUTED if given.decision == DISPUTED else State.STATED
    claimed = Claimed(key, state, given.value, evidence=evidence, replaces=given.decision == CORRECTION)
    edit_setting(run_id=row.run_key, given=claimed, reason=given.reason, seen=given.seen, user=user)
    return True


def _file(row: FactMessage, key: str, given: Deciding, evidence: tuple[Evidence, ...], user: User | None) -> None:
    corrects = given.decision == CORRECTION
    erratum = Given(
        kind=ErratumKind.CORRECTED if corrects else ErratumKind.STATEMENT,
        reason=given.reason,
        date=timezone.localdate().isoformat(),
        metric=key,
        new=given.new if corrects else "",
        locale=given.locale,
        who=given.who,
        evidence=evidence,
    )
    file_erratum(target="run", key=row.run_key, given=erratum, seen=given.seen, user=user)
