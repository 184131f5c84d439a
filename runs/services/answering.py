"""A publisher's answer to a question: filed as evidence for every run it is about, whose setting it settles."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from runs.domain.facts import Evidence, State
from runs.domain.question_texts import ask
from runs.models import User
from runs.services.answers import Problem, RefusedError
from runs.services.editing import Claimed, Edited, edit_setting
from runs.services.sources import find_source


@dataclass(frozen=True)
class PublisherAnswer:
    """What was answered: the value as it is stored ("8K" is a nominal), the words it was said in, by whom and when."""

    setting: str
    value: object = None
    nominal: str = ""
    words: str = ""
    who: str = ""
    date: str = ""


def file_answer(
    *, source_key: str, answer: PublisherAnswer, seen: Mapping[str, int], user: User | None
) -> tuple[Edited, ...]:
    """The setting of every run in ``seen`` (run id to the revision that was seen), all of them or none.

    Where a run had an inferred value, the answer takes its place; where it had a firm one that differs, both stay and
    the setting is disputed. Raises RefusedError for an answer without words, a person or a value, and for conflicts.
    """
    source = find_source(key=source_key)
    told = {"value": str(answer.value or answer.nominal), "words": answer.words, "who": answer.who}
    missing = [Problem("", name, "what was answered, by whom", "nothing") for name, text in told.items() if not text]
    if answer.value in (0, False):
        missing = [one for one in missing if one.place != "value"]
    if not seen:
        missing.append(Problem("", "runs", "at least one run", "none"))
    if missing:
        raise RefusedError("invalid_answer", "The answer cannot be filed as it is; nothing was written.", *missing)
    place = f"answer by {answer.who} of {source.publisher}{', ' + answer.date if answer.date else ''}"
    claimed = Claimed(
        answer.setting,
        State.STATED,
        answer.value,
        answer.nominal,
        evidence=(Evidence("statement", place=place[:300], quote=answer.words[:2000]),),
    )
    reason = f"Answer of {source.publisher} to: {ask(answer.setting, 'en')}"
    with transaction.atomic():
        return tuple(
            edit_setting(run_id=run, given=claimed, reason=reason, seen=revision, user=user)
            for run, revision in seen.items()
        )
