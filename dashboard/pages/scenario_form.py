"""The scenario of a comparison as a form in the address: prices typed by the reader over those that are stored."""

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from dashboard.pages.viewstate import OFFER_PREFIX, CompareState, typed_decimal
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError


@dataclass(frozen=True)
class Field:
    name: str
    label: str
    value: str
    help: str = ""
    mode: str = "decimal"


@dataclass(frozen=True)
class ScenarioForm:
    """The stored scenario, the one to compute with, and what was wrong with what was typed."""

    stored: Scenario
    used: Scenario
    errors: tuple[str, ...] = ()
    known: tuple[Scenario, ...] = ()

    @classmethod
    def of(
        cls, stored: Scenario, state: CompareState, known: tuple[Scenario, ...] = (), refused: tuple[str, ...] = ()
    ) -> "ScenarioForm":
        """``stored`` with what the address sets; a value that is refused leaves the stored one and says so.

        ``known`` are the scenarios to pick from, and ``refused`` what was wrong with the one that was asked for.
        """
        used, errors = stored, list(refused)
        for name, text in state.scenario.items():
            value = typed_decimal(text)
            if value is None:
                errors.append(
                    _("%(name)s: expected a number such as 0.10, saw “%(text)s”.") % {"name": name, "text": text}
                )
                continue
            try:
                used = _changed(used, name, value)
            except DomainError as error:
                errors.append(f"{name}: {error}")
        return cls(stored, used, tuple(errors), known)

    def context(self, state: CompareState) -> dict[str, Any]:
        bare = replace(state, scenario={})
        unpicked = replace(bare, stored="")
        return {
            "name": self.stored.name,
            "version": self.stored.version,
            "utilisation": str(self.used.utilisation),
            "choices": self._choices(),
            "pick_hidden": list(unpicked.pairs()),
            "fields": self.fields(),
            "errors": self.errors,
            "hidden": list(bare.pairs()),
            "reset_url": f"?{bare.query}#costs",
        }

    def _choices(self) -> list[tuple[str, str, bool]]:
        """Scenarios to pick from: reference, name, and whether it is the one in use (an old version among them)."""
        choices = [(f"{one.key}@{one.version}", one.name, one == self.stored) for one in self.known]
        if self.known and not any(current for _reference, _name, current in choices):
            old = _("%(name)s, version %(version)s") % {"name": self.stored.name, "version": self.stored.version}
            choices.append((f"{self.stored.key}@{self.stored.version}", old, True))
        return choices

    def fields(self) -> list[Field]:
        money, used = self.used.money, self.used
        price = "" if used.price_per_kwh is None else str(used.price_per_kwh)
        fields = [
            Field("price_per_kwh", _("Electricity, %(money)s per kWh") % {"money": money}, price),
            Field("pue", _("PUE"), str(used.pue), _("1 counts the GPUs alone")),
            Field("utilisation", _("Utilisation, share of 1"), str(used.utilisation), _("below 1 needs an idle power")),
        ]
        return fields + [_offer_field(offer, money) for offer in used.offers]


def _offer_field(offer: Offer, money: str) -> Field:
    label = _("%(name)s, %(money)s per GPU-hour") % {"name": offer.name, "money": money}
    unit = (
        _("smallest unit not stated: both readings shown")
        if offer.unit_gpus is None
        else _("smallest unit: %(n)s GPUs") % {"n": offer.unit_gpus}
    )
    checked = _("checked %(day)s") % {"day": offer.checked} if offer.checked else ""
    return Field(
        f"{OFFER_PREFIX}{offer.name}",
        label,
        str(offer.rate_per_gpu_hour),
        "; ".join(part for part in (offer.includes, unit, checked) if part),
    )


def _changed(scenario: Scenario, name: str, value: Decimal) -> Scenario:
    if not name.startswith(OFFER_PREFIX):
        changes: dict[str, Any] = {name: value}
        return replace(scenario, **changes)
    wanted = name.removeprefix(OFFER_PREFIX)
    if wanted not in {offer.name for offer in scenario.offers}:
        raise DomainError(_("there is no such offer in the scenario"))
    offers = tuple(
        replace(offer, rate_per_gpu_hour=value) if offer.name == wanted else offer for offer in scenario.offers
    )
    return replace(scenario, offers=offers)
