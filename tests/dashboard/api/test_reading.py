"""The list, a run, the comparison, the catalogues; with as many queries for a hundred runs as for one."""

import base64
import json
from decimal import Decimal
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from runs import store
from runs.domain.records import Source
from runs.models import Run
from runs.selectors import listing
from tests import factories
from tests.builders import printed_record, record
from tests.dashboard.api.conftest import API, Api

pytestmark = pytest.mark.django_db


def labels(answer: Any) -> list[str]:
    return [one["label"] for one in answer.json()["results"]]


def queries(api: Api, path: str, **params: Any) -> int:
    with CaptureQueriesContext(
        connection,
    ) as seen:
        assert api.get(path, **params).status_code == 200
    return len(seen)


def test_the_list_sorts_by_a_figure_with_the_unknown_last(api: Api) -> None:
    for label, rate in (("slow", 100.0), ("none", None), ("fast", 300.0), ("middle", 200.0)):
        factories.run(record(label, throughput=rate))
    assert labels(api.get("/runs", sort="-total_throughput")) == ["fast", "middle", "slow", "none"]
    assert labels(api.get("/runs", sort="total_throughput")) == ["slow", "middle", "fast", "none"]
    # 500 ms in every run: the later run first, as descending
    assert labels(api.get("/runs", sort="-ttft:median"))[0] == "middle"


