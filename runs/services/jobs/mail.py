"""One e-mail for a job's end, to whoever started it."""

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone

from runs.models import Job


def mail_job(*, job_id: int) -> bool:
    """Sends it once, however often it is asked for. False where there is nobody to tell or no way to."""
    job = Job.objects.select_related("created_by", "target").filter(pk=job_id, state__in=Job.ENDED).first()
    to = job.created_by.email if job and job.created_by else ""
    if job is None or not to or not (settings.EMAIL_HOST or "smtp" not in settings.EMAIL_BACKEND):
        return False
    if not Job.objects.filter(pk=job_id, mailed__isnull=True).update(mailed=timezone.now()):
        return False
    # A header takes no line break, whatever a label holds.
    subject = " ".join(f"Job {job.pk} {job.state}: {job.label}".split())[:200]
    lines = [f"{job.label} on {job.target.name}: {job.state}.", job.reason, *job.problems,
             f"{settings.LIKEWISE_PUBLIC_URL}/jobs/{job.pk}/"]  # fmt: skip
    send_mail(subject, "\n".join(filter(None, lines)), None, [to])
    return True
