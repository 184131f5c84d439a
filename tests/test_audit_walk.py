"""Every address that changes something, pages and API alike, leaves a row in the audit log that names who did it."""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import URLPattern

from dashboard.pages.plan_typed import typed_of
from runs import selectors
from runs.models import AuditEntry, HostKey, Job, Plan, Schedule, Target
from runs.selectors import documents as selectors_sources
from runs.services.jobs import demo as jobs_demo
from runs.services.jobs.schedules import save_schedule
from runs.services.shares import ShareDraft, ShareSpec, make_share
from tests import factories, pastes
from tests.pages import files
from tests.pages.conftest import upload
from tests.pages.test_sources import BY_HAND, fields_of

# Nothing of the house's data changes: who comes and goes, what is only looked at, and readers of shares, of whom the
# access log counts the tries and nothing is kept.
EXCEPTIONS = {
    "page login POST", "page login PUT", "page logout POST", "page share-unlock POST", "api plan-preview POST",
}  # fmt: skip
SOURCE = {"title": "Six GPUs", "publisher": "Somebody", "published": "2026-11-11", "accessed": "2026-11-12",
          "relation": "maker of the runtime", "language": "nl", "locale": "nl", "url": "", "note": ""}  # fmt: skip
PRICES = {"name": "Ours", "currency": "EUR", "price_per_kwh": "0.25", "pue": "1.3", "utilisation": "",
          "offer.0.name": "A", "offer.0.rate": "2.95"}  # fmt: skip
TARGET = {"connection": "local", "port": "22", "queue": "likewise", "working_directory": "~/jobs"}
SPEC = {"client": "command", "command": "say", "parameters": {"text": "x"}}
HERE = "amd-2026-11-04"
WITHDRAWN = {"kind": "withdrawn", "reason": "Taken back.", "date": "2026-11-30", "revision": "1"}
STATEMENT = {"kind": "statement", "reason": "Seen.", "date": "2026-11-30", "revision": 1}
QUOTED = [{"kind": "statement", "quote": "a mail"}]


@dataclass
class World:
    """One of everything, an administrator in a browser, and the same one with a token."""

    page: Client
    api: Client
    run: str
    bare: str
    made: dict[str, Any]

    def post(self, path: str, given: Any = None) -> Any:
        return self.page.post(path, given or {})

    def send(self, method: str, path: str, body: Any = None, *, by_session: bool = False) -> Any:
        """By token; what an administrator alone may do is open to no token, but to their own session."""
        client = self.page if by_session else self.api
        return client.generic(method, f"/api/v1{path}", json.dumps(body), content_type="application/json")


@pytest.fixture
def world(db: None) -> World:
    from django.core.management import call_command

    call_command("load_demo", verbosity=0)
    admin = factories.user("admin")
    page = Client()
    page.force_login(admin)
    token = factories.token(admin, "read", "write", "share", "jobs")
    api = Client(headers={"Authorization": f"Token {token}"})
    ids = {item.label: item.id for item in selectors.list_runs().items}
    run = ids["Paiton · 6 × 800 W · T=0 · 8K/1K"]
    commands = {"say": {"argv": ["echo", "{text}"], "parameters": ["text"]}}
    target = Target.objects.create(name="node", connection="local", commands=commands)
    HostKey.objects.create(target=target, algorithm="ssh-ed25519", key="k", fingerprint="SHA256:abc")
    plan = Plan.objects.create(name="p", spec=SPEC)
    jobs_demo.offer()
    job = Job.objects.create(target=target, label="a", spec=SPEC)
    save_schedule(user=admin, plan=plan, target=target, cron="0 2 * * *", time_zone="UTC")
    share = make_share(draft=ShareDraft("x", ShareSpec((run,)), passphrase=""), user=admin)
    Client().post(f"/s/{share.token}/fact/", {"message": "It was 950", "run": "1", "subject": "figure:per_gpu_total"})
    state = urlencode({"runs": run})
    assert page.post("/comparisons/save/", {"state": state, "name": "Saved"}).status_code == 302
    assert page.post("/names/", {"kind": "model", "alias": "m-1", "name": "M 1"}).status_code == 302
    assert page.post("/scenarios/new/", {**PRICES, "name": "Theirs"}).status_code == 302
    made = {
        "target": target.pk, "plan": plan.pk, "job": job.pk, "schedule": Schedule.objects.get().pk,
        "share": share.item.id,
        "token": share.token, "state": state, "evaluation": "gsm8k-fixed",
    }  # fmt: skip
    return World(page, api, run, upload(("r.json", files.result())), made)


