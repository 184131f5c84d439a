"""A pasted table over the API: every reading of every cell, both where it is not known which, and problems by place."""

import csv
import io
from typing import Any

import pytest

from runs.models import Run
from tests import factories, pastes
from tests.dashboard.api.conftest import Api

KEY = "eliovp-2026-11-11"
PATH = f"/sources/{KEY}/paste"
SETTINGS = {"isl": "8K", "osl": "1K", "concurrency": "16", "model": "Kimi-K3.1-Pro"}


@pytest.fixture
def source(api: Api) -> str:
    given = {"title": "Six GPUs", "publisher": "ElioVP", "published": "2026-11-11", "locale": "not stated"}
    assert api.post("/sources", given).json()["source"]["key"] == KEY
    return KEY


def dry(api: Api, table: str, **more: Any) -> Any:
    return api.post(f"{PATH}?dry_run=1", {"table": table, **more})


def cell(answer: Any, row: int, column: int) -> Any:
    return answer.json()["rows"][row]["cells"][column]


@pytest.mark.parametrize("form", pastes.FORMS, ids=str)
def test_every_cell_is_read_in_the_locale_said(api: Api, source: str, form: str) -> None:
    answer = dry(api, pastes.FORMS[form](pastes.SHORT), locale="nl", width=7, settings=SETTINGS)
    assert answer.status_code == 200, answer.json()
    found = answer.json()
    assert (found["locale"], found["problems"], found["which"]) == ("nl", [], 0)
    total, ttft = cell(answer, 0, 2), cell(answer, 0, 5)
    assert total["readings"] == [{"locale": "nl", "value": "5661", "low": None, "high": None}]
    assert (total["text"], total["holds"], total["unit"]) == ("5.661", "figure", "tok/s")
    assert (ttft["readings"][0]["value"], ttft["unit"]) == ("0.65", "s")
    assert cell(answer, 2, 1)["absent"] == "not stated"
    assert [run["created"] for run in found["outcome"]["runs"]] == [True] * 4
    assert (found["outcome"]["dry_run"], Run.objects.count()) == (True, 0)


def test_two_readings_are_both_given_and_none_is_taken(api: Api, source: str) -> None:
    table = "Run\tTotal tok/s, node\nPaiton\t5.661\n"
    answer = dry(api, table)
    assert answer.status_code == 200
    readings = [(one["locale"], one["value"]) for one in cell(answer, 0, 1)["readings"]]
    assert readings == [("en", "5.661"), ("nl", "5661")]
    (problem,) = answer.json()["problems"]
    assert (problem["file"], problem["place"], problem["seen"]) == ("paste", "row 1, Total tok/s, node", "5.661")
    assert problem["expected"] == "two numbers are possible: say how the source prints numbers"
    assert answer.json()["outcome"] is None

    stored = api.post(PATH, {"table": table})
    assert (stored.status_code, stored.json()["error"]["code"]) == (422, "undecided_paste")
    assert stored.json()["error"]["details"] == [problem]
    assert Run.objects.count() == 0
    assert cell(dry(api, table, locale="en"), 0, 1)["readings"][0]["value"] == "5.661"


def test_it_is_stored_once_and_its_figures_are_the_printed_ones(api: Api, source: str) -> None:
    given = {
        "table": pastes.tsv(pastes.SHORT), "locale": "nl", "settings": SETTINGS,
        "rows": [{"at": 0, "label": "Ours at T=0", "repeats": "5.673; 5.648"}],
        "whose": [{"head": pastes.SHORT[1][0], "house": True}],
    }  # fmt: skip
    made = api.post(PATH, given)
    assert made.status_code == 201, made.json()
    again = api.post(PATH, given)
    assert (again.status_code, Run.objects.count()) == (200, 4)
    first = api.get(f"/runs/{made.json()['outcome']['runs'][0]['id']}").json()
    total = first["figures"]["total_throughput"]
    assert (first["label"], first["provenance"]) == ("Ours at T=0", "house document")
    assert (total["value"], total["printed"]["text"], total["repeat_values"]) == ("5661", "5.661", ["5673", "5648"])
    assert (total["basis"], total["evidence"][0]["ref"], first["settings"]["isl"]["nominal"]) == ("measured", KEY, "8K")


