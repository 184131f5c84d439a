"""Every text that somebody may type, in every cell of every exported table: none of them is a formula there."""

import csv
import io
import json
import re
from typing import Any

import pytest

from tests import factories
from tests.dashboard.api.conftest import Api

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
SOURCE = "evil"


def evil(name: str) -> str:
    return f'=HYPERLINK("http://evil.example/{name}")'


def document() -> bytes:
    setting = {"value": evil("setting"), "quote": evil("setting-quote"), "note": evil("setting-note")}
    figure = {"printed": "5.661", "quote": evil("figure-quote"), "note": evil("figure-note")}
    source = {name: evil(name) for name in ("title", "publisher", "relation", "note")}
    run = {
        "label": evil("label"), "source": SOURCE, "notes": evil("notes"), "setup": evil("setup"),
        "party": {"name": evil("party"), "relation": evil("party-relation")},
        "settings": {"model": setting, "isl": {"nominal": "-8K"}, "dataset": {"value": "@SUM(A1)"}},
        "figures": {"total_throughput": figure},
    }  # fmt: skip
    content = {
        "likewise": "published-runs/1",
        "sources": {SOURCE: {**source, "published": "2026-11-11", "locale": "nl"}},
        "setups": {evil("setup"): {}},
        "runs": [run],
        "evaluations": [
            {"key": "gsm8k", "task": evil("task"), "source": SOURCE, "printed": evil("printed"), "correct": 1,
             "total": 2,
             "configuration": evil("configuration"), "context": evil("context"), "note": evil("evaluation-note"),
             "settings": {"model": evil("evaluation-model")}, "covers": [evil("setup")]},
        ],
    }  # fmt: skip
    return json.dumps(content).encode()


@pytest.fixture
def run(api: Api) -> str:
    answer = api.upload({"runs.json": document()})
    assert answer.status_code == 201, answer.json()
    return str(answer.json()["runs"][0]["id"])


def cells(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.content[:300]
    rows = list(csv.reader(io.StringIO(answer.content.decode().removeprefix("\ufeff"))))
    assert len({len(row) for row in rows}) == 1
    return [cell for row in rows for cell in row]


def is_formula(cell: str) -> bool:
    return cell.lstrip(" \u00a0").startswith(SIGNS) and not NUMBER.fullmatch(cell)


@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_comparisons_table_holds_no_formula(api: Api, run: str, language: str) -> None:
    erratum = {
        "kind": "historical", "reason": evil("reason"), "who": evil("who"), "date": "2026-12-01", "revision": 1,
        "evidence": [{"kind": "statement", "quote": evil("erratum-quote")}],
    }  # fmt: skip
    assert api.post(f"/runs/{run}/errata", erratum).status_code == 201
    offer = {"name": evil("offer"), "rate_per_gpu_hour": "2.95", "includes": evil("includes"), "checked": "2026-12-01"}
    scenario = {"name": evil("scenario"), "price_per_kwh": "0.10", "offers": [offer], "note": evil("scenario-note")}
    key = api.post("/scenarios", scenario).json()["key"]
    found = cells(api.get("/comparisons/export.csv", runs=run, scenario=key, language=language))
    assert [cell for cell in found if is_formula(cell)] == []
    # They are all there, as texts.
    told = "\n".join(found)
    for name in ("label", "notes", "party", "party-relation", "setting", "setting-quote", "figure-quote", "figure-note",
                 "title", "publisher", "relation", "reason", "scenario", "offer", "includes"):  # fmt: skip
        assert f"http://evil.example/{name}" in told, name
    assert "'=HYPERLINK" in told
    assert "'@SUM(A1)" in found


def test_a_table_of_evaluations_holds_no_formula(api: Api, run: str) -> None:
    found = cells(api.get("/evaluations/export.csv"))
    assert [cell for cell in found if is_formula(cell)] == []
    told = "\n".join(found)
    for name in ("task", "printed", "configuration", "context", "evaluation-note", "publisher", "title", "setup"):
        assert f"http://evil.example/{name}" in told, name


def test_the_page_and_a_share_give_the_same_safe_cells(api: Api, run: str) -> None:
    from runs.services.shares import ShareDraft, ShareSpec, make_share

    owner = factories.user()
    token = make_share(draft=ShareDraft(evil("share"), ShareSpec((run,)), language="en"), user=owner).token
    found = cells(api.client.get(f"/s/{token}/export.csv"))
    assert [cell for cell in found if is_formula(cell)] == []
    api.client.force_login(owner)
    for path in (f"/compare/export.csv?runs={run}&title={evil('title-of-a-page')}", "/evaluations/export.csv"):
        assert [cell for cell in cells(api.client.get(path)) if is_formula(cell)] == []


@pytest.mark.parametrize("extension", ["md", "html"])
def test_the_texts_are_no_markup_in_an_article(api: Api, run: str, extension: str) -> None:
    label = "<img src=x onerror=alert(1)> | [click](javascript:alert(1))"
    hostile = json.loads(document())
    hostile["runs"][0]["label"] = label
    hostile["evaluations"][0] |= {"task": label, "key": "other"}
    other = api.upload({"other.json": json.dumps(hostile).encode()}).json()["runs"][0]["id"]
    for path, given in (
        ("/comparisons/export." + extension, {"runs": other}),
        ("/evaluations/export." + extension, {}),
    ):
        text = api.get(path, **given).content.decode()
        assert re.search(r"(?<!\\)<img", text) is None
        assert "img src=x" in text
        assert "[click](javascript" not in text or extension == "html"
