"""Errata about runs, evaluations and sources, and settings filled in after upload: added, never written over.

Two people at once: each says which revision they saw, and who comes second to the same figure is told what it is now.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.db import transaction

from runs import store
from runs.domain.errata import Erratum, ErratumKind, Target, after, applied
from runs.domain.facts import Evidence, Quantity
from runs.domain.metrics import metric as catalogue_metric
from runs.domain.metrics import why_impossible
from runs.domain.powerfigures import with_power
from runs.domain.records import RunRecord
from runs.domain.units import DomainError, NumberLocale, as_decimal
from runs.models import Artifact, ErratumRow, EvaluationRow, Run, User
from runs.models import Source as SourceRow
from runs.services import audit
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.tokens import writer

MAX_TEXT = 1000


@dataclass(frozen=True)
class Given:
    """An erratum as somebody files it. ``who`` empty: the person filing it; ``date`` is ISO."""

    kind: ErratumKind
    reason: str
    date: str
    metric: str = ""
    new: str = ""
    locale: NumberLocale = "plain"
    who: str = ""
    successor: str = ""
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Filed:
    """An erratum as it was filed, and the revision that its target has by it."""

    target: Target
    key: str
    revision: int
    erratum: Erratum


def file_erratum(*, target: Target, key: str, given: Given, seen: int, user: User | None) -> Filed:
    """Adds an erratum about a run (by its id), an evaluation or a source (by its key).

    ``seen`` is the revision that the filer saw. Raises MissingError where there is no such target, and RefusedError
    (``conflict``) where the figure was changed since, (``invalid_erratum``) where the erratum cannot be.
    """
    writer(user)
    check_given(given)
    work = {"run": _about_run, "evaluation": _about_evaluation, "source": _about_source}[target]
    with transaction.atomic():
        filed = work(key, given, seen, user)
        before = {"revision": filed.revision - 1, "value": filed.erratum.old}
        after_it = {"revision": filed.revision, "kind": filed.erratum.kind.value, "value": filed.erratum.new}
        audit.note(action="filed", noun=f"erratum of {target}", key=f"{key} {given.metric}".strip(), before=before,
                   after=after_it)  # fmt: skip
        return filed


def check_given(given: Given) -> None:
    """Raises RefusedError (``invalid_erratum``) with everything that is wrong in itself."""
    problems = [*date_problems(given.date), *text_problems("reason", given.reason), *evidence_problems(given.evidence)]
    if given.metric:
        try:
            catalogue_metric(given.metric)
        except DomainError as error:
            problems.append(Problem("", "metric", "a figure's key", str(error)))
    if given.kind is ErratumKind.CORRECTED and not given.new.strip():
        problems.append(Problem("", "new", "the corrected value", "nothing"))
    if given.kind is not ErratumKind.CORRECTED and given.new.strip():
        problems.append(Problem("", "new", f"no new value, as {given.kind.value} changes none", given.new[:100]))
    if problems:
        raise invalid(*problems)


def invalid(*problems: Problem) -> RefusedError:
    return RefusedError("invalid_erratum", "This cannot be filed as it is; nothing was written.", *problems)


def date_problems(date: str) -> Sequence[Problem]:
    try:
        dt.date.fromisoformat(date)
    except ValueError:
        return (Problem("", "date", "a date such as 2026-12-01", date[:40] or "nothing"),)
    return () if len(date) == len("2026-12-01") else (Problem("", "date", "a date such as 2026-12-01", date[:40]),)


def text_problems(place: str, text: str) -> Sequence[Problem]:
    if not text.strip():
        return (Problem("", place, "some words", "nothing"),)
    if len(text) > MAX_TEXT:
        return (Problem("", place, f"at most {MAX_TEXT} characters", f"{len(text)} characters"),)
    return ()


def evidence_problems(evidence: Sequence[Evidence]) -> Sequence[Problem]:
    """Evidence that names a document or a file which is not here."""
    documents = {one.ref for one in evidence if one.kind == "document"}
    files = {one.ref for one in evidence if one.kind == "file"}
    here = set(SourceRow.objects.filter(key__in=documents).values_list("key", flat=True)) if documents else set()
    kept = set(Artifact.objects.filter(sha256__in=files).values_list("sha256", flat=True)) if files else set()
    problems = [Problem("", "evidence", "the key of a source that is here", ref) for ref in sorted(documents - here)]
    return [*problems, *(Problem("", "evidence", "the SHA-256 of a file here", ref) for ref in sorted(files - kept))]


def locked_run(run_id: str) -> tuple[Run, store.CurrentRun]:
    """A run and what it stands for, held until the transaction ends. Raises MissingError."""
    row = Run.objects.select_for_update().filter(public_id=run_id).only("pk", "public_id", "revision").first()
    if row is None:
        raise MissingError("run_not_found", f"There is no run {run_id}.", Problem("", "run", "the id of a run", run_id))
    return row, store.current([run_id])[run_id]


def _about_run(key: str, given: Given, seen: int, user: User | None) -> Filed:
    row, run = locked_run(key)
    _not_changed_since("run", key, given, seen, row.revision, value_of(run.effective, given.metric))
    erratum = _erratum(given, "run", key, _old_beside_new(run.effective, given), user)
    _fits(run.record, (*run.errata, erratum))
    revision = row.revision + 1
    store.add_errata([store.NewErratum(erratum, "run", key, revision)], user=user)
    store.refresh([row.pk])
    return Filed("run", key, revision, erratum)


def _about_evaluation(key: str, given: Given, seen: int, user: User | None) -> Filed:
    row = EvaluationRow.objects.select_for_update().filter(key=key).first()
    if row is None:
        problem = Problem("", "evaluation", "the key of an evaluation", key)
        raise MissingError("evaluation_not_found", f"There is no evaluation {key}.", problem)
    stored = store.evaluations([key])[key]
    now = stored.evaluation
    score = f"{now.correct}/{now.total}" if now.total is not None else "" if now.score is None else str(now.score)
    _not_changed_since("evaluation", key, given, seen, row.revision, score or now.status.value)
    named = replace(given, metric="score") if given.kind is ErratumKind.CORRECTED else replace(given, metric="")
    old = score if given.kind is ErratumKind.CORRECTED else now.status.value
    erratum = _erratum(named, "evaluation", key, old, user)
    try:
        standing = after(stored.original, (*stored.errata, erratum))
    except DomainError as error:
        raise invalid(Problem("", "new", "a score that can be", str(error))) from None
    row.revision, row.status = row.revision + 1, standing.status.value
    row.save(update_fields=["revision", "status"])
    store.add_errata([store.NewErratum(erratum, "evaluation", key, row.revision)], user=user)
    store.refresh(store.runs_covered(stored.original.covers))
    return Filed("evaluation", key, row.revision, erratum)


def _about_source(key: str, given: Given, seen: int, user: User | None) -> Filed:
    row = SourceRow.objects.select_for_update().filter(key=key).first()
    if row is None:
        problem = Problem("", "source", "the key of a source", key)
        raise MissingError("source_not_found", f"There is no source {key}.", problem)
    if given.kind is ErratumKind.CORRECTED or given.metric:
        seen_text = given.metric or given.kind.value
        raise invalid(Problem("", "metric", "an erratum about the source as a whole", seen_text))
    revision = source_revision(key)
    _not_changed_since("source", key, given, seen, revision, "")
    erratum = _erratum(given, "source", key, "", user)
    store.add_errata([store.NewErratum(erratum, "source", key, revision + 1)], user=user)
    store.refresh(store.runs_on(key))
    return Filed("source", key, revision + 1, erratum)


def source_revision(key: str) -> int:
    """A source's revision: 1, and one more with each erratum filed about it here."""
    return 1 + ErratumRow.objects.filter(target="source", target_key=key, revision__gt=0).count()


