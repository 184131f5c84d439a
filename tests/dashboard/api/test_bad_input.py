"""What goes wrong is said in words: which file, where, what was expected and what was seen; and nothing is written."""

import gzip
import json
from typing import Any

import pytest
from django.test import Client

from runs.models import Artifact, Run
from tests import factories
from tests.builders import nvidia_log, vllm_result, windowed_result
from tests.dashboard.api.conftest import API, Api

pytestmark = pytest.mark.django_db


def only_problem(answer: Any, status: int = 422, code: str = "refused") -> dict[str, str]:
    """The single detail of an error, after pinning the envelope around it."""
    body = answer.json()
    assert answer.status_code == status, body
    assert set(body["error"]) == {"code", "message", "details"}
    assert body["error"]["code"] == code
    (detail,) = body["error"]["details"]
    assert set(detail) == {"file", "place", "expected", "seen"}
    assert (Run.objects.count(), Artifact.objects.count()) == (0, 0)
    return dict(detail)


@pytest.mark.parametrize(
    ("name", "content", "expected", "seen"),
    [
        ("empty.json", b"", "a result or a log", "an empty file"),
        ("blank.json", b" \n\t", "a result or a log", "an empty file"),
        ("image.png", b"\x89PNG\r\n\x1a\n" + bytes(100), "a text file: JSON, CSV or a log", "a picture"),
        ("noise.bin", bytes(range(256)) * 20, "a text file: JSON, CSV or a log", "binary data"),
        ("deep.json", b"[" * 10_000 + b"]" * 10_000, "JSON of moderate nesting", "JSON nested too deeply to read"),
        ("cut.gz", gzip.compress(vllm_result())[:-12], "a whole gzip file", "a file that is cut off"),
    ],
)
def test_files_that_are_none(api: Api, name: str, content: bytes, expected: str, seen: str) -> None:
    problem = only_problem(api.upload({name: content}))
    assert (problem["file"], problem["expected"], problem["seen"]) == (name, expected, seen)


def test_a_run_with_zero_completed_requests(api: Api) -> None:
    problem = only_problem(api.upload({"failed.json": vllm_result(completed=0, failed=64)}))
    assert problem["expected"] == "at least one completed request"
    assert problem["place"].endswith("completed")


def test_a_gzip_bomb(api: Api, settings: Any) -> None:
    settings.LIKEWISE_MAX_FILE_BYTES = 100_000
    problem = only_problem(api.upload({"bomb.json.gz": gzip.compress(bytes(10_000_000))}))
    assert (problem["file"], problem["seen"]) == ("bomb.json.gz", "more than that")
    assert problem["expected"] == "at most 100000 bytes unpacked"


def test_a_file_over_the_limit(api: Api, settings: Any) -> None:
    settings.LIKEWISE_MAX_FILE_BYTES = 2000
    problem = only_problem(api.upload({"small.json": b"{}", "large.json": b"x" * 300_000}), 413, "too_large")
    assert problem == {"file": "large.json", "place": "", "expected": "at most 2000 bytes a file", "seen": "more"}


def test_a_request_over_the_limit(api: Api, settings: Any) -> None:
    settings.LIKEWISE_MAX_UPLOAD_BYTES = 1000
    answer = api.upload({"large.json": b"x" * 2_000_000})
    assert only_problem(answer, 413, "too_large")["place"] == "body"


