"""The audit log's page: what was done to what, in the reader's words, with every column as text."""

import html

import pytest
from django.test import Client

from runs.models import User
from runs.services import audit


@pytest.fixture
def log(db: None) -> None:
    audit.note(action="changed", noun="schedule", key="7", before={"enabled": True}, after={"enabled": False})
    audit.note(action="filed", noun="erratum of run", key="r-1", after={"status": "withdrawn", "revision": 2})
    audit.note(action="made", noun="savedcomparison", key="x", after={"name": "changed", "also": ["notes", "owner_id"]})


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("nl", ("gewijzigd", "schema", "ingeschakeld: ja", "ingeschakeld: nee", "ingediend", "erratum van een run",
                "status: ingetrokken", "revisie: 2", "naam: changed", "ook gewijzigd: notities, eigenaar")),
        ("en", ("changed", "schedule", "switched on: yes", "switched on: no", "filed", "erratum of a run",
                "status: withdrawn", "revision: 2", "name: changed", "also changed: notes, owner")),
    ],
)  # fmt: skip
def test_the_log_speaks_the_readers_language(client: Client, log: None, language: str, texts: tuple[str, ...]) -> None:
    client.force_login(User.objects.create_user("jan", role="admin", language=language))
    page = html.unescape(client.get("/audit/").content.decode())
    for text in texts:
        assert text in page, text
    assert "savedcomparison" not in html.unescape(client.get("/audit/?noun=schedule").content.decode())


def test_every_kind_of_row_has_a_word() -> None:
    from dashboard.pages.audit_words import NOUNS

    assert {model._meta.model_name for model in audit.AUDITED} - set(NOUNS) == set()
