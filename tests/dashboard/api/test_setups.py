"""Setups over the API: their settings said once, and taken by every run that names them."""

from typing import Any

import pytest
from django.test import Client

from runs.models import Run, SetupProfile, User
from tests import factories
from tests.builders import vllm_result
from tests.dashboard.api.conftest import Api

pytestmark = pytest.mark.django_db
LAB: dict[str, Any] = {
    "name": "lab",
    "settings": {"accelerator": "MI355X", "node_gpus": 8, "temperature": {"value": 0.6, "state": "inferred"}},
}
DOCUMENT = """
likewise: published-runs/1
sources:
  KEY: {title: Results, publisher: Example, published: "2026-11-04", locale: nl}
SETUPS
runs:
  - key: short
    label: LABEL
    source: KEY
    setup: eight-gpus
    settings: {isl: 8192}
    figures: {total_throughput: "5.661"}
"""
SETUPS = "setups: {eight-gpus: {settings: {model: Example-1, node_gpus: {value: 8, quote: 8 × A1}}}}"


def document(key: str, setups: str = "") -> bytes:
    return DOCUMENT.replace("KEY", key).replace("LABEL", f"Run of {key}").replace("SETUPS", setups).encode()


def settings_of(api: Api, answer: Any) -> Any:
    assert answer.status_code == 201, answer.content
    return api.get(f"/runs/{answer.json()['runs'][0]['id']}").json()["settings"]


def test_two_uploads_declare_one_setup_and_neither_repeats_its_settings(api: Api, analyst: User) -> None:
    declared = api.post("/setups", LAB)
    assert declared.status_code == 201, declared.content
    assert declared.json()["settings"]["node_gpus"]["value"] == 8
    for content in (vllm_result(), vllm_result(total_token_throughput=5000.0)):
        found = settings_of(api, api.upload({"r.json": content}, {"setup": "lab"}))
        assert (found["accelerator"]["value"], found["accelerator"]["state"]) == ("MI355X", "stated")
        assert (found["temperature"]["value"], found["temperature"]["state"]) == (0.6, "inferred")
        (evidence,) = found["accelerator"]["evidence"]
        assert (evidence["kind"], evidence["ref"]) == ("statement", analyst.get_username())
        assert evidence["place"] == "setup lab, settings.accelerator"
    (setup,) = api.get("/setups").json()
    assert (setup["name"], setup["runs"], setup["settings"]["node_gpus"]["value"]) == ("lab", 2, 8)


def test_what_the_file_or_the_meta_says_wins_with_a_remark(api: Api) -> None:
    settings = {"isl": 1000, "accelerator": "MI355X", "temperature": 0.6, "node_gpus": 8}
    assert api.post("/setups", {"name": "lab", "settings": settings}).status_code == 201
    meta = {"setup": "lab", "settings": {"accelerator": "MI300X", "temperature": "not stated"}}
    answer = api.upload({"r.json": vllm_result()}, meta)
    found = settings_of(api, answer)
    assert (found["isl"]["value"], found["isl"]["state"]) == (8192, "observed")
    assert found["accelerator"]["value"] == "MI300X"
    assert found["temperature"]["state"] == "not stated"
    assert found["node_gpus"]["value"] == 8
    told = [one["text"] for one in answer.json()["runs"][0]["remarks"] if one["code"] == "setup-differs"]
    assert sorted(told) == [
        "accelerator: MI300X (stated) stands; the setup lab says MI355X (stated)",
        "isl: 8192 (observed) stands; the setup lab says 1000 (stated)",
    ]


def test_gpus_of_a_setup_count_for_the_figures_per_gpu(api: Api) -> None:
    assert (
        api.post("/setups", {"name": "six", "settings": {"active_gpu_indices": [0, 1, 2, 3, 4, 5]}}).status_code == 201
    )
    run = api.upload({"r.json": vllm_result()}, {"setup": "six"}).json()["runs"][0]["id"]
    shown = api.get(f"/runs/{run}").json()
    assert shown["settings"]["active_gpus"]["value"] == 6
    assert shown["figures"]["per_gpu_total"]["value"] == pytest.approx(983.04)
    stated = api.upload(
        {"r.json": vllm_result(total_token_throughput=5000.0)}, {"setup": "six", "active_gpus": ["GPU-a"]}
    )
    found = settings_of(api, stated)
    assert found["active_gpus"]["value"] == 1
    assert found["active_gpu_indices"]["state"] == "not stated"


