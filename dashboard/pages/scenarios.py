"""Scenarios of prices: listed, and changed by saving a new version."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from dashboard.pages.scenario_edit import ScenarioEdit
from dashboard.pages.upload_form import problems_of
from dashboard.pages.writing import bounded
from runs.domain.scenarios import Scenario
from runs.readers.pasted import slug
from runs.selectors import documents as selectors
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.scenarios import find_scenario, free_key, save_version


@require_GET
def scenario_list(request: HttpRequest) -> HttpResponse:
    return render(request, "scenarios/list.html", {"place": "scenarios", "scenarios": selectors.list_scenarios()})


@bounded
@require_http_methods(["GET", "POST"])
def scenario_new(request: HttpRequest) -> HttpResponse:
    return _edit(request, None)


@bounded
@require_http_methods(["GET", "POST"])
def scenario_edit(request: HttpRequest, key: str) -> HttpResponse:
    try:
        return _edit(request, find_scenario(key=key))
    except MissingError:
        raise Http404 from None


def _edit(request: HttpRequest, there: Scenario | None) -> HttpResponse:
    if request.method == "GET":
        form = ScenarioEdit.from_scenario(there) if there else ScenarioEdit({"currency": "USD"})
        return _page(request, form, there)
    form = ScenarioEdit.of(request.POST)
    key = there.key if there else free_key(wanted=slug(form.typed["name"]))
    scenario, problems = form.scenario(key)
    if scenario is None:
        return _page(request, form, there, 400, problems)
    try:
        kept = save_version(scenario=scenario, seen=form.typed["version"])
    except RefusedError as error:
        return _page(request, form, there, 409, problems_of(error), str(error))
    messages.success(request, _("Saved as version %(version)s.") % {"version": kept.version}, extra_tags="good")
    return redirect("scenarios")


def _page(
    request: HttpRequest,
    form: ScenarioEdit,
    there: Scenario | None,
    status: int = 200,
    problems: list[Problem] | None = None,
    refused: str = "",
) -> HttpResponse:
    context = {
        "place": "scenarios",
        "form": form,
        "there": there,
        "problems": problems,
        "refused": refused,
        "versions": selectors.scenario_versions(there.key) if there else (),
    }
    return render(request, "scenarios/form.html", context, status=status)
