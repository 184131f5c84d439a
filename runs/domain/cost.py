"""Money per million tokens under a scenario: electricity and rental, never summed (design, section 8)."""

from dataclasses import dataclass, replace
from decimal import Decimal

from runs.domain.derived import POWER_KINDS, Figures, derive, input_of, product, quotient, setting_input, usable
from runs.domain.facts import Basis, Status
from runs.domain.figures import Figure, Input
from runs.domain.records import RunRecord
from runs.domain.scenarios import WHOLE_NODE, Offer, Scenario
from runs.domain.units import DomainError, Interval, Number, as_decimal, point

HOURS_A_YEAR = 8760
_TOKENS = (("", "total_throughput"), ("_output", "output_throughput"))


class CostRefusedError(DomainError):
    """A cost that cannot be computed without guessing, said in words."""


def costs(record: RunRecord, found: Figures, scenario: Scenario) -> Figures:
    """Every cost figure of a run under a scenario, by key. One that would need a guess has no value and says why."""
    result: Figures = {}
    for kind, power_key in POWER_KINDS:
        power = usable(found, power_key)
        if power is None or scenario.price_per_kwh is None:
            continue
        drawn = _drawn(power, usable(found, "gpu_power_idle"), scenario)
        for suffix, rate_key in _TOKENS:
            rate = _rate(found, rate_key)
            if rate is not None:
                _keep(result, _electricity(f"electricity{suffix}_{kind}", rate, drawn, scenario))
        _keep(result, _year(f"electricity_year_{kind}", drawn, scenario))
    for offer in scenario.offers:
        for stat, billed in gpus_billed(record, offer):
            for suffix, rate_key in _TOKENS:
                rate = _rate(found, rate_key)
                if rate is not None:
                    _keep(result, _rental(f"rental{suffix}:{stat}", rate, billed, offer, scenario))
            _keep(result, _rental_year(f"rental_year:{stat}", billed, offer, scenario))
    return result


def _rate(found: Figures, key: str) -> Figure | None:
    rate = usable(found, key)
    return rate if rate is not None and rate.value is not None and rate.value > 0 else None


def _keep(result: Figures, figure: Figure) -> None:
    result[figure.key] = figure


@dataclass(frozen=True)
class _Drawn:
    """Mean watts at a utilisation with the figures they come from, or (None) the refusal."""

    figures: tuple[Figure, ...]
    watts: tuple[Number, Interval] | None
    refusal: str = ""


def _drawn(power: Figure, idle: Figure | None, scenario: Scenario) -> _Drawn:
    parts = (power,) if idle is None or scenario.utilisation == 1 else (power, idle)
    try:
        return _Drawn(parts, busy_and_idle(power, idle, scenario))
    except CostRefusedError as refused:
        return _Drawn(parts, None, str(refused))


def busy_and_idle(power: Figure, idle: Figure | None, scenario: Scenario) -> tuple[Number, Interval]:
    """Mean draw at a utilisation: u x busy + (1 - u) x idle, in W, with its interval.

    Idle power unknown and utilisation below 1 raises :class:`CostRefusedError`: idle power is not guessed.
    """
    if power.value is None:
        raise CostRefusedError("no power to cost")
    busy_span = power.interval or point(power.value)
    if scenario.utilisation == 1:
        return power.value, busy_span
    if idle is None or idle.value is None:
        raise CostRefusedError(
            f"utilisation {scenario.utilisation} needs the idle power of the GPUs, which is not stated: not guessed"
        )
    share = scenario.utilisation
    value = as_decimal(power.value) * share + as_decimal(idle.value) * (1 - share)
    idle_span = idle.interval or point(idle.value)
    low = busy_span.low * share + idle_span.low * (1 - share)
    high = busy_span.high * share + idle_span.high * (1 - share)
    return value, Interval(low, high)


def _scenario_inputs(scenario: Scenario) -> tuple[Input, ...]:
    price = scenario.price_per_kwh or Decimal(0)
    return (
        Input("price_per_kwh", price, f"{scenario.money}/kWh", Basis.ASSUMED, scenario=True),
        Input("pue", scenario.pue, "ratio", Basis.ASSUMED, scenario=True),
        Input("utilisation", scenario.utilisation, "ratio", Basis.ASSUMED, scenario=True),
    )


