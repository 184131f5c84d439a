"""Names merged and un-merged."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.pages.errata import status_of
from dashboard.pages.errata_form import Typed
from dashboard.pages.upload_form import problems_of
from runs.domain.names import KINDS
from runs.services import naming
from runs.services.answers import RefusedError
from runs.services.tokens import may_purge


@require_http_methods(["GET", "POST"])
def names(request: HttpRequest) -> HttpResponse:
    typed = Typed.of(request.POST)
    if request.method == "GET":
        return _page(request, typed)
    user: Any = request.user
    try:
        naming.merge_names(kind=typed.get("kind"), alias=typed.get("alias"), name=typed.get("name"), user=user)
    except RefusedError as error:
        return _page(request, typed, error)
    messages.success(request, _("The names were merged; what was stated stays as it was."), extra_tags="good")
    return redirect("names")


@require_POST
def unmerge(request: HttpRequest, alias_id: int) -> HttpResponse:
    user: Any = request.user
    try:
        naming.unmerge_names(alias_id=alias_id, user=user)
    except RefusedError as error:
        return _page(request, Typed(), error)
    messages.success(request, _("Every run goes by its own name again."), extra_tags="good")
    return redirect("names")


def _page(request: HttpRequest, typed: Typed, error: RefusedError | None = None) -> HttpResponse:
    context = {
        "place": "names",
        "kinds": KINDS,
        "aliases": naming.aliases(),
        "names": naming.names(),
        "may_merge": may_purge(request.user),
        "typed": typed,
        "problems": problems_of(error) if error else (),
        "refused": str(error) if error else "",
    }
    return render(request, "names/names.html", context, status=status_of(error) if error else 200)
