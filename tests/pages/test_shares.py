"""Shares through Django's client: what is reached, what is not, and what nobody can tell apart."""

import datetime as dt
import hashlib
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from runs import store
from runs.domain.facts import State
from runs.domain.redaction import Redactions
from runs.models import FactMessage, Share, ShareAccess, User
from runs.services import tries
from runs.services.shares import ShareDraft, ShareSpec, make_share, revoke_share, set_passphrase
from tests import factories
from tests.builders import record

NODE = "gpu-node07"
Maker = Callable[..., str]


@pytest.fixture(autouse=True)
def nothing_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tries of other tests, of which all come from one address, count for nothing here."""
    monkeypatch.setattr("runs.services.tries.PREFIX", f"tries-{uuid.uuid4()}")


@pytest.fixture
def runs(db: None) -> tuple[str, str]:
    first = factories.run(record(f"Six on {NODE}", node=NODE, power_cap_w=800.0))
    second = factories.run(record("Eight", throughput=7000.0, active_gpus=8, node="other-node"))
    return first.public_id, second.public_id


@pytest.fixture
def make(runs: tuple[str, str]) -> Maker:
    """Makes a share of the two runs; its path."""

    def made(**more: object) -> str:
        spec = ShareSpec(runs, redactions=Redactions(nodes=True, notes=True, files=True))
        draft = ShareDraft(**{"title": "For you", "spec": spec, "language": "en", **more})  # type: ignore[arg-type]
        return f"/s/{make_share(draft=draft, user=factories.user()).token}/"

    return made


def share_of(path: str) -> Share:
    return Share.objects.get(token_hash=hashlib.sha256(path.split("/")[2].encode()).hexdigest())


def test_a_reader_without_a_login_sees_the_comparison_and_no_node(client: Client, make: Maker) -> None:
    page = client.get(make()).content.decode()
    assert "For you" in page
    assert "Six on […]" in page
    assert NODE not in page
    assert "/runs/" not in page
    assert 'href="/compare' not in page


def test_every_answer_keeps_out_of_caches_engines_and_referrers(client: Client, make: Maker) -> None:
    path = make()
    for one in (path, f"{path}export.csv", f"{path}chart-throughput.svg", f"{path}fact/", "/s/nothing/", f"{path}x"):
        answer = client.get(one)
        assert answer["Cache-Control"] == "no-store", one
        assert answer["Referrer-Policy"] == "no-referrer", one
        assert "noindex" in answer["X-Robots-Tag"], one
        assert not answer.cookies, one


def test_what_is_not_there_is_one_answer(client: Client, make: Maker) -> None:
    path = make()
    expired, revoked = make(), make()
    Share.objects.filter(pk=share_of(expired).pk).update(expires=timezone.now() - dt.timedelta(seconds=1))
    revoke_share(share_id=share_of(revoked).pk)
    other = make(passphrase="a long passphrase")
    gone = [expired, revoked, path[:-2] + "/", f"/s/{'A' * 32}/", "/s/x/", "/s/../", f"/s/{'é' * 32}/"]
    for tail in ("", "export.csv", "chart-throughput.png", "fact/"):
        answers = {(answer.status_code, answer.content) for answer in (client.get(one + tail) for one in gone)}
        assert len(answers) == 1, tail
        ((status, body),) = answers
        assert status == 404
        assert b"No longer available" in body
    assert client.get(other).status_code == 401


def test_downloads_are_the_share_and_nothing_else(client: Client, make: Maker) -> None:
    path = make(language="nl")
    table = client.get(f"{path}export.csv")
    assert "Vermogenslimiet niet vermeld" in table.content.decode()
    assert NODE not in table.content.decode()
    assert "attachment" in table["Content-Disposition"]
    for extension in ("json", "md", "html"):
        assert NODE not in client.get(f"{path}export.{extension}").content.decode()
    assert NODE.encode() not in client.get(f"{path}chart-throughput.svg").content
    assert client.get(f"{path}export.exe").status_code == 404
    for outside in ("/runs/", "/compare/", "/shares/", "/inbox/", "/api/v1/runs"):
        assert client.get(outside).status_code in (302, 401), outside


def test_a_frozen_share_keeps_its_numbers(client: Client, make: Maker, runs: tuple[str, str]) -> None:
    from dataclasses import replace

    from runs import store
    from runs.models import Run

    frozen, live = make(), make(kind="live")
    row = Run.objects.get(public_id=runs[0])
    changed = replace(store.load([runs[0]])[runs[0]], label="Renamed")
    assert store.replace(row.pk, changed, revision=row.revision)
    assert "Renamed" not in client.get(frozen).content.decode()
    assert "Renamed" in client.get(f"{frozen}?corrected=1").content.decode()
    assert "Renamed" in client.get(live).content.decode()


def test_a_passphrase_is_asked_for_and_ends_with_its_change(client: Client, make: Maker) -> None:
    path = make(passphrase="correct horse")
    assert client.get(path).status_code == 401
    assert client.get(f"{path}export.csv").status_code == 401
    assert client.post(f"{path}unlock/", {"passphrase": "wrong horse"}).status_code == 401
    assert client.post(f"{path}unlock/", {"passphrase": "correct horse"}).status_code == 303
    assert client.get(path).status_code == 200
    assert client.get(f"{path}export.csv").status_code == 200
    set_passphrase(share_id=share_of(path).pk, passphrase="another horse")
    assert client.get(path).status_code == 401
    assert "correct horse" not in str(Share.objects.values_list("passphrase", "spec").first())


def test_a_proof_opens_no_other_share(client: Client, make: Maker) -> None:
    first, second = make(passphrase="correct horse"), make(passphrase="correct horse")
    proof = client.post(f"{first}unlock/", {"passphrase": "correct horse"}).cookies["share"].value
    other = Client()
    other.cookies["share"] = proof
    assert other.get(second).status_code == 401


def test_guessing_a_passphrase_is_stopped(client: Client, make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.sharing.MAX_TRIES", 3)
    path = make(passphrase="correct horse")
    statuses = [client.post(f"{path}unlock/", {"passphrase": "wrong"}).status_code for _try in range(5)]
    assert statuses == [401, 401, 429, 429, 429]
    assert client.post(f"{path}unlock/", {"passphrase": "correct horse"}).status_code == 429


def guess(path: str, address: str, passphrase: str = "wrong", **more: Any) -> int:
    client = Client(REMOTE_ADDR=address, **more)
    return client.post(f"{path}unlock/", {"passphrase": passphrase}).status_code


def test_one_address_is_stopped_and_the_others_are_not(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.tries.MAX_TRIES_OF_ADDRESS", 3)
    first, second = make(passphrase="correct horse"), make(passphrase="correct horse")
    assert [guess(first, "192.0.2.1") for _try in range(4)] == [401, 401, 429, 429]
    # On every share alike, and with the right words too.
    assert guess(second, "192.0.2.1", "correct horse") == 429
    assert guess(first, "192.0.2.2", "correct horse") == 303
    # What it tried in vain after that counts for nobody.
    assert ShareAccess.objects.get(share=share_of(first), kind="wrong-passphrase").count == 3


def test_the_right_passphrase_uses_up_no_try(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.tries.MAX_TRIES_OF_ADDRESS", 2)
    path = make(passphrase="correct horse")
    assert {guess(path, "192.0.2.3", "correct horse") for _try in range(5)} == {303}


def test_hosts_of_one_network_count_together(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.tries.MAX_TRIES_OF_ADDRESS", 2)
    path = make(passphrase="correct horse")
    assert [guess(path, f"2001:db8:0:1::{host}") for host in (1, 2, 3)] == [401, 429, 429]
    assert guess(path, "2001:db8:0:2::1") == 401


def test_many_addresses_are_stopped_by_the_share_s_own_limit(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.sharing.MAX_TRIES", 4)
    path = make(passphrase="correct horse")
    statuses = [guess(path, f"198.51.100.{host}") for host in range(6)]
    assert statuses == [401, 401, 401, 429, 429, 429]
    assert guess(path, "203.0.113.9", "correct horse") == 429


def test_a_client_cannot_name_its_own_address(make: Maker, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr("runs.services.tries.MAX_TRIES_OF_ADDRESS", 2)
    path = make(passphrase="correct horse")
    made_up = [guess(path, "192.0.2.4", HTTP_X_FORWARDED_FOR=f"10.0.0.{host}") for host in range(3)]
    assert made_up == [401, 429, 429]
    settings.PROXY_COUNT = 1
    behind = [guess(path, "10.0.0.1", HTTP_X_FORWARDED_FOR=f"10.9.9.{host}, 192.0.2.5") for host in range(3)]
    assert behind == [401, 429, 429]
    assert guess(path, "10.0.0.1", HTTP_X_FORWARDED_FOR="192.0.2.6") == 401


def test_no_address_is_kept_and_the_digest_is_keyed(settings: Any) -> None:
    digest = tries.key_of("192.0.2.77")
    assert "192.0.2.77" not in digest
    assert len(digest) == len(tries.PREFIX) + 1 + 64
    settings.SECRET_KEY = "another" * 10
    assert tries.key_of("192.0.2.77") != digest


def test_a_snapshot_from_the_future_is_refused_in_words(client: Client, make: Maker) -> None:
    path = make()
    row = share_of(path)
    blob = bytes(row.snapshot or b"").replace(b'"version":1}', b'"version":99,"secret":"gpu-node07"}')
    Share.objects.filter(pk=row.pk).update(snapshot=blob)
    for tail in ("", "export.csv"):
        answer = client.get(path + tail)
        assert answer.status_code == 503
        assert "later version" in answer.content.decode()
        assert NODE not in answer.content.decode()


def test_the_token_is_kept_as_a_digest_only(make: Maker) -> None:
    path = make()
    token = path.split("/")[2]
    assert len(token) >= 32
    row = share_of(path)
    assert token not in str(Share.objects.filter(pk=row.pk).values().get())


def test_the_log_names_no_token(client: Client, make: Maker) -> None:
    from dashboard.logs import hide_tokens

    path = make()
    event = hide_tokens(None, "", {"request": f"GET {path}export.csv", "event": "x"})
    assert event["request"] == "GET /s/…/export.csv"


def test_accesses_are_counted_and_nothing_of_the_reader_is_kept(client: Client, make: Maker) -> None:
    path = make()
    for tail in ("", "", "export.csv"):
        client.get(path + tail, headers={"User-Agent": "Somebody/1.0"})
    rows = {row.kind: row.count for row in ShareAccess.objects.all()}
    assert rows == {"view": 2, "download": 1}
    assert "127.0.0.1" not in str(list(ShareAccess.objects.values()))


def test_the_language_is_fixed_or_the_readers(client: Client, make: Maker) -> None:
    fixed, free = make(language="nl"), make(language="")
    answer = client.get(fixed, headers={"Accept-Language": "en"})
    assert '<html lang="nl">' in answer.content.decode()
    assert answer["Content-Language"] == "nl"
    assert client.get(f"{fixed}export.md", headers={"Accept-Language": "en"})["Content-Language"] == "nl"
    assert '<html lang="nl">' in client.get(free, headers={"Accept-Language": "nl"}).content.decode()
    assert '<html lang="en">' in client.get(f"{free}?lang=en", headers={"Accept-Language": "nl"}).content.decode()


def test_the_pages_of_the_owner(client: Client, runs: tuple[str, str]) -> None:
    client.force_login(factories.user())
    state = f"runs={','.join(runs)}"
    form = {"state": state, "title": "For you", "nodes": "on", "files": "on", "days": "30", "language": "nl"}
    assert client.get("/shares/new/", {"state": state}).status_code == 200
    preview = client.post("/shares/new/", {**form, "preview": "1"})
    assert NODE not in preview.content.decode()
    assert "Share.DoesNotExist" not in preview.content.decode()
    assert Share.objects.count() == 0
    made = client.post("/shares/new/", form)
    assert made["Cache-Control"] == "no-store"
    row = Share.objects.get()
    assert "/s/" in made.content.decode()
    assert client.get("/shares/").status_code == 200
    assert client.post(f"/shares/{row.pk}/revoke/").status_code == 302
    assert client.get(f"/shares/{row.pk}/").status_code == 200
    row.refresh_from_db()
    assert row.revoked is not None


def test_a_viewer_shares_nothing(client: Client, runs: tuple[str, str]) -> None:
    client.force_login(factories.user("viewer"))
    for path in ("/shares/", "/shares/new/", "/inbox/"):
        assert client.get(path).status_code == 403
    assert client.post("/shares/new/", {"state": f"runs={runs[0]}", "title": "x"}).status_code == 403


def test_a_fact_reaches_the_owner_and_nobody_else(client: Client, make: Maker, runs: tuple[str, str]) -> None:
    path = make()
    sent = {"message": "The cap was 750 W", "subject": "setting:power_cap_w", "run": "1", "value": "750 W"}
    assert client.get(f"{path}fact/", {"subject": "setting:power_cap_w", "run": "2"}).status_code == 200
    assert client.post(f"{path}fact/", {**sent, "email": "c@example.org", "evidence": "<b>log</b>"}).status_code == 200
    row = FactMessage.objects.get()
    assert (row.run_key, row.subject, row.state) == (runs[0], "setting:power_cap_w", "new")
    assert "750 W" not in client.get(path).content.decode()
    other, admin = Client(), Client()
    other.force_login(factories.user("operator"))
    admin.force_login(factories.user("admin"))
    assert "The cap was 750 W" not in other.get("/inbox/").content.decode()
    assert "c@example.org" not in other.get("/inbox/").content.decode()
    assert other.get(f"/inbox/{row.pk}/").status_code == 404
    assert other.post(f"/inbox/{row.pk}/", {"decision": ""}).status_code == 404
    assert "The cap was 750 W" in admin.get("/inbox/").content.decode()
    owner, sharing = Client(), share_of(path).owner
    assert sharing is not None
    owner.force_login(sharing)
    page = owner.get("/inbox/").content.decode()
    assert "The cap was 750 W" in page
    assert "<b>log" not in page
    sent = {"decision": "disputed", "value": "750 W", "quote": "The cap was 750 W", "revision": "1", "answer": "asked"}
    assert owner.post(f"/inbox/{row.pk}/", sent).status_code == 302
    row.refresh_from_db()
    assert (row.state, row.decision) == ("accepted", "disputed")
    cap = store.current([runs[0]])[runs[0]].record.setting("power_cap_w")
    assert cap.state is State.DISPUTED
    assert "750" in " ".join(cap.claims)


@pytest.mark.parametrize(
    "bad",
    [
        {"message": " "},
        {"message": "x" * 5000},
        {"message": "x", "email": "no address"},
        {"message": "x", "subject": "setting:node"},
        {"message": "x", "subject": "nonsense"},
        {"message": "x\0"},
    ],
)
def test_a_bad_message_is_refused_in_words(client: Client, make: Maker, bad: dict[str, str]) -> None:
    answer = client.post(f"{make()}fact/", bad)
    assert answer.status_code == 400
    assert 'role="alert"' in answer.content.decode()
    assert FactMessage.objects.count() == 0


def test_messages_are_bounded(client: Client, make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.inbox.MAX_A_DAY", 2)
    path = make()
    statuses = [client.post(f"{path}fact/", {"message": "x"}).status_code for _one in range(3)]
    assert statuses == [200, 200, 429]


def test_the_owner_is_mailed_in_their_language(make: Maker, client: Client) -> None:
    from babel.dates import format_date
    from django.core import mail

    from runs.services.inbox import mail_fact

    path = make()
    User.objects.filter(shares=share_of(path)).update(email="owner@example.org", language="nl")
    client.post(f"{path}fact/", {"message": "The cap was 750 W", "subject": "setting:power_cap_w"})
    assert mail_fact(message_id=FactMessage.objects.get().pk, url="https://likewise.example")
    (sent,) = mail.outbox
    assert sent.to == ["owner@example.org"]
    assert "https://likewise.example/inbox/" in sent.body
    assert "lezer" in sent.subject
    assert "Instelling: Vermogenslimiet per GPU" in sent.body
    at = FactMessage.objects.get().at
    assert format_date(at, "d MMMM y", locale="nl") in sent.body