def _not_changed_since(target: Target, key: str, given: Given, seen: int, revision: int, now: str) -> None:
    """Raises RefusedError (``conflict``) where the figure, or all of the target, was changed after ``seen``."""
    if given.kind is ErratumKind.STATEMENT:
        return
    later = ErratumRow.objects.filter(target=target, target_key=key, revision__gt=seen).exclude(kind="statement")
    if given.metric:
        later = later.filter(metric__in=("", given.metric))
    last = later.order_by("-pk").first()
    if last is None and seen <= revision:
        return
    what = given.metric or f"{target} {key}"
    said = f"revision {seen}"
    if last is not None:
        erratum = store.decode_erratum(bytes(last.record))
        said = f"{now}: {erratum.kind.value} by {erratum.who} on {erratum.date}, {erratum.reason}"
    message = f"{what} was changed meanwhile and is now {now or 'another'}; nothing was written."
    raise RefusedError("conflict", message, Problem("", given.metric or target, f"revision {revision}", said))


def _erratum(given: Given, target: Target, key: str, old: str, user: User | None) -> Erratum:
    filer = user.get_username() if user is not None else "command line"
    evidence = given.evidence or (Evidence("statement", ref=filer),)
    try:
        return Erratum(
            kind=given.kind,
            date=given.date,
            reason=given.reason.strip(),
            who=given.who.strip() or filer,
            metric=given.metric,
            old=old if given.kind is not ErratumKind.STATEMENT else "",
            new=given.new.strip(),
            locale=given.locale,
            successor=given.successor,
            evidence=evidence,
            target=target,
            target_key=key,
        )
    except DomainError as error:
        raise invalid(Problem("", "erratum", "an erratum that can be", str(error))) from None


def _fits(record: RunRecord, errata: Sequence[Erratum]) -> None:
    try:
        standing = applied(record, errata)
    except DomainError as error:
        raise invalid(Problem("", "new", "a value that fits the run", str(error))) from None
    last = errata[-1]
    figure = standing.quantity(last.metric) if last.kind is ErratumKind.CORRECTED else None
    why = why_impossible(figure.key, figure.value) if figure is not None and figure.value is not None else ""
    if why:
        raise invalid(Problem("", "new", "a value that the figure can have", why))


def value_of(record: RunRecord, metric: str) -> str:
    """A figure as it stands, in words: as printed, else with its unit; its status without a value."""
    if not metric:
        return ""
    found = with_power(record).quantity(metric)
    return "" if found is None else quantity_text(found)


def _old_beside_new(record: RunRecord, given: Given) -> str:
    """The value that stands, in the number language of the one that replaces it: a Dutch 5.661 beside an English
    5,000 would read as five point six. As printed where the language is the same."""
    found = with_power(record).quantity(given.metric) if given.metric else None
    if found is None or found.printed is None or found.value is None or found.printed.locale == given.locale:
        return value_of(record, given.metric)
    text = f"{as_decimal(found.value):f}"
    return text.replace(".", ",") if given.locale == "nl" else text


def quantity_text(quantity: Quantity) -> str:
    if quantity.printed is not None:
        return quantity.printed.text
    if quantity.value is not None:
        return f"{quantity.value} {quantity.unit}".strip()
    if quantity.low is not None:
        return f"{quantity.low} to {quantity.high} {quantity.unit}".strip()
    return quantity.status.value
