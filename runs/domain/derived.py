"""Figures computed here from a run's figures: per GPU, per token, per kW. Each keeps its formula and inputs.

A derived figure starts from what its source printed where it was printed (5,661 / 6), with the repeats beneath, and
shows the weakest basis among its system inputs. Where the source printed the derived figure itself, that print is the
figure and the recomputation its check.
"""

from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from math import isfinite

from runs.domain.facts import Basis, Evidence, Party, State, Status, inherited, weakest
from runs.domain.figures import Check, Figure, Input, figure_of
from runs.domain.metrics import metric
from runs.domain.powerfigures import ENERGY, MEAN, is_of_log, power_quantities, seconds_measured
from runs.domain.records import RunRecord
from runs.domain.units import DomainError, Interval, Number, as_decimal, point

Figures = dict[str, Figure]

NEVER_REPEATED = frozenset({"gpu_power_cap", "gpu_power_assumed", "gpu_power_assumed_per_gpu"})
"""A limit or an assumption is not measured again: it leaves the number of repeats to the other inputs."""

SAME = Decimal("1e-6")
"""Two ways to one figure that are this close differ by the noise of floats only."""

POWER_KINDS = (("cap", "gpu_power_cap"), ("measured", "gpu_power:mean"), ("assumed", "gpu_power_assumed"))


def quotient(top: Number, bottom: Number) -> Number:
    """``top / bottom``; a float as soon as one side was measured as a float."""
    if isinstance(top, float) or isinstance(bottom, float):
        return float(top) / float(bottom)
    return as_decimal(top) / as_decimal(bottom)


def product(left: Number, right: Number) -> Number:
    """``left * right``; a float as soon as one side was measured as a float."""
    if isinstance(left, float) or isinstance(right, float):
        return float(left) * float(right)
    # A product of 0 would keep every place of its factors: 0E-27.
    return as_decimal(left) * as_decimal(right) or Decimal(0)


def figures(record: RunRecord) -> Figures:
    """Every figure of a run that needs no scenario, by key: those it came with, and those that follow from them."""
    found: Figures = {}
    for quantity in record.quantities:
        found.setdefault(quantity.key, figure_of(quantity))
    _power(record, found)
    _per_gpu(record, found)
    _interactivity(found)
    _prefill(found)
    _energy(record, found)
    _per_kw(found)
    return found


def setting_input(record: RunRecord, key: str, name: str, unit: str) -> Input | None:
    """A numeric setting as the input of a formula; None where it is not known as a number."""
    setting = record.setting(key)
    if not setting.is_known or isinstance(setting.value, bool) or not isinstance(setting.value, int | float):
        return None
    basis = Basis.MEASURED if setting.state is State.OBSERVED else Basis.CONFIGURED
    return Input(name, setting.value, unit, basis)


def input_of(figure: Figure) -> Input:
    """A figure as the input of a formula; its basis is its weakest system basis."""
    value = figure.value
    if value is None:
        raise DomainError(f"{figure.key} has no single value to compute with")
    return Input(figure.key, value, figure.unit, figure.system_basis)


def derive(
    key: str,
    value: Number,
    interval: Interval | None,
    formula: str,
    inputs: tuple[Input, ...],
    *parents: Figure,
    unit: str = "",
) -> Figure:
    """A derived figure: status and fewest repeats of its parents, the weakest basis of its inputs."""
    name, _, stat = key.partition(":")
    first = parents[0] if parents else None
    return Figure(
        metric=name,
        stat=stat,
        unit=unit or metric(key).unit,
        value=value,
        interval=interval,
        basis=Basis.DERIVED,
        system_basis=weakest(*(one.basis for one in inputs if not one.scenario)),
        status=inherited(*(parent.status for parent in parents)),
        party=_party(parents),
        evidence=(Evidence("rule", place=formula),),
        formula=formula,
        inputs=inputs,
        repeats=_fewest(parents),
        definition=first.definition if first else "",
    )


def _party(parents: tuple[Figure, ...]) -> Party | None:
    """Who said the weakest of the parents, the first among equals: a figure from somebody's assumption is theirs."""
    if not parents:
        return None
    worst = weakest(*(parent.system_basis for parent in parents))
    return next((parent.party for parent in parents if parent.system_basis is worst), parents[0].party)


