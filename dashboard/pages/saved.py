"""Saved comparisons: list, page, saving."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from dashboard.pages.asked import pinned, saved_state, scenario_form
from dashboard.pages.gone import gone_page
from dashboard.pages.kept import kept_body
from dashboard.pages.viewstate import CompareState
from runs.selectors import names
from runs.services.answers import MissingError, RefusedError
from runs.services.purging import PurgedError
from runs.services.saved import Draft, SavedView, change_comparison, history, save_comparison, saved, saved_list


@require_GET
def saved_comparisons(request: HttpRequest) -> HttpResponse:
    items = saved_list()
    labels = names([run for item in items for run in item.runs])
    rows = [(item, [labels.get(run, run) for run in item.runs]) for item in items]
    return render(request, "saved/list.html", {"place": "saved", "rows": rows})


@require_GET
def saved_comparison(request: HttpRequest, slug: str) -> HttpResponse:
    found = _found(slug, request.GET.get("version", ""))
    state = saved_state(found, request.GET)
    base = reverse("saved-comparison", args=[slug])
    context: dict[str, Any]
    try:
        body = kept_body(request, state, scenario_form(state), base, found)
    except PurgedError as error:
        return gone_page(request, state, error, "saved")
    except RefusedError as error:
        context = {"place": "saved", "errors": [str(error)]}
        status = 404 if isinstance(error, MissingError) else 400
        return render(request, "compare/choose.html", context, status=status)
    context = {"place": "saved", "saved": found, "body": body, "query": state.query, "history": history(slug=slug)}
    return render(request, "compare/comparison.html", context)


@require_POST
def save(request: HttpRequest) -> HttpResponse:
    """A new saved comparison from the state that the form carries."""
    return _saving(request, "")


@require_POST
def save_version(request: HttpRequest, slug: str) -> HttpResponse:
    """The next version of a saved comparison."""
    return _saving(request, slug)


def _saving(request: HttpRequest, slug: str) -> HttpResponse:
    state = pinned(CompareState.of(QueryDict(request.POST.get("state", ""))))
    draft = _draft(request, state)
    user: Any = request.user
    try:
        if slug:
            based_on = request.POST.get("based_on", "")
            number = int(based_on) if based_on.isascii() and based_on.isdigit() and len(based_on) < 9 else 0
            found = change_comparison(slug=slug, based_on=number, draft=draft, user=user)
        else:
            found = save_comparison(draft=draft, user=user)
    except MissingError:
        raise Http404 from None
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        where = reverse("saved-comparison", args=[slug]) if slug else reverse("compare")
        return redirect(f"{where}?{state.query}#save")
    messages.success(request, _("Saved as version %(n)s.") % {"n": found.number}, extra_tags="good")
    return redirect("saved-comparison", found.slug)


def _draft(request: HttpRequest, state: CompareState) -> Draft:
    key, _at, version = state.stored.partition("@")
    return Draft(
        name=request.POST.get("name", ""),
        view=dict(state.pairs()),
        scenario_key=key,
        scenario_version=int(version) if version.isdigit() else None,
        notes=request.POST.get("notes", ""),
    )


def _found(slug: str, version: str) -> SavedView:
    number = int(version) if version.isascii() and version.isdigit() and len(version) < 9 else None
    try:
        return saved(slug=slug, number=number)
    except MissingError:
        raise Http404 from None
