"""A job that this worker acts on: every change goes through its lease, so that nobody acts on it twice at once."""

import datetime as dt
import secrets
from typing import Any

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from runs.models import Job
from runs.services.jobs.wake import send, wake


class LeaseLostError(Exception):
    """Another worker holds the job now, or it has ended: what this one knows is no longer true."""


def lease_until() -> dt.datetime:
    return timezone.now() + dt.timedelta(seconds=settings.LIKEWISE_JOB_LEASE_S)


def stamped(times: list[Any], state: str) -> list[Any]:
    return [*times, [state, timezone.now().isoformat()]]


class Held:
    def __init__(self, job: Job, holder: str) -> None:
        self.job, self.holder = job, holder

    def update(self, **fields: Any) -> None:
        """Writes fields and renews the lease. Raises LeaseLostError."""
        fields.setdefault("lease", lease_until())
        if not Job.objects.filter(pk=self.job.pk, holder=self.holder, state__in=Job.ACTIVE).update(**fields):
            raise LeaseLostError
        for name, value in fields.items():
            setattr(self.job, name, value)

    def enter(self, state: str, **fields: Any) -> None:
        self.update(state=state, times=stamped(self.job.times, state), **fields)

    def end(self, state: str, reason: str = "", **fields: Any) -> None:
        """The job's end: the target is free for its next job, and who started it hears of it."""
        with transaction.atomic():
            self.enter(state, reason=reason[:2000], finished=timezone.now(), lease=None, **fields)
            job = self.job
            transaction.on_commit(lambda: send("runs.tasks.mail_job", job.pk))
            wake(job.target)

    def release(self) -> None:
        """Lets go of a job that goes on: whoever is woken next takes it up."""
        Job.objects.filter(pk=self.job.pk, holder=self.holder).update(lease=None, holder="")

    def cancelled(self) -> bool:
        """Whether somebody has asked for an end since."""
        self.job.cancel = bool(Job.objects.filter(pk=self.job.pk).values_list("cancel", flat=True).first())
        return self.job.cancel


def claim(target_id: int) -> Held | None:
    """The target's active job if nobody holds it, else its next queued one; None where there is nothing to take.

    One UPDATE with its condition takes the job: of two workers one gets it. That a target has one active job at a time
    is the database's own constraint.
    """
    holder = secrets.token_hex(8)
    now, lease = timezone.now(), lease_until()
    jobs = Job.objects.filter(target_id=target_id)
    active = jobs.filter(state__in=Job.ACTIVE).values_list("pk", flat=True).first()
    if active is not None:
        free = Q(lease__isnull=True) | Q(lease__lt=now)
        taken = jobs.filter(free, pk=active, state__in=Job.ACTIVE).update(holder=holder, lease=lease)
        return _held(active, holder) if taken else None
    queued = jobs.filter(state=Job.State.QUEUED, cancel=False).order_by("pk").first()
    if queued is None:
        return None
    try:
        with transaction.atomic():
            taken = jobs.filter(pk=queued.pk, state=Job.State.QUEUED, cancel=False).update(
                state=Job.State.PREFLIGHT, times=stamped(queued.times, "preflight"), holder=holder, lease=lease
            )
    except IntegrityError:
        return None  # another worker made another job of this target active between the two looks
    return _held(queued.pk, holder) if taken else None


def _held(pk: int, holder: str) -> Held:
    return Held(Job.objects.select_related("target", "plan", "created_by").get(pk=pk), holder)
