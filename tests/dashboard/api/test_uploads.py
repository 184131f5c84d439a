"""Uploads: what they make, what they answer, and that the same bytes make it once."""

import gzip
import hashlib
from typing import Any

import pytest

from runs.models import Artifact, PowerLog, Run, RunArtifact, RunBody, RunPower, UploadRecord
from tests.builders import NOON, nvidia_log, vllm_result, windowed_result
from tests.dashboard.api.conftest import Api

pytestmark = pytest.mark.django_db
TABLES = (Artifact, PowerLog, Run, RunArtifact, RunBody, RunPower, UploadRecord)


def rows() -> dict[str, int]:
    return {table.__name__: table.objects.count() for table in TABLES}


def test_a_result_becomes_a_run(api: Api) -> None:
    meta = {
        "label": "Six of eight",
        "setup": "lab",
        "notes": "first try",
        "active_gpus": [0, 1, 2, 3, 4, 5],
        "settings": {
            "accelerator": "MI355X",
            "isl": {"value": 8192, "nominal": "8K"},
            "temperature": "not stated",
            "draft_model": "not applicable",
        },
    }
    answer = api.upload({"result.json": vllm_result()}, meta)
    assert answer.status_code == 201
    (run,) = answer.json()["runs"]
    assert (run["label"], run["created"], run["file"]) == ("Six of eight", True, "result.json")
    assert "temperature" in run["not_stated"]
    assert "accelerator" not in run["not_stated"]
    shown = api.get(f"/runs/{run['id']}").json()
    assert shown["settings"]["isl"]["nominal"] == "8K"
    assert (shown["settings"]["isl"]["state"], shown["settings"]["isl"]["value"]) == ("observed", 8192)
    assert shown["settings"]["draft_model"]["state"] == "not applicable"
    assert shown["settings"]["active_gpu_indices"]["value"] == [0, 1, 2, 3, 4, 5]
    assert shown["settings"]["accelerator"]["evidence"][0]["kind"] == "statement"
    # 5898.24 tok/s over six GPUs
    assert shown["figures"]["per_gpu_total"]["value"] == pytest.approx(983.04)
    assert shown["figures"]["per_gpu_total"]["basis"] == "derived"
    assert [file["role"] for file in shown["files"]] == ["result"]


def test_a_power_log_joins_the_run_whose_window_it_covers(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log()}
    answer = api.upload(files, {"time_zone": "UTC", "active_gpus": [0, 1, 2, 3, 4, 5]})
    assert answer.status_code == 201, answer.content
    (run,) = answer.json()["runs"]
    # six GPUs at 700 W for 100 s: 4200 W, 420 kJ
    assert run["power"]["mean_w"] == pytest.approx(4200)
    assert run["power"]["energy_j"] == pytest.approx(420_000)
    assert run["power"]["valid"] is True
    assert len(run["power"]["idle"]) == 2
    shown = api.get(f"/runs/{run['id']}").json()
    # 420 kJ over 524288 + 65536 tokens
    assert shown["figures"]["energy_per_token"]["value"] == pytest.approx(420_000 / 589_824)
    cap = shown["settings"]["power_cap_w"]
    assert (cap["state"], cap["value"]) == ("observed", 1000)
    scope = shown["settings"]["power_scope"]
    assert (scope["state"], scope["value"]) == ("observed", "GPUs")
    assert {file["role"] for file in shown["files"]} == {"result", "power"}
    assert (PowerLog.objects.get().samples, RunPower.objects.count()) == (968, 1)


def test_a_dry_run_says_the_same_and_writes_nothing(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log()}
    meta = {"time_zone": "UTC", "active_gpus": list(range(8))}
    before = rows()
    tried = api.upload(files, meta, dry_run=True)
    assert tried.status_code == 200
    assert rows() == before
    done = api.upload(files, meta).json()
    said = tried.json()
    assert (said["dry_run"], said["runs"][0]["id"]) == (True, "")
    said["dry_run"] = False
    said["runs"][0]["id"] = done["runs"][0]["id"]
    assert said == done


