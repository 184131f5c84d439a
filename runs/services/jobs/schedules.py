"""Plans at set times. Each due time happens once, or is said to have been missed: none is skipped in silence."""

import datetime as dt
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from celery.schedules import crontab
from django.db import IntegrityError, transaction
from django.utils import timezone
from django_celery_beat.models import CrontabSchedule, PeriodicTask
from django_celery_beat.validators import crontab_validator

from runs.models import Job, Occurrence, Plan, Schedule, Target, User
from runs.services import audit
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs.queue import enqueue
from runs.services.jobs.rights import need_operator

LATE = dt.timedelta(minutes=10)
LOOK_BACK = dt.timedelta(days=31)
TASK = "runs.tasks.run_schedule"


def save_schedule(*, user: User, plan: Plan, target: Target, cron: str, time_zone: str) -> Schedule:
    """A plan on a target at the times of a cron expression (minute hour day month weekday) in a zone."""
    need_operator(user)
    fields = cron.split()
    if len(fields) != 5 or time_zone not in available_timezones():
        seen = Problem("schedule", "cron, time_zone", "five cron fields and an IANA zone", f"{cron!r}, {time_zone!r}")
        raise RefusedError("invalid_schedule", "The times cannot be read.", seen)
    try:
        crontab_validator(cron)
    except Exception as error:  # noqa: BLE001  the validator raises what its parser raises
        seen = Problem("schedule", "cron", "five cron fields", f"{cron!r}: {error}")
        raise RefusedError("invalid_schedule", "The times cannot be read.", seen) from None
    minute, hour, day, month, weekday = fields
    with transaction.atomic():
        times, _made = CrontabSchedule.objects.get_or_create(
            minute=minute, hour=hour, day_of_month=day, month_of_year=month, day_of_week=weekday, timezone=time_zone
        )
        schedule = Schedule(plan=plan, target=target, created_by=user)
        schedule.periodic = PeriodicTask.objects.create(
            name=f"plan {plan.pk} on target {target.pk}, {timezone.now().isoformat()}", task=TASK, crontab=times,
            enabled=False,
        )  # fmt: skip
        schedule.save()
        schedule.periodic.args, schedule.periodic.enabled = f"[{schedule.pk}]", True
        schedule.periodic.save()
    return schedule


def enable(*, schedule_id: int, enabled: bool, user: User) -> Schedule:
    need_operator(user)
    schedule = schedule_of(schedule_id)
    before = schedule.periodic.enabled
    if enabled and not before:
        # While it was off nothing was due, so nothing was missed.
        schedule.created = timezone.now()
        schedule.save(update_fields=["created"])
    schedule.periodic.enabled = enabled
    schedule.periodic.save()
    if before != enabled:
        audit.note(action="changed", noun="schedule", key=str(schedule.pk), before={"enabled": before},
                   after={"enabled": enabled})  # fmt: skip
    return schedule


def delete(*, schedule_id: int, user: User) -> None:
    need_operator(user)
    schedule_of(schedule_id).periodic.delete()


def schedule_of(pk: int) -> Schedule:
    found = Schedule.objects.select_related("periodic__crontab", "plan", "target", "created_by").filter(pk=pk).first()
    if found is None:
        raise MissingError("schedule_not_found", f"There is no schedule {pk}.")
    return found


def run_schedule(*, schedule_id: int, now: dt.datetime | None = None) -> list[Job]:
    """The jobs of the due time that has just come. However often it is asked for, and by whom, they are made once."""
    schedule = schedule_of(schedule_id)
    now = now or timezone.now()
    if not schedule.periodic.enabled:
        return []
    note_missed(now=now)
    due = _latest(schedule, now)
    if due is None or now - due > LATE:
        return []
    waiting = Job.objects.filter(occurrence__schedule=schedule).exclude(state__in=Job.ENDED).exists()
    try:
        with transaction.atomic():
            occurrence = Occurrence.objects.create(schedule=schedule, due=due, outcome=Occurrence.Outcome.STARTED)
            if waiting:
                occurrence.outcome = Occurrence.Outcome.MISSED
                occurrence.text = "the jobs of the time before had not ended"
                occurrence.save()
                return []
            return enqueue(plan=schedule.plan, target=schedule.target, user=schedule.created_by, occurrence=occurrence)
    except IntegrityError:
        return []  # another scheduler, or the same message again, was first
    except RefusedError as error:
        _missed(schedule, due, str(error))
        return []


def note_missed(*, now: dt.datetime | None = None) -> int:
    """Writes down every due time that passed with nobody there; how many were new."""
    now = now or timezone.now()
    found = 0
    enabled = Schedule.objects.filter(periodic__enabled=True).select_related("periodic__crontab")
    for schedule in enabled:
        last = schedule.occurrences.order_by("-due").values_list("due", flat=True).first()
        start = max(last or schedule.created, schedule.created, now - LOOK_BACK)
        for due in occurrences(schedule.periodic.crontab, start, now - LATE):
            found += _missed(schedule, due, "no scheduler or worker was there in time")
    return found


def _missed(schedule: Schedule, due: dt.datetime, text: str) -> bool:
    _row, made = Occurrence.objects.get_or_create(
        schedule=schedule, due=due, defaults={"outcome": Occurrence.Outcome.MISSED, "text": text[:200]}
    )
    return made


def _latest(schedule: Schedule, now: dt.datetime) -> dt.datetime | None:
    start = max(schedule.created - dt.timedelta(seconds=1), now - LATE - dt.timedelta(minutes=1))
    due = occurrences(schedule.periodic.crontab, start, now)
    return due[-1] if due else None


def occurrences(times: CrontabSchedule, after: dt.datetime, until: dt.datetime) -> list[dt.datetime]:
    """Due times after one moment up to another, in UTC. Local times that the clock skips or repeats: not, once."""
    zone = ZoneInfo(str(times.timezone))
    wanted: Any = crontab(times.minute, times.hour, times.day_of_week, times.day_of_month, times.month_of_year)
    found = []
    minute = after.astimezone(dt.UTC).replace(second=0, microsecond=0) + dt.timedelta(minutes=1)
    while minute <= until:
        local = minute.astimezone(zone)
        if (
            local.fold == 0
            and local.minute in wanted.minute
            and local.hour in wanted.hour
            and local.month in wanted.month_of_year
            and local.day in wanted.day_of_month
            and local.isoweekday() % 7 in wanted.day_of_week
        ):
            found.append(minute)
        minute += dt.timedelta(minutes=1)
    return found