def test_a_profile_that_says_otherwise_is_refused(api: Api) -> None:
    assert api.post("/setups", LAB).status_code == 201
    assert api.post("/setups", LAB).status_code == 201
    answer = api.post("/setups", {"name": "lab", "settings": {**LAB["settings"], "node_gpus": 4}})
    assert answer.status_code == 409
    (problem,) = answer.json()["error"]["details"]
    assert (problem["place"], problem["expected"], problem["seen"]) == (
        "settings.node_gpus",
        "8 (stated)",
        "4 (stated)",
    )
    assert SetupProfile.objects.count() == 1


@pytest.mark.parametrize(
    "given",
    [
        {"name": "lab", "settings": {}},
        {"name": "lab", "settings": {"speed": 1}},
        {"name": "lab", "settings": {"node_gpus": "eight"}},
        {"name": "", "settings": {"node_gpus": 8}},
        {"name": "a\tb", "settings": {"node_gpus": 8}},
        {"name": "lab"},
    ],
)
def test_what_is_no_setup_is_refused(api: Api, given: Any) -> None:
    assert api.post("/setups", given).status_code == 400
    assert not SetupProfile.objects.exists()


def test_declaring_needs_the_right_to_edit(analyst: User) -> None:
    assert Api(factories.token(analyst, "read", "upload")).post("/setups", LAB).status_code == 403
    assert Api(factories.token(analyst, "read", "edit")).post("/setups", LAB).status_code == 201


def test_an_unknown_name_stays_a_bare_name(api: Api) -> None:
    answer = api.upload({"r.json": vllm_result()}, {"setup": "bench"})
    assert answer.json()["warnings"] == []
    assert Run.objects.get().setup == "bench"
    assert api.get("/setups").json() == [{"name": "bench", "runs": 1, "settings": {}}]


def test_a_document_names_the_setup_of_an_earlier_one(api: Api) -> None:
    refused = api.upload({"b.yaml": document("later")})
    assert refused.status_code == 422
    (problem,) = refused.json()["error"]["details"]
    assert "a setup among (none)" in problem["expected"] and problem["seen"] == "eight-gpus"
    assert settings_of(api, api.upload({"a.yaml": document("first", SETUPS)}))["node_gpus"]["value"] == 8
    found = settings_of(api, api.upload({"b.yaml": document("later")}))
    assert found["model"]["value"] == "Example-1"
    (evidence,) = found["node_gpus"]["evidence"]
    assert (evidence["ref"], evidence["quote"], evidence["place"]) == ("first", "8 × A1", "setup eight-gpus")
    found = settings_of(api, api.upload({"r.json": vllm_result()}, {"setup": "eight-gpus"}))
    assert found["node_gpus"]["evidence"][0]["ref"] == "first"


def test_two_documents_of_one_upload_share_a_setup(api: Api) -> None:
    answer = api.upload({"b.yaml": document("later"), "a.yaml": document("first", SETUPS)})
    assert answer.status_code == 201, answer.content
    assert SetupProfile.objects.get().name == "eight-gpus"


def test_a_document_that_declares_otherwise_is_warned_and_changes_nothing(api: Api) -> None:
    assert api.upload({"a.yaml": document("first", SETUPS)}).status_code == 201
    answer = api.upload({"b.yaml": document("later", SETUPS.replace("value: 8", "value: 4"))})
    assert settings_of(api, answer)["node_gpus"]["value"] == 4
    (warning,) = answer.json()["warnings"]
    assert warning["code"] == "setup-differs"
    assert (warning["expected"], warning["seen"]) == ("8 (stated)", "4 (stated)")
    assert api.get("/setups").json()[0]["settings"]["node_gpus"]["value"] == 8


def test_the_pages_show_and_take_a_setup(analyst: User) -> None:
    page = Client()
    page.force_login(analyst)
    typed = {"name": "lab & co", "settings": "node_gpus = 8\nignore_eos = true\nactive_gpu_indices = 2-7\n"}
    answer = page.post("/setups/", typed, follow=True)
    shown = answer.content.decode()
    assert answer.status_code == 200 and "lab &amp; co" in shown and "No run declares this setup yet." in shown
    assert "node_gpus" in page.post("/setups/", {**typed, "settings": "node_gpus = 4"}).content.decode()
    assert page.post("/setups/", {**typed, "settings": "node_gpus = 4"}).status_code == 409
    listed = page.get("/setups/").content.decode()
    assert "lab &amp; co" in listed and "2–7" in listed
    for wrong in ("node_gpus", "top_k = 1\ntop_k = 2", "speed = 1", ""):
        assert page.post("/setups/", {"name": "x", "settings": wrong}).status_code == 400
    viewer = Client()
    viewer.force_login(factories.user("viewer"))
    assert viewer.post("/setups/", typed).status_code == 403
    assert "Declare a setup" not in viewer.get("/setups/").content.decode()