def test_the_same_bytes_make_no_second_run_and_say_so(api: Api) -> None:
    first = api.upload({"result.json": vllm_result()}).json()["runs"][0]
    before = rows()
    again = api.upload({"renamed.json": vllm_result()}, {"label": "another name"})
    assert again.status_code == 200
    body = again.json()
    # As it stands, whatever the second upload says.
    assert body["runs"] == [{**first, "created": False, "file": "renamed.json"}]
    assert "temperature" in body["runs"][0]["not_stated"]
    assert body["files"][0]["verdict"] == "duplicate"
    assert {**rows(), "UploadRecord": 0} == {**before, "UploadRecord": 0}


def test_the_same_file_twice_in_one_upload_is_one_run(api: Api) -> None:
    answer = api.upload({"a.json": vllm_result(), "b.json": vllm_result()})
    assert answer.status_code == 201
    assert len(answer.json()["runs"]) == 1
    assert (Run.objects.count(), Artifact.objects.count()) == (1, 1)


def test_gzip_is_undone_and_kept_as_it_came(api: Api) -> None:
    packed = gzip.compress(vllm_result(), mtime=0)
    run = api.upload({"result.json.gz": packed}).json()["runs"][0]
    (file,) = api.get(f"/runs/{run['id']}").json()["files"]
    assert file["sha256"] == hashlib.sha256(packed).hexdigest()
    download = api.client.get(file["url"])
    assert download.getvalue() == packed


def test_one_refused_file_refuses_the_upload_with_every_verdict(api: Api) -> None:
    before = rows()
    answer = api.upload({"good.json": vllm_result(), "empty.json": b""})
    assert answer.status_code == 422
    body = answer.json()
    assert body["error"] == {
        "code": "refused",
        "message": "A file was refused, so nothing was written.",
        "details": [{"file": "empty.json", "place": "", "expected": "a result or a log", "seen": "an empty file"}],
    }
    assert [file["verdict"] for file in body["outcome"]["files"]] == ["read", "refused"]
    assert rows() == before


def test_an_unknown_file_alone_is_kept_and_refused_in_words(api: Api) -> None:
    answer = api.upload({"notes.txt": b"some,other,columns\n1,2,3\n"})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "needs_mapping"
    assert answer.json()["error"]["details"][0]["file"] == "notes.txt"
    assert Artifact.objects.get().status == "needs-mapping"


def test_an_unknown_file_beside_a_known_one_hinders_nothing(api: Api) -> None:
    answer = api.upload({"notes.txt": b"some,other,columns\n1,2,3\n", "result.json": vllm_result()})
    assert answer.status_code == 201
    assert [file["verdict"] for file in answer.json()["files"]] == ["needs mapping", "read"]
    assert Run.objects.count() == 1


def test_a_log_alone_is_kept_and_can_be_added_later(api: Api) -> None:
    kept = api.upload({"power.csv": nvidia_log()})
    assert kept.status_code == 201
    assert kept.json()["warnings"][0]["code"] == "power-kept"
    run = api.upload({"result.json": windowed_result()}).json()["runs"][0]
    meta = {"time_zone": "UTC", "active_gpus": [0, 1]}
    sha256 = kept.json()["files"][0]["sha256"]
    path = f"/runs/{run['id']}/power"
    tried = api.upload({}, meta, path, dry_run=True, sha256=sha256)
    assert (tried.status_code, RunPower.objects.count()) == (200, 0)
    added = api.upload({}, meta, path, sha256=sha256)
    assert added.status_code == 201
    assert added.json()["power"]["mean_w"] == pytest.approx(1400)
    shown = api.get(f"/runs/{run['id']}").json()
    assert (shown["revision"], shown["power"]["energy_j"]) == (2, pytest.approx(140_000))
    again = api.upload({"power.csv": nvidia_log()}, meta, path)
    assert (again.status_code, again.json()["error"]["code"]) == (409, "conflict")


