"""One e-mail for a job's end, to whoever started it, in their language."""

from django.conf import settings
from django.core.mail import send_mail
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import override

from runs.models import Job
from runs.telling import tell


def mail_job(*, job_id: int) -> bool:
    """Sends it once, however often it is asked for. False where there is nobody to tell or no way to."""
    job = Job.objects.select_related("created_by", "target").filter(pk=job_id, state__in=Job.ENDED).first()
    to = job.created_by.email if job and job.created_by else ""
    if job is None or not to or "dummy" in settings.EMAIL_BACKEND:
        return False
    if not Job.objects.filter(pk=job_id, mailed__isnull=True).update(mailed=timezone.now()):
        return False
    language = job.created_by.language if job.created_by else "en"
    with override(language):
        subject, text = _subject(job), _text(job, language)
    send_mail(subject, text, None, [to])
    return True


def _subject(job: Job) -> str:
    said = _("Job %(number)s %(state)s: %(label)s") % {
        "number": job.pk, "state": _(job.state), "label": job.label,
    }  # fmt: skip
    # A header takes no line break, whatever a label holds.
    return " ".join(said.split())[:200]


def _text(job: Job, language: str) -> str:
    first = _("%(label)s on %(target)s: %(state)s.") % {
        "label": job.label, "target": job.target.name, "state": _(job.state),
    }  # fmt: skip
    ended = _("Ended on %(at)s UTC") % {"at": date_format(job.finished, "DATETIME_FORMAT")} if job.finished else ""
    told = (tell(text, language) for text in (job.reason, *job.problems))
    return "\n".join(filter(None, (first, ended, *told, f"{settings.LIKEWISE_PUBLIC_URL}/jobs/{job.pk}/")))
