"""Local wall-clock times to UTC: of one stamp, and of a whole power log with its hour that happens twice."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.signals import PowerError
from runs.domain.trace import PowerTrace
from runs.domain.units import DomainError

DAY_S = 86400
MOST_DAYS = 4000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ZoneError(DomainError):
    """A time zone that is unknown, or a local time that it does not have."""


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name; raises :class:`ZoneError`."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ZoneError(f"unknown time zone {name!r}: expected a name like Europe/Brussels or UTC") from None


def local_to_utc(local_iso: str, zone_name: str) -> tuple[float, bool]:
    """Epoch seconds of a local ISO time (``2026-08-06T13:28:30``), and whether it happened twice that day.

    Of a time that happened twice the first is taken. Raises :class:`ZoneError` for text that is no such time, that
    carries an offset of its own, or that the zone skips when its clocks go forward.
    """
    place = zone(zone_name)
    try:
        local = datetime.fromisoformat(local_iso)
    except ValueError:
        raise ZoneError(f"{local_iso!r} is no local time: expected one like 2026-08-06T13:28:30") from None
    if local.tzinfo is not None:
        raise ZoneError(f"{local_iso!r} carries its own offset: it is not a local time")
    try:
        first, second = ((local.replace(tzinfo=place, fold=fold) - _EPOCH).total_seconds() for fold in (0, 1))
        exists = datetime.fromtimestamp(first, place).replace(tzinfo=None, fold=0) == local
    except (OverflowError, ValueError):
        raise ZoneError(f"{local_iso!r} is too far off to be placed in {zone_name}") from None
    if not exists:
        raise ZoneError(f"{local_iso} does not exist in {zone_name}: its clocks went forward over it")
    return first, first != second


@dataclass(frozen=True)
class Change:
    """Clocks of a zone change at an instant (epoch s) from one offset to another (s east of UTC)."""

    at: int
    before: int
    after: int

    @property
    def low(self) -> int:
        """Where the stretch of wall-clock time begins that the change repeats or skips."""
        return self.at + min(self.before, self.after)

    @property
    def high(self) -> int:
        return self.at + max(self.before, self.after)

    @property
    def repeats(self) -> bool:
        return self.after < self.before


def localise(trace: PowerTrace, zone_name: str) -> PowerTrace:
    """The trace with its local times turned into UTC by a zone's rules; samples, order and NaN times stay.

    Where the clocks went back, an hour's stamps name two instants. A GPU's stream (in the order of the file) that
    jumps back by about the change within that hour has its second pass from there on. Without a jump, a stream that
    does not come into the hour from before it but runs on after it was in its second pass; any other is taken for the
    first, with a remark ``ambiguous-time``. Times that the clocks skipped are read with the offset from before the
    change, with a remark ``nonexistent-time``.

    Raises :class:`ZoneError` for an unknown zone and for times outside the calendar or spread over more than 4,000
    days, :class:`PowerError` for a trace whose times are not local.
    """
    place = zone(zone_name)
    if trace.clock != "local":
        raise PowerError(f"the times of this {trace.tool} log are not local ({trace.clock}): no time zone is applied")
    changes, offset = _changes(trace.t, place)
    offsets = np.array([offset, *(change.after for change in changes)], dtype=np.float64)
    # PEP 495, fold 0: repeated and skipped times are read with the offset from before the change.
    utc = trace.t - offsets[np.searchsorted([change.high for change in changes], trace.t, "right")]
    remarks = list(trace.remarks)
    for change in changes:
        between = (trace.t >= change.low) & (trace.t < change.high)
        count = int(np.count_nonzero(between))
        if not count:
            continue
        if not change.repeats:
            text = f"{count} samples have times that {zone_name} skipped when its clocks went forward"
            remarks.append(Remark("nonexistent-time", text))
            continue
        second, unsure = _second_pass(trace, between, change)
        utc[second] += change.before - change.after
        if unsure:
            text = f"{unsure} samples have times that happened twice in {zone_name}: taken for the first"
            remarks.append(Remark("ambiguous-time", text))
    return replace(trace, t=utc, clock="utc", remarks=tuple(remarks))


def _second_pass(trace: PowerTrace, between: NDArray[np.bool_], change: Change) -> tuple[NDArray[np.intp], int]:
    """Samples of the repeated stretch that belong to its second pass, and how many could be of either."""
    shift = change.high - change.low
    second: list[NDArray[np.intp]] = [np.empty(0, np.intp)]
    unsure = 0
    for number in range(len(trace.gpus)):
        stream = np.flatnonzero((trace.gpu == number) & np.isfinite(trace.t))
        inside = np.flatnonzero(between[stream])
        if not len(inside):
            continue
        times = trace.t[stream]
        steps = np.diff(times[inside])
        back = np.flatnonzero((steps <= -shift / 2) & (steps >= -shift - 60) & (np.diff(inside) == 1))
        if len(back):
            second.append(stream[inside[back[0] + 1 :]])
            continue
        first, last = int(inside[0]), int(inside[-1])
        comes_in = first > 0 and times[first] - times[first - 1] < shift / 2
        runs_on = last + 1 < len(times) and times[last + 1] - times[last] < shift / 2
        if runs_on and not comes_in:
            second.append(stream[inside])
        elif runs_on or not comes_in:
            unsure += len(inside)
    return np.concatenate(second), unsure


def _changes(t: NDArray[np.float64], place: ZoneInfo) -> tuple[list[Change], int]:
    """The zone's changes around these local times, in order, and the offset before the first of them."""
    timed = t[np.isfinite(t)]
    if not len(timed):
        return [], 0
    first, last = int(timed.min() // DAY_S) - 2, int(timed.max() // DAY_S) + 3
    if last - first > MOST_DAYS:
        raise ZoneError(f"the log's times are spread over {last - first} days: they are no wall-clock times of one log")
    try:
        return list(_between(first, last, place)), _offset(first * DAY_S, place)
    except OverflowError:
        raise ZoneError("the log's times lie outside the calendar: they are no wall-clock times") from None


def _between(first: int, last: int, place: ZoneInfo) -> Iterator[Change]:
    before = _offset(first * DAY_S, place)
    for day in range(first, last):
        after = _offset((day + 1) * DAY_S, place)
        if after != before:
            early, late = day * DAY_S, (day + 1) * DAY_S
            while late - early > 1:
                middle = (early + late) // 2
                early, late = (early, middle) if _offset(middle, place) != before else (middle, late)
            yield Change(late, before, after)
        before = after


def _offset(epoch: int, place: ZoneInfo) -> int:
    offset = (_EPOCH + timedelta(seconds=epoch)).astimezone(place).utcoffset()
    return int(offset.total_seconds()) if offset is not None else 0
