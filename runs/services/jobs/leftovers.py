"""What lost jobs may still have running: ended at the next contact, before anything else starts on the machine."""

from django.conf import settings
from django.db.models import QuerySet

from runs.models import Job, Target
from runs.runners.base import Runner, ask
from runs.services.jobs.connect import of_job


def leftovers(target: Target) -> QuerySet[Job]:
    return Job.objects.filter(target=target, state=Job.State.LOST, remote_open=True).select_related("target")


def end_leftovers(connection: Runner, target: Target) -> list[int]:
    """Ends them; the ids of jobs of which something is alive even so."""
    alive = []
    for job in leftovers(target):
        told = ask(connection, of_job(job, "cancel"), settings.LIKEWISE_JOB_GRACE_S + 30)
        if told["alive"] or told.get("left_alive"):
            alive.append(job.pk)
        else:
            Job.objects.filter(pk=job.pk).update(remote_open=False)
    return alive
