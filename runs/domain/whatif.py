"""What if it had been stated: a band for a formula's unknown input, and whether the ranking survives all of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from runs.domain.comparison import RunEntry
from runs.domain.cost import costs
from runs.domain.derived import Figures, figures
from runs.domain.errata import applied
from runs.domain.facts import Basis, Evidence, Quantity, Setting, State
from runs.domain.metrics import SETTING_BY_KEY, metric
from runs.domain.records import RunRecord
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError, Number, as_decimal

InputName = Literal["power_per_gpu_w", "gpus_billed", "price_per_kwh", "utilisation"]

ELECTRICITY = tuple(
    f"electricity{tokens}_{kind}" for tokens in ("", "_output") for kind in ("cap", "measured", "assumed")
)
INPUTS: dict[str, tuple[str, ...]] = {
    "power_per_gpu_w": ("tok_per_kw_assumed", "electricity_assumed", "electricity_output_assumed"),
    "gpus_billed": ("rental", "rental_output"),
    "price_per_kwh": ELECTRICITY,
    "utilisation": ("rental", "rental_output", *ELECTRICITY),
}
"""Inputs that a formula has, and the metrics they enter. Settings without a formula (temperature) get no band: only
real runs at several values speak for them."""

OF_EVERY_RUN = frozenset({"price_per_kwh", "utilisation"})
"""Inputs of the scenario: what is supposed of them holds for every run, so no other run's figure stands still."""

FROM_ASSUMED_POWER = frozenset({"gpu_power_assumed_per_gpu", "gpu_power_assumed", "tok_per_kw_assumed"})
"""What a source may have printed for the power it assumed: it falls with that power."""

_KINDS = ("measured", "cap", "assumed")


@dataclass(frozen=True)
class Band:
    """What a metric would be over a plausible range of an input that is not stated: never a value."""

    run: str
    metric: str
    input: str
    low_input: Decimal
    high_input: Decimal
    low: Number
    high: Number
    unit: str
    at_low_input: Number
    at_high_input: Number


@dataclass(frozen=True)
class Survival:
    """Whether ``run`` stays on one side of ``other`` for every value of the range; where it turns if it does not."""

    run: str
    other: str
    metric: str
    survives: bool
    turns_at: Decimal | None


def band(
    entry: RunEntry, key: str, input_name: str, low: Decimal, high: Decimal, scenario: Scenario | None = None
) -> Band:
    """The figure of a metric at both ends of an input's range. Raises DomainError where no formula takes the input."""
    if input_name not in INPUTS:
        known = SETTING_BY_KEY.get(input_name)
        name = known.name if known else input_name
        raise DomainError(
            f"{name} enters no formula: only real runs at several values speak for it. Known: {', '.join(INPUTS)}"
        )
    if not (low.is_finite() and high.is_finite() and 0 < low <= high):
        raise DomainError(f"a range goes up from above 0, not from {low} to {high}")
    if key.partition(":")[0] not in INPUTS[input_name]:
        raise DomainError(f"{metric(key).name} does not depend on {input_name}")
    ends = [_at(entry, key, input_name, end, scenario) for end in (low, high)]
    values = sorted((value for value, _ in ends), key=as_decimal)
    return Band(entry.key, key, input_name, low, high, values[0], values[1], ends[0][1], ends[0][0], ends[1][0])


def _at(entry: RunEntry, key: str, name: str, value: Decimal, scenario: Scenario | None) -> tuple[Number, str]:
    record = applied(entry.record, entry.errata) if entry.errata else entry.record
    supposed, priced = _SUPPOSE[name](record, scenario, value)
    found: Figures = figures(supposed)
    if priced is not None:
        found |= costs(supposed, found, priced)
    figure = found.get(key)
    if figure is None or figure.value is None:
        raise DomainError(f"{record.label} has no {metric(key).name} even with {name} supposed")
    return figure.value, figure.unit


_Supposed = tuple[RunRecord, Scenario | None]


def _suppose_power(record: RunRecord, scenario: Scenario | None, watts: Decimal) -> _Supposed:
    kept = tuple(quantity for quantity in record.quantities if quantity.metric not in FROM_ASSUMED_POWER)
    supposed = Quantity("gpu_power_assumed_per_gpu", "W", Basis.ASSUMED, value=watts, note="supposed by the reader")
    return replace(record, quantities=(*kept, supposed)), scenario


def _suppose_gpus(record: RunRecord, scenario: Scenario | None, gpus: Decimal) -> _Supposed:
    """GPUs on the bill, whatever the smallest unit of the offers is: that is what is being supposed."""
    if gpus != gpus.to_integral_value():
        raise DomainError(f"GPUs billed is a whole number, not {gpus}")
    evidence = (Evidence("statement", place="supposed by the reader"),)
    supposed = record.with_settings(Setting("active_gpus", State.STATED, int(gpus), evidence=evidence))
    if scenario is None:
        return supposed, None
    return supposed, replace(scenario, offers=tuple(replace(one, unit_gpus=None) for one in scenario.offers))


def _suppose_price(record: RunRecord, scenario: Scenario | None, price: Decimal) -> _Supposed:
    return record, replace(scenario or Scenario("supposed", "Supposed"), price_per_kwh=price)


def _suppose_utilisation(record: RunRecord, scenario: Scenario | None, share: Decimal) -> _Supposed:
    return record, replace(scenario or Scenario("supposed", "Supposed"), utilisation=share)


_SUPPOSE: dict[str, Callable[[RunRecord, Scenario | None, Decimal], _Supposed]] = {
    "power_per_gpu_w": _suppose_power,
    "gpus_billed": _suppose_gpus,
    "price_per_kwh": _suppose_price,
    "utilisation": _suppose_utilisation,
}


def rivals(key: str) -> tuple[str, ...]:
    """Keys that another run's figure of the same meaning may stand under, strongest basis first: a supposed power
    stands beside measured, capped and assumed ones."""
    name, _, stat = key.partition(":")
    stem, _, kind = name.rpartition("_")
    if kind not in _KINDS:
        return (key,)
    return tuple(f"{stem}_{one}{':' if stat else ''}{stat}" for one in _KINDS)


def survival(supposed: Band, others: Sequence[tuple[str, Number]]) -> tuple[Survival, ...]:
    """For each other run's fixed figure: whether the ranking is the same over the whole band."""
    result = []
    for other, value in others:
        fixed = as_decimal(value)
        low, high = as_decimal(supposed.low), as_decimal(supposed.high)
        survives = not low <= fixed <= high
        turns = None if survives or fixed <= 0 else _turning_point(supposed, fixed)
        result.append(Survival(supposed.run, other, supposed.metric, survives, turns))
    return tuple(result)


def _turning_point(supposed: Band, fixed: Decimal) -> Decimal | None:
    """The input at which the band meets a fixed figure; None where the input does not move it.

    Costs rise in a straight line with power, GPUs billed and price, per-kW figures' reciprocals with power, and costs
    with the reciprocal of utilisation: between the ends one straight line in the right terms is exact.
    """
    reciprocal_figure = supposed.metric.startswith("tok_per_kw")
    reciprocal_input = supposed.input == "utilisation"

    def figure(value: Number) -> Decimal:
        return 1 / as_decimal(value) if reciprocal_figure else as_decimal(value)

    def term(value: Decimal) -> Decimal:
        return 1 / value if reciprocal_input else value

    first, last = figure(supposed.at_low_input), figure(supposed.at_high_input)
    if first == last:
        return None
    start, end = term(supposed.low_input), term(supposed.high_input)
    met = start + (figure(fixed) - first) / (last - first) * (end - start)
    return term(met)
