"""What may be seen of targets, plans, jobs and schedules. Values of environment variables are never among it."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from runs.models import Artifact, Job, JobRun, Occurrence, Plan, Schedule, Target
from runs.services.answers import MissingError

PAGE = 50


@dataclass(frozen=True)
class KeyItem:
    """A key that a host showed; ``accepted`` None means nobody has said that it is the host's."""

    algorithm: str
    fingerprint: str
    seen: dt.datetime
    accepted: dt.datetime | None
    accepted_by: str


@dataclass(frozen=True)
class TargetItem:
    """A machine, with what the last test of its connection found."""

    id: int
    name: str
    connection: str
    queue: str
    host: str
    port: int
    user: str
    key_file: str
    accelerators: str
    gpus: int | None
    sampler: str
    working_directory: str
    environment: tuple[str, ...]
    programs: dict[str, str]
    commands: dict[str, Any]
    tokenizer: str
    allow_link_local: bool
    notes: str
    problem: str
    found: dict[str, Any]
    found_at: dt.datetime | None
    host_keys: tuple[KeyItem, ...] = ()
    queued: int = 0
    active: int | None = None


@dataclass(frozen=True)
class PlanItem:
    """A workload for a client."""

    id: int
    name: str
    spec: dict[str, Any]
    notes: str
    created: dt.datetime
    created_by: str


@dataclass(frozen=True)
class JobItem:
    """A job as a list shows it; ``runs`` are the ids of what it became."""

    id: int
    label: str
    state: str
    plan: str
    plan_id: int | None
    target: str
    target_id: int
    reason: str
    created: dt.datetime
    finished: dt.datetime | None
    created_by: str
    simulated: str
    runs: tuple[str, ...] = ()
    place: int | None = None


@dataclass(frozen=True)
class JobFile:
    """A file that a job left."""

    name: str
    sha256: str
    size: int


@dataclass(frozen=True)
class JobDetail:
    """One job with everything that was observed. ``times`` are its states with the moment each began, ``behind`` the
    job that must end before this one can begin."""

    item: JobItem
    argv: tuple[str, ...]
    spec: dict[str, Any]
    cell: dict[str, Any]
    times: tuple[tuple[str, str], ...]
    problems: tuple[str, ...]
    preflight: dict[str, Any]
    agent: dict[str, Any]
    cancel: bool
    heartbeat: dt.datetime | None
    files: tuple[JobFile, ...]
    behind: int | None


@dataclass(frozen=True)
class Output:
    """The end of a job's output; all of it is kept with its files at the end."""

    state: str
    ended: bool
    phase: str
    reason: str
    tail: str
    bytes: int
    percent: int | None


@dataclass(frozen=True)
class OccurrenceItem:
    """A due time and what became of it."""

    due: dt.datetime
    outcome: str
    text: str
    jobs: tuple[int, ...]


@dataclass(frozen=True)
class ScheduleItem:
    """A plan on a target at set times, and its latest due times: also the missed ones."""

    id: int
    plan: str
    plan_id: int
    target: str
    target_id: int
    cron: str
    time_zone: str
    enabled: bool
    created_by: str
    occurrences: tuple[OccurrenceItem, ...]


def targets() -> list[TargetItem]:
    return [_target(row) for row in Target.objects.prefetch_related("host_keys__accepted_by")]


def target(pk: int) -> TargetItem:
    row = Target.objects.prefetch_related("host_keys__accepted_by").filter(pk=pk).first()
    if row is None:
        raise MissingError("target_not_found", f"There is no target {pk}.")
    return _target(row)


def _target(row: Target) -> TargetItem:
    names = [name for name in TargetItem.__dataclass_fields__ if hasattr(row, name)]
    given = {name: getattr(row, name) for name in names if name not in ("environment", "host_keys")}
    keys = tuple(
        KeyItem(key.algorithm, key.fingerprint, key.seen, key.accepted, _name(key.accepted_by))
        for key in row.host_keys.all()
    )
    jobs = Job.objects.filter(target=row)
    active = jobs.filter(state__in=Job.ACTIVE).values_list("pk", flat=True).first()
    queued = jobs.filter(state=Job.State.QUEUED).count()
    return TargetItem(**given, environment=tuple(sorted(row.environment)), host_keys=keys, queued=queued, active=active)


def plans() -> list[PlanItem]:
    return [_plan(row) for row in Plan.objects.select_related("created_by")]


def plan(pk: int) -> PlanItem:
    row = Plan.objects.select_related("created_by").filter(pk=pk).first()
    if row is None:
        raise MissingError("plan_not_found", f"There is no plan {pk}.")
    return _plan(row)


def _plan(row: Plan) -> PlanItem:
    return PlanItem(row.pk, row.name, row.spec, row.notes, row.created, _name(row.created_by))


