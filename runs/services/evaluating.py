"""Evaluations added by hand or by file, and two of them compared."""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from runs import store
from runs.domain.evaluations import Difference, Evaluation, difference
from runs.domain.facts import Evidence, Party, Printed, Setting
from runs.domain.units import DomainError, NumberLocale, parse_printed
from runs.models import Run, User
from runs.models import Source as SourceRow
from runs.services import audit
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.correcting import date_problems
from runs.services.tokens import writer

MAX_COVERS = 100


@dataclass(frozen=True)
class GivenEvaluation:
    """An evaluation as somebody enters it: ``correct`` of ``total``, or a ``score`` as printed in ``locale``.

    ``covers`` are ids of runs and names of setups; ``source`` the key of the document it was read in, empty where it
    is the enterer's own statement.
    """

    task: str
    correct: int | None = None
    total: int | None = None
    score: str = ""
    unit: str = "as stated"
    locale: NumberLocale = "plain"
    shots: int | None = None
    full_size: int | None = None
    context: str = ""
    configuration: str = ""
    covers: tuple[str, ...] = ()
    source: str = ""
    quote: str = ""
    date: str = ""
    note: str = ""
    settings: Mapping[str, Setting] = field(default_factory=dict)


def add_evaluation(*, given: GivenEvaluation, user: User | None) -> str:
    """The key of a new evaluation. Raises RefusedError (``invalid_evaluation``) with everything that is wrong."""
    writer(user)
    problems = [*_problems(given)]
    if problems:
        raise _invalid(*problems)
    filer = user.get_username() if user is not None else "command line"
    key = f"{_slug(given.task)}-{secrets.token_hex(4)}"
    try:
        made = _evaluation(given, key, filer)
    except DomainError as error:
        raise _invalid(Problem("", "score", "a score that can be", str(error))) from None
    with transaction.atomic():
        new = store.NewEvaluation(made, store.content_key(f"entered {key}", key))
        store.add_evaluations([new], owner=user)
        audit.note(action="made", noun="evaluation", key=key, after={"task": made.task, "status": made.status.value})
        store.refresh(store.runs_covered(made.covers))
    return key


def _evaluation(given: GivenEvaluation, key: str, filer: str) -> Evaluation:
    source = SourceRow.objects.filter(key=given.source).first() if given.source else None
    printed = given.quote or given.score
    document = Evidence("document", given.source, quote=printed)
    return Evaluation(
        key=key,
        task=given.task.strip(),
        correct=given.correct,
        total=given.total,
        score=parse_printed(given.score, given.locale) if given.score else None,
        unit="correct/total" if given.total is not None else given.unit,
        shots=given.shots,
        full_size=given.full_size,
        context=given.context.strip(),
        settings=dict(given.settings),
        covers=given.covers,
        configuration=given.configuration.strip(),
        party=Party(source.publisher) if source is not None else Party(filer),
        evidence=(document if source is not None else Evidence("statement", ref=filer, quote=given.quote),),
        printed=Printed(printed, given.locale) if printed else None,
        date=given.date,
        note=given.note.strip(),
    )


def _problems(given: GivenEvaluation) -> Sequence[Problem]:
    problems = [*(date_problems(given.date) if given.date else ())]
    if not given.task.strip() or len(given.task) > 200:
        problems.append(Problem("", "task", "the name of a task, at most 200 characters", given.task[:40] or "nothing"))
    if (given.correct is None) != (given.total is None):
        problems.append(Problem("", "total", "correct and total together", "one of them"))
    elif (given.total is None) == (not given.score):
        seen = "both" if given.score else "neither"
        problems.append(Problem("", "score", "either correct and total or a score", seen))
    if given.full_size is not None and given.total is not None and given.full_size < given.total:
        problems.append(Problem("", "full_size", f"at least the total of {given.total}", str(given.full_size)))
    if given.source and not SourceRow.objects.filter(key=given.source).exists():
        problems.append(Problem("", "source", "the key of a source that is here", given.source[:100]))
    if len(given.covers) > MAX_COVERS:
        problems.append(Problem("", "covers", f"at most {MAX_COVERS} runs and setups", str(len(given.covers))))
    else:
        problems += _unknown_covers(given.covers)
    return problems


def _unknown_covers(covers: Sequence[str]) -> Sequence[Problem]:
    if not covers:
        return ()
    runs = set(Run.objects.filter(public_id__in=covers).values_list("public_id", flat=True))
    setups = set(Run.objects.filter(setup__in=covers).values_list("setup", flat=True).distinct())
    expected = "the id of a run or the name of a setup that is here"
    return [Problem("", "covers", expected, one[:100]) for one in covers if one not in runs | setups]


def _invalid(*problems: Problem) -> RefusedError:
    return RefusedError("invalid_evaluation", "This is no evaluation yet; nothing was written.", *problems)


def _slug(task: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", task.casefold()).strip("-")[:60] or "evaluation"


@dataclass(frozen=True)
class ComparedEvaluations:
    """Two evaluations and whether they differ beyond noise."""

    a: Evaluation
    b: Evaluation
    difference: Difference


def compare_evaluations(*, a: str, b: str, paired: tuple[int, int] | None = None) -> ComparedEvaluations:
    """``paired``: the items that only a and only b got right, where items are matched. Raises MissingError, and
    RefusedError where they contradict the scores."""
    found = store.evaluations({a, b})
    for key in (a, b):
        if key not in found:
            seen = Problem("", "evaluation", "the key of an evaluation", key)
            raise MissingError("evaluation_not_found", f"There is no evaluation {key}.", seen)
    left, right = found[a].evaluation, found[b].evaluation
    try:
        return ComparedEvaluations(left, right, difference(left, right, paired))
    except DomainError as error:
        seen = Problem("", "only_a", "items that only one of the two got right", str(error))
        raise RefusedError("invalid_pairs", f"{error}.", seen) from None
