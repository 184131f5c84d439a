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
from runs.services.answers import MissingError, RefusedError
from runs.services.compare import compare
from runs.services.purging import PurgedError
from runs.services.scenarios import find_scenario

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
    form = ScenarioForm.of(stored_scenario(), state)
    try:
        body = kept_body(request, state, form)
    except PurgedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=410)
    except MissingError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=404)
    except RefusedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=400)
    return render(request, "compare/comparison.html", {"place": "compare", "body": body})


def kept_body(request: HttpRequest, state: CompareState, form: ScenarioForm) -> SafeString:
    """The page's body, kept by everything it depends on: the runs' revisions, the address, the scenario, the language.

    Raises what comparing raises.
    """
    locale = locale_of(request)
    revisions = sorted(revisions_of(state.runs).items())
    depends = repr((VERSION, request.GET.urlencode(), revisions, form.stored, locale))
    key = f"comparison:{hashlib.sha256(depends.encode(errors='replace')).hexdigest()}"
    body = cache.get(key)
    if body is None:
        found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used)
        body = render_to_string("compare/_body.html", compare_context(found, state, form, request.GET, locale))
        cache.set(key, str(body), SECONDS)
    return SafeString(body)  # what the template above rendered


def stored_scenario() -> Scenario:
    try:
        return find_scenario(key=STORED)
    except MissingError:
        return NO_PRICES