def _fewest(parents: tuple[Figure, ...]) -> int | None:
    """The repeats of the least repeated parent; None where one of them does not state its own."""
    counts = [parent.repeats for parent in parents if parent.metric not in NEVER_REPEATED]
    stated = [count for count in counts if count is not None]
    return min(stated) if stated and len(stated) == len(counts) else None


def usable(figures_by_key: Figures, key: str) -> Figure | None:
    """The figure of a key if it has a single value to compute with."""
    figure = figures_by_key.get(key)
    return figure if figure is not None and figure.value is not None else None


def settle(found: Figures, computed: Figure, repeats: tuple[Number, ...] = ()) -> None:
    """Keep a computed figure; where the source printed it, keep the print with the recomputation as its check.

    What a source derived from a number that was corrected since falls with it: the recomputation stands, and the print
    stays readable as its check.
    """
    printed = found.get(computed.key)
    if computed.value is None or not isfinite(computed.value):
        return
    checks = tuple(
        Check("repeats", value, f"mean of the repeats: {computed.formula}", _agree(computed.interval, point(value)))
        for value in repeats
    )
    if printed is None or printed.value is None:
        if printed is None:
            found[computed.key] = replace(computed, checks=checks) if checks else computed
        return
    agrees = _agree(printed.interval, computed.interval or point(computed.value))
    if not agrees and _falls_with_its_inputs(printed, computed):
        old = Check("printed", printed.value, printed.printed.text if printed.printed else "", agrees=False)
        found[computed.key] = replace(computed, evidence=printed.evidence, party=printed.party, checks=(old, *checks))
        return
    check = Check("recomputed", computed.value, computed.formula, agrees)
    found[computed.key] = replace(
        printed,
        system_basis=weakest(printed.basis, computed.system_basis),
        formula=computed.formula,
        inputs=computed.inputs,
        repeats=computed.repeats if printed.repeats is None else printed.repeats,
        repeat_values=printed.repeat_values or computed.repeat_values,
        definition=printed.definition or computed.definition,
        status=inherited(printed.status, computed.status),
        checks=(check, *checks),
    )


def _falls_with_its_inputs(printed: Figure, computed: Figure) -> bool:
    """Whether a source derived the figure itself, from a number that was corrected since, and it was not."""
    return printed.basis is Basis.DERIVED and printed.status is Status.CURRENT and computed.status is Status.CORRECTED


def _agree(left: Interval | None, right: Interval) -> bool:
    if left is None or left.overlaps(right):
        return True
    gap = max(left.low - right.high, right.low - left.high)
    return gap <= SAME * max(abs(left.high), abs(right.high))


def over(figure: Figure, divisor: Input) -> tuple[Number, Interval | None]:
    """A figure over an exact input, with its interval."""
    if figure.value is None:
        raise DomainError(f"{figure.key} has no single value to compute with")
    span = figure.interval / point(divisor.value) if figure.interval else None
    return quotient(figure.value, divisor.value), span


def _per_gpu(record: RunRecord, found: Figures) -> None:
    gpus = setting_input(record, "active_gpus", "active_gpus", "GPUs")
    if gpus is None or gpus.value == 0:
        return
    for total, each in (
        ("total_throughput", "per_gpu_total"),
        ("output_throughput", "per_gpu_output"),
        ("gpu_power:mean", "gpu_power_per_gpu:mean"),
    ):
        whole = usable(found, total)
        if whole is None:
            continue
        value, span = over(whole, gpus)
        inputs = (input_of(whole), gpus)
        computed = derive(each, value, span, f"{total} / active_gpus", inputs, whole)
        if whole.repeat_values:
            shares = tuple(quotient(one, gpus.value) for one in whole.repeat_values)
            computed = replace(computed, repeat_values=shares)
        settle(found, computed, _repeat_means(whole, gpus.value))


def _repeat_means(whole: Figure, divisor: Number) -> tuple[Number, ...]:
    """The mean of the repeats beneath a printed mean, over the same divisor: 5,673 and 5,648 over six give 943.4."""
    if len(whole.repeat_values) < 2 or whole.printed is None:
        return ()
    exact = sum((Fraction(as_decimal(value)) for value in whole.repeat_values), Fraction())
    mean = exact / len(whole.repeat_values) / Fraction(as_decimal(divisor))
    return (Decimal(mean.numerator) / Decimal(mean.denominator),)


