"""What nobody was woken for: silent jobs, queued ones on a free target, lost ones whose end nobody has seen."""

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from runs.models import Job, Target
from runs.services.jobs.schedules import note_missed
from runs.services.jobs.wake import send


def sweep() -> int:
    """Wakes a worker for every target that has something due; how many those were."""
    note_missed()
    jobs = Job.objects.filter(target=OuterRef("pk"))
    active = jobs.filter(state__in=Job.ACTIVE)
    silent = active.filter(Q(lease__isnull=True) | Q(lease__lt=timezone.now()))
    waiting = jobs.filter(state=Job.State.QUEUED)
    open_ones = jobs.filter(state=Job.State.LOST, remote_open=True)
    due = Target.objects.filter(
        Exists(silent) | (Exists(waiting) & ~Exists(active)) | (Exists(open_ones) & ~Exists(active))
    )
    found = list(due)
    for target in found:
        send("runs.tasks.work", target.pk, queue=target.queue)
    return len(found)
