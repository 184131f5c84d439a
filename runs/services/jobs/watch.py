"""While a job runs: its state and the end of its output into the row, a cancel to its agent, its silence noticed."""

import time
from typing import Any

from django.conf import settings
from django.utils import timezone

from runs.models import Job
from runs.runners.base import Runner, ask
from runs.services.jobs.connect import of_job
from runs.services.jobs.held import Held

TAIL_CHARS = 32 * 1024
KEPT = ("phase", "started_at", "client_started_at", "client_ended_at", "window_start", "window_end", "exit_code",
        "reason", "caps_before", "caps_after", "loads", "commands", "sampler", "sampler_exit", "output_total",
        "output_kept", "left_alive", "finished_at", "heartbeat")  # fmt: skip


def watch(held: Held, connection: Runner, until: float) -> None:
    """Polls until the slice is over or the agent has finished. Raises RunnerError where the target falls silent."""
    while True:
        told = ask(connection, of_job(held.job, "poll", offset=_offset(held.job)))
        _note(held, told)
        if not told["known"]:
            held.end(Job.State.LOST, "the job's folder is gone from the target")
            return
        if told["state"].get("phase") == "finished":
            held.enter(Job.State.COLLECTING)
            return
        if not told["alive"]:
            _gone(held, connection)
            return
        if held.cancelled():
            ask(connection, of_job(held.job, "cancel"), settings.LIKEWISE_JOB_GRACE_S + 60)
        if time.monotonic() > until:
            return
        time.sleep(settings.LIKEWISE_JOB_POLL_S)


def _offset(job: Job) -> int:
    """Where to read on; what a flood has run ahead is skipped, since only the end is shown."""
    return max(job.output_bytes, int(job.agent.get("output_kept", 0)) - TAIL_CHARS)


def _note(held: Held, told: dict[str, Any]) -> None:
    state = told["state"]
    agent = {**held.job.agent, **{name: state[name] for name in KEPT if name in state}}
    tail = (held.job.tail + told["output"].replace("\0", "\ufffd"))[-TAIL_CHARS:]
    total, kept = int(state.get("output_total", 0)), int(state.get("output_kept", 0))
    if state.get("tail") and (total > kept or (state.get("phase") == "finished" and told["offset"] < kept)):
        # Past the bound of the file, or behind a client that ended, the agent's own memory has the end.
        lost = f"… {total - kept} bytes are not kept …\n" if total > kept else ""
        tail = f"{lost}{state['tail']}".replace("\0", "\ufffd")[-TAIL_CHARS:]
    held.update(agent=agent, tail=tail, output_bytes=told["offset"], heartbeat=timezone.now())


def _gone(held: Held, connection: Runner) -> None:
    """The agent's process is gone without an end: killed, or the machine was started anew. What is there is kept."""
    left = ask(connection, of_job(held.job, "cancel"), settings.LIKEWISE_JOB_GRACE_S + 60)
    if left["state"].get("phase") == "finished":
        _note(held, left)
        held.enter(Job.State.COLLECTING)
        return
    held.enter(Job.State.COLLECTING, agent={**held.job.agent, "gone": True})
