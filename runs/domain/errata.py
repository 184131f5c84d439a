"""Errata: what later turned out about a figure. Nothing is overwritten; the effective record is worked out anew."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum
from typing import Any, Literal

from runs.domain.evaluations import Evaluation
from runs.domain.facts import Evidence, Printed, Quantity, Status, inherited
from runs.domain.powerfigures import ENERGY, MEAN, is_of_log, with_power
from runs.domain.records import RunRecord
from runs.domain.units import DomainError, NumberLocale, parse_printed


class ErratumKind(StrEnum):
    """``corrected``: the number was wrong. ``superseded``: a newer build or run replaces it. ``historical``: measured
    before a change that matters. ``withdrawn``: no longer valid. ``statement``: said about it, changes nothing."""

    CORRECTED = "corrected"
    SUPERSEDED = "superseded"
    HISTORICAL = "historical"
    WITHDRAWN = "withdrawn"
    STATEMENT = "statement"


Target = Literal["run", "evaluation", "source"]

_STATUS = {
    ErratumKind.CORRECTED: Status.CORRECTED,
    ErratumKind.SUPERSEDED: Status.SUPERSEDED,
    ErratumKind.HISTORICAL: Status.HISTORICAL,
    ErratumKind.WITHDRAWN: Status.WITHDRAWN,
}


@dataclass(frozen=True)
class Erratum:
    """One erratum. ``metric`` empty: the whole run (or evaluation, or source). ``old`` and ``new`` are the printed or
    measured values as text; ``new`` is read by ``locale`` in the unit of the figure it corrects.

    ``target`` and ``target_key`` say what it is about. One about a source reaches the figures that rest on it; one
    about an evaluation reaches the runs it covers as a notice.
    """

    kind: ErratumKind
    date: str
    reason: str
    who: str
    metric: str = ""
    old: str = ""
    new: str = ""
    locale: NumberLocale = "plain"
    successor: str = ""
    evidence: tuple[Evidence, ...] = ()
    key: str = ""
    target: Target = "run"
    target_key: str = ""

    def __post_init__(self) -> None:
        if not self.reason.strip():
            raise DomainError("an erratum says why")
        if self.kind is ErratumKind.CORRECTED and not (self.metric and self.new):
            raise DomainError("a correction names the figure and its new value")
        if self.kind is ErratumKind.CORRECTED and self.target == "source":
            raise DomainError("a source is not corrected as a whole: correct the figures of its runs")


def applied(record: RunRecord, errata: Sequence[Erratum]) -> RunRecord:
    """The record as it stands after its errata, oldest first. Raises DomainError where one does not fit the record."""
    for erratum in errata:
        record = _apply(record, erratum)
    return record


def _apply(record: RunRecord, erratum: Erratum) -> RunRecord:
    if erratum.kind is ErratumKind.STATEMENT or erratum.target == "evaluation":
        return record
    if erratum.target == "run":
        record = with_power(record)
    if erratum.kind is ErratumKind.CORRECTED and erratum.metric == ENERGY and is_of_log(record, ENERGY):
        raise DomainError(f"energy follows from the mean power: correct {MEAN} instead")
    if erratum.metric and record.quantity(erratum.metric) is None:
        raise DomainError(f"the run has no figure {erratum.metric} to correct")
    changed = tuple(_with(one, erratum) if _touches(erratum, one) else one for one in record.quantities)
    return replace(record, quantities=changed)


def _touches(erratum: Erratum, quantity: Quantity) -> bool:
    if erratum.metric not in ("", quantity.key):
        return False
    if erratum.target != "source":
        return True
    return any(one.kind == "document" and one.ref == erratum.target_key for one in quantity.evidence)


def _with(quantity: Quantity, erratum: Erratum) -> Quantity:
    status = inherited(quantity.status, _STATUS[erratum.kind])
    if erratum.kind is not ErratumKind.CORRECTED:
        return replace(quantity, status=status)
    value = parse_printed(erratum.new, erratum.locale)
    measured = quantity.printed is None and not isinstance(quantity.value, Decimal)
    return replace(
        quantity,
        value=float(value) if measured else value,
        low=None,
        high=None,
        printed=None if measured else Printed(erratum.new, erratum.locale),
        repeat_values=(),
        status=status,
        evidence=(*erratum.evidence, *quantity.evidence) if erratum.evidence else quantity.evidence,
    )


def after(evaluation: Evaluation, errata: Iterable[Erratum]) -> Evaluation:
    """An evaluation as it stands after its errata, oldest first: its status, and a corrected score."""
    for erratum in errata:
        if erratum.kind in _STATUS:
            status = inherited(evaluation.status, _STATUS[erratum.kind])
            evaluation = replace(evaluation, status=status, **_score(evaluation, erratum))
    return evaluation


def _score(evaluation: Evaluation, erratum: Erratum) -> dict[str, Any]:
    """The corrected score: ``correct/total`` where it is counted, else the number."""
    if erratum.kind is not ErratumKind.CORRECTED:
        return {}
    printed = Printed(erratum.new, erratum.locale)
    if evaluation.total is None:
        return {"score": parse_printed(erratum.new, erratum.locale), "printed": printed}
    correct, slash, total = (part.strip() for part in erratum.new.partition("/"))
    if not (slash and correct.isascii() and correct.isdigit() and total.isascii() and total.isdigit()):
        raise DomainError(f"expected correct/total such as 186/200, saw {erratum.new!r}")
    return {"correct": int(correct), "total": int(total), "printed": printed}
