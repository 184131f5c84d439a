"""Due times: once each, in their zone, and those that passed with nobody there are written down."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django_celery_beat.models import CrontabSchedule

from runs.models import Job, Occurrence, Plan, Schedule, Target
from runs.services.jobs import schedules
from tests import factories

SPEC = {"client": "command", "command": "c"}


def at(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)


@pytest.fixture
def schedule(db: None) -> Schedule:
    target = Target.objects.create(name="node", connection="local", commands={"c": {"argv": ["true"]}})
    plan = Plan.objects.create(name="p", spec=SPEC)
    made = schedules.save_schedule(
        user=factories.user("operator"), plan=plan, target=target, cron="30 2 * * *", time_zone="Europe/Amsterdam"
    )
    Schedule.objects.filter(pk=made.pk).update(created=at("2026-06-01T12:00"))
    return Schedule.objects.get(pk=made.pk)


def test_a_due_time_makes_its_jobs_once(schedule: Schedule) -> None:
    now = at("2026-06-02T00:30:05")
    assert len(schedules.run_schedule(schedule_id=schedule.pk, now=now)) == 1
    assert schedules.run_schedule(schedule_id=schedule.pk, now=now) == []
    assert Job.objects.count() == 1
    assert [(one.due, one.outcome) for one in Occurrence.objects.all()] == [(at("2026-06-02T00:30"), "started")]


def test_what_passed_with_nobody_there_is_said_and_not_bunched(schedule: Schedule) -> None:
    made = schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-05T00:31"))
    assert len(made) == 1
    seen = {one.due: one.outcome for one in Occurrence.objects.all()}
    assert seen == {
        at("2026-06-02T00:30"): "missed",
        at("2026-06-03T00:30"): "missed",
        at("2026-06-04T00:30"): "missed",
        at("2026-06-05T00:30"): "started",
    }


def test_a_message_that_comes_far_too_late_starts_nothing(schedule: Schedule) -> None:
    assert schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-02T05:00")) == []
    assert [one.outcome for one in Occurrence.objects.all()] == ["missed"]


def test_while_the_time_before_still_runs_the_next_is_missed(schedule: Schedule) -> None:
    schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-02T00:30:05"))
    assert schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-03T00:30:05")) == []
    latest = Occurrence.objects.order_by("-due").first()
    assert latest is not None
    assert (latest.outcome, latest.text) == ("missed", "the jobs of the time before had not ended")


def test_a_plan_that_no_longer_fits_is_said(schedule: Schedule) -> None:
    Target.objects.update(commands={})
    assert schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-02T00:30:05")) == []
    only = Occurrence.objects.get()
    assert only.outcome == "missed"
    assert "one of the target's" in only.text


def test_off_is_off_and_nothing_was_missed(schedule: Schedule) -> None:
    operator = factories.user("operator")
    schedules.enable(schedule_id=schedule.pk, enabled=False, user=operator)
    assert schedules.run_schedule(schedule_id=schedule.pk, now=at("2026-06-02T00:30:05")) == []
    assert schedules.note_missed(now=at("2026-06-09T00:00")) == 0


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        # Amsterdam, 2026: 02:30 does not exist on March 29 and comes twice on October 25.
        ("2026-03-29", []),
        ("2026-10-25", ["2026-10-25T00:30"]),
        ("2026-07-01", ["2026-07-01T00:30"]),
        ("2026-01-15", ["2026-01-15T01:30"]),
    ],
)
def test_due_times_keep_to_the_local_clock(day: str, expected: list[str]) -> None:
    times = CrontabSchedule(minute="30", hour="2", timezone="Europe/Amsterdam")
    start = at(f"{day}T00:00") - dt.timedelta(minutes=1)
    assert schedules.occurrences(times, start, at(f"{day}T23:00")) == [at(one) for one in expected]


@pytest.mark.django_db(transaction=True)
def test_two_schedulers_at_once_start_it_once() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("threads share no in-memory database; tests/jobs has the same with two real schedulers")
    target = Target.objects.create(name="node", connection="local", commands={"c": {"argv": ["true"]}})
    plan = Plan.objects.create(name="p", spec=SPEC)
    made = schedules.save_schedule(
        user=factories.user("operator"), plan=plan, target=target, cron="30 2 * * *", time_zone="UTC"
    )
    Schedule.objects.filter(pk=made.pk).update(created=at("2026-06-01T12:00"))

    def fire(_number: int) -> int:
        try:
            return len(schedules.run_schedule(schedule_id=made.pk, now=at("2026-06-02T02:30:05")))
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(fire, range(8))) == 1
    assert Job.objects.count() == 1
    assert Occurrence.objects.count() == 1
