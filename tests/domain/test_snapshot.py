"""A comparison as JSON: the same after the round trip, refused in words where it is none."""

import json
import re
from contextlib import suppress
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.compare import compare
from runs.domain.comparison import COMPARISON_VERSION, Comparison, RunEntry
from runs.domain.records import RunRecord, Source
from runs.domain.scenarios import Offer, Scenario
from runs.domain.snapshot import SnapshotError, from_json, to_builtins, to_json
from tests.domain.strategies import full, printed, records

SCENARIO = Scenario("s", "S", price_per_kwh=Decimal("0.10"), offers=(Offer("O", Decimal("2.95")),))


def one() -> Comparison:
    run = full(printed("total_throughput", "5661"), printed("gpu_power:mean", "4.180", "kW"))
    return compare([RunEntry("a", run), RunEntry("b", run)], scenario=SCENARIO, sources=[Source("k", "T", "P")])


@settings(max_examples=60)
@given(st.lists(records(), min_size=1, max_size=3))
def test_round_trip(runs: list[RunRecord]) -> None:
    made = compare([RunEntry(str(index), run) for index, run in enumerate(runs)], scenario=SCENARIO)
    back = from_json(to_json(made))
    assert back == made
    assert to_json(back) == to_json(made)


def test_printed_digits_and_types_survive() -> None:
    row = from_json(to_json(one())).row("gpu_power:mean")
    assert row is not None
    assert row.cells[0].figure is not None
    value = row.cells[0].figure.value
    assert isinstance(value, Decimal)
    assert str(value) == str(one().row("gpu_power:mean").cells[0].figure.value)  # type: ignore[union-attr]


def test_builtins_are_plain_json_without_nan() -> None:
    plain = to_builtins(one())
    assert json.loads(json.dumps(plain, allow_nan=False)) == json.loads(to_json(one()))


def changed(**values: Any) -> bytes:
    return json.dumps({**json.loads(to_json(one())), **values}).encode()


def test_a_later_version_is_refused_in_words_whatever_else_it_holds() -> None:
    later = COMPARISON_VERSION + 1
    with pytest.raises(SnapshotError, match=f"version {later} is newer than {COMPARISON_VERSION}"):
        from_json(changed(version=later, runs="something new"))
    with pytest.raises(SnapshotError, match="version 0"):
        from_json(changed(version=0))


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"version": 1}',
        b'{"version": "1"}',
        b'{"version": 1e99}',
        b"\xff\xfe",
        b'{"version": 1, "runs": "\xff"}',
        b'{"version":1,"a":' + b"[" * 100_000,
        changed(baseline="first"),
        changed(caveats=[{"id": "x", "severity": "mild", "run": 0}]),
        to_json(one())[:-1],
    ],
)
def test_what_is_no_comparison_is_refused(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        from_json(data)


PLACES = [
    ("price_per_kwh", '"0.10"'), ("pue", '"1"'), ("utilisation", '"1"'), ("repeats", "1"),
]  # fmt: skip
WRONG = ["NaN", "sNaN", "Infinity", "-1", "1e999999999", "", "x"]


@pytest.mark.parametrize(("key", "old"), PLACES)
@pytest.mark.parametrize("text", WRONG)
def test_values_that_no_comparison_has_are_refused(key: str, old: str, text: str) -> None:
    whole = to_json(one())
    wrong = whole.replace(f'"{key}":{old}'.encode(), f'"{key}":{json.dumps(text)}'.encode())
    assert wrong != whole
    with pytest.raises(SnapshotError):
        from_json(wrong)


@pytest.mark.parametrize("text", ["NaN", "sNaN"])
def test_an_interval_of_no_number_is_refused(text: str) -> None:
    whole = to_json(one())
    wrong = re.sub(rb'"interval":\{"low":"[^"]*"', f'"interval":{{"low":"{text}"'.encode(), whole, count=1)
    assert wrong != whole
    with pytest.raises(SnapshotError):
        from_json(wrong)


@given(st.binary(max_size=200))
def test_any_bytes_are_refused_and_nothing_else_is_raised(data: bytes) -> None:
    with pytest.raises(SnapshotError):
        from_json(data)


@settings(max_examples=300)
@given(st.data())
def test_a_snapshot_damaged_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    whole = to_json(one())
    place = data.draw(st.integers(0, len(whole) - 1))
    length = data.draw(st.integers(0, 8))
    inserted = data.draw(st.sampled_from([b"", b"0", b'"', b"NaN", b'"NaN"', b"null", b"-", b"}", b"\xff", b'"sNaN"']))
    with suppress(SnapshotError):
        assert from_json(whole[:place] + inserted + whole[place + length :]).version == COMPARISON_VERSION