def test_pages_by_cursor_show_each_run_once(api: Api) -> None:
    for number in range(7):
        factories.run(record(f"run {number}", throughput=None if number in (2, 5) else 100.0 * (number // 2)))
    for sort in ("-total_throughput", "total_throughput", "-created", "label", "run_date", "-ttft:median"):
        whole = labels(api.get("/runs", sort=sort))
        paged, following = [], f"/runs?sort={sort}&limit=2"
        while following:
            answer = api.client.get(following if following.startswith("/api") else f"/api/v1{following}")
            assert answer.status_code == 200
            paged += labels(answer)
            following = answer.json()["next"]
        assert paged == whole
        assert sorted(paged) == [f"run {number}" for number in range(7)]


def test_filters_narrow_and_alternatives_widen(api: Api) -> None:
    factories.run(record("a", runtime="vLLM", isl=8192))
    factories.run(record("b", runtime="ATOM", isl=8192))
    factories.run(record("c", runtime="SGLang", isl=128))
    assert set(labels(api.get("/runs", runtime=["vLLM", "ATOM"]))) == {"a", "b"}
    assert set(labels(api.get("/runs", runtime=["vLLM", "SGLang"], isl=8192))) == {"a"}
    assert set(labels(api.get("/runs", q="sgl"))) == {"c"}
    assert set(labels(api.get("/runs", basis="measured", has_power="false"))) == {"a", "b", "c"}
    assert labels(api.get("/runs", provenance="published")) == []
    assert api.get("/runs", count="1", isl=8192).json()["count"] == {"count": 2, "capped": False}


def test_facets_count_within_the_filter(api: Api) -> None:
    factories.run(record(runtime="vLLM"))
    factories.run(record(runtime="vLLM"))
    factories.run(record(runtime="ATOM", model="other/model"))
    body = api.get("/runs/facets", model="example/model").json()
    assert body["count"] == {"count": 2, "capped": False}
    assert body["facets"]["runtime"] == [["vLLM", 2]]


def test_a_printed_figure_keeps_its_digits_and_its_text(api: Api) -> None:
    store.save_source(Source("article", "An article", "A publisher", locale="nl"))
    run = factories.run(printed_record(text="5.661"))
    shown = api.get(f"/runs/{run.public_id}").json()
    assert shown["quantities"][0]["value"] == "5661"
    assert shown["quantities"][0]["printed"] == {"text": "5.661", "locale": "nl", "circa": False}
    listed = api.get("/runs").json()["results"][0]["summary"]["figures"]["total_throughput"]
    assert (listed["value"], listed["printed"], listed["basis"]) == ("5661", "5.661", "measured")
    assert store.load([run.public_id])[run.public_id].quantities[0].value == Decimal(5661)


def test_a_comparison_has_ratios_grades_and_caveats(api: Api) -> None:
    base = factories.run(record("base", throughput=6000.0))
    other = factories.run(record("other", throughput=6600.0))
    body = api.get("/comparisons", runs=f"{base.public_id},{other.public_id}", metrics="total_throughput").json()
    assert [head["label"] for head in body["runs"]] == ["base", "other"]
    (row,) = body["rows"]
    cell = row["cells"][1]
    # 6600 / 6000; temperature and precision are not stated on either side
    assert (cell["ratio"]["value"], cell["verdict"]["grade"]) == (pytest.approx(1.1), "indicative")


def test_a_price_brings_costs(api: Api) -> None:
    run = factories.run(record(power_cap_w=1000.0))
    body = api.get("/comparisons", runs=run.public_id, metrics="electricity_cap", price_per_kwh="0.10").json()
    # 6 kW x 0.10 $/kWh x 1e6 / (6000 tok/s x 3600 s/h)
    assert float(body["rows"][0]["cells"][0]["figure"]["value"]) == pytest.approx(0.6e6 / 21.6e6)


@pytest.mark.parametrize(
    ("params", "status", "code"),
    [
        ({"runs": "{a},{a}"}, 422, "not_comparable"),
        ({"runs": "{a}", "baseline": "other"}, 422, "not_comparable"),
        ({"runs": "{a}", "metrics": "speed"}, 422, "not_comparable"),
        ({"runs": ","}, 422, "not_comparable"),
        ({"runs": ",".join(f"r{number}" for number in range(30))}, 400, "too_many_runs"),
        ({"runs": "{a}", "scenario": "none"}, 404, "scenario_not_found"),
        ({"runs": "{a}", "price_per_kwh": "-1"}, 400, "invalid"),
        ({"runs": "{a}", "price_per_kwh": "NaN"}, 400, "invalid"),
        ({"runs": "{a}", "price_per_kwh": "1", "pue": "0.5"}, 400, "invalid_scenario"),
        ({"runs": "{a}", "pue": "1.2"}, 400, "invalid"),
    ],
)
def test_comparisons_that_cannot_be(api: Api, params: dict[str, str], status: int, code: str) -> None:
    run = factories.run()
    answer = api.get("/comparisons", **{key: value.replace("{a}", run.public_id) for key, value in params.items()})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


def test_queries_do_not_grow_with_the_runs(api: Api) -> None:
    first = factories.run()
    # the first request notes the use of its token
    api.get("/runs")
    few = (queries(api, "/runs", sort="-total_throughput"), queries(api, f"/runs/{first.public_id}"),
           queries(api, "/comparisons", runs=first.public_id), queries(api, "/runs/facets"))  # fmt: skip
    for number in range(60):
        factories.run(record(f"run {number}"))
    ids = ",".join(Run.objects.values_list("public_id", flat=True)[:8])
    many = (queries(api, "/runs", sort="-total_throughput"), queries(api, f"/runs/{first.public_id}"),
            queries(api, "/comparisons", runs=ids), queries(api, "/runs/facets"))  # fmt: skip
    # one less: a full page does not go on to the runs without the figure
    assert many == (few[0] - 1, *few[1:])
    # three of each are the token, its expired siblings and its user's
    assert few[0] <= 6


def test_catalogues(api: Api) -> None:
    assert {"key", "unit", "better", "definition"} <= set(api.get("/metrics").json()[0])
    assert api.get("/settings").json()[0]["key"] == "accelerator"


def test_nothing_is_read_without_a_login(db: None) -> None:
    for path in ("/runs", "/runs/facets", "/metrics", "/comparisons?runs=a", "/auth/tokens"):
        answer = Api().get(path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "not_authenticated")


def test_a_filter_that_leaves_many_gives_what_one_that_leaves_few_does(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two ways to the page on SQLite: by the filter's index, or along the sort's."""
    for number in range(12):
        factories.run(record(f"run {number}", throughput=100.0 * (number % 5), runtime=("vLLM", "ATOM")[number % 2]))
    params = {"sort": "-per_gpu_total", "runtime": ["vLLM", "SGLang"], "isl": 8192, "basis": "measured"}
    few = labels(api.get("/runs", **params))
    monkeypatch.setattr(listing, "FEW", 1)
    assert labels(api.get("/runs", **params)) == few
    assert len(few) == 6


@pytest.mark.parametrize("moment", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_cursor_at_the_end_of_time(api: Api, moment: str) -> None:
    cursor = base64.urlsafe_b64encode(json.dumps(["-created", moment, 1]).encode()).decode().rstrip("=")
    answer = api.get("/runs", cursor=cursor)
    assert answer.status_code == 400 and answer.json()["error"]["details"][0]["place"] == "cursor"


def test_long_labels_of_any_script_do_not_end_the_list(api: Api) -> None:
    for number in range(3):
        factories.run(record("測" * 199 + str(number)))
    first = api.get("/runs", sort="label", limit=1).json()
    second = api.get(first["next"].removeprefix(API)).json()
    assert [one["label"][-1] for one in (*first["results"], *second["results"])] == ["0", "1"]


@pytest.mark.parametrize(
    ("query", "place", "seen"),
    [
        ("limit=1&limit=2", "limit", "1, 2"),
        ("isl=abc", "isl", "abc"),
        ("model=x&model=%00", "model.1", "\0"),
    ],
)
def test_a_parameter_that_cannot_be_taken_says_what_was_seen(api: Api, query: str, place: str, seen: str) -> None:
    answer = api.get(f"/runs?{query}")
    (problem,) = answer.json()["error"]["details"]
    assert answer.status_code == 400 and (problem["place"], problem["seen"]) == (place, seen)


def test_a_dry_run_asked_for_and_not_asked_for_writes_nothing(api: Api) -> None:
    answer = api.post("/uploads?dry_run=1&dry_run=0")
    assert answer.status_code == 400 and answer.json()["error"]["details"][0]["place"] == "dry_run"


@pytest.mark.parametrize("path", ["/runs", "/metrics", "/nothing"])
def test_no_cache_keeps_what_needs_a_login(api: Api, path: str) -> None:
    assert api.get(path)["Cache-Control"] == "private, no-store"
