"""Targets, plans, jobs and schedules over the API: rights, scope, refusals in words, and no secret given back."""

import json
from typing import Any

import pytest

from runs.models import Job, Target, User
from runs.services.jobs import reads
from tests import factories
from tests.dashboard.api.conftest import Api

SPEC = {"client": "vllm", "endpoint": "http://127.0.0.1:8000", "model": "m", "temperature": 0.0, "isl": 100, "osl": 10,
        "num_prompts": 5, "matrix": {"concurrency": [1, 4, 16], "temperature": [0, 1.0]}}  # fmt: skip


@pytest.fixture
def admin(db: None) -> User:
    return factories.user("admin")


@pytest.fixture
def operator(db: None) -> User:
    return factories.user("operator")


@pytest.fixture
def mine(admin: User) -> Api:
    return Api(factories.token(admin, "jobs"))


@pytest.fixture
def target(db: None) -> Target:
    return Target.objects.create(name="node", connection="local", environment={"HF_TOKEN": "hf_secret"})


def patch(api: Api, path: str, body: Any) -> Any:
    return api.client.patch(f"/api/v1{path}", json.dumps(body), content_type="application/json")


def test_a_plan_is_shown_to_the_letter_started_and_cancelled(mine: Api, target: Target) -> None:
    made = mine.post("/plans", {"name": "nightly", "spec": SPEC})
    assert made.status_code == 201, made.json()
    cells = mine.post("/plans/preview", {"spec": SPEC, "target": target.pk}).json()
    assert [cell["values"] for cell in cells][:2] == [
        {"concurrency": 1, "temperature": 0},
        {"concurrency": 1, "temperature": 1.0},
    ]
    assert "--max-concurrency=1" in cells[0]["argv"]
    assert "--temperature=0" in cells[0]["argv"]
    started = mine.post(f"/plans/{made.json()['id']}/jobs", {"target": target.pk})
    assert started.status_code == 201, started.json()
    jobs = started.json()
    assert [job["argv"] for job in jobs] == [cell["argv"] for cell in cells]
    assert [job["item"]["place"] for job in jobs] == [1, 2, 3, 4, 5, 6]
    first = jobs[0]["item"]["id"]
    ended = mine.post(f"/jobs/{first}/cancel").json()
    assert ended["item"]["state"] == "cancelled"
    assert [state for state, _at in ended["times"]] == ["queued", "cancelled"]
    assert mine.post(f"/jobs/{first}/cancel").status_code == 409
    assert mine.get(f"/jobs/{first}/output").json()["ended"] is True
    assert len(mine.get("/jobs", state="queued").json()["results"]) == 5


@pytest.mark.parametrize("role", ["viewer", "analyst"])
def test_jobs_are_started_only_by_those_with_the_right(role: str, target: Target, admin: User) -> None:
    api = Api(factories.token(factories.user(role), "jobs"))
    plan = Api(factories.token(admin, "jobs")).post("/plans", {"name": "p", "spec": SPEC}).json()["id"]
    assert api.get("/jobs").status_code == 200
    for path, body in (
        ("/plans", {"name": "q", "spec": SPEC}),
        (f"/plans/{plan}/jobs", {"target": target.pk}),
        (f"/targets/{target.pk}/test", None),
        ("/targets", {"name": "x"}),
        ("/schedules", {"plan": plan, "target": target.pk, "cron": "0 2 * * *", "time_zone": "UTC"}),
    ):
        assert api.post(path, body).status_code == 403, path
    assert Job.objects.count() == 0


def test_a_token_without_the_scope_sees_nothing_of_it(admin: User, target: Target) -> None:
    api = Api(factories.token(admin, "read", "write"))
    for path in ("/jobs", "/targets", "/plans", "/schedules", "/jobs/metrics"):
        answer = api.get(path)
        assert answer.status_code == 403, path
        said = "This needs a token with the scope jobs; this one has read, write."
        assert answer.json()["error"] == {"code": "permission_denied", "message": said, "details": []}
    assert api.post(f"/targets/{target.pk}/test").status_code == 403


def test_a_role_without_the_right_is_named(target: Target) -> None:
    analyst = Api(factories.token(factories.user("analyst"), "jobs"))
    refused = analyst.post(f"/targets/{target.pk}/test")
    assert refused.json()["error"]["message"] == "This needs the right jobs, which the role analyst does not have."


def test_operators_run_and_administrators_say_where(operator: User, target: Target) -> None:
    api = Api(factories.token(operator, "jobs"))
    assert api.post("/plans", {"name": "p", "spec": SPEC}).status_code == 201
    answer = api.post("/targets", {"name": "x", "connection": "local"})
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "permission_denied"
    assert patch(api, f"/targets/{target.pk}", {"notes": "mine"}).status_code == 403


def test_no_secret_is_given_back(mine: Api, target: Target) -> None:
    text = mine.get("/targets").content.decode() + mine.get(f"/targets/{target.pk}").content.decode()
    assert "HF_TOKEN" in text
    assert "hf_secret" not in text


