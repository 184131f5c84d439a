"""Starting and ending jobs: rows first, then a message."""

from collections.abc import Sequence

import msgspec
from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from runs.models import Job, Occurrence, Plan, Target, User
from runs.runners.plans import PlanError, PlanSpec, cell_values, cells_of, check_endpoint, read_plan
from runs.services import audit
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs.held import stamped
from runs.services.jobs.invoke import invocation_of
from runs.services.jobs.plans import plan_problem
from runs.services.jobs.rights import need_operator
from runs.services.jobs.wake import wake


def start(*, plan: Plan, target: Target, user: User) -> list[Job]:
    """One job for every cell of the plan's matrix and every repeat, in that order. Raises RefusedError."""
    need_operator(user)
    return enqueue(plan=plan, target=target, user=user)


def enqueue(*, plan: Plan, target: Target, user: User | None, occurrence: Occurrence | None = None) -> list[Job]:
    """The same without asking for a right: schedules run for whoever made them."""
    try:
        spec = read_plan(plan.spec)
        if spec.endpoint:
            check_endpoint(spec.endpoint, allow_link_local=target.allow_link_local)
        cells = [(cell, invocation_of(cell, target).argv) for cell in cells_of(spec)]
    except PlanError as error:
        raise plan_problem(error) from None
    with transaction.atomic():
        jobs = [
            Job.objects.create(
                plan=plan,
                target=target,
                occurrence=occurrence,
                label=_label(plan, spec, cell, repeat),
                spec={**msgspec.to_builtins(cell), "repeats": 1},
                cell=cell_values(spec, cell),
                repeat=repeat,
                argv=list(argv),
                times=stamped([], "queued"),
                created_by=user,
            )
            for repeat in range(1, spec.repeats + 1)
            for cell, argv in cells
        ]
        wake(target)
    return jobs


def _label(plan: Plan, spec: PlanSpec, cell: PlanSpec, repeat: int) -> str:
    values = [f"{name} {value:g}" for name, value in cell_values(spec, cell).items()]
    values += [f"run {repeat}"] if spec.repeats > 1 else []
    return ", ".join([plan.name, *values])[:200]


def cancel(*, job_id: int, user: User) -> Job:
    """Asks for a job's end. One that waits ends now; one that runs ends when its agent has killed what it started."""
    need_operator(user)
    with transaction.atomic():
        job = Job.objects.select_related("target").filter(pk=job_id).first()
        if job is None:
            raise MissingError("job_not_found", f"There is no job {job_id}.")
        if job.state in Job.ENDED:
            seen = Problem("", "state", "a job that has not ended", job.state)
            raise RefusedError("conflict", f"Job {job_id} has ended already: {job.state}.", seen)
        ended = Job.objects.filter(pk=job_id, state=Job.State.QUEUED).update(
            state=Job.State.CANCELLED, cancel=True, cancelled_by=user, finished=timezone.now(),
            reason="cancelled before it was taken", times=stamped(job.times, "cancelled"),
        )  # fmt: skip
        if not ended:
            Job.objects.filter(pk=job_id, state__in=Job.ACTIVE).update(cancel=True, cancelled_by=user)
            wake(job.target)
        audit.note(action="cancelled", noun="job", key=str(job_id))
    job.refresh_from_db()
    return job


def counts(states: Sequence[str] = Job.State.values) -> dict[str, int]:
    """How many jobs are in each state."""
    found = dict(Job.objects.order_by().values_list("state").annotate(Count("pk")))
    return {state: found.get(state, 0) for state in states}
