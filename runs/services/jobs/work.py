"""What a woken worker does for a target: takes its job and brings it as far as one slice of time goes."""

import logging
import time

from django.conf import settings
from django.utils import timezone

from runs.models import Job, Target
from runs.runners.base import Runner, RunnerError, ask
from runs.services.jobs.collect import collect
from runs.services.jobs.connect import of_job, runner
from runs.services.jobs.held import Held, LeaseLostError, claim
from runs.services.jobs.preflight import preflight
from runs.services.jobs.wake import wake
from runs.services.jobs.watch import watch

log = logging.getLogger(__name__)
STEPS = {Job.State.PREFLIGHT: preflight, Job.State.RUNNING: watch, Job.State.COLLECTING: collect}


def work(*, target_id: int) -> None:
    """One slice for one target; wakes the next one while there is something left to do."""
    target = Target.objects.filter(pk=target_id).first()
    if target is None:
        return
    close_lost(target)
    held = claim(target_id)
    if held is None:
        return
    try:
        _slice(held)
    except LeaseLostError:
        log.info("job %s is another worker's now", held.job.pk)
        return
    finally:
        held.release()
    if held.job.state in Job.ACTIVE:
        wake(target)


def _slice(held: Held) -> None:
    until = time.monotonic() + settings.LIKEWISE_JOB_SLICE_S
    while held.job.state in Job.ACTIVE and time.monotonic() < until:
        try:
            with runner(held.job.target) as connection:
                heard(held)
                _steps(held, connection, until)
        except RunnerError as error:
            if not silent(held, error):
                time.sleep(settings.LIKEWISE_JOB_POLL_S)


def _steps(held: Held, connection: Runner, until: float) -> None:
    while held.job.state in Job.ACTIVE:
        before = held.job.state
        STEPS[Job.State(before)](held, connection, until)
        if held.job.state == before:
            return


def heard(held: Held) -> None:
    if held.job.silent_since is not None:
        held.update(silent_since=None, reason="")


def silent(held: Held, error: RunnerError) -> bool:
    """A target that cannot be reached: nothing has run yet, or it may come back. True where the job has ended."""
    job = held.job
    if job.state == Job.State.PREFLIGHT and not job.attempts:
        if held.cancelled():
            held.end(Job.State.CANCELLED, "cancelled before anything was started")
        else:
            held.end(Job.State.FAILED, "the target cannot be reached", problems=[str(error)])
        return True
    since = job.silent_since or timezone.now()
    if (timezone.now() - since).total_seconds() > settings.LIKEWISE_JOB_LOST_S:
        said = f"the target has been silent since {since:%Y-%m-%d %H:%M:%S} UTC: {error}"
        held.end(Job.State.LOST, said, remote_open=True)
        return True
    held.update(silent_since=since, reason=f"the target is silent: {error}"[:2000])
    return False


def close_lost(target: Target) -> None:
    """Ends what a lost job may still have running, before another uses the machine."""
    for job in Job.objects.filter(target=target, state=Job.State.LOST, remote_open=True).select_related("target"):
        try:
            with runner(target) as connection:
                told = ask(connection, of_job(job, "cancel"), settings.LIKEWISE_JOB_GRACE_S + 30)
                if not told["alive"] and not told.get("left_alive"):
                    Job.objects.filter(pk=job.pk).update(remote_open=False)
        except RunnerError as error:
            log.info("job %s: its target is still silent: %s", job.pk, error)
