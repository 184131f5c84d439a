"""A scenario as a form: prices as typed, in rows of offers that may be left empty."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.pages.viewstate import typed_decimal
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError
from runs.services.answers import Problem

TEXTS = ("name", "currency", "price_per_kwh", "pue", "utilisation", "note", "version")
OFFER = ("name", "rate", "includes", "unit", "source", "checked")
EMPTY_OFFERS, MOST_OFFERS = 3, 20


@dataclass(frozen=True)
class OfferRow:
    """An offer's fields as typed; ``at`` is its number in the form."""

    at: int
    name: str = ""
    rate: str = ""
    includes: str = ""
    unit: str = ""
    source: str = ""
    checked: str = ""

    @property
    def is_empty(self) -> bool:
        return not any((self.name, self.rate, self.includes, self.unit, self.source, self.checked))


@dataclass(frozen=True)
class ScenarioEdit:
    """What was typed, as typed."""

    typed: Mapping[str, str] = field(default_factory=dict)
    offers: tuple[OfferRow, ...] = ()

    @classmethod
    def of(cls, data: QueryDict) -> "ScenarioEdit":
        def text(name: str) -> str:
            return str(data.get(name, "")).strip().replace("\0", "")

        rows = [OfferRow(at, *(text(f"offer.{at}.{name}") for name in OFFER)) for at in range(MOST_OFFERS)]
        return cls({name: text(name) for name in TEXTS}, tuple(row for row in rows if not row.is_empty))

    @classmethod
    def from_scenario(cls, scenario: Scenario) -> "ScenarioEdit":
        price = "" if scenario.price_per_kwh is None else str(scenario.price_per_kwh)
        typed = {
            "name": scenario.name,
            "currency": scenario.currency,
            "price_per_kwh": price,
            "pue": str(scenario.pue),
            "utilisation": str(scenario.utilisation),
            "note": scenario.note,
            "version": str(scenario.version),
        }
        offers = tuple(
            OfferRow(
                at, one.name, str(one.rate_per_gpu_hour), one.includes,
                "" if one.unit_gpus is None else str(one.unit_gpus), one.source, one.checked,
            )
            for at, one in enumerate(scenario.offers)
        )  # fmt: skip
        return cls(typed, offers)

    def rows(self) -> list[OfferRow]:
        """The offers with a few empty rows behind them."""
        most = min(len(self.offers) + EMPTY_OFFERS, MOST_OFFERS)
        filled = [OfferRow(at, *(getattr(one, name) for name in OFFER)) for at, one in enumerate(self.offers)]
        return filled + [OfferRow(at) for at in range(len(filled), most)]

    def scenario(self, key: str) -> tuple[Scenario | None, list[Problem]]:
        """The scenario that was typed, or every field that cannot be taken."""
        problems: list[Problem] = []
        price = self._number("price_per_kwh", _("Electricity per kWh"), problems, None)
        pue = self._number("pue", _("PUE"), problems, Decimal(1))
        use = self._number("utilisation", _("Utilisation"), problems, Decimal(1))
        offers = [offer for row in self.offers if (offer := _offer(row, problems)) is not None]
        names = [offer.name for offer in offers]
        twice = dict.fromkeys(name for name in names if names.count(name) > 1)
        problems += [Problem("", name, _("one offer of a name"), _("two")) for name in twice]
        currency = self.typed.get("currency", "").upper()
        if not (len(currency) == 3 and currency.isascii() and currency.isalpha()):
            problems.append(Problem("", _("Currency"), _("three letters such as USD or EUR"), currency or _("nothing")))
        if not self.typed.get("name"):
            problems.append(Problem("", _("Name"), _("what the scenario is called"), _("nothing")))
        if problems or pue is None or use is None:
            return None, problems
        try:
            name, note = self.typed["name"][:120], self.typed["note"][:5000]
            return Scenario(key, name, currency, price, pue, use, tuple(offers), note), []
        except DomainError as error:
            return None, [Problem("", "", "", str(error))]

    def _number(self, name: str, words: str, problems: list[Problem], empty: Decimal | None) -> Decimal | None:
        text = self.typed.get(name, "")
        if not text:
            return empty
        found = typed_decimal(text)
        if found is None or abs(found.adjusted()) > 12:
            problems.append(Problem("", words, _("a number such as 0.10"), text))
        return found


def _offer(row: OfferRow, problems: list[Problem]) -> Offer | None:
    rate = typed_decimal(row.rate)
    if not row.name or rate is None or abs(rate.adjusted()) > 12:
        problems.append(
            Problem("", row.name or _("Offer"), _("a name and a rate such as 2.95"), row.rate or _("nothing"))
        )
        return None
    if row.unit and not (row.unit.isascii() and row.unit.isdigit() and len(row.unit) < 6):
        problems.append(Problem("", row.name, _("a whole number of GPUs, or nothing: not stated"), row.unit))
        return None
    try:
        return Offer(row.name[:120], rate, row.includes[:300], int(row.unit) if row.unit else None, row.source[:300],
                     row.checked[:20])  # fmt: skip
    except DomainError as error:
        problems.append(Problem("", row.name, "", str(error)))
        return None
