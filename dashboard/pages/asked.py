"""What an address asks to compare: the one way from a view state to a comparison, for page, export, save and share."""

from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.http import QueryDict
from django.utils import timezone

from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from dashboard.render.exports.document import Export
from dashboard.render.numbers import Locale
from runs.domain.comparison import Comparison
from runs.domain.scenarios import Scenario
from runs.selectors.documents import list_scenarios
from runs.services.answers import MissingError
from runs.services.compare import compare
from runs.services.saved import SavedView
from runs.services.scenarios import chosen_scenario

# What costs are computed with where no scenario is stored: nothing is priced until the reader enters a price.
NO_PRICES = Scenario("none", "No prices")
STORED = "article"


@dataclass(frozen=True)
class Asked:
    state: CompareState
    form: ScenarioForm
    comparison: Comparison


def asked(state: CompareState) -> Asked:
    """Raises MissingError and RefusedError as the service does."""
    form = scenario_form(state)
    found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used, metrics=state.metrics)
    return Asked(state, form, found)


def scenario_form(state: CompareState) -> ScenarioForm:
    """The scenario that the address picks, else the article's, else the first there is; and what was set over it."""
    known = list_scenarios()
    fallback = next((one for one in known if one.key == STORED), known[0] if known else NO_PRICES)
    if not state.stored:
        return ScenarioForm.of(fallback, state, known)
    try:
        return ScenarioForm.of(chosen_scenario(reference=state.stored), state, known)
    except MissingError as error:
        return ScenarioForm.of(fallback, state, known, (str(error),))


def pinned(state: CompareState) -> CompareState:
    """The state with the scenario in the very version it was seen with."""
    stored = scenario_form(state).stored
    return replace(state, stored="" if stored == NO_PRICES else f"{stored.key}@{stored.version}")


def saved_state(saved: SavedView, query: QueryDict) -> CompareState:
    """The state of a saved comparison, or what the address makes of it."""
    if "runs" in query:
        return CompareState.of(query)
    return CompareState.of(QueryDict(urlencode(list(saved.view.items()))))


def asked_saved(saved: SavedView, query: QueryDict) -> Asked:
    return asked(saved_state(saved, query))


def export_of(found: Comparison, title: str, locale: Locale) -> Export:
    return Export(found, title, timezone.now().isoformat(timespec="seconds"), locale)
