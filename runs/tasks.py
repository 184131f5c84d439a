"""Celery's tasks. Services wake them by name (`current_app.send_task`), so that nothing below imports this module."""

from celery import shared_task
from django.conf import settings
from django.core.cache import cache

from runs.services import inbox

PING_KEY = "ping:{}"


@shared_task(name="runs.tasks.ping")
def ping(token: str) -> None:
    """Leaves a mark in the shared cache: proof that a worker took a message and ran it."""
    cache.set(PING_KEY.format(token), "pong", timeout=60)


@shared_task(name="runs.tasks.mail_fact")
def mail_fact(message_id: int) -> None:
    """Mails the owner of a share what a reader said; the message itself is in the inbox whatever becomes of this."""
    inbox.mail_fact(message_id=message_id, url=settings.LIKEWISE_URL)