def test_the_zone_makes_a_window_of_date_and_duration(api: Api) -> None:
    """13:01:40 in Amsterdam is 12:01:40 UTC in December; 100 s before it is noon UTC."""
    run = api.upload({"a.json": vllm_result(date="20261201-130140")}, {"time_zone": "Europe/Amsterdam"}).json()["runs"][
        0
    ]
    window = run["window"]
    assert (window["start"], window["end"]) == (NOON, NOON + 100)
    assert (window["state"], window["uncertainty_s"]) == ("inferred", 2.0)


def test_the_day_of_a_run_follows_from_its_window_and_is_known_as_that_is(api: Api) -> None:
    run = api.upload({"a.json": windowed_result(date=None)}).json()["runs"][0]
    date = api.get(f"/runs/{run['id']}").json()["settings"]["date"]
    assert (date["value"], date["state"]) == ("2026-12-01T12:00:00Z", "observed")
    assert date["note"] == "start of the benchmark window, UTC"
    given = {"window": {"start": "2026-12-01T23:59:00+00:00", "end": "2026-12-02T00:00:40Z"}}
    run = api.upload({"b.json": vllm_result(date=None)}, given).json()["runs"][0]
    date = api.get(f"/runs/{run['id']}").json()["settings"]["date"]
    assert (date["value"], date["state"]) == ("2026-12-01T23:59:00Z", "stated")
    run = api.upload({"c.json": vllm_result(date=None, completed=63)}).json()["runs"][0]
    assert api.get(f"/runs/{run['id']}").json()["settings"]["date"]["state"] == "not stated"


def test_a_date_without_a_duration_is_kept_and_makes_no_window(api: Api) -> None:
    run = api.upload({"a.json": vllm_result(duration=None)}, {"time_zone": "UTC"}).json()["runs"][0]
    date = api.get(f"/runs/{run['id']}").json()["settings"]["date"]
    assert (date["value"], date["note"]) == (
        "2026-12-01T12:01:40",
        "end of the run, local time, zone not in the file",
    )
    assert run["window"] is None
    assert "no duration beside the date, so no window follows from it" in [one["text"] for one in run["remarks"]]


def test_a_window_given_goes_before_one_inferred_and_after_the_files_own(api: Api) -> None:
    meta = {"time_zone": "UTC", "window": {"start": "2026-12-01T13:00:00+01:00", "end": "2026-12-01T12:01:30Z"}}
    stated = api.upload({"a.json": vllm_result()}, meta).json()["runs"][0]
    assert (stated["window"]["start"], stated["window"]["end"]) == (NOON, NOON + 90)
    assert stated["window"]["state"] == "stated"
    observed = api.upload({"a.json": windowed_result()}, meta).json()["runs"][0]
    assert (observed["window"]["end"], observed["window"]["state"]) == (NOON + 100, "observed")
    assert "window-differs" in [remark["code"] for remark in observed["remarks"]]


def test_which_gpus_ran_is_asked_and_never_guessed(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log()}
    answer = api.upload(files, {"time_zone": "UTC", "settings": {"active_gpus": 6}})
    assert answer.status_code == 201
    assert answer.json()["runs"][0]["power"] is None
    (warning,) = answer.json()["warnings"]
    assert warning["code"] == "power-not-joined"
    assert "which of the 8 GPUs ran it" in warning["expected"]


def test_as_many_gpus_stated_as_the_log_has_are_those(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log()}
    answer = api.upload(files, {"time_zone": "UTC", "settings": {"active_gpus": 8}})
    assert answer.json()["runs"][0]["power"]["mean_w"] == pytest.approx(5600)


