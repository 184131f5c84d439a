"""Price scenarios: kept in versions, found by key, or made on the spot for one question."""

from decimal import Decimal

from runs import store
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError
from runs.services.answers import MissingError, Problem, RefusedError


def save_scenario(*, scenario: Scenario) -> Scenario:
    """The scenario under its next version; the same content again keeps the version it has."""
    return store.save_scenario(scenario)


def find_scenario(*, key: str, version: int | None = None) -> Scenario:
    """A stored scenario, the latest version where none is named. Raises MissingError."""
    found = store.scenario_of(key, version)
    if found is None:
        seen = Problem("", "scenario", "the key of a stored scenario", key)
        raise MissingError("scenario_not_found", f"There is no scenario {key}.", seen)
    return found


def priced(
    *, price_per_kwh: Decimal, currency: str = "USD", pue: Decimal = Decimal(1), utilisation: Decimal = Decimal(1)
) -> Scenario:
    """A scenario of one question, not stored. Raises RefusedError for values outside their range."""
    try:
        return Scenario("request", "As asked", currency, price_per_kwh, pue, utilisation)
    except DomainError as error:
        raise RefusedError("invalid_scenario", str(error), Problem("", "price_per_kwh", "", str(error))) from None
