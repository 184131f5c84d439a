import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Page

from runs.models import ApiToken, User


@pytest.mark.django_db
def test_every_page_asks_for_a_login(client: Client) -> None:
    for path in ("/", "/admin/"):
        answer = client.get(path)
        assert answer.status_code == 302
        assert "login" in answer["Location"]


@pytest.mark.django_db
def test_login_and_logout(client: Client) -> None:
    User.objects.create_user("ann", password="correct horse")
    assert client.post("/login/", {"username": "ann", "password": "wrong"}).status_code == 200
    assert client.post("/login/", {"username": "ann", "password": "correct horse"}).status_code == 302
    assert client.get("/")["Location"] == "/runs/"
    assert client.post("/logout/").status_code == 302
    assert "login" in client.get("/")["Location"]


@pytest.mark.django_db
def test_guessing_is_stopped(client: Client) -> None:
    User.objects.create_user("ann", password="correct horse")
    wrong = {"username": "ann", "password": "wrong"}
    answers = [client.post("/login/", wrong).status_code for _ in range(settings.AXES_FAILURE_LIMIT)]
    assert answers == [200] * (settings.AXES_FAILURE_LIMIT - 1) + [429]
    assert client.post("/login/", {"username": "ann", "password": "correct horse"}).status_code == 429


@pytest.mark.django_db
def test_pages_carry_the_policy_and_secure_headers(client: Client) -> None:
    answer = client.get("/login/")
    policy = dict(part.strip().split(" ", 1) for part in answer["Content-Security-Policy"].split(";"))
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Frame-Options"] == "DENY"


@pytest.mark.django_db
def test_a_token_keeps_only_its_digest() -> None:
    user = User.objects.create_user("ann")
    token, shown = ApiToken.objects.create(user, name="laptop", scopes=["read"])
    token.refresh_from_db()
    assert token.scopes == ["read"]
    assert shown not in {token.digest, token.token_key}


def test_login_in_a_browser(admin_page: Page) -> None:
    assert admin_page.get_by_role("heading", level=1).inner_text() == "Runs"
