"""Evaluations: list, one, two compared, and one added by form."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages.errata import status_of
from dashboard.pages.errata_form import Typed, given_erratum, given_evaluation
from dashboard.pages.locale import locale_of
from dashboard.pages.upload_form import problems_of
from dashboard.render import evaluations as words
from dashboard.render.exports.evaluations import MAKERS, EvaluationExport, Exported
from dashboard.render.exports.files import BY_EXTENSION, FORMATS
from runs import selectors
from runs.selectors import history as selectors_history
from runs.services.answers import RefusedError
from runs.services.correcting import file_erratum
from runs.services.evaluating import add_evaluation, compare_evaluations
from runs.services.tokens import may_write


@require_GET
def evaluation_list(request: HttpRequest) -> HttpResponse:
    locale = locale_of(request)
    found = selectors_history.list_evaluations(request.GET.get("task", "")[:200])
    rows = [words.evaluation_row(one.evaluation, one.original, locale) for one in found.items]
    context = {
        "place": "evaluations",
        "rows": rows,
        "exports": _exports(request),
        "capped": found.capped,
        "may_edit": may_write(request.user),
        "difference": _difference(request),
        "picked": request.GET.getlist("pick"),
    }
    return render(request, "evaluations/list.html", context)


def _exports(request: HttpRequest) -> list[tuple[str, str]]:
    """Name and address of the list in every format, narrowed as the page is."""
    task = request.GET.get("task", "")[:200]
    tail = f"?{urlencode({'task': task})}" if task else ""
    return [(one.name, f"{reverse('evaluations')}export.{one.extension}{tail}") for one in FORMATS]


@require_GET
def evaluation_export(request: HttpRequest, extension: str) -> HttpResponse:
    form = BY_EXTENSION.get(extension)
    if form is None:
        raise Http404
    found = selectors_history.list_evaluations(request.GET.get("task", "")[:200])
    items = tuple(Exported(one.evaluation, one.original, one.errata) for one in found.items)
    export = EvaluationExport(items, timezone.now().isoformat(timespec="seconds"), locale_of(request), found.sources)
    # An HTML file opened in place would run under this site's address.
    headers = {"Content-Disposition": f'attachment; filename="evaluations.{extension}"', "Cache-Control": "no-store"}
    return HttpResponse(MAKERS[extension](export), content_type=form.media_type, headers=headers)


def _difference(request: HttpRequest) -> dict[str, Any] | None:
    """What the two evaluations picked come to; None where not two are picked."""
    picked = request.GET.getlist("pick")
    if len(picked) != 2:
        return {"words": _("Pick two evaluations to compare them.")} if picked else None
    try:
        found = compare_evaluations(a=picked[0], b=picked[1])
    except RefusedError as error:
        return {"words": str(error)}
    locale = locale_of(request)
    rows = [words.evaluation_row(one, one, locale) for one in (found.a, found.b)]
    return {"words": words.difference_text(found.difference, locale), "rows": rows}


@require_GET
def evaluation(request: HttpRequest, key: str) -> HttpResponse:
    return render(request, "evaluations/evaluation.html", _context(request, key))


def _context(request: HttpRequest, key: str, **more: Any) -> dict[str, Any]:
    stored = selectors_history.evaluation(key)
    if stored is None:
        raise Http404
    keys = [one.ref for one in stored.original.evidence if one.kind == "document"]
    sources = selectors.sources_by_key(keys)
    covered = selectors.names(stored.evaluation.covers)
    return {
        "place": "evaluations",
        "key": key,
        "view": words.evaluation_view(stored.evaluation, stored.original, stored.errata, locale_of(request), sources),
        "covers": [(one, covered.get(one, "")) for one in stored.evaluation.covers],
        "revision": stored.revision,
        "may_edit": may_write(request.user),
        "source_choices": [(source.key, source.title) for source in sources],
        "today": timezone.localdate().isoformat(),
        "typed": Typed(),
        **more,
    }


@require_POST
def evaluation_erratum(request: HttpRequest, key: str) -> HttpResponse:
    typed = Typed.of(request.POST)
    user: Any = request.user
    try:
        file_erratum(target="evaluation", key=key, given=given_erratum(typed), seen=typed.seen, user=user)
    except RefusedError as error:
        context = _context(request, key, typed=typed, problems=problems_of(error), refused=str(error))
        return render(request, "evaluations/evaluation.html", context, status=status_of(error))
    messages.success(request, _("The erratum was filed; the old value stays readable."), extra_tags="good")
    return redirect("evaluation", key)


@require_http_methods(["GET", "POST"])
def evaluation_new(request: HttpRequest) -> HttpResponse:
    typed = Typed.of(request.POST if request.method == "POST" else request.GET)
    context: dict[str, Any] = {
        "place": "evaluations",
        "typed": typed,
        "source_choices": [(source.key, source.title) for source in selectors.all_sources()],
    }
    if request.method == "GET":
        return render(request, "evaluations/new.html", context)
    user: Any = request.user
    try:
        key = add_evaluation(given=given_evaluation(typed), user=user)
    except RefusedError as error:
        context |= {"problems": problems_of(error), "refused": str(error)}
        return render(request, "evaluations/new.html", context, status=status_of(error))
    messages.success(request, _("The evaluation was added."), extra_tags="good")
    return redirect("evaluation", key)
