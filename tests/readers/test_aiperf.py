"""aiperf's results: a whole one of 0.13, and what a broken or empty one is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from runs import readers
from runs.domain.facts import State
from runs.readers import ReadError

SAMPLE = Path(__file__).parents[1] / "samples" / "aiperf" / "v0.13_simulator_c4.json"


def read(document: dict[str, Any], name: str = "profile_export_aiperf.json") -> Any:
    data = json.dumps(document).encode()
    return readers.read(readers.unpack(name, data, 10**8)).runs[0].record


@pytest.fixture
def document() -> dict[str, Any]:
    return dict(json.loads(SAMPLE.read_text()))


def test_a_whole_result(document: dict[str, Any]) -> None:
    record = read(document)
    figures = {quantity.key: quantity.value for quantity in record.quantities}
    assert figures["total_throughput"] == pytest.approx(1023.5266860510519)
    assert figures["ttft:median"] == pytest.approx(0.053195892)
    assert record.setting("temperature").value == 0.0
    assert record.setting("temperature").state is State.OBSERVED
    assert record.setting("isl").value == 64
    assert record.local_end is not None
    assert record.label == "likewise-simulator @ 4"


def test_older_files_get_their_total_from_their_tokens(document: dict[str, Any]) -> None:
    del document["total_token_throughput"]
    figures = {quantity.key: quantity.value for quantity in read(document).quantities}
    assert figures["total_throughput"] == pytest.approx((2560 + 1280) / document["benchmark_duration"]["avg"])


def test_instants_make_the_window(document: dict[str, Any]) -> None:
    document["min_request_timestamp"] = {"unit": "ns", "avg": 1.7625515347970678e18}
    document["max_response_timestamp"] = {"unit": "ns", "avg": 1.7625517903572406e18}
    window = read(document).window
    assert window is not None
    assert window.state is State.OBSERVED
    assert window.duration_s == pytest.approx(255.56, abs=0.01)


def test_a_run_without_a_completed_request_is_refused(document: dict[str, Any]) -> None:
    document["request_count"] = {"unit": "requests", "avg": 0}
    with pytest.raises(ReadError, match="at least one completed request"):
        read(document)


def test_half_a_file_is_refused() -> None:
    half = SAMPLE.read_bytes()[:9000]
    with pytest.raises(ReadError):
        readers.read(readers.unpack("profile_export_aiperf.json", half, 10**8))


def test_failed_requests_are_said(document: dict[str, Any]) -> None:
    document["error_request_count"] = {"unit": "requests", "avg": 3}
    record = read(document)
    assert record.requests.failed == 3
    assert "failed-requests" in {remark.code for remark in record.remarks}