def jobs(*, state: Sequence[str] = (), target_id: int | None = None, before: int | None = None) -> list[JobItem]:
    """Jobs, newest first, a page at a time; ``before`` is the id of the last one of the page before."""
    rows = _rows()
    if state:
        rows = rows.filter(state__in=state)
    if target_id is not None:
        rows = rows.filter(target_id=target_id)
    if before is not None:
        rows = rows.filter(pk__lt=before)
    return _items(rows[:PAGE])


def _rows() -> QuerySet[Job]:
    return Job.objects.select_related("plan", "target", "created_by").defer("tail", "found", "agent", "spec")


def _items(rows: QuerySet[Job]) -> list[JobItem]:
    found = list(rows)
    runs: dict[int, list[str]] = {}
    for job_id, run in JobRun.objects.filter(job__in=[job.pk for job in found]).values_list("job_id", "run__public_id"):
        runs.setdefault(job_id, []).append(run)
    return [_item(job, tuple(runs.get(job.pk, ()))) for job in found]


def _item(job: Job, runs: tuple[str, ...], place: int | None = None) -> JobItem:
    return JobItem(
        job.pk, job.label, job.state, job.plan.name if job.plan else "", job.plan_id, job.target.name, job.target_id,
        job.reason, job.created, job.finished, _name(job.created_by), job.simulated, runs, place,
    )  # fmt: skip


def queue_of(target_id: int) -> list[JobItem]:
    """The active job and the queue behind it, in the order in which they will run."""
    return _items(_rows().filter(target_id=target_id).exclude(state__in=Job.ENDED).order_by("pk"))


def job(pk: int) -> JobDetail:
    row = Job.objects.select_related("plan", "target", "created_by").filter(pk=pk).first()
    if row is None:
        raise MissingError("job_not_found", f"There is no job {pk}.")
    runs = tuple(JobRun.objects.filter(job=row).values_list("run__public_id", flat=True))
    files = row.job_artifacts.order_by("pk").values_list("name", "artifact__sha256", "artifact__size")
    place = behind = None
    if row.state == Job.State.QUEUED:
        before = Job.objects.filter(target=row.target, pk__lt=pk).exclude(state__in=Job.ENDED)
        place = before.filter(state=Job.State.QUEUED).count() + 1
        behind = before.order_by("-pk").values_list("pk", flat=True).first()
    return JobDetail(
        _item(row, runs, place), tuple(row.argv), row.spec, row.cell, tuple((one[0], one[1]) for one in row.times),
        tuple(row.problems), row.found, row.agent, row.cancel, row.heartbeat, tuple(JobFile(*one) for one in files),
        behind,
    )  # fmt: skip


def output(pk: int) -> Output:
    """In one small query, as it is asked for every second."""
    names = ("state", "agent", "reason", "tail", "output_bytes")
    row = Job.objects.filter(pk=pk).values_list(*names).first()
    if row is None:
        raise MissingError("job_not_found", f"There is no job {pk}.")
    state, agent, reason, tail, size = row
    phase = str(agent.get("phase", ""))
    return Output(state, state in Job.ENDED, phase, reason, tail, int(agent.get("output_total", size)), percent(tail))


def percent(tail: str) -> int | None:
    """The last share that the client's own progress bar printed; None where it prints none."""
    found = None
    for word in tail[-2000:].replace("|", " ").split():
        if word.endswith("%") and word[:-1].isdigit() and int(word[:-1]) <= 100:
            found = int(word[:-1])
    return found


def job_file(pk: int, sha256: str) -> tuple[Artifact, str] | None:
    """A file of a job and the name it has there."""
    row = Artifact.objects.filter(job_artifacts__job_id=pk, sha256=sha256).first()
    if row is None:
        return None
    name = row.job_artifacts.filter(job_id=pk).values_list("name", flat=True).first()
    return row, (name or "file").rsplit("/", 1)[-1]


def jobs_of_run(public_id: str) -> list[int]:
    """The jobs that a run came from."""
    return list(JobRun.objects.filter(run__public_id=public_id).order_by("job_id").values_list("job_id", flat=True))


def schedules() -> list[ScheduleItem]:
    rows = Schedule.objects.select_related("plan", "target", "periodic__crontab", "created_by").order_by("pk")
    return [_schedule(row) for row in rows]


def _schedule(row: Schedule) -> ScheduleItem:
    times = row.periodic.crontab
    cron = f"{times.minute} {times.hour} {times.day_of_month} {times.month_of_year} {times.day_of_week}"
    latest = Occurrence.objects.filter(schedule=row).prefetch_related("jobs")[:10]
    seen = tuple(OccurrenceItem(one.due, one.outcome, one.text, tuple(j.pk for j in one.jobs.all())) for one in latest)
    return ScheduleItem(
        row.pk, row.plan.name, row.plan_id, row.target.name, row.target_id, cron, str(times.timezone),
        row.periodic.enabled, _name(row.created_by), seen,
    )  # fmt: skip


def _name(user: Any) -> str:
    return user.get_username() if user is not None else ""
