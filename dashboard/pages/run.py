"""One run: its page, its files, and a power log added to it."""

from typing import Any

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from dashboard.pages.errata_form import Typed, form_choices
from dashboard.pages.locale import locale_of
from dashboard.pages.run_picture import power_lines
from dashboard.pages.upload_form import MetaForm, incoming, problems_of
from dashboard.render import runfigures, runpage
from dashboard.render.charts import Chart
from dashboard.render.errata import notice
from dashboard.render.evaluations import evaluation_row, spread_lines
from dashboard.render.numbers import Locale
from dashboard.render.run_settings import settings_view
from runs import selectors
from runs.domain.derived import figures
from runs.domain.records import RunRecord, Source
from runs.domain.units import DomainError
from runs.selectors import history as selectors_history
from runs.services.answers import RefusedError
from runs.services.jobs.reads import jobs_of_run
from runs.services.power import attach_power
from runs.services.tokens import may_purge, may_write


@require_GET
def run(request: HttpRequest, key: str) -> HttpResponse:
    stone = selectors_history.tombstone(key)
    if stone is not None:
        return render(request, "runs/tombstone.html", {"place": "runs", "stone": stone}, status=410)
    return render(request, "runs/run.html", run_context(key, locale_of(request), user=request.user))


def run_context(key: str, locale: Locale, *, user: Any, **more: Any) -> dict[str, Any]:
    detail = selectors.run_detail(key)
    if detail is None:
        raise Http404
    record, sources = detail.record, selectors.sources(detail.record)
    found = figures(record)
    chart, unreadable = chart_or_reason(key, record, locale)
    return {
        "place": "runs",
        "detail": detail,
        "record": record,
        "badges": runpage.run_badges(record, locale),
        "facts": runpage.head_facts(record, locale),
        "settings": settings_view(record, locale, sources),
        "figures": runfigures.figure_groups(found, locale, detail.errata, record.party),
        "latency": runfigures.latency_table(found, locale, detail.errata, record.party),
        "window": runpage.window_view(record.window, locale) if record.window else None,
        "power": runpage.power_view(record.power, locale) if record.power else None,
        "power_errata": runpage.power_errata(detail.errata, locale) if record.power else (),
        "chart": chart,
        "chart_base": f"{reverse('run', args=[key])}chart-",
        "unreadable": unreadable,
        "others": similar(key, record),
        "jobs": jobs_of_run(key),
        "form": MetaForm(),
        **standing(detail, sources, locale),
        **form_choices(record, sources),
        "typed": Typed(),
        "may_edit": may_write(user),
        "may_purge": may_purge(user),
        **more,
    }


def chart_or_reason(key: str, record: RunRecord, locale: Locale) -> tuple[Chart | None, str]:
    """The chart of the power log, or why its stored copy cannot be read: the figures and the file do not need it."""
    try:
        drawn = power_lines(key, record, locale)
    except DomainError as error:
        return None, str(error)
    return (drawn.chart if drawn else None), ""


def standing(detail: selectors.RunDetail, sources: tuple[Source, ...], locale: Locale) -> dict[str, Any]:
    """What came after the upload: notices, evaluations that cover the run, its repeats."""
    group = selectors_history.group_of(detail.fingerprint)
    return {
        "notices": [notice(one, locale, sources) for one in detail.errata],
        "evaluations": [evaluation_row(one.evaluation, one.original, locale) for one in detail.evaluations],
        "group": group,
        "spreads": spread_lines(group.spreads, locale) if group else (),
    }


def similar(key: str, record: RunRecord) -> list[selectors.RunItem]:
    """Runs of the same model and workload, to compare with."""
    model = record.setting("model")
    wanted = selectors.RunFilter(model=[str(model.value)]) if model.is_known and model.value else selectors.RunFilter()
    page = selectors.list_runs(wanted, sort="-per_gpu_total", limit=24)
    return [item for item in page.items if item.id != key]


@require_GET
def run_file(_request: HttpRequest, key: str, sha256: str) -> FileResponse:
    artifact = selectors.run_file(key, sha256)
    if artifact is None:
        raise Http404
    # Never shown in place: a file is whatever its uploader made of it.
    return FileResponse(
        artifact.open(), as_attachment=True, filename=artifact.name, content_type="application/octet-stream"
    )


@require_POST
def run_power(request: HttpRequest, key: str) -> HttpResponse:
    form = MetaForm.of(request.POST)
    files = incoming(request)
    try:
        meta = form.meta(uploader=request.user.get_username())
        attach_power(run_id=key, meta=meta, user=request.user, file=files[0] if files else None)  # type: ignore[arg-type]
    except RefusedError as error:
        context = run_context(key, locale_of(request), user=request.user, form=form, problems=problems_of(error))
        return render(request, "runs/run.html", context, status=400)
    messages.success(request, _("The power log was added to the run."), extra_tags="good")
    return redirect("run", key)
