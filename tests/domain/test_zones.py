"""Local times to UTC over both clock changes of Europe/Brussels in 2026.

Clocks go forward on 29 March at 02:00 (to 03:00) and back on 25 October at 03:00 (to 02:00), both at 01:00 UTC.
"""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from runs.domain.signals import PowerError
from runs.domain.trace import PowerTrace
from runs.domain.zones import ZoneError, local_to_utc, localise
from tests.domain.power import trace


def stamp(text: str) -> float:
    """Epoch seconds of an ISO time read as UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def local_trace(*stamps: str, day: str = "2026-10-25", gpu: str = "0") -> PowerTrace:
    return trace([(stamp(f"{day}T{text}"), gpu, 100.0) for text in stamps], clock="local", origin=0.0)


def in_utc(found: PowerTrace) -> list[str]:
    return [f"{datetime.fromtimestamp(t, UTC):%H:%M:%S}" for t in found.t]


def codes(found: PowerTrace) -> list[str]:
    return [remark.code for remark in found.remarks]


def test_summer_and_winter() -> None:
    summer = localise(local_trace("13:28:30", day="2026-08-06"), "Europe/Brussels")
    winter = localise(local_trace("13:28:30", day="2026-12-06"), "Europe/Brussels")
    assert in_utc(summer) == ["11:28:30"] and in_utc(winter) == ["12:28:30"]
    assert summer.clock == "utc" and summer.remarks == ()


def test_jump_back_begins_the_second_pass() -> None:
    found = localise(
        local_trace("01:59:30", "02:30:00", "02:59:30", "02:00:00", "02:30:00", "03:00:00"), "Europe/Brussels"
    )
    assert in_utc(found) == ["23:59:30", "00:30:00", "00:59:30", "01:00:00", "01:30:00", "02:00:00"]
    assert codes(found) == []


def test_each_gpu_jumps_by_itself() -> None:
    rows = [("02:59:59", "0"), ("02:59:59.500", "1"), ("02:00:00", "0"), ("02:00:00.500", "1"), ("02:00:01", "0")]
    log = trace([(stamp(f"2026-10-25T{text}"), gpu, 100.0) for text, gpu in rows], clock="local", origin=0.0)
    found = localise(log, "Europe/Brussels")
    assert in_utc(found) == ["00:59:59", "00:59:59", "01:00:00", "01:00:00", "01:00:01"]
    assert codes(found) == []


def test_running_in_is_the_first_pass() -> None:
    found = localise(local_trace("01:59:59", "02:00:00", "02:10:00"), "Europe/Brussels")
    assert in_utc(found) == ["23:59:59", "00:00:00", "00:10:00"] and codes(found) == []


def test_running_on_is_the_second_pass() -> None:
    found = localise(local_trace("02:30:00", "02:59:59", "03:00:00"), "Europe/Brussels")
    assert in_utc(found) == ["01:30:00", "01:59:59", "02:00:00"] and codes(found) == []


def test_neither_is_taken_for_the_first_with_a_remark() -> None:
    found = localise(local_trace("02:10:00", "02:20:00"), "Europe/Brussels")
    assert in_utc(found) == ["00:10:00", "00:20:00"] and codes(found) == ["ambiguous-time"]
    assert "2 samples" in found.remarks[0].text


def test_straight_through_without_a_jump_is_remarked() -> None:
    """A clock that never went back is not on this zone's time."""
    found = localise(local_trace("01:59:59", "02:30:00", "03:00:00"), "Europe/Brussels")
    assert in_utc(found) == ["23:59:59", "00:30:00", "02:00:00"] and codes(found) == ["ambiguous-time"]


def test_small_step_back_is_no_second_pass() -> None:
    found = localise(local_trace("01:59:59", "02:30:00", "02:29:59", "02:30:01"), "Europe/Brussels")
    assert in_utc(found) == ["23:59:59", "00:30:00", "00:29:59", "00:30:01"]


def test_clocks_forward() -> None:
    found = localise(local_trace("01:59:59", "03:00:00", day="2026-03-29"), "Europe/Brussels")
    assert in_utc(found) == ["00:59:59", "01:00:00"] and codes(found) == []


def test_skipped_times_are_remarked() -> None:
    found = localise(local_trace("01:59:59", "02:00:00", "02:30:00", "03:30:00", day="2026-03-29"), "Europe/Brussels")
    assert in_utc(found) == ["00:59:59", "01:00:00", "01:30:00", "01:30:00"]
    assert codes(found) == ["nonexistent-time"] and "2 samples" in found.remarks[0].text


