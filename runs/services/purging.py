"""A run that was uploaded by mistake: taken away by an administrator, with a tombstone in its place."""

from collections.abc import Sequence
from functools import partial

from django.db import transaction

from runs import store
from runs.models import Artifact, ErratumRow, EvaluationCover, EvaluationRow, Run, Tombstone, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.correcting import text_problems
from runs.services.tokens import may_purge


class PurgedError(RefusedError):
    """What was asked for was purged: when, by whom and why is in the message."""


def purge_run(*, run_id: str, reason: str, user: User) -> Tombstone:
    """Takes a run away with its history, and those of its files that nothing else rests on.

    Raises RefusedError (``permission_denied``) for all but administrators, and without a reason; MissingError without
    the run.
    """
    if not may_purge(user):
        raise RefusedError("permission_denied", "Only an administrator purges a run.")
    problems = text_problems("reason", reason)
    if problems:
        raise RefusedError("invalid_purge", "A purge says why; nothing was removed.", *problems)
    with transaction.atomic():
        run = Run.objects.select_for_update().filter(public_id=run_id).defer("summary").first()
        if run is None:
            seen = Problem("", "run", "the id of a run", run_id)
            raise MissingError("run_not_found", f"There is no run {run_id}.", seen)
        return _purge(run, reason.strip(), user)


def _purge(run: Run, reason: str, user: User) -> Tombstone:
    artifacts = list(Artifact.objects.filter(run_artifacts__run=run).distinct())
    label, run_id = run.label, run.public_id
    ErratumRow.objects.filter(target="run", target_key=run_id).delete()
    EvaluationCover.objects.filter(target=run_id).delete()
    run.delete()
    lonely = _unused(artifacts)
    for artifact in lonely:
        bytes_of = store.StoredFile(artifact.sha256, str(artifact.file.name))
        artifact.delete()
        # Once the rows are gone for good: a rollback must find its bytes again.
        transaction.on_commit(partial(store.discard, [bytes_of]))
    files = [{"name": artifact.name, "sha256": artifact.sha256} for artifact in lonely]
    return Tombstone.objects.create(
        public_id=run_id, label=label, reason=reason, who=user.get_username(), user=user, files=files
    )


def _unused(artifacts: Sequence[Artifact]) -> list[Artifact]:
    """Files behind no run and no evaluation any more, and no archived copy of a source."""
    hashes = [artifact.sha256 for artifact in artifacts]
    used = set(Artifact.objects.filter(sha256__in=hashes, run_artifacts__isnull=False).values_list("sha256", flat=True))
    used |= set(EvaluationRow.objects.filter(sha256__in=hashes).values_list("sha256", flat=True))
    used |= store.archived_hashes() if len(used) < len(hashes) else set()
    return [artifact for artifact in artifacts if artifact.sha256 not in used]


def refuse_purged(run_ids: Sequence[str]) -> None:
    """Raises PurgedError where one of some ids is a purged run's."""
    stone = Tombstone.objects.filter(public_id__in=run_ids).order_by("pk").first()
    if stone is not None:
        day = f"{stone.at:%Y-%m-%d}"
        message = f"Run {stone.public_id} ({stone.label}) was purged on {day} by {stone.who}: {stone.reason}"
        raise PurgedError("gone", message, Problem("", "run", "a run that is here", f"purged on {day}"))