def answered(world: World) -> Any:
    path = f"/sources/{HERE}/questions/power_cap_w/"
    found = selectors_sources.source_detail(HERE)
    assert found is not None
    run = next(iter(found.runs))
    said = {"value": "1400", "who": "A. N. Engineer", "date": "2026-12-01", "words": "1,400 W each."}
    return world.post(path, {**said, "runs": [run], f"seen.{run}": str(selectors.revisions([run])[run])})


def pasted(world: World) -> Any:
    given = {"table": pastes.tsv(pastes.SHORT), "locale": "nl"}
    preview = world.post(f"/sources/{HERE}/paste/", {**given, "read": "1"})
    return world.post(f"/sources/{HERE}/paste/", {**fields_of(preview), **given, "confirm": "done"})


def named(world: World, path: str) -> str:
    """The number of the alias, or the id of the token, that a list names."""
    (one,) = [one for one in world.send("GET", path).json() if one.get("alias") == "m-1" or path.startswith("/auth")]
    return str(one["id"])


def decided(world: World) -> Any:
    from runs.models import FactMessage

    sent = {"decision": "correction", "value": "950", "revision": "1", "reason": "x", "who": "a customer", "quote": "x"}
    return world.post(f"/inbox/{FactMessage.objects.get().pk}/", sent)


def sent_file(name: str, content: bytes) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def source_seen(world: World) -> str:
    return str(world.send("GET", f"/sources/{HERE}").json()["fingerprint"])


