"""What the schema and its page refuse is refused in the envelope, whatever they are written in otherwise."""

import pytest
from django.test import Client
from rest_framework.throttling import AnonRateThrottle

from tests import factories

pytestmark = pytest.mark.django_db
PATHS = ("/api/v1/schema", "/api/v1/docs")


@pytest.mark.parametrize("path", PATHS)
def test_too_often(client: Client, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AnonRateThrottle, "allow_request", lambda *_given: False)
    monkeypatch.setattr(AnonRateThrottle, "wait", lambda _self: 30.0)
    answer = client.get(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "throttled")


@pytest.mark.parametrize("path", PATHS)
def test_a_method_that_they_have_not(client: Client, path: str) -> None:
    client.force_login(factories.user("viewer"))
    assert client.get(path).status_code == 200
    answer = client.delete(path)
    assert (answer.status_code, answer.json()["error"]["code"]) == (405, "method_not_allowed")


@pytest.mark.parametrize("path", PATHS)
def test_a_form_that_they_have_not(client: Client, path: str) -> None:
    client.force_login(factories.user("viewer"))
    answer = client.get(path, headers={"accept": "image/png"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (406, "not_acceptable")