def test_a_change_of_half_an_hour() -> None:
    """Lord Howe Island: clocks go back half an hour on 5 April 2026 at 02:00 (+11:00 to +10:30)."""
    found = localise(local_trace("01:59:00", "01:30:00", "02:00:00", day="2026-04-05"), "Australia/Lord_Howe")
    assert in_utc(found) == ["14:59:00", "15:00:00", "15:30:00"]


def test_samples_without_a_time_stay_without() -> None:
    log = trace([(float("nan"), "0", 1.0), (stamp("2026-08-06T12:00:00"), "0", 2.0)], clock="local", origin=0.0)
    found = localise(log, "Europe/Brussels")
    assert np.isnan(found.t[0]) and found.t[1] == stamp("2026-08-06T10:00:00")


def test_refusals() -> None:
    with pytest.raises(ZoneError, match="unknown time zone 'Mars/Base'"):
        localise(local_trace("12:00:00"), "Mars/Base")
    for name in ("", "Europe", "../etc/passwd", "/etc/passwd"):
        with pytest.raises(ZoneError, match="unknown time zone"):
            localise(local_trace("12:00:00"), name)
    with pytest.raises(PowerError, match="not local"):
        localise(trace([(0, "0", 1.0)]), "Europe/Brussels")
    with pytest.raises(ZoneError, match="spread over"):
        localise(trace([(0, "0", 1.0), (1e9, "0", 1.0)], clock="local", origin=0.0), "Europe/Brussels")
    with pytest.raises(ZoneError, match="calendar"):
        localise(trace([(1e13, "0", 1.0)], clock="local", origin=0.0), "Europe/Brussels")


def test_one_stamp() -> None:
    assert local_to_utc("2026-08-06T13:28:30", "Europe/Brussels") == (stamp("2026-08-06T11:28:30"), False)
    assert local_to_utc("2026-10-25T02:30:00", "Europe/Brussels") == (stamp("2026-10-25T00:30:00"), True)
    assert local_to_utc("2026-10-25 03:00:00.250", "Europe/Brussels") == (stamp("2026-10-25T02:00:00.250"), False)


@pytest.mark.parametrize(
    ("text", "zone", "words"),
    [
        ("2026-03-29T02:30:00", "Europe/Brussels", "does not exist"),
        ("2026-08-06T13:28:30Z", "Europe/Brussels", "its own offset"),
        ("yesterday", "Europe/Brussels", "no local time"),
        ("2026-08-06T13:28:30", "Brussels", "unknown time zone"),
        ("0001-01-01T00:00:00", "Europe/Brussels", "too far off"),
    ],
)
def test_one_stamp_refused(text: str, zone: str, words: str) -> None:
    with pytest.raises(ZoneError, match=words):
        local_to_utc(text, zone)


zones = st.sampled_from(
    ["Europe/Brussels", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC", "America/Sao_Paulo"]
)


@given(zones, st.integers(0, 2 * 365 * 24 * 12))
@example("Europe/Brussels", 12 * (297 * 24 + 2 + 365 * 24))
def test_a_running_clock_is_read_back(name: str, begin: int) -> None:
    """A log that runs for three hours, stamped by the zone's wall clock, comes back as it was."""
    middle = datetime(2025, 1, 1, tzinfo=UTC) + timedelta(minutes=5 * begin)
    instants = [middle + timedelta(minutes=k) for k in range(-90, 91, 5)]
    place = ZoneInfo(name)
    wall = [instant.astimezone(place).replace(tzinfo=UTC).timestamp() for instant in instants]
    found = localise(trace([(t, "0", 1.0) for t in wall], clock="local", origin=0.0), name)
    assert found.t.tolist() == [instant.timestamp() for instant in instants]
    assert found.remarks == ()


def test_any_log_over_the_hour_that_happens_twice() -> None:
    """The same at every five minutes around the change, where only few random logs would fall."""
    change = datetime(2026, 10, 25, 1, tzinfo=UTC)
    for begin in range(-240, 61, 5):
        instants = [change + timedelta(minutes=begin + k) for k in range(0, 181, 5)]
        wall = [t.astimezone(ZoneInfo("Europe/Brussels")).replace(tzinfo=UTC).timestamp() for t in instants]
        found = localise(trace([(t, "0", 1.0) for t in wall], clock="local", origin=0.0), "Europe/Brussels")
        assert found.t.tolist() == [instant.timestamp() for instant in instants], begin