API_PRICES = {"name": "Ours", "price_per_kwh": "0.10", "offers": [{"name": "A", "rate_per_gpu_hour": "2.95"}]}
API_SOURCE = {"title": "Six", "publisher": "Somebody", "published": "2026-11-11", "locale": "nl"}
LOG = ("power.csv", files.power_log())
CASES: dict[str, Callable[[World], Any]] = {
    "page upload POST": lambda w: w.post(
        "/runs/upload/", {"files": sent_file("o.json", files.result("m")), "confirm": "1"}
    ),
    "page run-power POST": lambda w: w.post(
        f"/runs/{w.bare}/power/", {"files": sent_file(*LOG), "active_gpus": "2-7", "time_zone": "UTC"}
    ),
    "page run-erratum POST": lambda w: w.post(f"/runs/{w.run}/errata/", WITHDRAWN),
    "page run-setting POST": lambda w: w.post(
        f"/runs/{w.run}/settings/", {"key": "prompts", "value": "9", "state": "stated", "quote": "a", "revision": "1"}
    ),
    "page run-purge POST": lambda w: w.post(f"/runs/{w.bare}/purge/", {"reason": "The wrong file."}),
    "page source-errata POST": lambda w: w.post(f"/sources/{HERE}/errata/", WITHDRAWN),
    "page evaluation-new POST": lambda w: w.post(
        "/evaluations/new/", {"task": "GSM8K", "correct": "190", "total": "200", "covers": w.run}
    ),
    "page evaluation-erratum POST": lambda w: w.post(f"/evaluations/{w.made['evaluation']}/errata/", WITHDRAWN),
    "page names POST": lambda w: w.post("/names/", {"kind": "runtime", "alias": "r-1", "name": "R 1"}),
    "page setups POST": lambda w: w.post("/setups/", {"name": "lab", "settings": "top_k = 5"}),
    "page name-unmerge POST": lambda w: w.post(f"/names/{named(w, '/names')}/unmerge/"),
    "page source-new POST": lambda w: w.post("/sources/new/", SOURCE),
    "page source-edit POST": lambda w: w.post(f"/sources/{HERE}/edit/", {
        **fields_of(w.page.get(f"/sources/{HERE}/edit/")), "title": "Another title"}),
    "page source-paste POST": pasted,
    "page source-run POST": lambda w: w.post(f"/sources/{HERE}/runs/new/", {**BY_HAND, "label": "New"}),
    "page source-answer POST": answered,
    "page scenario-new POST": lambda w: w.post("/scenarios/new/", PRICES),
    "page scenario-edit POST": lambda w: w.post("/scenarios/theirs/", {**PRICES, "version": "1"}),
    "page save POST": lambda w: w.post("/comparisons/save/", {"state": w.made["state"], "name": "Another"}),
    "page save-version POST": lambda w: w.post(
        "/comparisons/saved/save/", {"state": w.made["state"], "name": "Saved", "based_on": "1"}
    ),
    "page share-new POST": lambda w: w.post("/shares/new/", {"state": w.made["state"], "title": "x", "days": "30"}),
    "page share-revoke POST": lambda w: w.post(f"/shares/{w.made['share']}/revoke/"),
    "page share-passphrase POST": lambda w: w.post(
        f"/shares/{w.made['share']}/passphrase/", {"passphrase": "a long one"}
    ),
    "page share-fact POST": lambda w: w.post(f"/s/{w.made['token']}/fact/", {"message": "x"}),
    "page inbox-decide POST": decided,
    "page language POST": lambda w: w.post("/language/", {"language": "nl"}),
    "page tokens POST": lambda w: w.post("/tokens/", {"name": "laptop", "scopes": ["read"], "days": "30"}),
    "page token-revoke POST": lambda w: w.post(f"/tokens/{named(w, '/auth/tokens')}/revoke/"),
    "page job-demo POST": lambda w: w.post("/jobs/demo/"),
    "page job-cancel POST": lambda w: w.post(f"/jobs/{w.made['job']}/cancel/"),
    "page target-new POST": lambda w: w.post("/targets/new/", {**TARGET, "name": "x"}),
    "page target-edit POST": lambda w: w.post(f"/targets/{w.made['target']}/edit/", {**TARGET, "name": "renamed"}),
    "page target-test POST": lambda w: w.post(f"/targets/{w.made['target']}/test/"),
    "page target-key POST": lambda w: w.post(f"/targets/{w.made['target']}/key/", {"fingerprint": "SHA256:abc"}),
    "page plan-new POST": lambda w: w.post("/plans/new/", {"name": "q", **typed_of(SPEC)}),
    "page plan-edit POST": lambda w: w.post(
        f"/plans/{w.made['plan']}/edit/", {"name": "p", **typed_of({**SPEC, "repeats": 2})}
    ),
    "page plan-start POST": lambda w: w.post(f"/plans/{w.made['plan']}/start/", {"target": w.made["target"]}),
    "page plan-schedule POST": lambda w: w.post(
        f"/plans/{w.made['plan']}/schedules/", {"target": w.made["target"], "cron": "5 2 * * *", "time_zone": "UTC"}
    ),
    "page schedule-change POST": lambda w: w.post(f"/plans/{w.made['plan']}/schedules/{w.made['schedule']}/"),
    "api login POST": lambda w: w.send("POST", "/auth/login", {"username": "keeper", "password": "a long passphrase"}),
    "api logout POST": lambda w: w.send("POST", "/auth/logout"),
    "api token DELETE": lambda w: w.send("DELETE", f"/auth/tokens/{named(w, '/auth/tokens')}"),
    "api uploads POST": lambda w: w.api.post("/api/v1/uploads", {"file": sent_file("o.json", files.result("m"))}),
    "api run-power POST": lambda w: w.api.post(
        f"/api/v1/runs/{w.bare}/power", {"file": sent_file(*LOG), "meta": json.dumps({"time_zone": "UTC"})}
    ),
    "api run-errata POST": lambda w: w.send("POST", f"/runs/{w.run}/errata", STATEMENT),
    "api run-setting POST": lambda w: w.send("POST", f"/runs/{w.run}/settings/prompts", {
        "state": "stated", "value": "9", "evidence": QUOTED, "revision": 1}),
    "api run-purge POST": lambda w: w.send(
        "POST", f"/runs/{w.bare}/purge", {"reason": "The wrong file."}, by_session=True
    ),
    "api evaluations POST": lambda w: w.send("POST", "/evaluations", {"task": "G", "correct": 1, "total": 2}),
    "api evaluation-errata POST": lambda w: w.send("POST", f"/evaluations/{w.made['evaluation']}/errata", STATEMENT),
    "api source-errata POST": lambda w: w.send("POST", f"/sources/{HERE}/errata", STATEMENT),
    "api names POST": lambda w: w.send(
        "POST", "/names", {"kind": "runtime", "alias": "r-1", "name": "R 1"}, by_session=True
    ),
    "api name DELETE": lambda w: w.send("DELETE", f"/names/{named(w, '/names')}", by_session=True),
    "api setups POST": lambda w: w.send("POST", "/setups", {"name": "lab", "settings": {"top_k": 5}}),
    "api shares POST": lambda w: w.send("POST", "/shares", {"title": "x", "runs": [w.run]}),
    "api share DELETE": lambda w: w.send("DELETE", f"/shares/{w.made['share']}"),
    "api targets POST": lambda w: w.send("POST", "/targets", {"name": "x", "connection": "local"}),
    "api target PATCH": lambda w: w.send("PATCH", f"/targets/{w.made['target']}", {"notes": "moved"}),
    "api target-test POST": lambda w: w.send("POST", f"/targets/{w.made['target']}/test"),
    "api host-key POST": lambda w: w.send(
        "POST", f"/targets/{w.made['target']}/host-key", {"fingerprint": "SHA256:abc"}
    ),
    "api plans POST": lambda w: w.send("POST", "/plans", {"name": "q", "spec": SPEC}),
    "api plan PUT": lambda w: w.send("PUT", f"/plans/{w.made['plan']}", {"name": "p", "spec": {**SPEC, "repeats": 2}}),
    "api plan-start POST": lambda w: w.send("POST", f"/plans/{w.made['plan']}/jobs", {"target": w.made["target"]}),
    "api schedules POST": lambda w: w.send("POST", "/schedules", {
        "plan": w.made["plan"], "target": w.made["target"], "cron": "5 2 * * *", "time_zone": "UTC"}),
    "api schedule PATCH": lambda w: w.send("PATCH", f"/schedules/{w.made['schedule']}", {"enabled": False}),
    "api schedule DELETE": lambda w: w.send("DELETE", f"/schedules/{w.made['schedule']}"),
    "api job-cancel POST": lambda w: w.send("POST", f"/jobs/{w.made['job']}/cancel"),
    "api sources POST": lambda w: w.send("POST", "/sources", API_SOURCE),
    "api source PUT": lambda w: w.send("PUT", f"/sources/{HERE}", {
        **API_SOURCE, "published": "2026-11-04", "seen": source_seen(w)}),
    "api source-copy POST": lambda w: w.api.post(
        f"/api/v1/sources/{HERE}/copy", {"file": sent_file("a.pdf", b"%PDF-1.7")}
    ),
    "api source-paste POST": lambda w: w.send("POST", f"/sources/{HERE}/paste", {
        "table": pastes.tsv(pastes.SHORT), "locale": "nl",
        "settings": {"isl": "8K", "osl": "1K", "concurrency": "16", "model": "Kimi-K3.1-Pro"}}),
    "api scenarios POST": lambda w: w.send("POST", "/scenarios", API_PRICES),
    "api scenario PUT": lambda w: w.send("PUT", "/scenarios/theirs", {
        **API_PRICES, "pue": "1.2", "seen": 1}),
}  # fmt: skip


