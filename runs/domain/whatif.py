"""What if it had been stated: a band for a formula's unknown input, and whether the ranking survives all of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from runs.domain.comparison import RunEntry
from runs.domain.cost import costs
from runs.domain.derived import Figures, figures
from runs.domain.facts import Basis, Evidence, Quantity, Setting, State
from runs.domain.metrics import metric
from runs.domain.records import RunRecord
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError, Number, as_decimal

INPUTS = {
    "power_per_gpu_w": ("tok_per_kw", "electricity"),
    "gpus_billed": ("rental",),
}
"""Inputs that a formula has, and the metrics they enter. Settings without a formula (temperature) get no band: only
real runs at several values speak for them."""


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


@dataclass(frozen=True)
class Survival:
    """Whether ``run`` stays on one side of ``other`` for every value of the range."""

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
        raise DomainError(
            f"{input_name} enters no formula: only real runs at several values speak for it. Known: {', '.join(INPUTS)}"
        )
    if not 0 < low <= high:
        raise DomainError(f"a range goes up from above 0, not from {low} to {high}")
    if not key.startswith(INPUTS[input_name]):
        raise DomainError(f"{metric(key).name} does not depend on {input_name}")
    at = [_at(entry.record, key, input_name, end, scenario) for end in (low, high)]
    unit = at[0][1]
    values = sorted((value for value, _ in at), key=as_decimal)
    return Band(entry.key, key, input_name, low, high, values[0], values[1], unit)


def _at(record: RunRecord, key: str, input_name: str, value: Decimal, scenario: Scenario | None) -> tuple[Number, str]:
    supposed = _SUPPOSE[input_name](record, value)
    found: Figures = figures(supposed)
    if scenario is not None:
        found |= costs(supposed, found, scenario)
    figure = found.get(key)
    if figure is None or figure.value is None:
        raise DomainError(f"{record.label} has no {metric(key).name} even with {input_name} supposed")
    return figure.value, figure.unit


def _suppose_power(record: RunRecord, watts: Decimal) -> RunRecord:
    kept = tuple(quantity for quantity in record.quantities if quantity.metric != "gpu_power_assumed_per_gpu")
    supposed = Quantity("gpu_power_assumed_per_gpu", "W", Basis.ASSUMED, value=watts, note="supposed by the reader")
    return replace(record, quantities=(*kept, supposed))


def _suppose_gpus(record: RunRecord, gpus: Decimal) -> RunRecord:
    if gpus != gpus.to_integral_value():
        raise DomainError(f"GPUs billed is a whole number, not {gpus}")
    evidence = (Evidence("statement", place="supposed by the reader"),)
    return record.with_settings(Setting("active_gpus", State.STATED, int(gpus), evidence=evidence))


_SUPPOSE: dict[str, Callable[[RunRecord, Decimal], RunRecord]] = {
    "power_per_gpu_w": _suppose_power,
    "gpus_billed": _suppose_gpus,
}


def survival(supposed: Band, others: Sequence[tuple[str, Number]]) -> tuple[Survival, ...]:
    """For each other run's fixed figure: whether the ranking is the same over the whole band."""
    result = []
    for other, value in others:
        fixed = as_decimal(value)
        low, high = as_decimal(supposed.low), as_decimal(supposed.high)
        survives = not low <= fixed <= high
        turns = None
        if not survives and fixed > 0:
            # Per kW falls and cost rises in proportion to the input: f(x) = f(low_input) * low_input / x, or * x.
            at_low_input = high if supposed.metric.startswith("tok_per_kw") else low
            scale = at_low_input / fixed if supposed.metric.startswith("tok_per_kw") else fixed / at_low_input
            turns = supposed.low_input * scale
        result.append(Survival(supposed.run, other, supposed.metric, survives, turns))
    return tuple(result)
