"""What an address asks to compare: the one way from a view state to a comparison, for page, export, save and share."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone

from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from dashboard.render.exports.document import Export
from dashboard.render.numbers import Locale
from runs.domain.comparison import Comparison
from runs.domain.scenarios import Scenario
from runs.services.answers import MissingError
from runs.services.compare import compare
from runs.services.saved import SavedView
from runs.services.scenarios import find_scenario

# What costs are computed with where no scenario is stored: nothing is priced until the reader enters a price.
NO_PRICES = Scenario("none", "No prices")
STORED = "article"


@dataclass(frozen=True)
class Asked:
    state: CompareState
    form: ScenarioForm
    comparison: Comparison


def asked(state: CompareState, stored: Scenario | None = None) -> Asked:
    """Raises MissingError and RefusedError as the service does."""
    form = ScenarioForm.of(stored or stored_scenario(), state)
    found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used, metrics=state.metrics)
    return Asked(state, form, found)


def stored_scenario(key: str = STORED, version: int | None = None) -> Scenario:
    try:
        return find_scenario(key=key or STORED, version=version)
    except MissingError:
        return NO_PRICES


def saved_state(saved: SavedView, query: QueryDict) -> CompareState:
    """The state of a saved comparison, or what the address makes of it."""
    if "runs" in query:
        return CompareState.of(query)
    return CompareState.of(QueryDict(urlencode(list(saved.view.items()))))


def saved_form(saved: SavedView, state: CompareState) -> ScenarioForm:
    return ScenarioForm.of(_pinned(saved) or stored_scenario(), state)


def asked_saved(saved: SavedView, query: QueryDict) -> Asked:
    return asked(saved_state(saved, query), _pinned(saved))


def _pinned(saved: SavedView) -> Scenario | None:
    return stored_scenario(saved.scenario_key, saved.scenario_version) if saved.scenario_key else None


def export_of(found: Comparison, title: str, locale: Locale) -> Export:
    return Export(found, title, timezone.now().isoformat(timespec="seconds"), locale)
