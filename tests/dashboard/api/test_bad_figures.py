"""Figures, sources, evaluations and errata that cannot be: refused over the API in words that name the place."""

import json
from typing import Any

import pytest

from runs.models import ErratumRow, EvaluationRow, Run
from tests import factories
from tests.builders import printed_record, record
from tests.dashboard.api.conftest import Api

pytestmark = pytest.mark.django_db

SOURCE = {"title": "Six GPUs", "publisher": "ElioVP", "published": "2026-11-11", "locale": "nl"}
EVALUATION = {"task": "GSM8K", "correct": 197, "total": 200}
ERRATUM = {"kind": "corrected", "metric": "total_throughput", "new": "5.700", "locale": "nl", "reason": "Wrong row.",
           "date": "2026-12-01", "revision": 1}  # fmt: skip


def words(answer: Any) -> str:
    """The refusal's details, after pinning that each has its four parts."""
    details = answer.json()["error"]["details"]
    assert details, answer.json()
    assert all(set(one) == {"file", "place", "expected", "seen"} for one in details)
    return "; ".join(f"{one['file']} {one['place']}: expected {one['expected']}, saw {one['seen']}" for one in details)


def document(source: dict[str, Any] | None = None, evaluation: dict[str, Any] | None = None, **figures: Any) -> bytes:
    content: dict[str, Any] = {
        "likewise": "published-runs/1",
        "sources": {"s": SOURCE if source is None else source},
        "runs": [{"label": "A run", "source": "s", "figures": figures or {"total_throughput": "5.661"}}],
    }
    if evaluation is not None:
        content["evaluations"] = [{"key": "e", "task": "GSM8K", "source": "s", **evaluation}]
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("given", "place", "told"),
    [
        ({"source": {"title": "T", "publisher": "P", "locale": "nl"}}, "$.sources.s", "the key published, saw none"),
        ({"source": {**SOURCE, "published": "11 Nov 2026"}}, "published", "11 Nov 2026"),
        ({"total_throughput": "1.2.3,4"}, "total_throughput", "1.2.3,4"),
        ({"total_throughput": "5,661.2"}, "total_throughput", "5,661.2"),
        ({"total_throughput": "fast"}, "total_throughput", "fast"),
        ({"per_gpu_total": {"low": "885", "high": "830", "unit": "tok/s/GPU"}}, "per_gpu_total", "upside down"),
        ({"per_gpu_total": {"low": "885", "unit": "tok/s/GPU"}}, "per_gpu_total", "both ends"),
        ({"evaluation": {"correct": 201, "total": 200}}, "evaluations[0]", "from 0 to 200, not 201"),
        ({"evaluation": {"correct": 197}}, "evaluations[0]", "correct and total come together"),
        ({"evaluation": {"score": "0,0,7", "unit": "as stated"}}, "evaluations[0]", "0,0,7"),
    ],
)
def test_a_document_that_cannot_be_is_refused_by_place(api: Api, given: dict[str, Any], place: str, told: str) -> None:
    answer = api.upload({"runs.json": document(**given)})
    assert answer.status_code == 422
    said = words(answer)
    assert "runs.json" in said
    assert place in said
    assert told in said
    assert (Run.objects.count(), EvaluationRow.objects.count()) == (0, 0)


@pytest.mark.parametrize("missing", ["title", "publisher", "published"])
def test_a_source_says_what_it_is_and_when(api: Api, missing: str) -> None:
    answer = api.post("/sources", {name: text for name, text in SOURCE.items() if name != missing})
    assert answer.status_code == 400
    assert missing in words(answer)


