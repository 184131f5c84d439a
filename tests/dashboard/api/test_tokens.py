"""Tokens: got once, narrowed, listed without their text, revoked."""

from typing import Any

import pytest
from django.test import Client

from runs.models import ApiToken, AuditEntry, User
from tests import factories
from tests.builders import vllm_result
from tests.dashboard.api.conftest import API, Api

pytestmark = pytest.mark.django_db


def login(user: User, **changes: Any) -> Any:
    return Api().post("/auth/login", {"username": user.username, "password": "a long passphrase", **changes})


def test_a_login_gives_a_token_that_works_once_shown(analyst: User) -> None:
    answer = login(analyst, name="laptop", scopes=["read"])
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    token = answer.json()["token"]
    api = Api(token)
    listed = api.get("/auth/tokens")
    assert [(one["name"], one["scopes"]) for one in listed.json()] == [("laptop", ["read"])]
    assert token not in listed.content.decode()


def test_the_audit_log_says_who_got_a_token_and_how(analyst: User) -> None:
    assert login(analyst, name="laptop").status_code == 201
    entry = AuditEntry.objects.get(noun="apitoken")
    assert (entry.who, entry.via, entry.user) == (analyst.username, "API", analyst)


def test_a_wrong_password(analyst: User) -> None:
    answer = login(analyst, password="wrong")
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "login_failed"


def test_too_many_wrong_passwords_lock_out(analyst: User, settings: Any) -> None:
    settings.AXES_FAILURE_LIMIT = 2
    for _attempt in range(2):
        login(analyst, password="wrong")
    answer = login(analyst)
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "locked_out")


@pytest.mark.parametrize("body", [{}, {"username": "x"}, [], "text", {"username": "\ud800", "password": "x"},
                                  {"username": "a\x00b", "password": "x"}])  # fmt: skip
def test_bodies_that_are_no_login(body: Any) -> None:
    answer = Api().post("/auth/login", body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in {"invalid", "malformed"}


def test_logout_ends_the_token(api: Api) -> None:
    assert api.post("/auth/logout").status_code == 204
    assert api.get("/runs").status_code == 401


def test_a_token_is_revoked_by_its_owner_only(api: Api) -> None:
    other = factories.user()
    factories.token(other)
    (mine,) = api.get("/auth/tokens").json()
    assert Api(factories.token(other)).client.delete(f"{API}/auth/tokens/{mine['id']}").status_code == 404
    assert api.client.delete(f"{API}/auth/tokens/{mine['id']}").status_code == 204
    assert api.get("/runs").status_code == 401
    assert ApiToken.objects.filter(user=other).count() == 2


def test_a_reading_token_and_a_viewer_do_not_write(analyst: User) -> None:
    reading = Api(factories.token(analyst, "read"))
    viewer = Api(factories.token(factories.user("viewer")))
    for api in (reading, viewer):
        assert api.get("/runs").status_code == 200
        answer = api.upload({"r.json": vllm_result()})
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, "permission_denied")


@pytest.mark.parametrize(
    "header", [b"Token \xff\xfe", b"Token", b"Token a b", b"Token lw_" + b"0" * 60, b"Token a\x00b"]
)
def test_tokens_that_are_none(header: bytes) -> None:
    answer = Client().get(f"{API}/runs", HTTP_AUTHORIZATION=header.decode("latin-1"))
    assert answer.status_code == 401
    assert set(answer.json()["error"]) == {"code", "message", "details"}


def test_a_browser_session_reads_and_writes_with_its_csrf_token(analyst: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(analyst)
    assert client.get(f"{API}/runs").status_code == 200
    assert client.post(f"{API}/uploads").status_code == 403


def test_purging_and_merging_take_a_token_with_the_scope_admin() -> None:
    admin = factories.user("admin")
    run = factories.run(owner=admin)
    names = {"kind": "model", "alias": "K3.1", "name": "Kimi-K3.1-Pro"}
    writing = Api(factories.token(admin, "read", "write", "share", "jobs"))
    for path, body in ((f"/runs/{run.public_id}/purge", {"reason": "The wrong file."}), ("/names", names)):
        refused = writing.post(path, body)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "permission_denied")
    administering = Api(factories.token(admin, "admin"))
    merged = administering.post("/names", names)
    assert (merged.status_code, merged.json()["canonical"]) == (201, "Kimi-K3.1-Pro")
    assert writing.client.delete(f"{API}/names/{merged.json()['id']}").status_code == 403
    assert administering.client.delete(f"{API}/names/{merged.json()['id']}").status_code == 204
    assert administering.post(f"/runs/{run.public_id}/purge", {"reason": "The wrong file."}).status_code == 200
    assert writing.get(f"/runs/{run.public_id}").status_code == 410
    # It widens nothing else.
    assert administering.get("/runs").status_code == 403
    assert administering.upload({"r.json": vllm_result()}).status_code == 403


def test_a_login_gives_the_scope_admin_to_administrators_who_ask() -> None:
    admin, analyst = factories.user("admin"), factories.user("analyst")
    assert login(admin, scopes=["admin"]).json()["item"]["scopes"] == ["admin"]
    assert login(admin).json()["item"]["scopes"] == ["read", "write"]
    refused = login(analyst, scopes=["admin"])
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "permission_denied")
    assert not ApiToken.objects.filter(user=analyst).exists()