@pytest.mark.parametrize(
    ("wrong", "place"),
    [
        ({"key_file": "-----BEGIN OPENSSH PRIVATE KEY-----"}, "key_file"),
        ({"host": "-oProxyCommand=id"}, "host"),
        ({"host": "a b"}, "host"),
        ({"user": "root; id"}, "user"),
        ({"user": "-l"}, "user"),
        ({"environment": {"LD_PRELOAD": "/tmp/x.so"}}, "environment"),
        ({"environment": {"LD_AUDIT": "/tmp/x.so"}}, "environment"),
        ({"environment": {"BASH_ENV": "/tmp/x"}}, "environment"),
        ({"environment": {"A=B": "x"}}, "environment"),
        ({"commands": {"c": {"argv": ["{program}"], "parameters": ["program"]}}}, "commands.c"),
        ({"commands": {"c": {"argv": ["x", "{y}"]}}}, "commands.c"),
        ({"commands": {"c": {"argv": "rm -rf"}}}, "commands"),
        ({"queue": "a b"}, "queue"),
    ],
)
def test_what_is_no_target_is_refused_by_name(mine: Api, wrong: dict[str, Any], place: str) -> None:
    given = {"name": "t", "connection": "ssh", "host": "h", "user": "u", **wrong}
    answer = mine.post("/targets", given)
    assert answer.status_code == 422, answer.json()
    assert place in {one["place"] for one in answer.json()["error"]["details"]}
    assert not Target.objects.filter(name="t").exists()


def test_another_address_drops_the_accepted_keys(mine: Api, admin: User) -> None:
    made = mine.post("/targets", {"name": "t", "connection": "ssh", "host": "h", "user": "u"}).json()["id"]
    target = Target.objects.get(pk=made)
    target.host_keys.create(algorithm="ssh-ed25519", key="k", fingerprint="SHA256:x", accepted="2026-01-01T00:00Z")
    assert patch(mine, f"/targets/{made}", {"notes": "same host"}).json()["host_keys"]
    assert patch(mine, f"/targets/{made}", {"host": "other"}).json()["host_keys"] == []


@pytest.mark.parametrize(
    "spec",
    [
        {**SPEC, "endpoint": "http://user:pw@h"}, {**SPEC, "client": "bash"}, {**SPEC, "pre": ["nothing declared"]},
        {**SPEC, "model": "a\u0000b"}, {**SPEC, "settings": {"nonsense": 1}},
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused_before_anything_runs(mine: Api, target: Target, spec: dict[str, Any]) -> None:
    answer = mine.post("/plans", {"name": "p", "spec": spec})
    if answer.status_code == 201:
        answer = mine.post(f"/plans/{answer.json()['id']}/jobs", {"target": target.pk})
    assert answer.status_code in (400, 422), answer.json()
    assert answer.json()["error"]["details"]
    assert Job.objects.count() == 0


def test_metadata_endpoints_only_where_the_target_allows_them(mine: Api, target: Target) -> None:
    spec = {**SPEC, "endpoint": "http://169.254.169.254"}
    plan = mine.post("/plans", {"name": "p", "spec": spec}).json()["id"]
    assert mine.post(f"/plans/{plan}/jobs", {"target": target.pk}).status_code == 422
    patch(mine, f"/targets/{target.pk}", {"allow_link_local": True})
    assert mine.post(f"/plans/{plan}/jobs", {"target": target.pk}).status_code == 201


def test_schedules_over_the_api(mine: Api, target: Target) -> None:
    plan = mine.post("/plans", {"name": "p", "spec": SPEC}).json()["id"]
    given = {"plan": plan, "target": target.pk, "cron": "30 2 * * *", "time_zone": "Europe/Amsterdam"}
    made = mine.post("/schedules", given)
    assert made.status_code == 201, made.json()
    one = made.json()[0]
    assert (one["cron"], one["time_zone"], one["enabled"]) == ("30 2 * * *", "Europe/Amsterdam", True)
    assert patch(mine, f"/schedules/{one['id']}", {"enabled": False}).json()[0]["enabled"] is False
    for wrong in ({"cron": "* * *"}, {"cron": "61 2 * * *"}, {"time_zone": "Mars/Base"}, {"cron": "a b c d e"}):
        assert mine.post("/schedules", {**given, **wrong}).status_code == 422, wrong
    assert mine.client.delete(f"/api/v1/schedules/{one['id']}").status_code == 204
    assert reads.schedules() == []


def test_metrics_are_prometheus_text(mine: Api, target: Target) -> None:
    Target.objects.create(name='odd "name"\\', connection="local")
    Job.objects.create(target=target, label="a", spec={})
    Job.objects.create(target=target, label="b", spec={}, state="running")
    Job.objects.create(target=target, label="c", spec={}, state="failed")
    answer = mine.get("/jobs/metrics")
    text = answer.content.decode()
    assert answer["Content-Type"].startswith("text/plain")
    assert 'likewise_jobs{state="queued"} 1' in text
    assert 'likewise_jobs{state="running"} 1' in text
    assert 'likewise_jobs{state="failed"} 1' in text
    assert 'likewise_job_queue_length{target="node"} 1' in text
    assert 'likewise_jobs_active{target="node"} 1' in text
    assert '{target="odd \\"name\\"\\\\"}' in text


def test_what_is_not_there_is_404(mine: Api) -> None:
    for path in ("/jobs/99", "/jobs/99/output", "/targets/99", "/plans/99", "/jobs/99/files/abc"):
        assert mine.get(path).status_code == 404, path
    for path in ("/jobs/99/cancel", "/targets/99/test"):
        assert mine.post(path).status_code == 404, path


@pytest.mark.parametrize("number", [10**18 - 1, 10**18, 38352374582615597056, 10**4000])
def test_a_number_that_no_database_holds_is_nothing_here(mine: Api, number: int) -> None:
    for path in ("/jobs/{}", "/jobs/{}/files/0", "/jobs/{}/output", "/targets/{}", "/plans/{}"):
        assert mine.get(path.format(number)).status_code == 404, path
        page = path.replace("/output", "/live") + "/"
        assert mine.client.get(page.format(number)).status_code in (302, 404), page
