"""Price scenarios: kept in versions, found by key, or made on the spot for one question."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.db import IntegrityError, transaction

from runs import store
from runs.domain.scenarios import Offer, Scenario
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


def make_scenario(*, key: str, given: Mapping[str, Any]) -> Scenario:
    """A scenario of fields as the API takes them. Raises RefusedError where they cannot be."""
    try:
        offers = tuple(
            Offer(one["name"], one["rate_per_gpu_hour"], one["includes"], one["unit_gpus"], one["source_text"],
                  one["checked"])
            for one in given["offers"]
        )  # fmt: skip
        if len({offer.name for offer in offers}) < len(offers):
            raise DomainError("two offers have the same name")
        return Scenario(key, given["name"], given["currency"], given["price_per_kwh"], given["pue"],
                        given["utilisation"], offers, given["note"])  # fmt: skip
    except DomainError as error:
        raise RefusedError("invalid_scenario", str(error), Problem("", "", "", str(error))) from None


def free_key(*, wanted: str) -> str:
    """A key that no scenario has, like the one wanted."""
    key, number = wanted or "scenario", 2
    while store.scenario_of(key) is not None:
        key, number = f"{wanted or 'scenario'}-{number}", number + 1
    return key


def save_version(*, scenario: Scenario, seen: str) -> Scenario:
    """A scenario that was edited from version ``seen`` ("" for a new one). Raises RefusedError (``conflict``) where
    another version was saved meanwhile."""
    latest = store.scenario_of(scenario.key)
    there = str(latest.version) if latest else ""
    if there != seen:
        problem = Problem("", "version", f"version {seen or 'none'}, which you opened", f"version {there or 'none'}")
        raise RefusedError("conflict", "Somebody saved this scenario before you; nothing was changed.", problem)
    try:
        with transaction.atomic():
            return store.save_scenario(scenario)
    except IntegrityError:
        raise RefusedError(
            "conflict", "Somebody saved this scenario at the same moment; nothing was changed."
        ) from None


def chosen_scenario(*, reference: str) -> Scenario:
    """The scenario of ``key`` (its latest version) or ``key@version``. Raises MissingError."""
    key, at, version = reference.partition("@")
    if at and not (version.isascii() and version.isdigit() and len(version) < 10):
        seen = Problem("", "scenario", "key@version with a whole number", reference)
        raise MissingError("scenario_not_found", f"There is no scenario {reference}.", seen)
    return find_scenario(key=key, version=int(version) if at else None)
