"""Sources: the documents that published figures were read in."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from dashboard.pages.locale import locale_of
from dashboard.pages.source_form import SourceForm, locale_choices
from dashboard.pages.upload_form import problems_of
from dashboard.render.questions import question_text, question_views
from dashboard.render.sources import quoted_runs, source_view
from runs.selectors import documents as selectors
from runs.services.answers import RefusedError
from runs.services.sources import archive_copy, fingerprint, save_source


@require_GET
def source_list(request: HttpRequest) -> HttpResponse:
    locale = locale_of(request)
    rows = [(source_view(item.source, locale), item.runs) for item in selectors.list_sources()]
    return render(request, "sources/list.html", {"place": "sources", "rows": rows})


@require_GET
def source(request: HttpRequest, key: str) -> HttpResponse:
    detail = _detail(key)
    locale = locale_of(request)
    context = {
        "place": "sources",
        "detail": detail,
        "source": source_view(detail.source, locale),
        "runs": quoted_runs(key, detail.runs, locale),
        "questions": question_views(detail.questions, len(detail.own), locale),
        "own": len(detail.own),
    }
    return render(request, "sources/source.html", context)


def _detail(key: str) -> selectors.SourceDetail:
    detail = selectors.source_detail(key)
    if detail is None:
        raise Http404
    return detail


@require_http_methods(["GET", "POST"])
def source_new(request: HttpRequest) -> HttpResponse:
    return _edit(request, None)


@require_http_methods(["GET", "POST"])
def source_edit(request: HttpRequest, key: str) -> HttpResponse:
    return _edit(request, key)


def _edit(request: HttpRequest, key: str | None) -> HttpResponse:
    there = selectors.find_source(key) if key else None
    if key and there is None:
        raise Http404
    if request.method == "GET":
        return _form(request, SourceForm.from_source(there) if there else SourceForm(), key)
    form = SourceForm.of(request.POST)
    try:
        wanted = form.source(there)
        unchanged = there is None or form.typed["seen"] == fingerprint(source=there)
        kept = save_source(source=wanted, seen=there if unchanged else wanted)
        copy = request.FILES.get("copy")
        if copy is not None:
            archive_copy(key=kept.key, name=copy.name or "", content=copy, user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        status = 409 if error.code == "conflict" else 400
        return _form(request, form, key, status, problems=problems_of(error), refused=str(error))
    messages.success(request, _("The source was saved."), extra_tags="good")
    return redirect("source-paste" if "then_paste" in request.POST else "source", kept.key)


def _form(request: HttpRequest, form: SourceForm, key: str | None, status: int = 200, **more: object) -> HttpResponse:
    context = {"place": "sources", "form": form, "key": key, "locales": locale_choices(), **more}
    return render(request, "sources/form.html", context, status=status)


@require_GET
def source_copy(_request: HttpRequest, key: str) -> FileResponse:
    artifact = selectors.source_copy(key)
    if artifact is None:
        raise Http404
    # Never shown in place: a saved page is somebody else's script.
    return FileResponse(
        artifact.open(), as_attachment=True, filename=artifact.name, content_type="application/octet-stream"
    )


@require_GET
def source_questions(request: HttpRequest, key: str) -> HttpResponse:
    """The questions as plain text; ``language`` is ``en`` or ``nl``, the reader's own where it is left out."""
    detail = _detail(key)
    asked = request.GET.get("language", "")
    text = question_text(detail.source, detail.questions, asked if asked in ("en", "nl") else locale_of(request))  # type: ignore[arg-type]
    return HttpResponse(text, content_type="text/plain; charset=utf-8")