def test_caps_that_differ_are_disputed(api: Api) -> None:
    log = nvidia_log(gpus=2, limits=(800.0, 1000.0))
    answer = api.upload({"r.json": windowed_result(), "p.csv": log}, {"time_zone": "UTC", "active_gpus": [0, 1]})
    shown = api.get(f"/runs/{answer.json()['runs'][0]['id']}").json()
    cap = shown["settings"]["power_cap_w"]
    assert (cap["state"], cap["claims"]) == ("disputed", ["GPU 0: 800 W", "GPU 1: 1000 W"])


def test_a_statement_against_the_file_is_disputed_and_both_claims_stay(api: Api) -> None:
    run = api.upload({"a.json": vllm_result()}, {"settings": {"concurrency": 128}}).json()["runs"][0]
    concurrency = api.get(f"/runs/{run['id']}").json()["settings"]["concurrency"]
    assert concurrency["state"] == "disputed"
    assert concurrency["claims"] == ["64 (observed)", "128 (stated)"]


def test_the_series_keeps_its_extremes(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log(gpus=1)}
    run = api.upload(files, {"time_zone": "UTC", "active_gpus": [0]}).json()["runs"][0]
    series = api.get(f"/runs/{run['id']}/power/series", points=10).json()
    (gpu,) = series["gpus"]
    assert (gpu["active"], gpu["cap_w"]) == (True, 1000)
    assert 2 <= len(gpu["t"]) <= 10
    assert (gpu["t"][0], gpu["t"][-1]) == (NOON - 10, NOON + 110)
    assert series["window"]["start"] == NOON


def test_the_audit_keeps_the_answer(api: Api, analyst: Any) -> None:
    answer = api.upload({"a.json": vllm_result()}).json()
    kept = UploadRecord.objects.get()
    assert (kept.user, kept.answer) == (analyst, answer)


def test_a_file_that_grew_makes_no_repeat_of_the_run_it_had_before(api: Api) -> None:
    first, second = vllm_result(), vllm_result(total_token_throughput=6000.0)
    api.upload({"result.json": first}, {"setup": "lab"})
    grown = api.upload({"result.json": first + b"\n" + second}, {"setup": "lab"})
    again, other = (run["id"] for run in grown.json()["runs"])
    group = api.get(f"/runs/{again}/group").json()
    assert (len(group["members"]), group["n"]) == (3, 2)
    (total,) = [one for one in group["spreads"] if one["key"] == "total_throughput"]
    assert (total["n"], total["mean"], total["low"], total["high"]) == (2, 5949.12, 5898.24, 6000.0)
    assert (
        api.get(f"/comparisons?runs=group:{group['fingerprint']},{other}")
        .json()["runs"][0]["label"]
        .endswith("(mean of 2 runs)")
    )


@pytest.mark.parametrize(("end", "energy", "valid"), [("12:01:40", 420_000, True), ("12:01:32", 386_400, True),
                                                      ("12:00:50", None, False)])  # fmt: skip
def test_a_window_of_another_length_than_the_run_gives_no_energy(
    api: Api, end: str, energy: float | None, valid: bool
) -> None:
    window = {"start": "2026-12-01T12:00:00Z", "end": f"2026-12-01T{end}Z"}
    meta = {"time_zone": "UTC", "active_gpus": [0, 1, 2, 3, 4, 5], "window": window}
    answer = api.upload({"result.json": vllm_result(), "power.csv": nvidia_log()}, meta)
    (run,) = answer.json()["runs"]
    assert (run["power"]["mean_w"], run["power"]["valid"]) == (pytest.approx(4200), valid)
    assert run["power"]["energy_j"] == (energy if energy is None else pytest.approx(energy))
    figures = api.get(f"/runs/{run['id']}").json()["figures"]
    assert ("energy_per_token" in figures) is valid
    told = "the window of 50 s is not the run's 100 s: no energy is given"
    assert (told in [one["text"] for one in run["power"]["reasons"]]) is not valid
