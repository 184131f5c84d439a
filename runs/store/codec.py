"""A record as one blob, and the columns and summary cut from it."""

import datetime as dt
import hashlib
import math
from dataclasses import replace
from decimal import Decimal
from typing import Any

import msgspec

from runs.domain.derived import Figures, figures
from runs.domain.facts import Quantity, State, Status
from runs.domain.figures import Figure
from runs.domain.names import name_of
from runs.domain.records import RECORD_VERSION, Remark, RunRecord
from runs.domain.repeats import fingerprint
from runs.domain.units import DomainError

SORT_KEYS: dict[str, str] = {
    "total_throughput": "total_throughput",
    "per_gpu_total": "per_gpu_total",
    "output_throughput": "output_throughput",
    "ttft_median": "ttft:median",
    "tpot_median": "tpot:median",
    "gpu_power_mean": "gpu_power:mean",
}
"""Column of the run's row to key of the figure it copies."""

MAX_INTEGER = 2**53
_LONE_SURROGATES = "text with half a character (a lone surrogate), which cannot be stored"


class SummaryFigure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A figure as a list shows it, in the metric's canonical unit; ``value`` keeps printed digits as a Decimal."""

    unit: str
    basis: str
    system_basis: str
    value: Decimal | float | None = None
    low: Decimal | float | None = None
    high: Decimal | float | None = None
    status: str = "current"
    printed: str = ""
    locale: str = "plain"
    circa: bool = False
    repeats: int | None = None


