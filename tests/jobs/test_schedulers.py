"""Schedules with real schedulers, and the embedded installation: SQLite and a broker of files."""

import time
from collections.abc import Iterator

import pytest

from tests.jobs.rig import Rig, rig
from tests.live import wait_for
from tools.run import worker_command


def test_two_schedulers_start_each_due_time_once(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker(2)
    second = faulty.beat()
    schedule = faulty.ask(
        "u = User.objects.get(username='admin')\n"
        "spec = {'client': 'command', 'command': 'client', 'parameters': {'mode': 'ok', 'seconds': '0.1'}}\n"
        f"p = Plan.objects.create(name={unique!r}, spec=spec)\n"
        f"t = Target.objects.get(pk={target})\n"
        "s = schedules.save_schedule(user=u, plan=p, target=t, cron='* * * * *', time_zone='Europe/Amsterdam')\n"
        "result = s.pk"
    )
    try:
        jobs = f"list(Job.objects.filter(occurrence__schedule={schedule}).values_list('pk', 'occurrence__due'))"
        wait_for(lambda: faulty.ask(f"result = {jobs}"), "the minute to come", 80)
        time.sleep(3)
        made = faulty.ask(f"result = {jobs}")
        due = [one[1] for one in made]
        assert len(due) == len(set(due))
        assert faulty.ended(made[0][0]) == "done"
    finally:
        faulty.ask(f"schedules.delete(schedule_id={schedule}, user=User.objects.get(username='admin'))")
        faulty.stop(second)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    with rig(tmp_path_factory.mktemp("embedded"), {}) as made:
        made.beat()
        yield made


def test_embedded_a_job_becomes_a_run(embedded: Rig) -> None:
    target = embedded.target("here")
    embedded.worker()
    job = embedded.job(target)
    assert embedded.ended(job) == "done", embedded.look(job)
    assert len(embedded.runs(job)) == 1


def test_embedded_worker_killed_while_the_job_runs(embedded: Rig) -> None:
    target = embedded.target("there")
    embedded.worker()
    job = embedded.job(target, seconds=3)
    embedded.until(job, "running")
    embedded.halt()
    embedded.worker()
    assert embedded.ended(job) == "done", embedded.look(job)
    assert len(embedded.runs(job)) == 1
    assert embedded.alive(job) == []


def test_a_target_of_another_machine_is_its_own_workers(embedded: Rig) -> None:
    target = embedded.target("elsewhere", queue="own-queue")
    embedded.worker()
    job = embedded.job(target)
    time.sleep(3)
    assert embedded.state(job) == "queued"
    own = embedded.start("worker", [*worker_command(), "--queues", "own-queue"])
    assert embedded.ended(job) == "done", embedded.look(job)
    embedded.kill(own)
