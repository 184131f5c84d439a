"""Uploading by form: a preview that writes nothing, then the same through the service that the API uses."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.pages.locale import locale_of
from dashboard.pages.upload_form import MetaForm, incoming, problems_of, time_zones
from dashboard.render.caveats import setting_name
from dashboard.render.wording import GROUPS, say
from runs.services.answers import Outcome, RefusedError
from runs.services.ingest import ingest


@require_http_methods(["GET", "POST"])
def upload(request: HttpRequest) -> HttpResponse:
    form = MetaForm.of(request.POST)
    if request.method == "GET":
        return _page(request, form)
    preview = "confirm" not in request.POST
    try:
        meta = form.meta(uploader=request.user.get_username())
        outcome = ingest(files=incoming(request), meta=meta, user=request.user, dry_run=preview)  # type: ignore[arg-type]
    except RefusedError as error:
        return _page(request, form, status=400, problems=problems_of(error), refused=str(error))
    if preview or not outcome.accepted:
        return _page(request, form, status=200 if outcome.accepted else 400, outcome=outcome)
    return _done(request, outcome)


def _done(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    made = [run for run in outcome.runs if run.created]
    words = ngettext("%(n)s run was added.", "%(n)s runs were added.", len(made)) % {"n": len(made)}
    known = len(outcome.runs) - len(made)
    if known:
        words += " " + _("%(n)s were here already.") % {"n": known}
    if not outcome.runs:
        words = "; ".join(f"{file.name}: {', '.join(file.holds)}" for file in outcome.files)
    messages.success(request, words, extra_tags="good")
    return redirect("run", outcome.runs[0].id) if len(outcome.runs) == 1 else redirect("runs")


def _page(request: HttpRequest, form: MetaForm, status: int = 200, **more: object) -> HttpResponse:
    locale = locale_of(request)
    groups = [(say(GROUPS[name], locale), fields) for name, fields in form.groups()]
    outcome = more.get("outcome")
    gaps = {
        run.label: [setting_name(key, locale) for key in run.not_stated]
        for run in (outcome.runs if isinstance(outcome, Outcome) else ())
    }
    context = {"place": "upload", "form": form, "groups": groups, "zones": time_zones(), "gaps": gaps, **more}
    return render(request, "runs/upload.html", context, status=status)
