"""Messages that wake workers. A message that cannot be sent is no loss: the sweep finds what is due."""

import logging

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

from runs.models import Target

log = logging.getLogger(__name__)


def send(name: str, *arguments: object, queue: str = "") -> None:
    """Wakes a worker by the task's name, now."""
    try:
        current_app.send_task(name, arguments, queue=queue or None, retry=False, ignore_result=True)
    except (OperationalError, OSError) as error:
        log.warning("the broker did not take %s: %s", name, error)


def wake(target: Target) -> None:
    """Wakes a worker of the target's own queue, once the transaction has been committed."""
    transaction.on_commit(lambda: send("runs.tasks.work", target.pk, queue=target.queue))