def _interactivity(found: Figures) -> None:
    tpot = usable(found, "tpot:median") or usable(found, "tpot:single")
    if tpot is None or tpot.value is None or tpot.value <= 0:
        return
    span = None
    if tpot.interval is not None and tpot.interval.low > 0:
        span = point(1) / tpot.interval
    computed = derive("interactivity", quotient(1, tpot.value), span, f"1 / {tpot.key}", (input_of(tpot),), tpot)
    settle(found, computed)


def _prefill(found: Figures) -> None:
    tokens, time = usable(found, "input_tokens"), usable(found, "prefill_time")
    if tokens is None or time is None or tokens.value is None or time.value is None or time.value <= 0:
        return
    span = tokens.interval / time.interval if tokens.interval and time.interval and time.interval.low > 0 else None
    inputs = (input_of(tokens), input_of(time))
    value = quotient(tokens.value, time.value)
    settle(found, derive("prefill_throughput", value, span, "input_tokens / prefill_time", inputs, tokens, time))


def _power(record: RunRecord, found: Figures) -> None:
    gpus = setting_input(record, "active_gpus", "active_gpus", "GPUs")
    for quantity in power_quantities(record):
        found.setdefault(quantity.key, figure_of(quantity))
    _energy_of_mean(record, found)
    if gpus is None:
        return
    cap = setting_input(record, "power_cap_w", "power_cap_w", "W")
    if cap is not None:
        basis = Input(cap.name, cap.value, cap.unit, Basis.CONFIGURED)
        joint = product(cap.value, gpus.value)
        settle(found, derive("gpu_power_cap", joint, point(joint), "power_cap_w x active_gpus", (basis, gpus)))
    each = usable(found, "gpu_power_assumed_per_gpu")
    if each is not None and each.value is not None:
        joint = product(each.value, gpus.value)
        formula = "gpu_power_assumed_per_gpu x active_gpus"
        settle(found, derive("gpu_power_assumed", joint, point(joint), formula, (input_of(each), gpus), each))


def _energy_of_mean(record: RunRecord, found: Figures) -> None:
    """Where an erratum lies over the log's mean power, the energy follows from the mean as it stands."""
    mean, energy = usable(found, MEAN), usable(found, ENERGY)
    seconds = seconds_measured(record.power) if record.power is not None else None
    if mean is None or mean.value is None or energy is None or seconds is None:
        return
    if mean.status is Status.CURRENT or energy.status is not Status.CURRENT or not is_of_log(record, MEAN):
        return
    measured = Input("seconds measured", seconds, "s", Basis.MEASURED)
    value = product(mean.value, seconds)
    found[ENERGY] = derive(ENERGY, value, None, f"{MEAN} x seconds measured", (input_of(mean), measured), mean)


def _energy(record: RunRecord, found: Figures) -> None:
    energy = usable(found, "energy")
    if energy is None:
        return
    done = record.requests
    total = None if done.input_tokens is None or done.output_tokens is None else done.input_tokens + done.output_tokens
    for key, tokens, name in (
        ("energy_per_token", total, "input_tokens + output_tokens"),
        ("energy_per_output_token", done.output_tokens, "output_tokens"),
    ):
        if tokens:
            count = Input(name, tokens, "tokens", Basis.MEASURED)
            value, span = over(energy, count)
            settle(found, derive(key, value, span, f"energy / ({name})", (input_of(energy), count), energy))


def _per_kw(found: Figures) -> None:
    total = usable(found, "total_throughput")
    if total is None or total.value is None:
        return
    for kind, power_key in POWER_KINDS:
        power = usable(found, power_key)
        if power is None or power.value is None or power.value <= 0:
            continue
        span = None
        if total.interval and power.interval and power.interval.low > 0:
            span = total.interval / power.interval * point(1000)
        computed = derive(
            f"tok_per_kw_{kind}",
            product(quotient(total.value, power.value), 1000),
            span,
            f"total_throughput / ({power_key} / 1000 W)",
            (input_of(total), input_of(power)),
            total,
            power,
        )
        settle(found, computed)
