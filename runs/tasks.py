"""Celery's tasks. Services wake them by name (`current_app.send_task`), so that nothing below imports this module."""

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from runs.services import inbox
from runs.services.answers import MissingError
from runs.services.jobs import mail, schedules
from runs.services.jobs import work as working
from runs.services.jobs.sweep import sweep

PING_KEY = "ping:{}"


@shared_task(name="runs.tasks.ping")
def ping(token: str) -> None:
    """Leaves a mark in the shared cache: proof that a worker took a message and ran it."""
    cache.set(PING_KEY.format(token), "pong", timeout=60)


@shared_task(name="runs.tasks.mail_fact")
def mail_fact(message_id: int) -> None:
    """Mails the owner of a share what a reader said; the message itself is in the inbox whatever becomes of this."""
    inbox.mail_fact(message_id=message_id, url=settings.LIKEWISE_PUBLIC_URL)


@shared_task(name="runs.tasks.work")
def work(target_id: int) -> None:
    """One slice of whatever a target has to do."""
    working.work(target_id=target_id)


@shared_task(name="runs.tasks.sweep_jobs")
def sweep_jobs() -> None:
    """Finds what nobody was woken for."""
    sweep()


@shared_task(name="runs.tasks.run_schedule")
def run_schedule(schedule_id: int) -> None:
    """The jobs of a schedule's due time."""
    try:
        schedules.run_schedule(schedule_id=schedule_id)
    except MissingError:
        return  # taken away since the message was sent


@shared_task(name="runs.tasks.mail_job")
def mail_job(job_id: int) -> None:
    """The e-mail of a job's end."""
    mail.mail_job(job_id=job_id)