def test_a_column_is_what_it_is_said_to_hold(api: Api, source: str) -> None:
    table = "Run\tSpeed\tWhen\nA\t12.5\t2026\n"
    unsaid = dry(api, table, locale="en").json()
    assert [one["expected"] for one in unsaid["problems"]] == [
        "no column holds a figure",
        "column Speed: choose what it holds, or leave it out",
        "column When: choose what it holds, or leave it out",
    ]
    columns = [{"at": 1, "target": "figure:total_throughput", "unit": "tok/s"}, {"at": 2, "target": "ignore"}]
    assert dry(api, table, locale="en", columns=columns).json()["problems"] == []


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ({"at": 1, "target": "figure:speed"}, "speed"),
        ({"at": 1, "target": "figure:ttft"}, "say which statistic it is"),
        ({"at": 1, "target": "figure:total_throughput", "unit": "W"}, "is not measured in W"),
        ({"at": 1, "target": "setting:colour"}, "colour"),
        ({"at": 1, "target": "speed"}, "a column is a label, a figure, a setting or left out"),
    ],
)
def test_a_column_that_cannot_be_is_refused_by_its_number(
    api: Api, source: str, column: dict[str, Any], words: str
) -> None:
    answer = dry(api, "Run\tSpeed\nA\t12\n", columns=[column])
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_paste")
    (problem,) = answer.json()["error"]["details"]
    assert problem["place"] == "columns 1"
    assert words in problem["expected"]


@pytest.mark.parametrize(
    ("table", "locale", "place", "words", "seen"),
    [
        ("Run\tTotal tok/s\nA\t=cmd|' /C calc'!A0\n", "en", "row 1, Total tok/s", "no number", "=cmd|' /C calc'!A0"),
        ("Run\tTotal tok/s\nA\t1.2.3,4\n", "en", "row 1, Total tok/s", "no number as en prints one", "1.2.3,4"),
        ("Run\tTotal tok/s\nA\t5.661,5\n", "en", "row 1, Total tok/s", "nl would take it", "5.661,5"),
        ("Run\tTotal tok/s\nA\t900-800\n", "en", "row 1, Total tok/s", "a range upside down", "900-800"),
    ],
)
def test_a_cell_that_cannot_be_is_named_with_what_stands_in_it(
    api: Api, source: str, table: str, locale: str, place: str, words: str, seen: str
) -> None:
    (problem,) = dry(api, table, locale=locale).json()["problems"]
    assert (problem["place"], problem["seen"]) == (place, seen)
    assert words in problem["expected"]
    assert api.post(PATH, {"table": table, "locale": locale}).status_code == 422
    assert Run.objects.count() == 0


def test_a_formula_as_a_label_stays_text_and_leaves_defused(api: Api, source: str) -> None:
    made = api.post(PATH, {"table": "Run\tTotal tok/s\n=cmd|' /C calc'!A0\t5661\n", "locale": "en"})
    run_id = made.json()["outcome"]["runs"][0]["id"]
    assert api.get(f"/runs/{run_id}").json()["label"] == "=cmd|' /C calc'!A0"
    file = api.get("/comparisons/export.csv", runs=run_id).content.decode().removeprefix("\ufeff")
    labels = {line["run_label"] for line in csv.DictReader(io.StringIO(file))} - {""}
    assert labels == {"'=cmd|' /C calc'!A0"}


@pytest.mark.parametrize(
    ("table", "status", "code", "words"),
    [
        ("\t".join("x" * 10_000) + "\n" + "\t".join("1" * 10_000), 422, "unreadable_paste", "at most 60 columns"),
        ("a\tb\nx\t1\ty\n", 422, "unreadable_paste", "3 cells, as in the widest row"),
        ("  ", 422, "unreadable_paste", "a table"),
        ("x" * 550_000, 422, "unreadable_paste", "at most 500,000 characters"),
        ("x" * 1_100_000, 413, "too_large", "at most 1048576 bytes"),
        ("x" * 50_000_000, 413, "too_large", "at most 1048576 bytes"),
    ],
    ids=["10,000 columns", "ragged", "blank", "550 KB", "1.1 MB", "50 MB"],
)
def test_a_paste_that_is_too_much_or_no_table(
    api: Api, source: str, table: str, status: int, code: str, words: str
) -> None:
    answer = dry(api, table)
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)
    assert words in str(answer.json()["error"])


def test_nobody_pastes_into_a_source_that_is_not_here(api: Api) -> None:
    answer = api.post("/sources/nothing/paste", {"table": "Run\tTotal tok/s\nA\t1\n"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "source_not_found")


def test_whose_figures_of_a_source_that_is_not_here(api: Api, source: str) -> None:
    table = "Run\tTotal tok/s\nA\t12\n"
    answer = api.post(PATH, {"table": table, "locale": "en", "whose": [{"head": "A", "source": "nothing"}]})
    (problem,) = answer.json()["error"]["details"]
    assert (answer.status_code, problem["place"], problem["seen"]) == (422, "whose A", "nothing")


def test_viewers_do_not_paste(api: Api, source: str) -> None:
    viewer = Api(factories.token(factories.user("viewer")))
    assert dry(viewer, "Run\tTotal tok/s\nA\t1\n").status_code == 403
