"""What cannot be, through the forms: refused in words, what was typed kept, nothing written; never an error of ours."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from runs.models import ErratumRow, EvaluationRow, Run
from tests import factories
from tests.builders import printed_record

SOURCE = {"title": "Six GPUs", "publisher": "ElioVP", "relation": "maker", "published": "2026-11-11", "locale": "nl",
          "url": "", "accessed": "", "language": "", "note": ""}  # fmt: skip
KEY = "eliovp-2026-11-11"
EVALUATION = {"task": "GSM8K", "correct": "197", "total": "200", "locale": "nl"}
BY_HAND = {"label": "By hand", "locale": "nl", "figure.total_throughput": "5.661"}


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(factories.user("analyst"))
    assert client.post("/sources/new/", SOURCE).status_code == 302
    return client


def text(answer: Any) -> str:
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


@pytest.mark.parametrize("published", ["", "yesterday", "2026-13-01", "2026-02-30x"])
def test_a_source_without_a_date(analyst: Client, published: str) -> None:
    refused = analyst.post("/sources/new/", {**SOURCE, "title": "Another", "published": published})
    assert refused.status_code == 400
    assert "published" in text(refused).casefold()
    assert 'value="Another"' in refused.content.decode()


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("1.2.3,4", "no number as nl prints one"),
        ("5,661.2", "no number as nl prints one"),
        ("900-800", "a range upside down"),
        ("fast", "no number"),
        ("=1+1", "no number"),
        ("9" * 60, "more digits than any figure has"),
    ],
)
def test_a_figure_typed_by_hand_that_cannot_be(analyst: Client, value: str, words: str) -> None:
    refused = analyst.post(f"/sources/{KEY}/runs/new/", {**BY_HAND, "figure.total_throughput": value})
    assert refused.status_code == 400
    assert words in text(refused)
    assert f'value="{html.escape(value)}"' in refused.content.decode()
    pasted = analyst.post(f"/sources/{KEY}/paste/", {"table": f"Run\tTotal tok/s\nA\t{value}\n", "confirm": "done"})
    assert words in text(pasted)
    assert Run.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"correct": "201"}, "from 0 to 200, not 201"),
        ({"correct": "-1"}, "a whole number"),
        ({"correct": "many"}, "a whole number"),
        ({"total": ""}, "correct and total together"),
        ({"correct": "0", "total": "0"}, "at least 1"),
        ({"correct": "", "total": "", "score": "0,0,7"}, "no number as nl prints one"),
        ({"correct": "", "total": ""}, "either correct and total or a score"),
        ({"full_size": "100"}, "at least the total of 200"),
        ({"date": "12 November"}, "a date such as"),
        ({"covers": "nothing"}, "the id of a run or the name of a setup"),
    ],
)
def test_an_evaluation_that_cannot_be(analyst: Client, change: dict[str, str], words: str) -> None:
    refused = analyst.post("/evaluations/new/", {**EVALUATION, **change})
    assert refused.status_code == 400
    assert words in text(refused)
    assert 'value="GSM8K"' in refused.content.decode()
    assert EvaluationRow.objects.count() == 0


@pytest.mark.parametrize("new", ["201/200", "197", "197/0", "a/b", ""])
def test_a_corrected_score_that_cannot_be(analyst: Client, new: str) -> None:
    assert analyst.post("/evaluations/new/", EVALUATION).status_code == 302
    key = EvaluationRow.objects.get().key
    given = {"kind": "corrected", "new": new, "reason": "Wrong.", "date": "2026-12-01", "revision": "1"}
    refused = analyst.post(f"/evaluations/{key}/errata/", given)
    assert refused.status_code == 400
    assert "new" in text(refused)
    assert not ErratumRow.objects.exists()


@pytest.mark.parametrize("size", [3_000_000, 50_000_000], ids=["3 MB", "50 MB"])
@pytest.mark.parametrize(
    "path",
    [f"/sources/{KEY}/paste/", f"/sources/{KEY}/runs/new/", "/sources/new/", "/evaluations/new/", "/runs/RUN/errata/",
     "/runs/RUN/settings/", f"/sources/{KEY}/errata/", "/comparisons/save/", "/scenarios/new/"],
)  # fmt: skip
def test_a_form_that_is_too_large_is_refused_in_words(analyst: Client, path: str, size: int) -> None:
    run = factories.run(printed_record()).public_id
    body = b"table=" + b"x" * size
    answer = analyst.post(path.replace("RUN", run), body, content_type="application/x-www-form-urlencoded")
    assert answer.status_code == 413
    assert "A form takes at most 2 MB" in text(answer)
    assert "Nothing was read or saved" in text(answer)
