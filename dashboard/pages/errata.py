"""Errata, settings filled in, the history of a run, and purging: forms that work without a script."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages.errata_form import Typed, claimed_setting, given_erratum
from dashboard.pages.locale import locale_of
from dashboard.pages.run import run_context
from dashboard.pages.upload_form import problems_of
from dashboard.render import errata as notices
from dashboard.render.numbers import Locale
from runs import selectors
from runs.domain.records import Source
from runs.selectors import history as selectors_history
from runs.services.answers import MissingError, RefusedError
from runs.services.correcting import file_erratum, source_revision
from runs.services.editing import edit_setting
from runs.services.purging import PurgedError, purge_run, refuse_purged
from runs.services.tokens import may_write

STATUSES = {"conflict": 409, "permission_denied": 403, "gone": 410}


def status_of(error: RefusedError) -> int:
    return 404 if isinstance(error, MissingError) else STATUSES.get(error.code, 400)


@require_GET
def history(request: HttpRequest, key: str) -> HttpResponse:
    events = selectors_history.history(key)
    detail = selectors.run_detail(key)
    if events is None or detail is None:
        return gone_or_missing(request, key)
    locale = locale_of(request)
    sources = selectors.sources(detail.record)
    lines = [line(event, locale, sources) for event in events]
    return render(request, "runs/history.html", {"place": "runs", "detail": detail, "lines": lines})


def line(event: selectors_history.Event, locale: Locale, sources: tuple[Source, ...]) -> notices.HistoryLine:
    """One event in words."""
    if event.erratum is not None:
        return notices.erratum_line(event.at, event.revision, event.erratum, locale, sources)
    if event.edit is not None:
        return notices.edit_line(event.at, event.revision, event.who, event.edit, event.reason, locale, sources)
    if event.kind == "file":
        return notices.file_line(event.at, event.who, event.file, event.role, locale)
    return notices.upload_line(event.at, event.who, locale)


def gone_or_missing(request: HttpRequest, key: str) -> HttpResponse:
    """The tombstone of a purged run, with status 410; otherwise there never was one."""
    stone = selectors_history.tombstone(key)
    if stone is None:
        raise Http404
    return render(request, "runs/tombstone.html", {"place": "runs", "stone": stone}, status=410)


def _posted(request: HttpRequest, key: str, work: Callable[[Typed], str]) -> HttpResponse:
    """Does what a form of a run's page asks; what is refused comes back with the form as it was typed."""
    typed = Typed.of(request.POST)
    try:
        refuse_purged([key])
        said = work(typed)
    except PurgedError:
        return gone_or_missing(request, key)
    except RefusedError as error:
        context = run_context(
            key, locale_of(request), user=request.user, typed=typed, problems=problems_of(error), refused=str(error)
        )
        return render(request, "runs/run.html", context, status=status_of(error))
    messages.success(request, said, extra_tags="good")
    return redirect("run-history", key)


@require_POST
def run_erratum(request: HttpRequest, key: str) -> HttpResponse:
    def work(typed: Typed) -> str:
        file_erratum(target="run", key=key, given=given_erratum(typed), seen=typed.seen, user=_user(request))
        return _("The erratum was filed; the old value stays readable.")

    return _posted(request, key, work)


@require_POST
def run_setting(request: HttpRequest, key: str) -> HttpResponse:
    def work(typed: Typed) -> str:
        given = claimed_setting(typed)
        edit_setting(run_id=key, given=given, reason=typed.get("reason"), seen=typed.seen, user=_user(request))
        return _("The setting was filled in.")

    return _posted(request, key, work)


@require_POST
def run_purge(request: HttpRequest, key: str) -> HttpResponse:
    def work(typed: Typed) -> str:
        purge_run(run_id=key, reason=typed.get("reason"), user=_user(request))
        return _("The run was purged; a tombstone says so.")

    answer = _posted(request, key, work)
    return redirect("runs") if answer.status_code == 302 else answer


@require_http_methods(["GET", "POST"])
def source_errata(request: HttpRequest, key: str) -> HttpResponse:
    """Errata about a source, with the form that files one."""
    source = next(iter(selectors.sources_by_key([key])), None)
    if source is None:
        raise Http404
    typed, more = Typed.of(request.POST), {}
    status = 200
    if request.method == "POST":
        try:
            file_erratum(target="source", key=key, given=given_erratum(typed), seen=typed.seen, user=_user(request))
        except RefusedError as error:
            more, status = {"problems": problems_of(error), "refused": str(error)}, status_of(error)
        else:
            messages.success(request, _("The erratum was filed; every run on it says so."), extra_tags="good")
            return redirect("source-errata", key)
    return render(request, "errata/source.html", _source_context(request, source, typed, more), status=status)


def _source_context(request: HttpRequest, source: Source, typed: Typed, more: dict[str, Any]) -> dict[str, Any]:
    locale = locale_of(request)
    errata = selectors_history.errata_of("source", source.key)
    return {
        "place": "sources",
        "source": source,
        "notices": [notices.notice(one, locale, (source,)) for one in errata],
        "revision": source_revision(source.key),
        "may_edit": may_write(request.user),
        "source_choices": [(source.key, source.title)],
        "today": timezone.localdate().isoformat(),
        "typed": typed,
        **more,
    }


def _user(request: HttpRequest) -> Any:
    return request.user
