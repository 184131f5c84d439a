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
from runs.services.answers import MissingError, RefusedError
from runs.services.compare import compare
from runs.services.scenarios import find_scenario

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
    form = ScenarioForm.of(stored_scenario(), state)
    try:
        found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used)
    except MissingError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=404)
    except RefusedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=400)
    context = compare_context(found, state, form, request.GET, locale_of(request))
    return render(request, "compare/comparison.html", context)


def stored_scenario() -> Scenario:
    try:
        return find_scenario(key=STORED)
    except MissingError:
        return NO_PRICES
