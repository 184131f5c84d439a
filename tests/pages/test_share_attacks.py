"""What people try on a share's link: guessed and cut tokens, old proofs, caches, hostile notes."""

import datetime as dt
import hashlib
import json
import re
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.hashers import check_password
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from runs.models import Share, ShareAccess
from runs.services.shares import ShareDraft, ShareSpec, make_share, revoke_share, set_passphrase
from tests import factories
from tests.builders import record

PASSPHRASE = "correct horse"
TAILS = ("", "export.csv", "export.json", "export.md", "export.html", "chart-throughput.svg", "chart-throughput.png",
         "fact/")  # fmt: skip
HOSTILE = (
    "<script>alert(1)</script>",
    "![x](https://evil.example/pixel.png)",
    '<img src="https://evil.example/pixel.png" onerror="alert(2)">',
    "[x](javascript:alert(3))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "![x][y]\n\n[y]: https://evil.example/p.png",
    '<iframe src="https://evil.example"></iframe>',
    '<svg/onload="alert(4)">',
    "<a href='jav&#x09;ascript:alert(5)'>x</a>",
    "[x](JaVaScRiPt:alert(6))",
    "<style>@import 'https://evil.example/x.css';</style>",
)
RUNS = re.compile(r"<(?:script|img|svg|iframe|object|embed|link|style|form)\b|\son\w+\s*=|(?:href|src)\s*=\s*[\"']?\s*"
                  r"(?:javascript|data|vbscript):", re.IGNORECASE)  # fmt: skip
Maker = Callable[..., str]


@pytest.fixture(autouse=True)
def nothing_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.services.tries.PREFIX", f"tries-{uuid.uuid4()}")


@pytest.fixture
def make(db: None) -> Maker:
    """Makes a share of one run; its path."""
    run = factories.run(record("Six", power_cap_w=800.0)).public_id

    def made(*, notes: str = "", **more: Any) -> str:
        draft = ShareDraft("For you", ShareSpec((run,), notes=notes), language="en", **more)
        return f"/s/{make_share(draft=draft, user=factories.user()).token}/"

    return made


def running(html: str) -> list[str]:
    """Tags that would run or load something."""
    return [tag for tag in re.findall(r"<[^>]*>", html) if RUNS.search(tag)]


def row_of(path: str) -> Share:
    return Share.objects.get(token_hash=hashlib.sha256(token_of(path).encode()).hexdigest())


def token_of(path: str) -> str:
    return path.split("/")[2]


def gone_ones(make: Maker) -> list[str]:
    """Paths of which none leads anywhere: guessed, cut, lengthened, bent, expired, revoked."""
    path, expired, revoked, locked = make(), make(), make(), make(passphrase=PASSPHRASE)
    Share.objects.filter(pk=row_of(expired).pk).update(expires=timezone.now() - dt.timedelta(seconds=1))
    revoke_share(share_id=row_of(revoked).pk)
    revoke_share(share_id=row_of(locked).pk)
    token = token_of(path)
    bent = (token[:-1], token[1:], token + "A", token.swapcase(), token[::-1], f"%20{token}",
            token[:6], "A" * 32, "A" * 4000, "é" * 32, "..", str(row_of(path).pk), row_of(path).token_hash)  # fmt: skip
    return [expired, revoked, locked, *(f"/s/{one}/" for one in bent)]


def test_nothing_tells_what_was_there_from_what_never_was(make: Maker) -> None:
    """Page, headers and the number of queries are the same, whatever the reason; so are downloads and posts."""
    gone = gone_ones(make)
    for tail in TAILS:
        answers = set()
        for path in gone:
            with CaptureQueriesContext(connection) as asked:
                answer = Client().get(path + tail)
            headers = tuple(sorted((name, value) for name, value in answer.items()))
            answers.add((answer.status_code, answer.content, headers, len(asked)))
        assert len(answers) == 1, tail
        assert next(iter(answers))[0] == 404
    for tail, sent in (("unlock/", {"passphrase": PASSPHRASE}), ("fact/", {"message": "x"})):
        found = {(answer.status_code, answer.content) for answer in (Client().post(one + tail, sent) for one in gone)}
        assert len(found) == 1, tail
    assert not ShareAccess.objects.exists()


def test_a_shares_parts_are_reached_by_its_own_token_only(make: Maker) -> None:
    open_one, locked = make(), make(passphrase=PASSPHRASE)
    for tail in ("", "export.csv", "chart-throughput.svg", "fact/"):
        assert Client().get(open_one + tail).status_code == 200
        assert Client().get(locked + tail).status_code == 401, tail
        assert Client().get(f"{open_one}{token_of(locked)}/{tail}").status_code == 404
    assert Client().post(f"{locked}fact/", {"message": "x"}).status_code == 401


def test_a_proof_replayed_after_a_change_of_passphrase_opens_nothing(make: Maker) -> None:
    path = make(passphrase=PASSPHRASE)
    reader = Client()
    assert reader.post(f"{path}unlock/", {"passphrase": PASSPHRASE}).status_code == 303
    proof = reader.cookies["share"].value
    assert reader.get(path).status_code == 200
    set_passphrase(share_id=row_of(path).pk, passphrase="another horse")
    # The same words again are another passphrase: they are salted anew.
    for change in ("another horse", PASSPHRASE):
        set_passphrase(share_id=row_of(path).pk, passphrase=change)
        for tail in TAILS:
            late = Client()
            late.cookies["share"] = proof
            assert late.get(path + tail).status_code == 401, (change, tail)
    assert Client().post(f"{path}unlock/", {"passphrase": "another horse"}).status_code == 401


