"""A logged-in reader and the demo, loaded as any upload is."""

from io import BytesIO

import pytest
from django.core.files.base import File
from django.core.management import call_command
from django.test import Client

from runs.models import User
from runs.selectors import list_runs
from runs.services.ingest import ingest
from runs.services.meta import meta_of
from runs.services.reading import Incoming
from tests.pages import files


@pytest.fixture
def reader(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("ann", role="analyst"))
    return client


@pytest.fixture
def demo(db: None) -> dict[str, str]:
    """The demo's runs: ids by label."""
    call_command("load_demo", verbosity=0)
    return {item.label: item.id for item in list_runs().items}


@pytest.fixture
def measured(db: None) -> str:
    """A measured run with a power log; its id."""
    return upload(("result.json", files.result()), ("power.csv", files.power_log()))


def upload(*sent: tuple[str, bytes], **meta: object) -> str:
    told = {"time_zone": "UTC", "active_gpus": ["2", "3", "4", "5", "6", "7"], "settings": {"node_gpus": 8}, **meta}
    incoming = [Incoming(name, File(BytesIO(content), name)) for name, content in sent]
    outcome = ingest(files=incoming, meta=meta_of(told, uploader="ann"), user=None)
    assert outcome.accepted, outcome.problems
    return outcome.runs[0].id
