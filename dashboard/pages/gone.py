"""A comparison that names a purged run: its tombstone's words, and the way to the runs that are left."""

from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from dashboard.pages.viewstate import CompareState
from runs.selectors import names
from runs.services.purging import PurgedError


def gone_page(request: HttpRequest, state: CompareState, error: PurgedError, place: str) -> HttpResponse:
    """410, as nothing is shown in place of what was purged; the first run left is the baseline where it was that."""
    here = names(state.runs)
    left = tuple(run for run in state.runs if run in here)
    rest = replace(state, runs=left, baseline=state.baseline if state.baseline in left else "")
    context = {
        "place": place,
        "errors": [str(error)],
        "rest_url": f"{reverse('compare')}?{rest.query}" if left else "",
    }
    return render(request, "compare/choose.html", context, status=410)