@pytest.mark.parametrize("proof", ["", "x", "0" * 64, "é" * 64, "A" * 4000])
def test_a_made_up_proof_opens_nothing(make: Maker, proof: str) -> None:
    path = make(passphrase=PASSPHRASE)
    reader = Client(headers={"cookie": f"share={proof}".encode("latin-1", "replace").decode("latin-1")})
    assert reader.get(path).status_code == 401


def test_a_wrong_passphrase_costs_as_much_as_the_right_one(make: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    path, checked = make(passphrase=PASSPHRASE), []

    def counted(password: str, encoded: str) -> bool:
        checked.append(len(password))
        return check_password(password, encoded)

    monkeypatch.setattr("runs.services.sharing.check_password", counted)
    for passphrase in (PASSPHRASE, "x", "", "correct horsf", "x" * 5000):
        Client().post(f"{path}unlock/", {"passphrase": passphrase})
    assert checked == [13, 1, 0, 13, 200]


def test_nothing_may_be_kept_and_no_condition_saves_a_revoked_page(make: Maker) -> None:
    path = make()
    conditions: list[dict[str, str]] = [
        {"If-None-Match": "*"},
        {"If-None-Match": '"x", W/"y"'},
        {"If-Modified-Since": "Fri, 31 Dec 2032 23:59:59 GMT"},
        {"If-Match": "*"},
        {"Range": "bytes=0-10"},
    ]
    for tail in TAILS:
        answer = Client().get(path + tail)
        assert answer["Cache-Control"] == "no-store"
        assert "ETag" not in answer
        assert "Last-Modified" not in answer
        assert {Client(headers=one).get(path + tail).status_code for one in conditions} == {200}, tail
    revoke_share(share_id=row_of(path).pk)
    for tail in TAILS:
        for one in conditions:
            late = Client(headers=one).get(path + tail)
            assert late.status_code == 404, (tail, one)
            assert late["Cache-Control"] == "no-store"
            assert b"Six" not in late.content


def test_the_pages_of_the_house_are_private(make: Maker) -> None:
    make()
    owner = Client()
    owner.force_login(factories.user())
    for path in ("/shares/", f"/shares/{Share.objects.get().pk}/", "/inbox/", "/runs/"):
        assert "public" not in owner.get(path).get("Cache-Control", "")
        assert "private" in owner.get(path)["Cache-Control"] or "no-store" in owner.get(path)["Cache-Control"], path


@pytest.mark.parametrize("hostile", HOSTILE)
def test_hostile_notes_neither_run_nor_call_home(make: Maker, hostile: str) -> None:
    page = Client().get(make(notes=f"before\n\n{hostile}\n\nafter")).content.decode()
    notes = re.search(r'<section class="card pad prose".*?</section>', page, re.DOTALL)
    assert notes is not None
    assert "before" in notes[0]
    assert "after" in notes[0]
    assert running(notes[0]) == []


@pytest.mark.parametrize("hostile", [*HOSTILE, "--><script>alert(7)</script><!--", "]]><script>x</script>"])
def test_hostile_labels_stay_text_in_every_download(db: None, hostile: str) -> None:
    """A Markdown file is rendered elsewhere, an HTML file is opened from a disk: both must not call home."""
    label = " ".join(hostile.split())
    run = factories.run(replace(record(label), notes=hostile)).public_id
    draft = ShareDraft("x", ShareSpec((run,)), language="en")
    path = f"/s/{make_share(draft=draft, user=factories.user()).token}/"
    from dashboard.render.notes import _markdown

    text = Client().get(f"{path}export.md").content.decode()
    rendered = _markdown.enable("image").render(text)
    _markdown.disable("image")
    assert running(rendered) == []
    page = Client().get(f"{path}export.html").content.decode()
    body = page.split("<body", 1)[1]
    assert running(re.sub(r"<svg.*?</svg>", "", body, flags=re.DOTALL)) == []
    drawing = Client().get(f"{path}chart-throughput.svg").content.decode()
    # Comments name what is drawn; nothing may close one early.
    bare = re.sub(r"<!--.*?-->", "", drawing, flags=re.DOTALL)
    assert not re.search(r"<(script|image|foreignObject|a|img|iframe)\b|<[^>]*\son\w+\s*=|<style>@import", bare)


def test_a_spec_or_snapshot_of_tomorrow_is_refused_in_words(make: Maker) -> None:
    for kind in ("frozen", "live"):
        path = make(kind=kind)
        row = row_of(path)
        Share.objects.filter(pk=row.pk).update(spec={**row.spec, "version": 99, "secret": "gpu-node07"})
        for tail in TAILS:
            answer = Client().get(path + tail)
            assert answer.status_code == 503, tail
            assert b"later version" in answer.content
            assert b"gpu-node07" not in answer.content
            assert answer["Cache-Control"] == "no-store"


@pytest.mark.parametrize("blob", [b"", b"{", b"[]", b"null", b'{"version": "x"}', b'{"version": 1}', b"\xff\x00"])
def test_a_damaged_snapshot_is_no_500(make: Maker, blob: bytes) -> None:
    path = make()
    Share.objects.filter(pk=row_of(path).pk).update(snapshot=blob)
    for tail in ("", "export.csv", "chart-throughput.svg"):
        answer = Client().get(path + tail)
        assert answer.status_code == 503, tail
        assert b"Traceback" not in answer.content


def test_a_share_says_nothing_of_the_house(make: Maker) -> None:
    """No id, no address within, no name of an owner in what a reader gets."""
    path = make()
    row = row_of(path)
    owner = row.owner.get_username() if row.owner else ""
    for tail in TAILS:
        text = Client().get(path + tail).content.decode(errors="replace")
        for inner in ("/runs/", "/shares/", "/compare/?", row.token_hash, owner):
            assert inner not in text, (tail, inner)
    body = json.loads(Client().get(f"{path}export.json").content)
    assert token_of(path) not in json.dumps(body)
