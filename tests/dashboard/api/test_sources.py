"""Sources and scenarios over the API: written down, changed, refused in words; a figure without a source is refused."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from runs.models import Run
from tests import factories
from tests.dashboard.api.conftest import API, Api

SOURCE = {"title": "Six GPUs", "publisher": "ElioVP", "published": "2026-11-11", "locale": "nl"}
SCENARIO = {
    "name": "Ours",
    "price_per_kwh": "0.10",
    "offers": [{"name": "A", "rate_per_gpu_hour": "2.95", "unit_gpus": 8}, {"name": "B", "rate_per_gpu_hour": 5.99}],
}


def put(api: Api, path: str, body: Any) -> Any:
    return api.client.put(API + path, json.dumps(body), content_type="application/json")


def test_a_source_and_its_runs(api: Api) -> None:
    made = api.post("/sources", SOURCE)
    assert made.status_code == 201
    found = made.json()
    assert (found["source"]["key"], found["source"]["url"], found["runs"]) == ("eliovp-2026-11-11", "", [])
    document = {
        "likewise": "published-runs/1",
        "sources": {"eliovp-2026-11-11": {name: SOURCE[name] for name in SOURCE}},
        "runs": [{"label": "A run", "source": "eliovp-2026-11-11", "figures": {"total_throughput": "5.661"}}],
    }
    assert api.upload({"runs.json": json.dumps(document).encode()}).status_code == 201
    found = api.get("/sources/eliovp-2026-11-11").json()
    assert len(found["runs"]) == len(found["own_runs"]) == 1
    assert any(one["setting"] == "temperature" for one in found["questions"])
    text = api.get("/sources/eliovp-2026-11-11/questions", language="nl").json()["text"]
    assert "Bij welke samplingtemperatuur" in text
    assert api.get("/sources").json()[0]["runs"] == 1


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"published": ""}, "published"),
        ({"published": "yesterday"}, "saw yesterday"),
        ({"url": "ftp://x"}, "an address that begins with https://"),
        ({"locale": "de"}, "locale"),
    ],
)
def test_a_source_that_says_too_little_is_refused(api: Api, change: dict[str, str], words: str) -> None:
    answer = api.post("/sources", {**SOURCE, **change})
    assert answer.status_code == 400
    error = answer.json()["error"]
    told = [f"{one['place']}: expected {one['expected']}, saw {one['seen']}" for one in error["details"]]
    assert words in " ".join(told)
    assert api.get("/sources").json() == []


def test_a_figure_without_a_source_is_refused(api: Api) -> None:
    document = {
        "likewise": "published-runs/1",
        "sources": {},
        "runs": [{"label": "A", "figures": {"total_throughput": "1"}}],
    }
    answer = api.upload({"runs.json": json.dumps(document).encode()})
    assert answer.status_code == 422
    assert "source" in json.dumps(answer.json()["error"])
    assert Run.objects.count() == 0


def test_of_two_who_change_a_source_the_second_is_told(api: Api) -> None:
    seen = api.post("/sources", SOURCE).json()["fingerprint"]
    first = put(api, "/sources/eliovp-2026-11-11", {**SOURCE, "title": "First", "seen": seen})
    assert (first.status_code, first.json()["source"]["title"]) == (200, "First")
    second = put(api, "/sources/eliovp-2026-11-11", {**SOURCE, "title": "Second", "seen": seen})
    assert second.status_code == 409
    assert api.get("/sources/eliovp-2026-11-11").json()["source"]["title"] == "First"


def test_a_copy_is_kept_and_downloaded(api: Api) -> None:
    api.post("/sources", SOURCE)
    sent = api.client.post(f"{API}/sources/eliovp-2026-11-11/copy", {"file": SimpleUploadedFile("a.pdf", b"%PDF-1.7")})
    assert sent.status_code == 200
    assert len(sent.json()["source"]["archived_sha256"]) == 64
    answer = api.client.get(f"{API}/sources/eliovp-2026-11-11/copy")
    assert b"".join(answer.streaming_content) == b"%PDF-1.7"  # type: ignore[attr-defined]
    assert api.client.get(f"{API}/sources/nothing/copy").status_code == 404


def test_scenarios_in_versions(api: Api) -> None:
    made = api.post("/scenarios", SCENARIO)
    assert (made.status_code, made.json()["key"], made.json()["version"]) == (201, "ours", 1)
    changed = put(api, "/scenarios/ours", {**SCENARIO, "pue": "1.2", "seen": 1})
    assert (changed.status_code, changed.json()["version"]) == (200, 2)
    assert put(api, "/scenarios/ours", {**SCENARIO, "pue": "1.3", "seen": 1}).status_code == 409
    assert api.get("/scenarios/ours", version=1).json()["pue"] == "1"
    assert [one["version"] for one in api.get("/scenarios").json()] == [2]
    for change in ({"utilisation": 0}, {"pue": 0.5}, {"offers": SCENARIO["offers"] * 2}, {"currency": "euro"}):  # type: ignore[operator]
        assert api.post("/scenarios", {**SCENARIO, **change}).status_code == 400


def test_viewers_only_read(db: None) -> None:
    viewer = Api(factories.token(factories.user("viewer")))
    assert viewer.get("/sources").status_code == viewer.get("/scenarios").status_code == 200
    assert viewer.post("/sources", SOURCE).status_code == viewer.post("/scenarios", SCENARIO).status_code == 403
