"""The comparison page."""

import hashlib

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString
from django.views.decorators.http import require_GET

from dashboard import stamps
from dashboard.pages.compare_context import compare_context
from dashboard.pages.locale import locale_of
from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from runs.domain.scenarios import Scenario
from runs.selectors import revisions as revisions_of
from runs.selectors_sources import list_scenarios, sources_of
from runs.services.answers import MissingError, RefusedError
from runs.services.compare import compare
from runs.services.scenarios import chosen_scenario

# What costs are computed with where no scenario is stored: nothing is priced until the reader enters a price.
NO_PRICES = Scenario("none", "No prices")
STORED = "article"
# A kept body is of one release: static files carry hashes, and rules change with the code.
VERSION = stamps.fingerprint([settings.BASE_DIR / folder for folder in ("dashboard", "runs", "static", "templates")])
SECONDS = 3600


@require_GET
def comparison(request: HttpRequest) -> HttpResponse:
    state = CompareState.of(request.GET)
    if not state.runs:
        return render(request, "compare/choose.html", {"place": "compare"})
    if len(request.GET.getlist("runs")) > 1:
        return redirect(f"{reverse('compare')}?{state.query}")
    form = scenario_form(state)
    try:
        body = kept_body(request, state, form)
    except MissingError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=404)
    except RefusedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=400)
    return render(request, "compare/comparison.html", {"place": "compare", "body": body})


def kept_body(request: HttpRequest, state: CompareState, form: ScenarioForm) -> SafeString:
    """The page's body, kept by what it depends on: runs in their revisions, sources, address, scenarios, language.

    Raises what comparing raises.
    """
    locale = locale_of(request)
    revisions = sorted(revisions_of(state.runs).items())
    sources = sources_of(state.runs)
    depends = repr((VERSION, request.GET.urlencode(), revisions, sources, form.stored, form.known, locale))
    key = f"comparison:{hashlib.sha256(depends.encode(errors='replace')).hexdigest()}"
    body = cache.get(key)
    if body is None:
        found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used)
        body = render_to_string("compare/_body.html", compare_context(found, state, form, request.GET, locale))
        cache.set(key, str(body), SECONDS)
    return SafeString(body)  # what the template above rendered


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
