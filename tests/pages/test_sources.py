"""Sources, pasted tables, scenarios and suppositions through the pages, without a browser."""

import re
from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from runs.models import Run, User
from runs.selectors import documents as sources
from runs.services.sources import find_source
from runs.store import load
from tests import pastes

Answer = Any
"""What the test client answers with: an HttpResponse with more on it."""

SOURCE = {
    "title": "Six GPUs at 800 W",
    "publisher": "ElioVP",
    "relation": "maker of the runtime",
    "url": "",
    "published": "2026-11-11",
    "accessed": "2026-11-12",
    "language": "nl",
    "locale": "nl",
    "note": "",
}
OTHER = {**SOURCE, "title": "Eight GPUs", "publisher": "AMD", "relation": "maker of the accelerator",
         "published": "2026-11-04"}  # fmt: skip
KEY, THEIRS = "eliovp-2026-11-11", "amd-2026-11-04"


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("ann", role=User.Role.ANALYST))
    return client


@pytest.fixture
def with_sources(analyst: Client) -> Client:
    for given in (SOURCE, OTHER):
        assert analyst.post("/sources/new/", given).status_code == 302
    return analyst


def text_of(response: Answer) -> str:
    """What a page says, without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", response.content.decode())).split())


def fields_of(response: Answer) -> dict[str, str]:
    """What the form of a page would send back as it stands, boxes unticked."""
    html = response.content.decode()
    found: dict[str, str] = {}
    for tag in re.findall(r"<input\b[^>]*>", html):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        if "name" in given and given.get("type") not in ("checkbox", "file"):
            found[given["name"]] = given.get("value", "")
    for name, options in re.findall(r'<select\b[^>]*?name="([^"]+)".*?>(.*?)</select>', html, re.DOTALL):
        chosen = re.search(r'value="([^"]*)"\s+selected', options) or re.search(r'value="([^"]*)"', options)
        found[name] = chosen[1] if chosen else ""
    return {name: unescape(value) for name, value in found.items() if name != "csrfmiddlewaretoken"}


def test_a_source_is_written_down_and_changed(analyst: Client) -> None:
    answer = analyst.post("/sources/new/", SOURCE)
    assert answer.headers["Location"] == f"/sources/{KEY}/"
    page = text_of(analyst.get(answer.headers["Location"]))
    assert "URL not stated" in page and "2026-11-11" in page and "Dutch: 5.661,5" in page
    form = fields_of(analyst.get(f"/sources/{KEY}/edit/"))
    changed = {**SOURCE, "title": "Another title", "seen": form["seen"]}
    assert analyst.post(f"/sources/{KEY}/edit/", changed).status_code == 302
    assert find_source(key=KEY).title == "Another title"
    late = analyst.post(f"/sources/{KEY}/edit/", {**changed, "title": "Too late"})
    assert late.status_code == 409
    assert "Somebody saved this source before you" in text_of(late)
    assert find_source(key=KEY).title == "Another title"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (
            {"published": ""},
            "the date of publication such as 2026-11-11, 2026-11 or 2026, or “not stated”, saw nothing",
        ),
        ({"published": "11 november"}, "saw 11 november"),
        ({"publisher": " "}, "publisher : expected a text, saw nothing"),
        ({"url": "javascript:alert(1)"}, "begins with https:// or http://"),
        ({"accessed": "2026-13-01"}, "the date of access"),
    ],
)
def test_a_source_that_says_too_little_is_refused_in_words(analyst: Client, change: dict[str, str], words: str) -> None:
    answer = analyst.post("/sources/new/", {**SOURCE, **change})
    assert answer.status_code == 400
    assert words in text_of(answer)
    assert sources.list_sources() == ()


def test_a_date_may_be_said_not_to_be_stated(analyst: Client) -> None:
    assert analyst.post("/sources/new/", {**SOURCE, "published": "not stated"}).status_code == 302
    (item,) = sources.list_sources()
    assert item.source.published == ""
    assert "Published not stated" in text_of(analyst.get(f"/sources/{item.source.key}/"))


def test_a_copy_is_kept_with_its_hash_and_only_downloaded(analyst: Client) -> None:
    copy = SimpleUploadedFile("page.html", b"<script>alert(1)</script>", "text/html")
    assert analyst.post("/sources/new/", {**SOURCE, "copy": copy}).status_code == 302
    source = find_source(key=KEY)
    assert len(source.archived_sha256) == 64
    answer = analyst.get(f"/sources/{KEY}/copy/")
    assert answer.headers["Content-Type"] == "application/octet-stream"
    assert "attachment" in answer.headers["Content-Disposition"]
    assert source.archived_sha256 in text_of(analyst.get(f"/sources/{KEY}/"))


def paste(client: Client, table: str, **more: str) -> Answer:
    """The preview of a paste, then the same form sent to become runs."""
    given = {"table": table, "locale": "nl", **more}
    preview = client.post(f"/sources/{KEY}/paste/", {**given, "read": "1"})
    assert preview.status_code == 200, text_of(preview)
    return client.post(f"/sources/{KEY}/paste/", {**fields_of(preview), **given, "confirm": "done"})


def test_a_table_becomes_runs_with_every_cell_as_evidence(with_sources: Client) -> None:
    preview = with_sources.post(f"/sources/{KEY}/paste/", {"table": pastes.tsv(pastes.SHORT), "read": "1"})
    words = text_of(preview)
    assert "5.661 5,661 tok/s" in words and "nothing was added yet" in words and "Niet vermeld not stated" in words
    assert Run.objects.count() == 0
    owners = {"group.1": pastes.SHORT[3][0], "whose.1": f"via:{THEIRS}"}
    answer = paste(
        with_sources, pastes.tsv(pastes.SHORT), **{"set.isl": "8K", "set.osl": "1K", "set.concurrency": "16", **owners}
    )
    assert answer.status_code == 302
    detail = sources.source_detail(KEY)
    assert detail is not None
    labels = [record.label for record in detail.runs.values()]
    assert labels[0] == "Paiton, 6 GPUs × 800 W · T=0 · 8K/1K" and len(labels) == 4
    assert len(detail.own) == 3
    quoted = text_of(with_sources.get(f"/sources/{KEY}/"))
    assert "0,65 s" in quoted and "read here, said elsewhere" in quoted
    atom = sources.source_detail(THEIRS)
    assert atom is not None and [record.label for record in atom.own.values()] == [
        "ATOM, 8 GPUs, limiet onbekend · 8K/1K"
    ]


def test_the_same_paste_again_makes_nothing_new(with_sources: Client) -> None:
    for _once in range(2):
        assert paste(with_sources, pastes.tsv(pastes.LONG), **{"set.isl": "128K"}).status_code == 302
    assert Run.objects.count() == 4


def test_two_readings_are_both_shown_and_nothing_is_guessed(with_sources: Client) -> None:
    answer = paste(with_sources, pastes.tsv(pastes.LONG), locale="")
    words = text_of(answer)
    assert "en: 12.768 tok/s nl: 12,768 tok/s" in words
    assert "two numbers are possible: say how the source prints numbers" in words
    assert Run.objects.count() == 0


def test_cells_that_ran_together_are_refused_and_the_text_is_kept(with_sources: Client) -> None:
    text = pastes.run_together(pastes.SHORT)
    answer = with_sources.post(f"/sources/{KEY}/paste/", {"table": text, "read": "1"})
    assert answer.status_code == 400
    assert "cells run together" in text_of(answer)
    assert "Paiton, 6 GPUs × 800 W05.6619446290,65 s20,4 ms" in unescape(answer.content.decode())


@pytest.mark.parametrize(
    ("table", "status", "words"),
    [
        ("x" * 3_000_000, 413, "A form takes at most 2 MB"),
        ("\t".join("x" * 10_000) + "\n" + "\t".join("1" * 10_000), 400, "at most 60 columns"),
        ("a\tb\nx\t1\ty\n", 400, "expected 3 cells"),
    ],
)
def test_a_paste_too_large_is_refused_in_words(with_sources: Client, table: str, status: int, words: str) -> None:
    answer = with_sources.post(f"/sources/{KEY}/paste/", {"table": table, "read": "1"})
    assert answer.status_code == status
    assert words in text_of(answer)
    assert Run.objects.count() == 0


def test_a_formula_stays_text(with_sources: Client) -> None:
    table = "Run\tMedian TTFT\tTotal tok/s\n=cmd|' /C calc'!A0\t0,65 s\t=1+1\n"
    words = text_of(paste(with_sources, table))
    assert "row 1, Total tok/s: no number" in words
    table = "Run\tMedian TTFT\n=cmd|' /C calc'!A0\t0,65 s\n"
    assert paste(with_sources, table).status_code == 302
    assert Run.objects.get().label == "=cmd|' /C calc'!A0"


def test_what_is_chosen_is_kept_for_this_table_only(with_sources: Client) -> None:
    given = {"table": pastes.tsv(pastes.LONG), "locale": "nl"}
    first = with_sources.post(f"/sources/{KEY}/paste/", {**given, "read": "1"})
    chosen = {**fields_of(first), "map.4": "figure:ttft:p99"}
    assert (
        fields_of(with_sources.post(f"/sources/{KEY}/paste/", {**chosen, **given, "read": "1"}))["map.4"]
        == "figure:ttft:p99"
    )
    other = with_sources.post(
        f"/sources/{KEY}/paste/", {**chosen, "table": pastes.tsv(pastes.SHORT), "confirm": "done"}
    )
    assert other.status_code == 200
    assert fields_of(other)["map.4"] == "figure:output_throughput"
    assert Run.objects.count() == 0


BY_HAND = {
    "label": "By hand",
    "whose": "own:house",
    "locale": "nl",
    "figure.total_throughput": "5.661",
    "figure.ttft:median": "0,65 s",
    "set.active_gpus": "6",
    "set.temperature": "1,0",
    "repeats": "2",
}


def test_one_run_is_entered_by_hand(with_sources: Client) -> None:
    assert with_sources.post(f"/sources/{KEY}/runs/new/", BY_HAND).status_code == 302
    record = next(iter(load([Run.objects.get().public_id]).values()))
    total = record.quantity("total_throughput")
    assert total is not None and (str(total.value), total.repeats) == ("5661", 2)
    assert record.setting("active_gpus").value == 6


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"label": ""}, "what the run is called"),
        ({"figure.ttft:median": "0,65"}, "no unit in the cell"),
        ({"figure.ttft:median": "", "figure.total_throughput": ""}, "no column holds a figure"),
        ({"set.active_gpus": "six"}, "Active GPUs: no number, saw 'six'"),
    ],
)
def test_a_run_that_cannot_be_is_refused_in_words(with_sources: Client, change: dict[str, str], words: str) -> None:
    refused = with_sources.post(f"/sources/{KEY}/runs/new/", {**BY_HAND, **change})
    assert refused.status_code == 400
    assert words in text_of(refused)
    assert Run.objects.count() == 0


def test_questions_are_ready_to_be_sent(with_sources: Client) -> None:
    assert paste(with_sources, pastes.tsv(pastes.SHORT)).status_code == 302
    english = with_sources.get(f"/sources/{KEY}/questions.txt?language=en")
    assert english.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "Was prefix caching on or off?" in english.content.decode()
    dutch = with_sources.get(f"/sources/{KEY}/questions.txt?language=nl").content.decode()
    assert "Bij welke samplingtemperatuur liepen de verzoeken" in dutch
    assert "Over: ATOM, 8 GPUs, limiet onbekend; vLLM, 8 GPUs, limiet onbekend" in dutch


def test_viewers_read_and_do_not_write(client: Client, db: None) -> None:
    client.force_login(User.objects.create_user("vic"))
    assert client.get("/sources/").status_code == 200
    assert client.get("/scenarios/").status_code == 200
    for path in ("/sources/new/", "/scenarios/new/"):
        assert client.get(path).status_code == 403
        assert client.post(path, SOURCE).status_code == 403


def test_nothing_is_there_for_an_unknown_key(analyst: Client) -> None:
    for path in ("", "edit/", "copy/", "paste/", "runs/new/", "questions.txt"):
        assert analyst.get(f"/sources/nothing/{path}").status_code == 404
    assert analyst.get("/scenarios/nothing/").status_code == 404