@pytest.mark.parametrize(
    ("change", "place", "told"),
    [
        ({"correct": 201}, "score", "from 0 to 200, not 201"),
        ({"correct": -1}, "correct", "greater than or equal to 0"),
        ({"total": 0, "correct": 0}, "score", "at least 1"),
        ({"total": None}, "total", "correct and total together"),
        ({"correct": None, "total": None, "score": "0,0,7", "locale": "nl"}, "score", "0,0,7"),
        ({"correct": None, "total": None, "score": "0.0078", "locale": "nl"}, "score", "0.0078"),
        ({"full_size": 100}, "full_size", "at least the total of 200"),
        ({"date": "yesterday"}, "date", "yesterday"),
        ({"covers": ["nothing"]}, "covers", "nothing"),
    ],
)
def test_an_evaluation_that_cannot_be(api: Api, change: dict[str, Any], place: str, told: str) -> None:
    answer = api.post("/evaluations", {**EVALUATION, **change})
    assert answer.status_code in (400, 422)
    said = words(answer)
    assert place in said
    assert told in said
    assert EvaluationRow.objects.count() == 0


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"new": "1.2.3,4"}, "1.2.3,4"),
        ({"new": "5.661", "locale": "plain", "metric": "ttft:median"}, "no figure ttft:median"),
        ({"new": "many"}, "many"),
        ({"new": ""}, "the corrected value"),
        ({"kind": "withdrawn"}, "no new value"),
        ({"date": "2026-13-01"}, "a date such as"),
        ({"reason": " "}, "reason"),
        ({"metric": "speed"}, "speed"),
    ],
)
def test_an_erratum_that_cannot_be(api: Api, change: dict[str, Any], told: str) -> None:
    run = factories.run(printed_record()).public_id
    answer = api.post(f"/runs/{run}/errata", {**ERRATUM, **change})
    assert answer.status_code in (400, 422)
    assert told in words(answer)
    assert ErratumRow.objects.count() == 0


@pytest.mark.parametrize("new", ["201/200", "197", "197/0", "a/b"])
def test_a_corrected_score_that_cannot_be(api: Api, new: str) -> None:
    key = api.post("/evaluations", EVALUATION).json()["evaluation"]["key"]
    answer = api.post(f"/evaluations/{key}/errata", {**ERRATUM, "metric": "", "new": new})
    assert answer.status_code == 422
    assert "new: expected a score that can be" in words(answer)
    assert ErratumRow.objects.count() == 0


def test_of_two_who_correct_a_figure_the_second_is_told_what_it_is_now(api: Api) -> None:
    run = factories.run(printed_record()).public_id
    assert api.post(f"/runs/{run}/errata", ERRATUM).status_code == 201
    late = api.post(f"/runs/{run}/errata", {**ERRATUM, "new": "5.800"})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
    assert "total_throughput was changed meanwhile and is now 5.700" in late.json()["error"]["message"]
    assert "Wrong row." in words(late)
    assert [row.revision for row in ErratumRow.objects.all()] == [2]
    # Another figure is nobody's conflict, and whoever has seen the first correction may make the next.
    assert api.post(f"/runs/{run}/errata", {**ERRATUM, "new": "5.800", "revision": 2}).status_code == 201


def test_of_two_who_correct_a_score_the_second_is_told(api: Api) -> None:
    key = api.post("/evaluations", EVALUATION).json()["evaluation"]["key"]
    filed = {**ERRATUM, "metric": "", "new": "190/200"}
    assert api.post(f"/evaluations/{key}/errata", filed).status_code == 201
    late = api.post(f"/evaluations/{key}/errata", {**filed, "new": "180/200"})
    assert late.status_code == 409
    assert "is now 190/200" in late.json()["error"]["message"]


def test_of_two_who_say_something_of_a_source_the_second_is_told(api: Api) -> None:
    key = api.post("/sources", SOURCE).json()["source"]["key"]
    filed = {**ERRATUM, "kind": "historical", "metric": "", "new": ""}
    assert api.post(f"/sources/{key}/errata", filed).status_code == 201
    assert api.post(f"/sources/{key}/errata", filed).status_code == 409


def test_of_two_who_fill_in_a_setting_the_second_is_told(api: Api) -> None:
    run = factories.run(record()).public_id
    given = {"state": "stated", "value": 0.7, "revision": 1, "evidence": [{"quote": "a mail"}]}
    assert api.post(f"/runs/{run}/settings/temperature", given).status_code in (200, 201)
    late = api.post(f"/runs/{run}/settings/temperature", {**given, "value": 1.0})
    assert (late.status_code, late.json()["error"]["code"]) == (409, "conflict")
    assert "0.7" in json.dumps(late.json()["error"])
