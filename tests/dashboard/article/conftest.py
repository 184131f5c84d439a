"""The demo on every surface, loaded once a module and taken back after it."""

from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from django.test import Client

from runs.models import User
from tests.dashboard.article.surfaces import Surfaces


@pytest.fixture(scope="package")
def surfaces(django_db_setup: Any, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Surfaces:
    """Nothing of the database is touched once the answers are here."""
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_demo", verbosity=0)
        client = Client()
        client.force_login(User.objects.create_user("ann of the article", role="analyst"))
        found = Surfaces(client)
        transaction.set_rollback(True)
    return found
