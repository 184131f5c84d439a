"""The comparison page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from dashboard.pages.compare_context import compare_context
from dashboard.pages.locale import locale_of
from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from runs.domain.scenarios import Scenario
from runs.selectors_sources import list_scenarios
from runs.services.answers import MissingError, RefusedError
from runs.services.compare import compare
from runs.services.scenarios import chosen_scenario

# What costs are computed with where no scenario is stored: nothing is priced until the reader enters a price.
NO_PRICES = Scenario("none", "No prices")
STORED = "article"


@require_GET
def comparison(request: HttpRequest) -> HttpResponse:
    state = CompareState.of(request.GET)
    if not state.runs:
        return render(request, "compare/choose.html", {"place": "compare"})
    if len(request.GET.getlist("runs")) > 1:
        return redirect(f"{reverse('compare')}?{state.query}")
    form = scenario_form(state)
    try:
        found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used)
    except MissingError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=404)
    except RefusedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=400)
    context = compare_context(found, state, form, request.GET, locale_of(request))
    return render(request, "compare/comparison.html", context)


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
