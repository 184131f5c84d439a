"""Celery's tasks. Services wake them by name (`current_app.send_task`), so that nothing below imports this module."""

from celery import shared_task
from django.core.cache import cache

PING_KEY = "ping:{}"


@shared_task(name="runs.tasks.ping")
def ping(token: str) -> None:
    """Leaves a mark in the shared cache: proof that a worker took a message and ran it."""
    cache.set(PING_KEY.format(token), "pong", timeout=60)
