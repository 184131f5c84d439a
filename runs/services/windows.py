"""The benchmark window of a run, in the order of trust: the file's own times, then what was said, then what follows.

A window from a log's own load edges is the last resort and belongs to the power analysis, where the log is.
"""

import datetime as dt
from dataclasses import replace

from runs.domain.facts import Evidence, Setting, State
from runs.domain.records import LocalEnd, Remark, RunRecord, Window
from runs.domain.zones import ZoneError, local_to_utc
from runs.services.meta import Meta

INFERRED_UNCERTAINTY_S = 2.0
TELLING_DIFFERENCE_S = 5.0


def with_window(record: RunRecord, meta: Meta) -> RunRecord:
    """The record with the best window that file and statements give, and a remark where they disagree."""
    if record.window is not None:
        return _with_remark(record, _difference(record.window, meta))
    if meta.window is not None:
        start, end = meta.window
        if meta.observed is not None:
            return replace(record, window=Window(start, end, State.OBSERVED, evidence=(meta.observed,)))
        evidence = (Evidence("statement", place="window"),)
        return replace(record, window=Window(start, end, State.STATED, evidence=evidence))
    if record.local_end is None:
        return record
    if not meta.time_zone:
        told = "the file gives its end in local time without a zone; with time_zone the window follows from it"
        return _with_remark(record, Remark("window-zone", told, "date"))
    return _inferred(record, record.local_end, meta.time_zone)


def dated(record: RunRecord) -> RunRecord:
    """The record with the day of its window, where nothing else says when it was run: known as the window is known."""
    if record.window is None or record.setting("date").state is not State.NOT_STATED:
        return record
    start = dt.datetime.fromtimestamp(record.window.start, dt.UTC)
    told = Setting(
        "date",
        record.window.state,
        f"{start:%Y-%m-%dT%H:%M:%SZ}",
        evidence=record.window.evidence,
        note="start of the benchmark window, UTC",
    )
    return replace(record, settings={**record.settings, "date": told})


def _difference(window: Window, meta: Meta) -> Remark | None:
    if meta.window is None:
        return None
    off = max(abs(window.start - meta.window[0]), abs(window.end - meta.window[1]))
    if off <= TELLING_DIFFERENCE_S:
        return None
    return Remark("window-differs", f"the window given differs from the file's own by {off:.0f} s; the file's is used")


def _inferred(record: RunRecord, local: LocalEnd, zone: str) -> RunRecord:
    """End in local time with its zone, start by the duration; not where the clock showed that time twice or never."""
    try:
        end, twice = local_to_utc(local.end, zone)
    except ZoneError as error:
        return _with_remark(record, Remark("window-zone", f"{error}; give the window instead", "date"))
    if twice:
        told = f"{local.end} happened twice in {zone}: the clocks went back then. Give the window instead"
        return _with_remark(record, Remark("window-ambiguous", told, "date"))
    evidence = (Evidence("statement", place="time_zone"), Evidence("rule", place="date - duration"))
    note = f"end {local.end} in {zone}, start by the duration of {local.duration_s:g} s"
    window = Window(end - local.duration_s, end, State.INFERRED, INFERRED_UNCERTAINTY_S, evidence, note)
    return replace(record, window=window)


def _with_remark(record: RunRecord, remark: Remark | None) -> RunRecord:
    return record if remark is None else replace(record, remarks=(*record.remarks, remark))
