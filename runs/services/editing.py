"""Settings filled in after upload: each an edit with its evidence; a second, different claim is a dispute."""

from dataclasses import dataclass, replace

from django.db import transaction

from runs import store
from runs.domain.facts import Evidence, Setting, State
from runs.domain.settling import SettingEdit, claim, edited
from runs.models import SettingEdit as EditRow
from runs.models import User
from runs.services.answers import Problem, RefusedError
from runs.services.correcting import evidence_problems, locked_run, text_problems
from runs.services.meta import meta_of
from runs.services.tokens import writer

STATES = (State.STATED, State.OBSERVED, State.INFERRED, State.DISPUTED, State.NOT_APPLICABLE)


@dataclass(frozen=True)
class Claimed:
    """What somebody says of a setting. ``value`` is of the setting's kind; ``replaces``: it stands instead of what was
    known, else it settles beside it."""

    key: str
    state: State
    value: object = None
    nominal: str = ""
    note: str = ""
    evidence: tuple[Evidence, ...] = ()
    replaces: bool = False


@dataclass(frozen=True)
class Edited:
    """A setting as it stands after an edit, and the run's revision by it."""

    run: str
    revision: int
    setting: Setting


def edit_setting(*, run_id: str, given: Claimed, reason: str, seen: int, user: User | None) -> Edited:
    """Fills in a setting of a run. ``seen`` is the revision that the editor saw.

    Raises MissingError without the run, RefusedError (``conflict``) where the setting was edited since, and
    (``invalid_edit``) where the claim cannot be taken or carries no evidence.
    """
    writer(user)
    setting = _read(given, user)
    with transaction.atomic():
        row, run = locked_run(run_id)
        known = run.record.setting(setting.key)
        _not_edited_since(row.pk, setting.key, seen, row.revision, known)
        if setting.state is State.DISPUTED and not known.is_known and not known.claims:
            said = Problem("", given.key, "a setting with a claim to dispute", "nothing known of it")
            raise _invalid(said)
        edit = SettingEdit(setting, given.replaces)
        revision = row.revision + 1
        store.add_edit(row.pk, edit, reason=reason.strip(), revision=revision, user=user)
        store.refresh([row.pk])
        return Edited(run_id, revision, edited(run.record, [edit]).setting(setting.key))


def _read(given: Claimed, user: User | None) -> Setting:
    """The claim as a setting, its value checked as an upload's is. Raises RefusedError."""
    if given.state not in STATES:
        expected = f"one of: {', '.join(STATES)}"
        raise _invalid(Problem("", "state", expected, given.state.value))
    if not given.evidence:
        raise _invalid(Problem("", "evidence", "where this is known from", "nothing"))
    problems = [*evidence_problems(given.evidence), *text_problems("note", given.note or "none")]
    if problems:
        raise _invalid(*problems)
    filer = user.get_username() if user is not None else "command line"
    entry: dict[str, object] = {"state": State.STATED.value, "value": given.value, "nominal": given.nominal}
    if given.state is State.NOT_APPLICABLE:
        entry = {"state": State.NOT_APPLICABLE.value}
    try:
        read = meta_of({"settings": {given.key: {**entry, "note": given.note[:500]}}}, uploader=filer)
    except RefusedError as error:
        raise _invalid(*error.problems) from None
    setting = replace(read.settings[given.key], state=given.state, evidence=given.evidence)
    if given.state is not State.DISPUTED:
        return setting
    said = claim(replace(setting, state=State.STATED))
    return replace(setting, value=None, nominal="", claims=(said,))


def _not_edited_since(run_pk: int, key: str, seen: int, revision: int, known: Setting) -> None:
    later = EditRow.objects.filter(run_id=run_pk, key=key, revision__gt=seen).order_by("-pk").first()
    if later is None and seen <= revision:
        return
    now = " or ".join(known.claims) or claim(known)
    message = f"{key} was edited meanwhile and is now {now}; nothing was written."
    raise RefusedError("conflict", message, Problem("", key, f"revision {revision}", f"revision {seen}"))


def _invalid(*problems: Problem) -> RefusedError:
    return RefusedError("invalid_edit", "This cannot be filled in as it is; nothing was written.", *problems)
