"""The comparison page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from dashboard.pages.asked import scenario_form
from dashboard.pages.gone import gone_page
from dashboard.pages.kept import kept_body
from dashboard.pages.viewstate import CompareState
from runs.services.answers import MissingError, RefusedError
from runs.services.purging import PurgedError


@require_GET
def comparison(request: HttpRequest) -> HttpResponse:
    state = CompareState.of(request.GET)
    if not state.runs:
        return render(request, "compare/choose.html", {"place": "compare"})
    if len(request.GET.getlist("runs")) > 1:
        return redirect(f"{reverse('compare')}?{state.query}")
    try:
        body = kept_body(request, state, scenario_form(state))
    except PurgedError as error:
        return gone_page(request, state, error, "compare")
    except MissingError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=404)
    except RefusedError as error:
        return render(request, "compare/choose.html", {"place": "compare", "errors": [str(error)]}, status=400)
    return render(request, "compare/comparison.html", {"place": "compare", "body": body, "query": state.query})
