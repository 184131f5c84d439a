"""The scenario of a comparison in lines of a name and a text, where it is shown and not set."""

from dashboard.render.numbers import NBSP, Locale, format_number, percent
from dashboard.render.wording import _, say
from runs.domain.scenarios import Offer, Scenario


def scenario_lines(scenario: Scenario, locale: Locale) -> tuple[tuple[str, str], ...]:
    """Prices and shares as the comparison counts them; all of them assumptions."""
    money = scenario.money
    lines = [(say(_("Scenario"), locale), f"{scenario.name} ({say(_('version'), locale)} {scenario.version})")]
    if scenario.price_per_kwh is not None:
        lines.append((say(_("Electricity"), locale), f"{money}{format_number(scenario.price_per_kwh, locale)} / kWh"))
    lines.append((say(_("PUE"), locale), format_number(scenario.pue, locale)))
    lines.append((say(_("Utilisation"), locale), percent(scenario.utilisation, locale)))
    lines += [(offer.name, _offer(offer, money, locale)) for offer in scenario.offers]
    return tuple(lines)


def _offer(offer: Offer, money: str, locale: Locale) -> str:
    unit = (
        say(_("smallest unit not stated"), locale)
        if offer.unit_gpus is None
        else say(_("smallest unit: {n} GPUs"), locale).format(n=offer.unit_gpus)
    )
    checked = say(_("checked {day}"), locale).format(day=offer.checked) if offer.checked else ""
    rate = f"{money}{format_number(offer.rate_per_gpu_hour, locale)}{NBSP}/ GPU / h"
    return "; ".join(part for part in (rate, offer.includes, unit, checked) if part)