def test_a_chunked_body(analyst: Any) -> None:
    client = Client(headers={"Authorization": f"Token {factories.token(analyst)}", "Transfer-Encoding": "chunked"})
    answer = client.generic(
        "POST", f"{API}/uploads", b"", content_type="multipart/form-data; boundary=x", CONTENT_LENGTH=""
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (411, "length_required")


def test_two_formats_that_claim_one_file(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    from runs import readers

    twin = next(reader for reader in readers.READERS if reader.format == "vllm_serve")
    monkeypatch.setattr(readers, "READERS", (twin, twin))
    problem = only_problem(api.upload({"result.json": vllm_result()}))
    assert problem["expected"] == "a file of one format"
    assert problem["seen"].startswith("one that could be ")


def test_a_log_with_no_gpu_of_the_run(api: Api) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log(gpus=2)}
    problem = only_problem(api.upload(files, {"time_zone": "UTC", "active_gpus": [6, 7]}))
    assert problem == {
        "file": "power.csv",
        "place": "GPU labels",
        "expected": "GPU 6, 7 of the run",
        "seen": "a log of GPU 0, 1",
    }


def test_a_window_outside_the_log(api: Api) -> None:
    window = {"start": "2026-12-02T12:00:00Z", "end": "2026-12-02T12:10:00Z"}
    files = {"result.json": vllm_result(), "power.csv": nvidia_log(gpus=1)}
    problem = only_problem(api.upload(files, {"time_zone": "UTC", "active_gpus": [0], "window": window}))
    assert (problem["file"], problem["place"]) == ("power.csv", "times")
    assert problem["expected"] == "samples between 2026-12-02T12:00:00.000Z and 2026-12-02T12:10:00.000Z"
    assert problem["seen"] == "a log from 2026-12-01T11:59:50.000Z to 2026-12-01T12:01:50.000Z"


@pytest.mark.parametrize("watts", [-50.0, 900_000.0])
def test_negative_and_absurd_watts_are_refused_or_invalid(api: Api, watts: float) -> None:
    files = {"result.json": windowed_result(), "power.csv": nvidia_log(gpus=1, watts=watts)}
    answer = api.upload(files, {"time_zone": "UTC", "active_gpus": [0]})
    if answer.status_code == 201:
        power = answer.json()["runs"][0]["power"]
        assert power is None or not power["valid"]
    else:
        assert only_problem(answer)["file"] == "power.csv"


@pytest.mark.parametrize(
    ("meta", "place", "expected"),
    [
        ({"lable": "x"}, "lable", "one of: label, notes, setup, time_zone, window, active_gpus, settings"),
        ({"time_zone": "Mars/Olympus"}, "time_zone", "an IANA time zone such as Europe/Amsterdam or UTC"),
        ({"active_gpus": [0, 0]}, "active_gpus", "a list of GPU indices or labels (0, a UUID, a bus id), each once"),
        ({"settings": {"temperature": "hot"}}, "settings.temperature", "a finite number of 0 or more"),
        ({"settings": {"active_gpus": -1}}, "settings.active_gpus", "a whole number of 0 or more in GPUs"),
        ({"settings": {"active_gpus": True}}, "settings.active_gpus", "a whole number of 0 or more in GPUs"),
        ({"settings": {"isl": 1.5}}, "settings.isl", "a whole number of 0 or more in tokens"),
        ({"settings": {"model": "x" * 201}}, "settings.model", "text of at most 200 characters"),
        ({"settings": {"prefix_caching": "yes"}}, "settings.prefix_caching", "true or false"),
        ({"settings": {"model": {"valeu": 1}}}, "settings.model.valeu", "one of: value, state, nominal, note"),
        ({"window": {"start": "2026-12-01T12:00:00", "end": "2026-12-01T12:01:00"}}, "window.start",
         "an ISO 8601 time with its offset, such as 2026-12-01T14:00:00+01:00"),
        ({"label": "a\x00b"}, "label", "text without control characters and characters that turn its direction"),
        ('{"label": "\\ud800"}', "", "a JSON object"),
        ("[1]", "", "a JSON object"),
        ("[" * 10_000 + "]" * 10_000, "", "JSON of moderate nesting"),
    ],
)  # fmt: skip
def test_meta_that_cannot_be_taken(api: Api, meta: Any, place: str, expected: str) -> None:
    text = meta if isinstance(meta, str) else json.dumps(meta)
    problem = only_problem(api.upload({"result.json": vllm_result()}, text), 400, "invalid_meta")
    assert problem["file"] == "meta"
    if place:
        assert (problem["place"], problem["expected"]) == (place, expected)


def test_a_setting_that_is_not_in_the_catalogue_names_those_that_are(api: Api) -> None:
    answer = api.upload({"r.json": vllm_result()}, {"settings": {"temprature": 0}})
    problem = only_problem(answer, 400, "invalid_meta")
    assert problem["place"] == "settings.temprature"
    assert "temperature" in problem["expected"]


def test_no_file_at_all(api: Api) -> None:
    assert only_problem(api.upload({}, {}), 400, "no_files")["seen"] == "none"


def test_no_body_at_all(api: Api) -> None:
    run = "/runs/nosuchrun1/power"
    for path in ("/uploads", run):
        answer = api.client.post(API + path, b"", content_type="multipart/form-data; boundary=x")
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "no_files")
        answer = api.client.generic("POST", API + path)
        assert (answer.status_code, answer.json()["error"]["code"]) == (400, "no_files")


def test_more_files_than_one_upload_holds(api: Api) -> None:
    answer = api.upload({f"{number}.json": b"{}" for number in range(101)})
    assert answer.status_code == 400
    assert set(answer.json()["error"]) == {"code", "message", "details"}
    assert Artifact.objects.count() == 0


