"""A correction through the pages, and everywhere it must show; two people at once; purge; evaluations; names."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from runs import store
from runs.models import ErratumRow, Run, User
from tests import factories
from tests.builders import record
from tests.pages.conftest import upload

PAITON = "Paiton · 6 × 800 W · T=0 · 8K/1K"


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(factories.user("analyst"))
    return client


@pytest.fixture
def admin(db: None) -> Client:
    client = Client()
    client.force_login(factories.user("admin"))
    return client


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).replace("\xa0", " ").split())


def correction(**changes: str) -> dict[str, str]:
    return {
        "kind": "corrected",
        "metric": "per_gpu_total",
        "new": "950",
        "locale": "nl",
        "reason": "Read from the wrong row.",
        "date": "2026-11-20",
        "revision": "1",
        **changes,
    }


def test_a_correction_shows_everywhere_at_once(analyst: Client, demo: dict[str, str]) -> None:
    run, other = demo[PAITON], demo["ATOM · 8 GPUs · 8K/1K"]
    before = analyst.get(f"/api/v1/runs/{run}").json()["figures"]["per_gpu_total"]["value"]
    assert before == "944"
    assert analyst.get(f"/compare/?runs={other},{run}").status_code == 200
    answer = analyst.post(f"/runs/{run}/errata/", correction())
    assert (answer.status_code, answer["Location"]) == (302, f"/runs/{run}/history/")
    assert "950 derived · corrected" in text(analyst, "/runs/?q=Paiton")
    shown = text(analyst, f"/runs/{run}/")
    assert "What came out since" in shown and "944 → 950" in shown and "was 944" in shown
    compared = text(analyst, f"/compare/?runs={other},{run}")
    assert "944 → 950" in compared and "was 944" in compared and "Read from the wrong row." in compared
    assert "944 → 950" in text(analyst, f"/runs/{run}/history/")
    body = analyst.get(f"/api/v1/runs/{run}").json()
    assert (body["figures"]["per_gpu_total"]["value"], body["figures"]["per_gpu_total"]["status"]) == (
        "950",
        "corrected",
    )
    assert body["errata"][-1]["old"] == "944" and body["revision"] == 2
    notices = analyst.get("/api/v1/comparisons", {"runs": run}).json()["notices"]
    assert {"944"} == {one["erratum"]["old"] for one in notices if one["erratum"]["kind"] == "corrected"}
    # the record as it came is untouched
    kept = store.load([run])[run].quantity("per_gpu_total")
    assert kept is not None and str(kept.value) == "944"


def test_the_second_of_two_people_is_told_what_it_is_now(analyst: Client, demo: dict[str, str]) -> None:
    run = demo[PAITON]
    assert analyst.post(f"/runs/{run}/errata/", correction()).status_code == 302
    answer = analyst.post(f"/runs/{run}/errata/", correction(new="960"))
    assert answer.status_code == 409
    said = html.unescape(answer.content.decode())
    assert "was changed meanwhile and is now 950" in said
    assert 'value="960"' in said
    # another figure of the same run, seen at the same revision, was not changed by anyone
    assert analyst.post(f"/runs/{run}/errata/", correction(metric="ttft:median", new="4,9")).status_code == 302
    assert ErratumRow.objects.filter(target_key=run, kind="corrected").count() == 2


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"new": "5.66.1"}, "is no number as nl prints one"),
        ({"reason": " "}, "some words"),
        ({"date": "12 November"}, "a date such as"),
        ({"new": "-950"}, "Total throughput per GPU is above 0, not -950"),
        ({"new": "0"}, "Total throughput per GPU is above 0, not 0"),
        ({"new": "9" * 20}, "beyond anything that is measured"),
        ({"metric": "speed"}, "unknown metric"),
        ({"metric": "itl:p99"}, "no figure itl:p99"),
        ({"kind": "historical"}, "changes none"),
        ({"revision": "9"}, "changed meanwhile"),
        ({"source": "nothing"}, "the key of a source that is here"),
    ],
)
def test_errata_that_cannot_be(analyst: Client, demo: dict[str, str], changes: dict[str, str], words: str) -> None:
    answer = analyst.post(f"/runs/{demo[PAITON]}/errata/", correction(**changes))
    assert answer.status_code in (400, 409)
    assert words in html.unescape(answer.content.decode())
    assert not ErratumRow.objects.filter(kind="corrected").exists()


def test_a_viewer_reads_only(client: Client, demo: dict[str, str]) -> None:
    run, reader = demo[PAITON], client
    reader.force_login(factories.user("viewer"))
    assert "Correct and fill in" not in text(reader, f"/runs/{run}/")
    assert reader.post(f"/runs/{run}/errata/", correction()).status_code == 403
    assert reader.post(f"/runs/{run}/settings/", {"key": "temperature"}).status_code == 403
    assert reader.post(f"/runs/{run}/purge/", {"reason": "no"}).status_code == 403
    assert not ErratumRow.objects.filter(kind="corrected").exists()


def test_a_setting_is_filled_in_and_a_second_claim_disputes_it(analyst: Client, demo: dict[str, str]) -> None:
    run = demo["ATOM · 8 GPUs · 8K/1K"]
    given = {"key": "power_cap_w", "value": "1400", "state": "stated", "quote": "a mail", "revision": "1"}
    assert analyst.post(f"/runs/{run}/settings/", {**given, "quote": ""}).status_code == 400
    assert analyst.post(f"/runs/{run}/settings/", given).status_code == 302
    assert analyst.get(f"/api/v1/runs/{run}").json()["settings"]["power_cap_w"]["value"] == 1400.0
    assert "1,400 W" in text(analyst, "/runs/?q=ATOM")
    late = analyst.post(f"/runs/{run}/settings/", {**given, "value": "1000"})
    assert late.status_code == 409 and b"is now 1400.0 (stated)" in late.content
    assert analyst.post(f"/runs/{run}/settings/", {**given, "value": "1000", "revision": "2"}).status_code == 302
    disputed = analyst.get(f"/api/v1/runs/{run}").json()["settings"]["power_cap_w"]
    assert (disputed["state"], disputed["claims"]) == ("disputed", ["1400.0 (stated)", "1000.0 (stated)"])
    assert "Power cap per GPU filled in" in text(analyst, f"/runs/{run}/history/")
    assert not ErratumRow.objects.filter(target="run", target_key=run).exists()


def test_an_erratum_about_a_source_reaches_its_runs(analyst: Client, demo: dict[str, str]) -> None:
    key = "amd-2026-11-04"
    given = {"kind": "withdrawn", "reason": "Taken back.", "date": "2026-11-30", "revision": "1"}
    assert analyst.post(f"/sources/{key}/errata/", given).status_code == 302
    atom = analyst.get(f"/api/v1/runs/{demo['ATOM · 8 GPUs · 8K/1K']}").json()
    assert atom["figures"]["per_gpu_total"]["status"] == "withdrawn"
    paiton = analyst.get(f"/api/v1/runs/{demo[PAITON]}").json()
    assert paiton["figures"]["per_gpu_total"]["status"] == "current"
    assert "Taken back." in text(analyst, f"/runs/{demo['ATOM · 8 GPUs · 8K/1K']}/history/")
    assert "withdrawn" in text(analyst, "/runs/?q=ATOM")
    assert analyst.post(f"/sources/{key}/errata/", given).status_code == 409


def test_a_purge_leaves_a_tombstone(admin: Client, measured: str, analyst: Client) -> None:
    assert analyst.post(f"/runs/{measured}/purge/", {"reason": "mine"}).status_code == 403
    assert admin.post(f"/runs/{measured}/purge/", {"reason": ""}).status_code == 400
    assert admin.post(f"/runs/{measured}/purge/", {"reason": "The wrong file."}).status_code == 302
    assert "The wrong file." in text(admin, f"/runs/{measured}/", 410)
    assert "The wrong file." in text(admin, f"/runs/{measured}/history/", 410)
    assert "The wrong file." in text(admin, f"/compare/?runs={measured}", 410)
    gone = admin.get(f"/api/v1/runs/{measured}")
    assert (gone.status_code, gone.json()["error"]["code"]) == (410, "gone")
    assert admin.get("/api/v1/comparisons", {"runs": measured}).status_code == 410
    assert not Run.objects.filter(public_id=measured).exists()


def test_the_demo_has_its_errata_once(analyst: Client, demo: dict[str, str]) -> None:
    from django.core.management import call_command

    assert ErratumRow.objects.count() == 20
    call_command("load_demo", verbosity=0)
    assert ErratumRow.objects.count() == 20
    assert analyst.get("/api/v1/evaluations").json()[0]["evaluation"]["task"] == "GSM8K"
    assert len(analyst.get("/api/v1/evaluations").json()) == 14
    four = next(run for label, run in demo.items() if "4 " in label and "T=0" in label)
    assert "historical" in text(analyst, f"/runs/{four}/")


def evaluation(key: str, client: Client) -> Any:
    return client.get(f"/api/v1/evaluations/{key}").json()


def test_evaluations_by_form_and_compared(analyst: Client, demo: dict[str, str]) -> None:
    assert evaluation("gsm8k-fault", analyst)["evaluation"]["status"] == "superseded"
    page = text(analyst, "/evaluations/")
    assert "197 / 200 98.5 % 200 of 1,319 items printed “197/200 (98,5%)” 95.7 % to 99.5 %" in page
    pairs = {("gsm8k-fixed", "gsm8k-fault"): "differ (Fisher's exact test, p = 0.006)",
             ("humaneval-fixed", "humaneval-fault"): "no difference detected (Fisher's exact test, p = 1.000)",
             ("retrieval-fixed", "retrieval-fault"): "not tested: other contexts"}  # fmt: skip
    for (a, b), words in pairs.items():
        assert words in text(analyst, f"/evaluations/?pick={a}&pick={b}")
    typed = {"task": "GSM8K", "correct": "190", "total": "200", "covers": demo[PAITON], "shots": "5"}
    assert analyst.post("/evaluations/new/", {**typed, "correct": "201"}).status_code == 400
    assert analyst.post("/evaluations/new/", {**typed, "total": ""}).status_code == 400
    assert analyst.post("/evaluations/new/", {**typed, "covers": "nobody"}).status_code == 400
    made = analyst.post("/evaluations/new/", typed)
    assert made.status_code == 302
    assert "190 / 200" in text(analyst, f"/runs/{demo[PAITON]}/")
    caveats = analyst.get("/api/v1/comparisons", {"runs": demo[PAITON]}).json()["caveats"]
    assert "accuracy-not-validated" not in {one["id"] for one in caveats}
    path = f"{made['Location']}errata/"
    filed = {"kind": "corrected", "new": "186/200", "reason": "Counted again.", "date": "2026-12-01", "revision": "1"}
    assert analyst.post(path, {**filed, "new": "201/200"}).status_code == 400
    assert analyst.post(path, filed).status_code == 302
    assert "186 / 200 93.0 % corrected was 190 / 200" in text(analyst, made["Location"])
    assert analyst.post(path, filed).status_code == 409
    assert analyst.post(path, {**filed, "kind": "withdrawn", "new": "", "revision": "2"}).status_code == 302
    caveats = analyst.get("/api/v1/comparisons", {"runs": demo[PAITON]}).json()["caveats"]
    assert "accuracy-not-validated" in {one["id"] for one in caveats}


FIRM = {"node": "node 1", "runtime_version": "0.11",
        "precision": "MXFP4", "cpu_offload": "none", "tensor_parallel": 6, "expert_parallel": 1, "data_parallel": 1,
        "context_parallel": 1, "prefix_caching": False, "chunked_prefill_tokens": 8192, "speculative_method": "none",
        "draft_model": "none", "draft_count": 0, "draft_acceptance": "real", "temperature": 0.0, "ignore_eos": True,
        "dataset": "random", "prompts": "random", "num_prompts": 64, "request_rate": 4.0,
        "power_cap_w": 800.0}  # fmt: skip


def test_repeats_are_found_and_their_mean_is_compared(analyst: Client) -> None:
    runs = [factories.run(record(f"run {rate}", throughput=rate, **FIRM)) for rate in (100.0, 103.0, 109.0)]
    lone = factories.run(record("unknown settings"))
    page = text(analyst, f"/runs/{runs[0].public_id}/")
    assert "3 runs of this configuration." in page
    # the mean of 100, 103 and 109
    assert "104 100 to 109 n = 3" in page
    assert text(analyst, "/runs/").count("3 runs of this configuration") == 3
    assert "Not grouped" in text(analyst, f"/runs/{lone.public_id}/")
    runs[0].refresh_from_db()
    body = analyst.get(
        "/api/v1/comparisons",
        {"runs": f"group:{runs[0].fingerprint},{runs[0].public_id}", "metrics": "total_throughput"},
    ).json()
    mean, one = body["rows"][0]["cells"]
    assert (mean["figure"]["value"], mean["figure"]["repeats"]) == (104.0, 3)
    assert one["figure"]["value"] == 100.0
    assert analyst.get("/api/v1/comparisons", {"runs": "group:none"}).status_code == 404


def test_names_merge_and_come_apart_again(admin: Client, analyst: Client) -> None:
    first = factories.run(record("one", accelerator="MI355X"))
    second = factories.run(record("two", accelerator="AMD Instinct MI355X"))
    merge = {"kind": "accelerator", "alias": "mi355x", "name": "AMD Instinct MI355X"}
    assert analyst.post("/names/", merge).status_code == 403
    ids = f"{first.public_id},{second.public_id}"

    def differs() -> bool:
        settings = analyst.get("/api/v1/comparisons", {"runs": ids}).json()["settings"]
        return bool(next(row for row in settings if row["key"] == "accelerator")["differs"])

    assert differs()
    assert admin.post("/names/", merge).status_code == 302
    assert not differs()
    for name in ("MI355X", "AMD Instinct MI355X"):
        assert len(analyst.get("/api/v1/runs", {"accelerator": name}).json()["results"]) == 2
    stated = analyst.get(f"/api/v1/runs/{first.public_id}").json()["settings"]["accelerator"]
    assert (stated["value"], stated["canonical"]) == ("MI355X", "AMD Instinct MI355X")
    assert admin.post("/names/", {**merge, "alias": merge["name"], "name": "MI355X"}).status_code == 400
    (alias,) = admin.get("/api/v1/names").json()
    assert admin.post(f"/names/{alias['id']}/unmerge/").status_code == 302
    assert differs()
    assert len(analyst.get("/api/v1/runs", {"accelerator": "MI355X"}).json()["results"]) == 1


def test_setups(analyst: Client, demo: dict[str, str]) -> None:
    assert "paiton-6x800w-throughput" in text(analyst, "/setups/")
    page = text(analyst, "/setups/setup/?name=paiton-6x800w-throughput")
    assert PAITON in page and "Sampling temperature" in page
    assert analyst.get("/setups/setup/?name=nothing").status_code == 404


def test_an_edit_counts_when_a_power_log_joins_later(analyst: Client) -> None:
    from tests.pages import files

    run = upload(("result.json", files.result()), active_gpus=None)
    given = {"key": "active_gpu_indices", "value": "2-7", "state": "stated", "quote": "the log", "revision": "1"}
    assert analyst.post(f"/runs/{run}/settings/", given).status_code == 302
    assert store.load([run])[run].setting("active_gpu_indices").value is None
    assert store.effective([run])[run].setting("active_gpu_indices").value == (2, 3, 4, 5, 6, 7)


def test_rows_of_the_history_are_only_added(demo: dict[str, str]) -> None:
    row = ErratumRow.objects.first()
    assert row is not None
    row.kind = "corrected"
    with pytest.raises(TypeError, match="only ever added"):
        row.save()
    assert User.objects.count() == 0


def test_the_power_of_a_log_is_corrected_and_its_watts_stay(analyst: Client, measured: str) -> None:
    before = analyst.get(f"/api/v1/runs/{measured}").json()
    logged, per_token = before["power"]["mean_w"], before["figures"]["energy_per_token"]["value"]
    assert 'value="gpu_power:mean"' in analyst.get(f"/runs/{measured}/").content.decode()
    halved = correction(metric="gpu_power:mean", new=f"{logged / 2:.4f}", locale="plain", reason="Counted twice.")
    assert analyst.post(f"/runs/{measured}/errata/", halved).status_code == 302
    found = analyst.get(f"/api/v1/runs/{measured}").json()
    assert found["power"]["mean_w"] == logged
    assert found["errata"][0]["old"] == f"{logged} W"
    for key, share in (("gpu_power:mean", 0.5), ("energy", 0.5), ("energy_per_token", 0.5), ("tok_per_kw_measured", 2)):
        assert found["figures"][key]["value"] == pytest.approx(before["figures"][key]["value"] * share, rel=1e-6), key
        assert found["figures"][key]["status"] == "corrected"
    assert found["figures"]["energy_per_token"]["value"] == pytest.approx(per_token / 2, rel=1e-6)
    shown = text(analyst, f"/runs/{measured}/")
    assert "Below stand the numbers of the log itself." in shown
    assert f"was {logged} W" in shown
    assert "Counted twice" in text(analyst, f"/compare/?runs={measured}")
    lines = analyst.get(f"/compare/export.csv?runs={measured}").content.decode().splitlines()
    assert any(",figure" not in line and "energy_per_token" in line and ",corrected," in line for line in lines)


def test_a_power_log_that_holds_no_more(analyst: Client, measured: str) -> None:
    energy = correction(metric="energy", new="1")
    refused = analyst.post(f"/runs/{measured}/errata/", energy)
    assert refused.status_code == 400
    assert "energy follows from the mean power: correct gpu_power:mean instead" in refused.content.decode()
    gone = correction(kind="withdrawn", metric="gpu_power:mean", new="", reason="The sampler read another node.")
    assert analyst.post(f"/runs/{measured}/errata/", gone).status_code == 302
    found = analyst.get(f"/api/v1/runs/{measured}").json()["figures"]
    for key in ("gpu_power:mean", "energy", "energy_per_token", "tok_per_kw_measured"):
        assert found[key]["status"] == "withdrawn"
    assert found["total_throughput"]["status"] == "current"


def test_a_source_leads_to_its_errata(analyst: Client, demo: dict[str, str]) -> None:
    page = analyst.get("/sources/amd-2026-11-04/").content.decode()
    assert 'href="/sources/amd-2026-11-04/errata/"' in page
    assert "Errata of a source" in text(analyst, "/sources/amd-2026-11-04/errata/")
