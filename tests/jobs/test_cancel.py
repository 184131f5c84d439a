"""A cancel in every state: the processes are gone, whatever group they fled to, and the target is free again."""

import time

from tests.jobs.rig import Rig
from tests.live import wait_for


def test_cancel_while_queued(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.halt()
    job = faulty.job(target)
    faulty.cancel(job)
    assert faulty.state(job) == "cancelled"
    faulty.worker()
    faulty.free(target)
    assert faulty.look(job)["argv"]
    assert faulty.ask(f"result = Job.objects.get(pk={job}).attempts") == 0


def test_cancel_in_preflight(faulty: Rig, unique: str, slow_endpoint: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, endpoint=slow_endpoint, model="m")
    faulty.until(job, "preflight")
    faulty.cancel(job)
    assert faulty.ended(job) == "cancelled"
    assert faulty.ask(f"result = Job.objects.get(pk={job}).attempts") == 0
    faulty.free(target)


def test_cancel_while_running_leaves_no_orphan(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "orphans")
    faulty.until(job, "running")
    wait_for(lambda: len(faulty.alive(job)) >= 3, "the client and its children")
    faulty.cancel(job)
    assert faulty.ended(job) == "cancelled"
    assert faulty.alive(job) == []
    assert "output.log" in faulty.files(job)
    assert faulty.look(job)["agent"]["left_alive"] == 0
    faulty.free(target)


def test_cancel_while_collecting_keeps_what_is_there(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "many")
    faulty.until(job, "collecting")
    faulty.cancel(job)
    assert faulty.ended(job) == "cancelled"
    assert faulty.runs(job) == []
    assert "result.json" in faulty.files(job)
    assert faulty.alive(job) == []
    faulty.free(target)


def test_cancel_with_no_worker_there_holds_until_one_comes(faulty: Rig, unique: str) -> None:
    target = faulty.target(unique)
    faulty.worker()
    job = faulty.job(target, "orphans")
    faulty.until(job, "running")
    faulty.halt()
    faulty.cancel(job)
    time.sleep(1)
    assert faulty.state(job) == "running"
    faulty.worker()
    assert faulty.ended(job) == "cancelled"
    assert faulty.alive(job) == []
    faulty.free(target)