def changing() -> Iterator[str]:
    """Every route of the URL conf with each method of it that is not safe."""
    from dashboard import urls
    from dashboard.api import urls as api_urls

    client = Client()
    client.force_login(factories.user("admin"))
    for kind, patterns in (("page", urls.urlpatterns), ("api", api_urls.urlpatterns)):
        for pattern in patterns:
            if isinstance(pattern, URLPattern) and pattern.name:
                for method in sorted(methods(pattern, client)):
                    yield f"{kind} {pattern.name} {method}"


def methods(pattern: URLPattern, client: Client) -> set[str]:
    """A class names its methods; a function answers a method that it does not know with those it does."""
    view: Any = pattern.callback
    found = getattr(view, "cls", None) or getattr(view, "view_class", None)
    if found is not None:
        return {name.upper() for name in ("post", "put", "patch", "delete") if hasattr(found, name)}
    path = re.sub(r"<(\w+):\w+>", lambda kind: "1" if kind[1] in ("int", "row") else "x", str(pattern.pattern))
    answer = client.generic("TRACE", f"/{path}")
    return {name.strip() for name in answer.get("Allow", "").split(",")} - {"GET", "HEAD", "OPTIONS", ""}


def test_no_address_that_changes_something_is_left_out(db: None) -> None:
    known = set(CASES) | EXCEPTIONS
    found = set(changing())
    assert len(found) > 60
    assert found - known == set(), "say in CASES how it is used, or in EXCEPTIONS why it is not audited"
    assert known - found == set()


def test_every_change_is_in_the_audit_log(world: World) -> None:
    from runs.models import User

    User.objects.create_user("keeper", password="a long passphrase", role="analyst")
    wrong = {}
    for name, case in CASES.items():
        with transaction.atomic():
            AuditEntry.objects.all().delete()
            answer = case(world)
            entries = list(AuditEntry.objects.values_list("noun", "action", "who"))
            if answer.status_code >= 400:
                wrong[name] = f"{answer.status_code} {answer.content.decode()[:300]}"
            elif not entries:
                wrong[name] = f"{answer.status_code}: nothing in the audit log"
            elif name not in NOBODY and not all(who for _noun, _action, who in entries):
                wrong[name] = f"nobody is named: {entries}"
            transaction.set_rollback(True)
    assert wrong == {}


NOBODY = {"api login POST", "page share-fact POST"}
"""Done without a login: before the name is known, and by readers of shares."""
