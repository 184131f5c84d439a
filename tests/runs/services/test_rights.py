"""Roles, scopes and the audit log."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import get_resolver

from dashboard.access import CHANGING, READING
from runs.models import ApiToken, AuditEntry
from runs.services import rights, tokens
from runs.services.answers import RefusedError
from runs.services.rights import Right, may
from tests import factories

pytestmark = pytest.mark.django_db

GIVEN = {
    "viewer": {"read"},
    "analyst": {"read", "upload", "edit", "share"},
    "operator": {"read", "upload", "edit", "share", "jobs"},
    "admin": {"read", "upload", "edit", "share", "jobs", "admin"},
}


@pytest.mark.parametrize("role", GIVEN)
def test_what_a_role_may(role: str) -> None:
    user = factories.user(role)
    assert {right.value for right in Right if may(user, right)} == GIVEN[role]
    assert not any(may(AnonymousUser(), right) for right in Right)
    user.is_active = False
    assert not may(user, Right.READ)


def test_a_token_narrows_and_never_widens() -> None:
    viewer, admin = factories.user("viewer"), factories.user("admin")
    made = ApiToken(user=admin, scopes=["read", "write"])
    assert {right.value for right in Right if may(admin, right, made)} == {"read", "upload", "edit"}
    assert {right.value for right in Right if may(viewer, right, made)} == {"read"}
    assert may(admin, Right.ADMIN, ApiToken(user=admin, scopes=["admin"]))
    without = [scope for scope in rights.SCOPES if scope != "admin"]
    assert not may(admin, Right.ADMIN, ApiToken(user=admin, scopes=without))
    # Whoever is an administrator no more has a token that does nothing.
    admin.role = "analyst"
    assert not may(admin, Right.ADMIN, ApiToken(user=admin, scopes=["admin"]))


def test_only_an_administrator_gets_a_token_to_administer_with(client: Client) -> None:
    admin, operator = factories.user("admin"), factories.user("operator")
    assert tokens.issue(user=admin).item.scopes == ("read", "write")
    assert tokens.issue(user=admin, scopes=["admin"]).item.scopes == ("admin",)
    with pytest.raises(RefusedError, match="Only an administrator") as refused:
        tokens.issue(user=operator, scopes=["read", "admin"])
    assert refused.value.code == "permission_denied"
    assert not ApiToken.objects.filter(user=operator).exists()
    for user, offered in ((operator, False), (admin, True)):
        client.force_login(user)
        assert ('value="admin"' in client.get("/tokens/").content.decode()) is offered
    client.force_login(operator)
    assert client.post("/tokens/", {"name": "x", "scopes": ["admin"], "days": "3"}).status_code == 400


def test_a_tokens_scopes_and_term_are_checked() -> None:
    user = factories.user()
    for scopes, days in ((["all"], None), ([], None), (["read"], 0), (["read"], 1000)):
        with pytest.raises(RefusedError):
            tokens.issue(user=user, scopes=scopes, days=days)
    issued = tokens.issue(user=user, scopes=["read"], days=2)
    assert issued.item.expires is not None
    assert round((issued.item.expires - issued.item.created).total_seconds() / 86400) == 2


def test_the_table_names_only_routes_there_are() -> None:
    names = {pattern.name for pattern in get_resolver().url_patterns if hasattr(pattern, "name")}
    assert set(READING) | set(CHANGING) <= names


def test_the_audit_log_says_who_changed_what(client: Client) -> None:
    admin = factories.user("admin")
    client.force_login(admin)
    client.post("/language/", {"language": "nl"})
    made = client.post("/tokens/", {"name": "laptop", "scopes": ["read"], "days": "30"})
    text = made.content.decode()
    entries = {entry.noun: entry for entry in AuditEntry.objects.filter(who=admin.username)}
    assert entries["user"].before["language"] == "en"
    assert entries["user"].after["language"] == "nl"
    assert entries["apitoken"].action == "made"
    token = text.split("<code", 1)[1].split(">", 1)[1].split("<", 1)[0]
    assert token.startswith("lw_")
    assert token not in str(list(AuditEntry.objects.values()))
    page = client.get("/audit/")
    assert page.status_code == 200
    assert admin.username in page.content.decode()


def test_only_administrators_read_the_audit_log(client: Client) -> None:
    client.force_login(factories.user("operator"))
    assert client.get("/audit/").status_code == 403


def test_a_viewer_uploads_nothing(client: Client) -> None:
    client.force_login(factories.user("viewer"))
    assert client.get("/runs/upload/").status_code == 403
    assert client.post("/runs/upload/").status_code == 403


def test_public_reading_is_a_setting(client: Client, settings: object) -> None:
    assert client.get("/runs/").status_code == 302
    settings.LIKEWISE_PUBLIC_READ = True  # type: ignore[attr-defined]
    assert client.get("/runs/").status_code == 200
    assert client.get("/api/v1/runs").status_code == 200
    for path in (
        "/shares/",
        "/inbox/",
        "/inbox/1/",
        "/audit/",
        "/tokens/",
        "/jobs/",
        "/targets/",
        "/targets/new/",
        "/targets/1/edit/",
        "/plans/",
        "/plans/new/",
        "/plans/1/edit/",
        "/runs/upload/",
        "/admin/",
    ):
        assert client.get(path).status_code == 302, path
    assert client.post("/comparisons/save/").status_code == 302
    assert client.get("/api/v1/auth/tokens").status_code in (401, 403)


@pytest.mark.parametrize(
    ("role", "message", "plan", "target"),
    [("viewer", 403, 403, 403), ("analyst", 404, 403, 403), ("operator", 404, 200, 403), ("admin", 404, 200, 200)],
)
def test_forms_are_for_those_who_may_send_them(client: Client, role: str, message: int, plan: int, target: int) -> None:
    client.force_login(factories.user(role))
    assert client.get("/inbox/1/").status_code == message  # there is none; a viewer is not told so
    assert client.get("/plans/new/").status_code == plan
    assert client.get("/targets/new/").status_code == target


def test_a_language_switch_goes_nowhere_else(client: Client) -> None:
    answer = client.post("/language/", {"language": "nl", "next": "https://evil.example/"})
    assert answer["Location"] == "/"
    assert client.post("/language/", {"language": "nl", "next": "/login/"})["Location"] == "/login/"
    assert "Inloggen" in client.get("/login/").content.decode()
