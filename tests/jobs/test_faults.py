"""Faults with real processes: afterwards the state is right, what was collected is kept, nothing is doubled, the target
is free again."""

import itertools
import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.jobs.rig import PostgresServer, RedisServer, Rig
from tests.live import wait_for


def assert_whole(rig: Rig, job: int) -> None:
    """A job that went well in the end: one run, its files, nothing left alive."""
    assert rig.ended(job) == "done", rig.look(job)
    assert len(rig.runs(job)) == 1
    assert {"result.json", "output.log", "job-record.json", "span.txt"} <= set(rig.files(job))
    assert rig.alive(job) == []
    states = [state for state, _at in rig.look(job)["times"]]
    assert states == ["queued", "preflight", "running", "collecting", "done"]


def test_worker_killed_while_the_job_is_queued(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.halt()
    job = faulty.job(target)
    time.sleep(1)
    assert faulty.state(job) == "queued"
    faulty.worker()
    assert_whole(faulty, job)


def test_worker_killed_in_preflight(faulty: Rig, unique: str, slow_endpoint: str) -> None:
    target = faulty.target(unique)
    job = faulty.job(target, endpoint=slow_endpoint, model="m")
    faulty.worker()
    faulty.until(job, "preflight")
    faulty.halt()
    assert faulty.state(job) == "preflight"
    faulty.worker()
    assert_whole(faulty, job)
    faulty.free(target)


def test_worker_killed_while_the_job_runs(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, seconds=4)
    faulty.until(job, "running")
    wait_for(lambda: "started" in faulty.look(job)["tail"], "the first output")
    faulty.halt()
    assert faulty.alive(job)  # the client lives on
    faulty.worker()
    assert_whole(faulty, job)
    faulty.free(target)


def test_worker_killed_while_it_collects(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "many")
    faulty.until(job, "collecting")
    faulty.halt()
    assert faulty.state(job) == "collecting"
    faulty.worker()
    assert_whole(faulty, job)
    assert len(faulty.files(job)) == len(set(faulty.files(job)))
    faulty.free(target)


def test_redis_stopped_and_started(faulty: Rig, unique: str, backends: tuple[PostgresServer, RedisServer]) -> None:
    broker = backends[1]
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, seconds=2)
    faulty.until(job, "running")
    broker.stop()
    queued = faulty.job(target)  # taken although nobody can be woken
    time.sleep(2)
    broker.start()
    assert_whole(faulty, job)
    assert_whole(faulty, queued)


def test_postgresql_restarted(faulty: Rig, unique: str, backends: tuple[PostgresServer, RedisServer]) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, seconds=3)
    faulty.until(job, "running")
    backends[0].control("restart")
    faulty.answers(job)
    assert_whole(faulty, job)
    faulty.free(target)


def test_process_gone(faulty: Rig, unique: str) -> None:
    """As after a reboot: agent, sampler and client are gone without a word."""
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "hang")
    faulty.until(job, "running")
    wait_for(lambda: "started hang" in faulty.look(job)["tail"], "the first output")
    for pid in faulty.alive(job):
        os.kill(pid, signal.SIGKILL)
    os.kill(_agent_of(faulty, job), signal.SIGKILL)
    assert faulty.ended(job) == "lost"
    assert "output.log" in faulty.files(job)
    assert faulty.alive(job) == []
    assert faulty.runs(job) == []
    faulty.free(target)


def _agent_of(rig: Rig, job: int) -> int:
    key = rig.look(job)["key"]
    path = next(rig.folder.glob(f"work-*/job-{key}/state.json"))
    return int(json.loads(path.read_text())["pid"])


@pytest.mark.parametrize(
    ("mode", "said"),
    [("fail", "exit code 3"), ("half", "refused"), ("nothing", "wrote no result")],
)
def test_client_goes_wrong(faulty: Rig, unique: str, mode: str, said: str) -> None:
    target = faulty.target(unique.replace("[", "").replace("]", ""))
    faulty.worker()
    job = faulty.job(target, mode)
    assert faulty.ended(job) == "failed"
    told = faulty.look(job)
    assert said in told["reason"]
    assert "output.log" in faulty.files(job)
    assert ("result.json" in faulty.files(job)) is (mode != "nothing")
    assert faulty.runs(job) == []
    faulty.free(target)


def test_client_hangs(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "hang", timeout_s=2)
    assert faulty.ended(job) == "failed"
    assert "longer than the plan allows" in faulty.look(job)["reason"]
    assert faulty.alive(job) == []
    assert "output.log" in faulty.files(job)
    faulty.free(target)


def test_client_floods_a_gigabyte(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "flood")
    assert faulty.ended(job, 60) == "done"
    told = faulty.look(job)
    assert told["agent"]["output_total"] > 1024**3
    assert faulty.files(job)["output.log"] == 1_000_000
    assert len(told["tail"]) <= 32 * 1024
    assert "the end of the flood" in told["tail"]
    assert "are not kept" in told["tail"]


def test_disk_full_on_the_target(faulty: Rig, unique: str, small_disk: Path) -> None:
    target = faulty.target(unique, working_directory=str(small_disk))
    faulty.ask(f"Target.objects.filter(pk={target}).update(notes='small')")
    faulty.worker()
    job = faulty.job(target, "fill", seconds=1)
    assert faulty.ended(job) == "failed"
    told = faulty.look(job)
    assert "disk" in told["reason"] or "exit code" in told["reason"]
    assert told["agent"]["phase"] == "finished"
    assert faulty.alive(job) == []
    wait_for(lambda: not list(small_disk.glob("job-*")), "its space to be given back")
    faulty.free(target)


def test_a_message_delivered_often_runs_the_job_once(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker(2)
    job = faulty.job(target, seconds=1)
    faulty.ask(f"from runs.services.jobs.wake import send\nfor _ in range(20): send('runs.tasks.work', {target})")
    assert_whole(faulty, job)
    assert faulty.ask(f"result = Job.objects.get(pk={job}).attempts") == 1


def test_two_workers_never_run_two_jobs_on_one_target(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker(2)
    jobs = [faulty.job(target, seconds=0.4) for _number in range(4)]
    faulty.ask(f"from runs.services.jobs.wake import send\nfor _ in range(20): send('runs.tasks.work', {target})")
    for job in jobs:
        assert_whole(faulty, job)
    spans = sorted(
        (agent["client_started_at"], agent["client_ended_at"]) for agent in (faulty.look(job)["agent"] for job in jobs)
    )
    assert all(left[1] < right[0] for left, right in itertools.pairwise(spans))


def test_commands_before_and_after_come_from_the_targets_list(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.ask(
        f"t = Target.objects.get(pk={target})\n"
        "t.commands = {**t.commands, 'good': {'argv': ['touch', 'before']}, 'bad': {'argv': ['false']}}\n"
        "t.save()"
    )
    faulty.worker()
    refused = faulty.job(target, pre=["bad"])
    assert faulty.ended(refused) == "failed"
    assert "'false', ended with code 1" in faulty.look(refused)["reason"]
    assert faulty.look(refused)["tail"] == ""
    fine = faulty.job(target, pre=["good"], post=["bad"], seconds=0.1)
    assert faulty.ended(fine) == "done"
    assert [one["exit_code"] for one in faulty.look(fine)["agent"]["commands"]] == [0, 1]
