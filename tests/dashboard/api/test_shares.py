"""Shares and exports over the API."""

from django.test import Client

from runs.models import AuditEntry, Share, User
from tests import factories
from tests.builders import record
from tests.dashboard.api.conftest import Api


def test_a_share_is_made_listed_and_revoked(api: Api, analyst: User) -> None:
    run = factories.run(record("Six", node="gpu-node07"))
    made = api.post("/shares", {"title": "For you", "runs": [run.public_id], "language": "nl", "days": 30})
    assert made.status_code == 201, made.content
    assert made["Cache-Control"] == "no-store"
    link = made.json()["link"]
    reader = Client()
    assert reader.get(link.removeprefix("http://testserver")).status_code == 200
    (listed,) = api.get("/shares").json()
    assert "token" not in listed
    assert link.split("/")[-2] not in str(listed)
    assert api.client.delete(f"/api/v1/shares/{listed['id']}").status_code == 204
    assert reader.get(link.removeprefix("http://testserver")).status_code == 404
    noted = AuditEntry.objects.filter(noun="share")
    assert {entry.who for entry in noted} == {analyst.username}
    assert {entry.via for entry in noted} == {"token test"}


def test_a_share_that_cannot_be_is_refused_in_the_envelope(api: Api, db: None) -> None:
    run = factories.run()
    bad = [
        ({"title": "x", "runs": ["nothing"]}, 404),
        ({"title": "", "runs": [run.public_id]}, 400),
        ({"title": "x", "runs": [run.public_id], "passphrase": "short"}, 422),
        ({"title": "x", "runs": [run.public_id], "withhold_settings": ["nonsense"]}, 400),
        ({"title": "x", "runs": [run.public_id], "scenario": "nothing"}, 404),
    ]
    for body, status in bad:
        answer = api.post("/shares", body)
        assert answer.status_code == status, body
        assert answer.json()["error"]["code"]
    assert Share.objects.count() == 0


def test_runs_are_called_otherwise_for_readers(api: Api, db: None) -> None:
    run = factories.run(record("Falcon pilot"))
    made = api.post("/shares", {"title": "x", "runs": [run.public_id], "labels": ["Candidate"]})
    assert made.status_code == 201, made.content
    page = Client().get(made.json()["link"].removeprefix("http://testserver")).content.decode()
    assert "Candidate" in page
    assert "Falcon" not in page
    for labels in (["a", "b"], [" "], ["x" * 121]):
        assert api.post("/shares", {"title": "x", "runs": [run.public_id], "labels": labels}).status_code == 400


def test_sharing_needs_the_scope(analyst: User) -> None:
    narrow = Api(factories.token(analyst, "read", "write"))
    assert narrow.get("/shares").status_code == 403
    assert narrow.post("/shares", {"title": "x", "runs": ["a"]}).status_code == 403


def test_exports(api: Api, db: None) -> None:
    run = factories.run()
    for extension in ("csv", "json", "md", "html"):
        answer = api.get(f"/comparisons/export.{extension}", runs=run.public_id, language="nl")
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment")
    assert api.get("/comparisons/chart-throughput.svg", runs=run.public_id).status_code == 200
    assert api.get("/comparisons/chart-nothing.svg", runs=run.public_id).status_code == 404
    assert api.get("/comparisons/export.exe", runs=run.public_id).status_code == 404
    assert api.get("/comparisons/export.csv", runs="nothing").status_code == 404
    assert api.get("/comparisons/export.csv", runs=run.public_id, language="de").status_code == 400
