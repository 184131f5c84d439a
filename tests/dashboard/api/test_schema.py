"""The schema describes what the API does, as schemathesis finds out on a real server; its page is served from here."""

import http.client
import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
import schemathesis
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from runs.domain.comparison import Comparison
from tests import live
from tests.builders import nvidia_log, windowed_result
from tests.dashboard.api.conftest import API
from tests.dashboard.api.test_live import request, token

EXAMPLES = settings(
    max_examples=12,
    deadline=None,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture(scope="module")
def authorization(server: live.Server) -> str:
    return token(server)


@pytest.fixture(scope="module")
def run_id(server: live.Server, authorization: str) -> str:
    """A run with everything: what the generated paths hit is mostly nothing, so the operations get a real one too."""
    parts = [
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="r.json"\r\n\r\n'
        + windowed_result(label="fuzz"),
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="p.csv"\r\n\r\n' + nvidia_log(gpus=2),
        b'--x\r\nContent-Disposition: form-data; name="meta"\r\n\r\n{"time_zone": "UTC", "active_gpus": [0]}',
    ]
    kind = "multipart/form-data; boundary=x"
    status, body = request(
        server, "POST", "/uploads", b"\r\n".join([*parts, b"--x--\r\n"]), Content_Type=kind, Authorization=authorization
    )
    assert status in {200, 201}
    return str(body["runs"][0]["id"])  # type: ignore[index]


@pytest.fixture(scope="module")
def api_schema(server: live.Server, authorization: str) -> Any:
    document = json.loads(_get(server, "/schema", Accept="application/vnd.oai.openapi+json")[1])
    document["servers"] = [{"url": server.url}]
    # Ends the token that everything else here uses.
    for path in (f"{API}/auth/logout", f"{API}/auth/tokens/{{token_id}}"):
        del document["paths"][path]
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=server.url)
    return schema


def _get(server: live.Server, path: str, **headers: str) -> tuple[int, bytes]:
    link = http.client.HTTPConnection(urlsplit(server.url).netloc, timeout=30)
    link.request("GET", API + path, headers=headers)
    answer = link.getresponse()
    body = answer.read()
    link.close()
    return answer.status, body


OPERATIONS = [
    ("POST", "/auth/login"),
    ("GET", "/auth/tokens"),
    ("GET", "/comparisons"),
    ("GET", "/comparisons/chart-{chart_id}.{extension}"),
    ("GET", "/comparisons/export.{extension}"),
    ("GET", "/evaluations"),
    ("POST", "/evaluations"),
    ("GET", "/evaluations/difference"),
    ("GET", "/evaluations/export.{extension}"),
    ("GET", "/evaluations/{key}"),
    ("POST", "/evaluations/{key}/errata"),
    ("GET", "/names"),
    ("POST", "/names"),
    ("DELETE", "/names/{alias_id}"),
    ("GET", "/setups"),
    ("POST", "/setups"),
    ("POST", "/runs/{run_id}/errata"),
    ("POST", "/runs/{run_id}/settings/{key}"),
    ("POST", "/runs/{run_id}/purge"),
    ("GET", "/runs/{run_id}/history"),
    ("GET", "/runs/{run_id}/group"),
    ("POST", "/sources/{key}/errata"),
    ("GET", "/jobs"),
    ("GET", "/jobs/metrics"),
    ("GET", "/jobs/{job_id}"),
    ("GET", "/jobs/{job_id}/output"),
    ("POST", "/jobs/{job_id}/cancel"),
    ("GET", "/jobs/{job_id}/files/{sha256}"),
    ("GET", "/metrics"),
    ("GET", "/plans"),
    ("POST", "/plans"),
    ("GET", "/plans/{plan_id}"),
    ("PUT", "/plans/{plan_id}"),
    ("POST", "/plans/preview"),
    ("GET", "/schedules"),
    ("POST", "/schedules"),
    ("PATCH", "/schedules/{schedule_id}"),
    ("DELETE", "/schedules/{schedule_id}"),
    ("GET", "/targets"),
    ("POST", "/targets"),
    ("GET", "/targets/{target_id}"),
    ("PATCH", "/targets/{target_id}"),
    ("POST", "/targets/{target_id}/host-key"),
    ("GET", "/runs"),
    ("GET", "/runs/facets"),
    ("GET", "/runs/{run_id}"),
    ("GET", "/runs/{run_id}/files/{sha256}"),
    ("POST", "/runs/{run_id}/power"),
    ("GET", "/runs/{run_id}/power/series"),
    ("GET", "/scenarios"),
    ("POST", "/scenarios"),
    ("GET", "/scenarios/{scenario_key}"),
    ("PUT", "/scenarios/{scenario_key}"),
    ("GET", "/settings"),
    ("GET", "/shares"),
    ("POST", "/shares"),
    ("GET", "/shares/{share_id}"),
    ("DELETE", "/shares/{share_id}"),
    ("GET", "/sources"),
    ("POST", "/sources"),
    ("GET", "/sources/{source_key}"),
    ("PUT", "/sources/{source_key}"),
    ("GET", "/sources/{source_key}/copy"),
    ("POST", "/sources/{source_key}/copy"),
    ("GET", "/sources/{source_key}/questions"),
    ("POST", "/sources/{source_key}/paste"),
    ("POST", "/uploads"),
]


