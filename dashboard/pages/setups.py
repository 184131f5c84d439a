"""Declared setups: the list with its form, and one of them."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from dashboard.pages.errata import status_of
from dashboard.pages.errata_form import Typed
from dashboard.pages.locale import locale_of
from dashboard.pages.upload_form import problems_of, typed_value
from dashboard.render.evaluations import profile_lines, setup_view
from runs.domain.metrics import SETTING_BY_KEY
from runs.selectors.setups import list_setups, setup_detail
from runs.services.answers import Problem, RefusedError
from runs.services.setups import declare_setup
from runs.services.tokens import may_write


@require_http_methods(["GET", "POST"])
def setups(request: HttpRequest) -> HttpResponse:
    typed = Typed.of(request.POST)
    if request.method == "GET":
        return _page(request, typed)
    user: Any = request.user
    name = typed.get("name")
    try:
        declare_setup(name=name, settings=_settings(typed.get("settings")), user=user)
    except RefusedError as error:
        return _page(request, typed, error)
    messages.success(request, _("The setup was declared."), extra_tags="good")
    return HttpResponseRedirect(f"{reverse('setup')}?{urlencode({'name': name})}")


def _settings(text: str) -> dict[str, object]:
    """``key = value`` lines, with values as they are typed at an upload. Raises RefusedError."""
    found: dict[str, object] = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        key, equals, value = (part.strip() for part in line.partition("="))
        if not (equals and key and value) or key in found:
            problem = Problem("", "settings", "a line of the form name = value each, no name twice", line[:100])
            raise RefusedError("invalid_meta", "The setup cannot be taken.", problem)
        spec = SETTING_BY_KEY.get(key)
        if spec is not None and spec.kind == "bool":
            value = {"true": "on", "false": "off"}.get(value.casefold(), value)
        found[key] = value if spec is None else typed_value(spec, value)
    return found


def _page(request: HttpRequest, typed: Typed, error: RefusedError | None = None) -> HttpResponse:
    locale = locale_of(request)
    context = {
        "place": "setups",
        "setups": [(one.name, one.runs, profile_lines(one.settings, locale)) for one in list_setups()],
        "keys": list(SETTING_BY_KEY),
        "may_edit": may_write(request.user),
        "typed": typed,
        "problems": problems_of(error) if error else (),
        "refused": str(error) if error else "",
    }
    return render(request, "setups/list.html", context, status=status_of(error) if error else 200)


@require_GET
def setup(request: HttpRequest) -> HttpResponse:
    found = setup_detail(request.GET.get("name", "")[:200].replace("\0", ""))
    if found is None:
        raise Http404
    locale = locale_of(request)
    context = {
        "place": "setups",
        "setup": found,
        "brought": profile_lines(found.settings, locale),
        "view": setup_view([record for _key, record in found.runs], locale) if found.runs else None,
    }
    return render(request, "setups/setup.html", context)