class Summary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a list shows of a run beside its columns."""

    party: str
    relation: str
    figures: dict[str, SummaryFigure] = {}
    setup: str = ""
    node_gpus: int | None = None
    power_cap_w: float | None = None
    power_cap_state: str = "not stated"
    has_power: bool = False
    remarks: int = 0
    not_stated: int = 0
    errata: int = 0


_record = msgspec.json.Decoder(RunRecord)
_summary = msgspec.json.Decoder(Summary)


def content_key(sha256: str, place: str) -> str:
    """What makes a run the same run: the bytes it was read from and the place in them."""
    return hashlib.sha256(f"{sha256}\n{place}".encode("utf-8", errors="replace")).hexdigest()


def encode_record(record: RunRecord) -> bytes:
    """The record as JSON. Raises DomainError for text that no database takes."""
    try:
        return msgspec.json.encode(record)
    except UnicodeEncodeError:
        raise DomainError(_LONE_SURROGATES) from None


def decode_record(version: int, blob: bytes) -> RunRecord:
    if version != RECORD_VERSION:
        raise DomainError(f"a record of version {version} cannot be read; this Likewise reads {RECORD_VERSION}")
    return _record.decode(blob)


def decode_summary(blob: bytes) -> Summary:
    return _summary.decode(blob)


PLAUSIBLE = (1e-15, 1e15)
"""No figure but 0 is nearer to it or larger in its unit; what is derived from such ones would be infinite."""


def finite(record: RunRecord) -> RunRecord:
    """The record with every NaN, infinity and figure beyond all measure taken out, and a remark for each."""
    kept, remarks = [], []
    for quantity in record.quantities:
        if _is_finite(quantity):
            kept.append(quantity)
            continue
        kept.append(replace(quantity, value=None, low=None, high=None, status=Status.NOT_MEASURED, repeat_values=()))
        remarks.append(
            Remark("not-finite", f"{quantity.key} is no number that can be measured and counts as not measured")
        )
    return replace(record, quantities=tuple(kept), remarks=(*record.remarks, *remarks)) if remarks else record


def _is_finite(quantity: Quantity) -> bool:
    numbers = (quantity.value, quantity.low, quantity.high, *quantity.repeat_values)
    return all(_is_plausible(abs(float(number))) for number in numbers if number)


def _is_plausible(size: float) -> bool:
    return math.isfinite(size) and PLAUSIBLE[0] <= size <= PLAUSIBLE[1]


def columns(record: RunRecord, errata: int = 0) -> dict[str, Any]:
    """The row of a run without its keys and owner: copies to find and to sort by, and the summary.

    ``record`` is the run as it stands, with edits, errata and names worked in; ``errata`` how many there are.
    """
    found = figures(record)
    throughput = found.get("total_throughput")
    return {
        "label": text(record.label, 200),
        "provenance": record.provenance.value,
        "status": _status(record, throughput).value,
        "basis": throughput.basis.value if throughput else "",
        "model": _text_setting(record, "model"),
        "runtime": _text_setting(record, "runtime"),
        "accelerator": _text_setting(record, "accelerator"),
        "workload": _workload(record),
        "isl": _integer(record, "isl"),
        "osl": _integer(record, "osl"),
        "concurrency": _integer(record, "concurrency"),
        "active_gpus": _integer(record, "active_gpus", 2**31 - 1),
        "run_date": _run_date(record),
        "setup": text(record.setup, 200),
        "fingerprint": fingerprint(record),
        "summary": msgspec.json.encode(_summarise(record, found, errata)),
        **{column: _sort_value(found.get(key)) for column, key in SORT_KEYS.items()},
    }


def _status(record: RunRecord, throughput: Figure | None) -> Status:
    """The status of the throughput; without one, what all figures have in common: current as soon as one is."""
    if throughput is not None:
        return throughput.status
    order = list(Status)
    return min((one.status for one in record.quantities), key=order.index, default=Status.CURRENT)


def _summarise(record: RunRecord, found: Figures, errata: int) -> Summary:
    cap = record.setting("power_cap_w")
    return Summary(
        party=record.party.name,
        relation=record.party.relation,
        figures={key: _short(found[key]) for key in SORT_KEYS.values() if key in found},
        setup=record.setup,
        node_gpus=_integer(record, "node_gpus"),
        power_cap_w=float(cap.value) if cap.is_known and isinstance(cap.value, int | float) else None,
        power_cap_state=cap.state.value,
        has_power=record.power is not None,
        remarks=len(record.remarks),
        not_stated=len(record.not_stated()),
        errata=errata,
    )


def _short(figure: Figure) -> SummaryFigure:
    printed = figure.printed
    return SummaryFigure(
        unit=figure.unit,
        basis=figure.basis.value,
        system_basis=figure.system_basis.value,
        value=figure.value,
        low=figure.low,
        high=figure.high,
        status=figure.status.value,
        printed=printed.text if printed else "",
        locale=printed.locale if printed else "plain",
        circa=printed.circa if printed else False,
        repeats=figure.repeats,
    )


def text(value: str, limit: int) -> str:
    """Text for a column: PostgreSQL refuses NUL, and a longer text than the column takes."""
    return value.replace("\0", " ")[:limit]


def _text_setting(record: RunRecord, key: str) -> str:
    return text(name_of(record.setting(key)), 200)


def _integer(record: RunRecord, key: str, limit: int = MAX_INTEGER) -> int | None:
    setting = record.setting(key)
    value = setting.value if setting.is_known else None
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= limit else None


def _workload(record: RunRecord) -> str:
    """ISL and OSL as they were called, else as numbers: 8K/1K, 8192/1024, 512/– where there is no output; empty where
    neither is known."""
    names = []
    for key in ("isl", "osl"):
        setting = record.setting(key)
        none = "–" if setting.state is State.NOT_APPLICABLE else ""
        value = none if setting.value is None else str(setting.value)
        names.append((setting.nominal or value) if setting.is_known else "")
    return text("/".join(name or "?" for name in names), 60) if any(names) else ""


def _run_date(record: RunRecord) -> dt.date | None:
    """The day of the run: by its window, its local end, or its date setting; None where none of them can be read."""
    try:
        if record.window is not None:
            return dt.datetime.fromtimestamp(record.window.start, dt.UTC).date()
        if record.local_end is not None:
            return dt.datetime.fromisoformat(record.local_end.end).date()
        setting = record.setting("date")
        return dt.date.fromisoformat(str(setting.value)[:10]) if setting.is_known else None
    except (ValueError, OverflowError, OSError):
        return None


def _sort_value(figure: Figure | None) -> float | None:
    if figure is None:
        return None
    number = figure.value
    if number is None and figure.low is not None and figure.high is not None:
        number = (float(figure.low) + float(figure.high)) / 2
    value = None if number is None else float(number)
    return value if value is not None and math.isfinite(value) else None