# These reach out to whatever machine a target names; they have tests of their own.
NOT_TRIED = [("POST", "/targets/{target_id}/test"), ("POST", "/plans/{plan_id}/jobs")]


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_generated_requests_are_answered_as_the_schema_says(
    api_schema: Any, authorization: str, run_id: str, method: str, path: str
) -> None:
    operation = api_schema[API + path][method]

    @EXAMPLES
    @given(case=operation.as_strategy())
    def check(case: Any) -> None:
        if "run_id" in case.path_parameters:
            case.path_parameters["run_id"] = run_id
        # The demo's own, where it is only read.
        for name, value in (("source_key", "eliovp-2026-11-11"), ("scenario_key", "article")):
            if name in case.path_parameters and method == "GET":
                case.path_parameters[name] = value
        # A schema cannot say that a cursor is one of ours or that a price needs no scenario.
        headers = {"Authorization": authorization}
        answer = case.call_and_validate(headers=headers, excluded_checks=[positive_data_acceptance])
        assert answer.status_code < 500

    check()


def test_every_operation_is_tried(api_schema: Any) -> None:
    found = {(method.upper(), path) for path, item in api_schema.raw_schema["paths"].items() for method in item}
    assert found == {(method, API + path) for method, path in [*OPERATIONS, *NOT_TRIED]}


@pytest.mark.parametrize(
    "path", ["/runs", "/runs/{id}", "/runs/{id}/power/series", "/comparisons?runs={id}", "/runs/facets"]
)
def test_real_answers_fit_their_schema(
    server: live.Server, api_schema: Any, run_id: str, authorization: str, path: str
) -> None:
    name = path.replace("{id}", "{run_id}").split("?")[0]
    operation = api_schema[API + name]["GET"]
    query = {"runs": run_id} if "?" in path else {}
    parameters = {"run_id": run_id} if "{id}" in path else {}
    case = operation.Case(path_parameters=parameters, query=query)
    assert case.call_and_validate(headers={"Authorization": authorization}).status_code == 200


@pytest.mark.django_db
def test_the_page_has_no_inline_script_or_style_and_nothing_from_outside() -> None:
    client = Client()
    page = client.get(f"{API}/docs")
    assert page.status_code == 200
    text = page.content.decode()
    assert "<style" not in text
    assert not re.search(r"<script(?![^>]*src=)", text)
    assert not re.search(r'(?:src|href)="(?:https?:)?//', text)
    (script,) = re.findall(r'<script src="(/api/[^"]*)"', text)
    code = client.get(script.replace("&amp;", "&"))
    assert code.status_code == 200
    assert "SwaggerUIBundle" in code.content.decode()


def test_the_comparison_is_in_the_schema_as_the_domain_has_it(api_schema: Any) -> None:
    shape = api_schema.raw_schema["components"]["schemas"][Comparison.__name__]
    assert set(shape["properties"]) == set(Comparison.__dataclass_fields__)