def _electricity(key: str, rate: Figure, drawn: _Drawn, scenario: Scenario) -> Figure:
    power, *_ = drawn.figures
    formula = f"({power.key} / 1000) x price_per_kwh x pue x 1e6 / ({rate.key} x 3600)"
    if scenario.utilisation != 1:
        formula += " at a utilisation u: (u x busy + (1 - u) x idle) / u"
    inputs = (*map(input_of, drawn.figures), input_of(rate), *_scenario_inputs(scenario))
    if drawn.watts is None:
        return _refused(key, drawn, formula, inputs, f"{scenario.money}/Mtok")
    price = scenario.price_per_kwh or Decimal(0)
    # W / 1000 = kW; x price / h; over tok/s x 3600; per million: the factors come to 1e6 / 3.6e6.
    scale = price * scenario.pue / scenario.utilisation / Decimal("3.6")
    mean, span = drawn.watts
    value = product(quotient(mean, rate.value or 0), scale)
    interval = span / rate.interval * point(scale) if rate.interval and rate.interval.low > 0 else None
    return derive(key, value, interval, formula, inputs, rate, *drawn.figures, unit=f"{scenario.money}/Mtok")


def _refused(key: str, drawn: _Drawn, formula: str, inputs: tuple[Input, ...], unit: str) -> Figure:
    """A figure without a value: what it would take, and why it is not given."""
    shape = derive(key, 0, None, formula, inputs, *drawn.figures, unit=unit)
    return replace(shape, value=None, status=Status.NOT_STATED, note=drawn.refusal)


def _year(key: str, drawn: _Drawn, scenario: Scenario) -> Figure:
    power, *_ = drawn.figures
    formula = f"({power.key} / 1000) x {HOURS_A_YEAR} h x price_per_kwh x pue"
    if scenario.utilisation != 1:
        formula += " at a utilisation u: u x busy + (1 - u) x idle"
    inputs = (*map(input_of, drawn.figures), *_scenario_inputs(scenario))
    if drawn.watts is None:
        return _refused(key, drawn, formula, inputs, f"{scenario.money}/year")
    price = scenario.price_per_kwh or Decimal(0)
    scale = price * scenario.pue * HOURS_A_YEAR / 1000
    mean, span = drawn.watts
    value = product(mean, scale)
    interval = span * point(scale)
    return derive(key, value, interval, formula, inputs, *drawn.figures, unit=f"{scenario.money}/year")


def gpus_billed(record: RunRecord, offer: Offer) -> tuple[tuple[str, Input], ...]:
    """What an offer bills for a run: (statistic, GPUs). Both readings where the smallest rentable unit is not stated.

    ``OFFER`` bills the active GPUs (rounded up to the unit where one is stated), ``OFFER, whole node`` all GPUs of
    the node.
    """
    active = setting_input(record, "active_gpus", "active_gpus", "GPUs")
    if active is None:
        return ()
    if offer.unit_gpus is not None:
        units = -(-int(active.value) // offer.unit_gpus)
        return ((offer.name, Input("gpus_billed", units * offer.unit_gpus, "GPUs", active.basis)),)
    node = setting_input(record, "node_gpus", "node_gpus", "GPUs")
    readings = [(offer.name, Input("gpus_billed", active.value, "GPUs", active.basis))]
    if node is not None:
        readings.append((f"{offer.name}{WHOLE_NODE}", Input("gpus_billed", node.value, "GPUs", node.basis)))
    return tuple(readings)


def _rental(key: str, rate: Figure, billed: Input, offer: Offer, scenario: Scenario) -> Figure:
    hourly = as_decimal(billed.value) * offer.rate_per_gpu_hour / scenario.utilisation
    scale = hourly * 1_000_000 / 3600
    value = quotient(scale, rate.value or 0)
    interval = point(scale) / rate.interval if rate.interval and rate.interval.low > 0 else None
    price = _offered(offer, scenario)
    use = Input("utilisation", scenario.utilisation, "ratio", Basis.ASSUMED, scenario=True)
    formula = f"gpus_billed x rate_per_gpu_hour x 1e6 / ({rate.key} x 3600) / utilisation"
    inputs = (input_of(rate), billed, price, use)
    return derive(key, value, interval, formula, inputs, rate, unit=f"{scenario.money}/Mtok")


def _rental_year(key: str, billed: Input, offer: Offer, scenario: Scenario) -> Figure:
    """What is rented is paid for by the hour, used or not: utilisation is no part of it."""
    value = as_decimal(billed.value) * offer.rate_per_gpu_hour * HOURS_A_YEAR
    formula = f"gpus_billed x rate_per_gpu_hour x {HOURS_A_YEAR} h"
    return derive(key, value, point(value), formula, (billed, _offered(offer, scenario)), unit=f"{scenario.money}/year")


def _offered(offer: Offer, scenario: Scenario) -> Input:
    return Input("rate_per_gpu_hour", offer.rate_per_gpu_hour, f"{scenario.money}/GPU/h", Basis.ASSUMED, scenario=True)