def test_json_ten_thousand_deep_as_a_body() -> None:
    body = b"[" * 10_000 + b"]" * 10_000
    answer = Client().post(f"{API}/auth/login", body, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"] == {
        "code": "malformed",
        "message": "The JSON is nested too deeply to read.",
        "details": [],
    }


@pytest.mark.parametrize(
    ("method", "path", "kind", "status", "code"),
    [
        ("GET", "/nothing/here", "", 404, "not_found"),
        ("GET", "/runs/%0A", "", 404, "not_found"),
        ("GET", "/../v2/runs", "", 404, "not_found"),
        ("GET", "/runs/nosuchrun1", "", 404, "not_found"),
        ("DELETE", "/runs", "", 405, "method_not_allowed"),
        ("POST", "/uploads", "application/json", 415, "unsupported_media_type"),
        ("POST", "/uploads", "multipart/form-data", 400, "malformed"),
        ("POST", "/auth/login", "text/plain", 415, "unsupported_media_type"),
        ("GET", "/runs?sort=speed", "", 400, "invalid"),
        ("GET", "/runs?colour=red", "", 400, "invalid"),
        ("GET", "/runs?cursor=bm90aGluZw", "", 400, "invalid"),
        ("GET", "/runs?isl=99999999999999999999999", "", 400, "invalid"),
        ("GET", "/comparisons", "", 400, "invalid"),
        ("GET", "/comparisons?runs=nosuchrun1", "", 404, "run_not_found"),
    ],
)
def test_one_envelope_for_every_refusal(api: Api, method: str, path: str, kind: str, status: int, code: str) -> None:
    answer = api.client.generic(method, API + path, b"{}", content_type=kind or "application/json")
    assert answer.status_code == status
    error = answer.json()["error"]
    assert (set(error), error["code"]) == ({"code", "message", "details"}, code)


def test_too_often(settings: Any, monkeypatch: pytest.MonkeyPatch, api: Api) -> None:
    from rest_framework.throttling import UserRateThrottle

    monkeypatch.setattr(UserRateThrottle, "THROTTLE_RATES", {"user": "1/minute"})
    assert api.get("/metrics").status_code == 200
    answer = api.get("/metrics")
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "throttled")
    assert int(answer["Retry-After"]) > 0


HTML = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_html_in_every_text_field_stays_text_in_json(api: Api) -> None:
    meta = {
        "label": HTML,
        "notes": HTML,
        "setup": HTML,
        "settings": {"node": HTML, "cpu": {"nominal": "<b>", "note": HTML}},
    }
    answer = api.upload({f"{HTML}.json": vllm_result(label=HTML, model_id=HTML)}, meta)
    assert answer.status_code == 201
    assert answer["Content-Type"] == "application/json"
    assert answer["X-Content-Type-Options"] == "nosniff"
    run = api.get(f"/runs/{answer.json()['runs'][0]['id']}").json()
    assert (run["label"], run["notes"]) == (HTML, HTML)
    download = api.client.get(run["files"][0]["url"])
    assert download["Content-Type"] == "application/octet-stream"
    assert download["Content-Disposition"].startswith("attachment")
    assert download["Content-Security-Policy"].startswith("sandbox")


@pytest.mark.parametrize(
    "name", [b"r\xff\xfe.json", b"\xc3\xa9t\xc3\xa9.json", b"../../etc/passwd", b"a" * 600 + b".json"]
)
def test_file_names_of_any_bytes(api: Api, name: bytes) -> None:
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="'
        + name
        + b'"\r\n\r\n'
        + vllm_result()
        + b"\r\n--x--\r\n"
    )
    answer = api.client.generic("POST", f"{API}/uploads", body, content_type="multipart/form-data; boundary=x")
    assert answer.status_code == 201
    kept = Artifact.objects.get().name
    assert "/" not in kept
    assert len(kept) <= 200


def test_numbers_that_are_none_reach_no_json(api: Api) -> None:
    result = vllm_result(median_ttft_ms=0).replace(b'"median_ttft_ms": 0', b'"median_ttft_ms": NaN')
    result = result.replace(b'"p99_ttft_ms": 900.0', b'"p99_ttft_ms": Infinity')
    answer = api.upload({"r.json": result})
    assert answer.status_code == 201, answer.content
    shown = api.get(f"/runs/{answer.json()['runs'][0]['id']}")

    def refuse(word: str) -> None:
        raise AssertionError(word)

    json.loads(shown.content, parse_constant=refuse)
