import pytest
from django.db import connection
from django.test import Client


def test_alive_without_login_or_known_host(client: Client) -> None:
    answer = client.get("/healthz", headers={"host": "anything.example"})
    assert (answer.status_code, answer.content) == (200, b"ok\n")


@pytest.mark.django_db
def test_ready_names_what_answered(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {"database": "ok", "broker": "ok"}


@pytest.mark.django_db
def test_not_ready_without_a_database_and_no_address_is_told(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise ConnectionError("db.example:5432 refused")

    monkeypatch.setattr(connection, "cursor", refuse)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json() == {"database": "no answer (ConnectionError)", "broker": "ok"}
