"""What a woken worker does for a target: takes its job and brings it as far as one slice of time goes."""

import logging
import time

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.utils import timezone

from runs.models import Job, Target
from runs.runners.base import Runner, RunnerError
from runs.services.jobs.collect import collect
from runs.services.jobs.connect import runner
from runs.services.jobs.held import Held, LeaseLostError, claim
from runs.services.jobs.leftovers import end_leftovers, leftovers
from runs.services.jobs.preflight import preflight
from runs.services.jobs.wake import wake
from runs.services.jobs.watch import watch

log = logging.getLogger(__name__)
MOST_ERRORS = 5
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
    except (OperationalError, InterfaceError):
        raise  # the database went away: nothing can be written, and the sweep comes back for the job
    except Exception as error:
        log.exception("job %s", held.job.pk)
        stumbled(held, error)
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


def stumbled(held: Held, error: Exception) -> None:
    """An error of our own: tried again a few times, then said, so that it does not hold the target for ever."""
    errors = int(held.job.agent.get("errors", 0)) + 1
    held.update(agent={**held.job.agent, "errors": errors})
    if errors < MOST_ERRORS:
        time.sleep(settings.LIKEWISE_JOB_POLL_S)
        return
    held.end(Job.State.LOST, f"an error of ours, {errors} times: {type(error).__name__}: {error}", remote_open=True)


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
    if not leftovers(target).exists():
        return
    try:
        with runner(target) as connection:
            end_leftovers(connection, target)
    except RunnerError as error:
        log.info("target %s is still silent: %s", target.pk, error)
