"""What if it had been stated: bands over a range that a reader supposes, against the other runs of a comparison."""

from dataclasses import dataclass
from decimal import Decimal

from runs import store
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.units import DomainError, Number
from runs.domain.whatif import INPUTS, OF_EVERY_RUN, Band, Survival, band, rivals, survival
from runs.services.answers import MissingError, Problem, RefusedError


@dataclass(frozen=True)
class Against:
    """Another run's figure beside a band, and whether the ranking of the two is the same over all of it."""

    run: int
    key: str
    value: Number
    survival: Survival


@dataclass(frozen=True)
class Supposed:
    """One metric of the supposed run as a band, against every figure of the same meaning that others have; against
    none where what is supposed would move the others too."""

    run: int
    band: Band
    against: tuple[Against, ...]


def suppose(
    *, comparison: Comparison, run_id: str, input_name: str, low: Decimal, high: Decimal
) -> tuple[Supposed, ...]:
    """Every metric that the input enters. Nothing of it is in the comparison, its ratios or its exports.

    Raises RefusedError where no formula takes the input, or the range is none.
    """
    places = {head.key: place for place, head in enumerate(comparison.runs)}
    run = store.current([run_id]).get(run_id)
    if run is None or run_id not in places:
        raise MissingError("run_not_found", "The run is none of those compared.", Problem("", "run", "a run", run_id))
    entry = RunEntry(run_id, run.record, run.errata)
    found: list[Supposed] = []
    refused = ""
    for key in _keys(comparison, input_name):
        try:
            supposed = band(entry, key, input_name, low, high, comparison.scenario)
        except DomainError as error:
            refused = refused or str(error)
            continue
        found.append(Supposed(places[run_id], supposed, _against(comparison, places[run_id], supposed)))
    if not found:
        raise RefusedError("nothing_supposed", refused, Problem("", input_name, "an input of a formula", refused))
    return tuple(found)


def _keys(comparison: Comparison, input_name: str) -> list[str]:
    """Keys to try: for rental one for each offer of the scenario; an unknown input is tried so that it is refused."""
    offers = [offer.name for offer in comparison.scenario.offers] if comparison.scenario else []
    keys: list[str] = []
    for name in INPUTS.get(input_name, ("total_throughput",)):
        if name == "rental":
            keys += [f"{name}:{offer}" for offer in offers]
        elif "output" not in name:
            keys.append(name)
    return keys or ["rental"]


def _against(comparison: Comparison, place: int, supposed: Band) -> tuple[Against, ...]:
    found: list[Against] = []
    if supposed.input in OF_EVERY_RUN:
        return ()
    for key in rivals(supposed.metric):
        row = comparison.row(key)
        for other, cell in enumerate(row.cells if row else ()):
            figure = cell.figure
            if other == place or figure is None or figure.value is None or figure.unit != supposed.unit:
                continue
            (kept,) = survival(supposed, [(comparison.runs[other].key, figure.value)])
            found.append(Against(other, key, figure.value, kept))
    return tuple(sorted(found, key=lambda one: one.run))
