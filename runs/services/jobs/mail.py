"""One e-mail for a job's end, to whoever started it."""

from django.utils import timezone

from runs.models import Job
from runs.services.mailing import can_mail, link, mail


def mail_job(*, job_id: int) -> bool:
    """Sends it once, however often it is asked for. False where there is nobody to tell or no way to."""
    job = Job.objects.select_related("created_by", "target").filter(pk=job_id, state__in=Job.ENDED).first()
    to = job.created_by.email if job and job.created_by else ""
    if job is None or not to or not can_mail():
        return False
    if not Job.objects.filter(pk=job_id, mailed__isnull=True).update(mailed=timezone.now()):
        return False
    ended = f"{job.label} on {job.target.name}: {job.state}."
    said = "\n".join(filter(None, (ended, job.reason, *job.problems)))
    return mail(to=to, subject=f"Job {job.pk} {job.state}: {job.label}", paragraphs=(said, link(f"/jobs/{job.pk}/")))
