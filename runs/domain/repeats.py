"""Repeats: runs of one configuration, found by the fingerprint of their settings; mean, n, lowest to highest.

Nothing is grouped by guess: a run with a setting that matters and is not firmly known belongs only with runs of the
same declared setup, and without a setup with no other.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from runs.domain.facts import Evidence, Quantity, Setting, State, Status, inherited
from runs.domain.matters import MATTERS
from runs.domain.metrics import SETTINGS
from runs.domain.names import name_of
from runs.domain.powerfigures import is_of_log
from runs.domain.records import Remark, Requests, RunRecord
from runs.domain.units import DomainError, Number, as_decimal

NOT_OF_THE_CONFIGURATION = frozenset({"date", "image", "client_image"})
"""Settings that two runs of one configuration may differ in."""

_GONE = (Status.WITHDRAWN, Status.SUPERSEDED, Status.NOT_MEASURED, Status.NOT_STATED)


def fingerprint(record: RunRecord) -> str:
    """What runs of one configuration have in common; "" where the run can be grouped with no other."""
    firm = all(record.setting(key).is_firm for key in MATTERS["throughput"])
    if not firm and not record.setup:
        return ""
    parts = [record.provenance.value, record.party.name, "" if firm else f"setup {record.setup}"]
    for spec in SETTINGS:
        setting = record.setting(spec.key)
        if spec.key not in NOT_OF_THE_CONFIGURATION and setting.state is not State.NOT_STATED:
            parts.append(f"{spec.key}={_value(setting)}")
    return hashlib.sha256("\n".join(parts).encode("utf-8", errors="replace")).hexdigest()[:32]


def _value(setting: Setting) -> str:
    """A setting in a form that is the same for the same value, however it was written."""
    if setting.state is State.DISPUTED:
        return f"disputed {'; '.join(sorted(setting.claims))}"
    if setting.state is State.NOT_APPLICABLE:
        return setting.state.value
    if isinstance(setting.value, bool) or setting.value is None or isinstance(setting.value, str | tuple):
        return " ".join((name_of(setting) or str(setting.value)).split()).casefold()
    return repr(float(setting.value))


LEAST_MEASURED = 3
"""So many measured figures that agree to the last bit are one measurement told twice, as a file that grew does."""


def distinct(records: Sequence[RunRecord]) -> list[RunRecord]:
    """The records, each measurement once. Rounded figures tell nothing: two runs may well print the same ones."""
    found: dict[object, RunRecord] = {}
    for number, record in enumerate(records):
        measured = tuple(
            (one.key, one.unit, one.value)
            for one in record.quantities
            if isinstance(one.value, float) and one.value != 0 and one.status is Status.CURRENT
        )
        found.setdefault(measured if len(measured) >= LEAST_MEASURED else number, record)
    return list(found.values())


@dataclass(frozen=True)
class Spread:
    """A figure over some runs: the mean, and from the lowest to the highest. Both ends are None for a single run."""

    key: str
    unit: str
    n: int
    mean: Number
    low: Number | None
    high: Number | None
    status: Status = Status.CURRENT


def spreads(records: Sequence[RunRecord]) -> tuple[Spread, ...]:
    """Every figure that each of some runs of one configuration has, in the order of the first. A run that is here
    twice counts once."""
    if not records:
        return ()
    records = distinct(records)
    return tuple(
        Spread(
            key=key,
            unit=found[0].unit,
            n=len(found),
            mean=mean(values),
            low=min(values, key=as_decimal) if len(values) > 1 else None,
            high=max(values, key=as_decimal) if len(values) > 1 else None,
            status=inherited(*(one.status for one in found)),
        )
        for key, found in _shared(records)
        if (values := [one.value for one in found if one.value is not None])
    )


def _shared(records: Sequence[RunRecord]) -> list[tuple[str, list[Quantity]]]:
    """Figures that every run has as one standing value in the same unit, of the same definition and basis."""
    shared = []
    for key in dict.fromkeys(quantity.key for quantity in records[0].quantities):
        if any(is_of_log(record, key) for record in records):
            continue  # an erratum may have laid it among the figures; each log belongs to its own window
        found = [quantity for record in records if (quantity := record.quantity(key)) is not None]
        alike = {(one.unit, one.definition, one.basis) for one in found}
        whole = len(found) == len(records) and all(one.value is not None and one.status not in _GONE for one in found)
        if whole and len(alike) == 1:
            shared.append((key, found))
    return shared


def mean(values: Sequence[Number]) -> Number:
    """The mean; exact where every value is one that was printed."""
    if not values:
        raise DomainError("a mean needs at least one value")
    if any(isinstance(value, float) for value in values):
        return math.fsum(float(value) for value in values) / len(values)
    return sum((as_decimal(value) for value in values), Decimal(0)) / len(values)


def mean_record(records: Sequence[RunRecord], label: str = "") -> RunRecord:
    """Runs of one configuration as one record: each shared figure their mean, with the runs' values beneath.

    The settings are those of the first run. Power analyses are not averaged: each belongs to its own window. Raises
    DomainError for fewer than two runs (one that is here twice is one), and for runs of several configurations.
    """
    prints = {fingerprint(record) for record in records}
    records = distinct(records)
    if len(records) < 2 or len(prints) != 1 or "" in prints:
        raise DomainError("a mean is over two or more runs of one configuration")
    first = records[0]
    remarks = [Remark("repeat-mean", f"mean of {len(records)} runs of one configuration")]
    if any(record.power is not None for record in records):
        remarks.append(Remark("power-not-averaged", "power is not averaged over runs: see each run"))
    return replace(
        first,
        label=label or f"{first.label} (mean of {len(records)} runs)",
        settings={key: one for key, one in first.settings.items() if key not in NOT_OF_THE_CONFIGURATION},
        quantities=tuple(_mean(found) for _key, found in _shared(records)),
        requests=_requests(records),
        window=None,
        local_end=None,
        power=None,
        remarks=tuple(remarks),
    )


def _mean(found: Sequence[Quantity]) -> Quantity:
    values = tuple(one.value for one in found if one.value is not None)
    return Quantity(
        metric=found[0].metric,
        unit=found[0].unit,
        basis=found[0].basis,
        stat=found[0].stat,
        value=mean(values),
        status=inherited(*(one.status for one in found)),
        party=found[0].party,
        evidence=(Evidence("rule", place=f"mean of {len(found)} runs"), *found[0].evidence),
        repeats=len(found),
        repeat_values=values,
        definition=found[0].definition,
    )


def _requests(records: Sequence[RunRecord]) -> Requests:
    """Counts over all runs; not known as soon as one of them is not."""

    def total(values: Sequence[int | None]) -> int | None:
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    done = [record.requests for record in records]
    return Requests(
        attempted=total([one.attempted for one in done]),
        completed=total([one.completed for one in done]),
        failed=total([one.failed for one in done]),
    )
