"""Figures ready to be shown: a quantity in its canonical unit, or one derived here with its formula and inputs."""

from dataclasses import dataclass
from typing import Literal

from runs.domain.facts import Basis, Evidence, Party, Printed, Quantity, Status
from runs.domain.metrics import metric
from runs.domain.units import Interval, Number, as_decimal, convert


@dataclass(frozen=True)
class Input:
    """One input of a formula. Scenario inputs are the reader's assumptions and do not weaken the result."""

    name: str
    value: Number
    unit: str
    basis: Basis
    scenario: bool = False


@dataclass(frozen=True)
class Check:
    """Another way to the same figure, and whether both agree within their intervals."""

    kind: Literal["recomputed", "repeats", "printed"]
    value: Number
    formula: str
    agrees: bool


@dataclass(frozen=True)
class Figure:
    """A figure in the metric's canonical unit.

    ``basis`` is how this very number came to be, ``system_basis`` the weakest basis among its system inputs (the same
    where it is not derived). ``low``/``high`` are set for a range; ``interval`` is what the figure stands for.
    """

    metric: str
    stat: str
    unit: str
    value: Number | None
    basis: Basis
    system_basis: Basis
    status: Status = Status.CURRENT
    low: Number | None = None
    high: Number | None = None
    interval: Interval | None = None
    party: Party | None = None
    evidence: tuple[Evidence, ...] = ()
    printed: Printed | None = None
    formula: str = ""
    inputs: tuple[Input, ...] = ()
    repeats: int | None = None
    repeat_values: tuple[Number, ...] = ()
    checks: tuple[Check, ...] = ()
    definition: str = ""
    note: str = ""

    @property
    def key(self) -> str:
        return f"{self.metric}:{self.stat}" if self.stat else self.metric

    @property
    def is_range(self) -> bool:
        return self.low is not None

    @property
    def rests_on_assumption(self) -> bool:
        return self.system_basis in (Basis.ASSUMED, Basis.ESTIMATED)


def figure_of(quantity: Quantity, currency_unit: str = "") -> Figure:
    """A stored quantity as a figure, in the catalogue's unit. Raises UnitError where its unit cannot be converted."""
    target = currency_unit or metric(quantity.key).unit

    def to_target(value: Number | None) -> Number | None:
        return value if value is None or quantity.unit == target else convert(value, quantity.unit, target)

    span = quantity.interval()
    if span is not None and quantity.unit != target:
        span = Interval(
            as_decimal(convert(span.low, quantity.unit, target)), as_decimal(convert(span.high, quantity.unit, target))
        )
    return Figure(
        metric=quantity.metric,
        stat=quantity.stat,
        unit=target,
        value=to_target(quantity.value),
        low=to_target(quantity.low),
        high=to_target(quantity.high),
        interval=span,
        basis=quantity.basis,
        system_basis=quantity.basis,
        status=quantity.status,
        party=quantity.party,
        evidence=quantity.evidence,
        printed=quantity.printed,
        repeats=quantity.repeats,
        repeat_values=tuple(to_target(value) for value in quantity.repeat_values),  # type: ignore[misc]
        definition=quantity.definition,
        note=quantity.note,
    )
