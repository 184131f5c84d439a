import uuid

import pytest

from tests.live import Installation

PING = """
import time
from celery import current_app
from django.core.cache import cache
current_app.send_task("runs.tasks.ping", args=[{token!r}])
deadline = time.monotonic() + 20
while cache.get("ping:{token}") is None and time.monotonic() < deadline:
    time.sleep(0.02)
print(cache.get("ping:{token}"))
"""


@pytest.mark.usefixtures("worker")
def test_a_worker_process_takes_a_message_by_name(installation: Installation) -> None:
    token = uuid.uuid4().hex
    assert installation.shell(PING.format(token=token)).strip() == "pong"
