"""Pasting a table: preview with every cell's reading, then its runs, by the door that uploads take."""

from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.pages import paste_view
from dashboard.pages.locale import locale_of
from dashboard.pages.paste_form import PasteForm
from dashboard.pages.source_form import locale_choices
from dashboard.pages.upload_form import MetaForm, problems_of
from dashboard.pages.writing import bounded
from dashboard.render.wording import GROUPS, say
from runs.domain.records import Source
from runs.domain.units import DomainError
from runs.selectors import documents as selectors
from runs.services.answers import Outcome, Problem, RefusedError
from runs.services.pasting import Paste, PasteRead, read_paste, store_paste

if TYPE_CHECKING:
    from runs.readers.pasted import Sheet


@bounded
@require_http_methods(["GET", "POST"])
def paste(request: HttpRequest, key: str) -> HttpResponse:
    source = selectors.find_source(key)
    if source is None:
        raise Http404
    form = PasteForm.of(request.POST)
    if request.method == "GET":
        return _page(request, source, form)
    try:
        given = form.paste(source)
        read = read_paste(paste=given)
    except DomainError as error:
        return _page(request, source, form, 400, problems=[Problem("", "", "", str(error))])
    if "confirm" not in request.POST or read.problems or not form.is_same_table:
        return _page(request, source, form, 200, **_found(read))
    return _add(request, given, read, form)


def _found(read: PasteRead) -> dict[str, Any]:
    return {"sheet": read.sheet, "tables": read.tables, "which": read.which}


def _add(request: HttpRequest, given: Paste, read: PasteRead, form: PasteForm) -> HttpResponse:
    source = given.source
    try:
        outcome = store_paste(source=source, found=read, choices=given.choices, user=request.user, dry_run=False)  # type: ignore[arg-type]
    except RefusedError as error:
        return _page(request, source, form, 400, problems=problems_of(error), **_found(read))
    messages.success(request, _words(outcome), extra_tags="good")
    if request.POST["confirm"] == "next":
        return _page(request, source, form.for_the_next_table(), added=outcome.runs)
    return redirect("source", source.key)


def _words(outcome: Outcome) -> str:
    made = sum(run.created for run in outcome.runs)
    words = ngettext("%(n)s run was added.", "%(n)s runs were added.", made) % {"n": made}
    known = len(outcome.runs) - made
    if known:
        words += " " + ngettext("%(n)s was here already.", "%(n)s were here already.", known) % {"n": known}
    return words


def _page(request: HttpRequest, source: Source, form: PasteForm, status: int = 200, **more: Any) -> HttpResponse:
    locale = locale_of(request)
    sheet: Sheet | None = more.get("sheet")
    others = [item.source for item in selectors.list_sources()]
    fields = [(name, field) for name, group in MetaForm(form.typed).groups() for field in group]
    main = {f"set.{key}": place for place, key in enumerate(paste_view.MAIN)}
    chosen = sorted((one for _name, one in fields if one.key in main), key=lambda one: main[one.key])
    rest: dict[str, list[Any]] = {}
    for name, one in fields:
        if one.key not in main:
            rest.setdefault(say(GROUPS[name], locale), []).append(one)
    context = {
        "place": "sources",
        "source": source,
        "form": form,
        "typed": form.typed,
        "locales": locale_choices(),
        "locale": form.locale(source) or "",
        "main_fields": chosen,
        "more_fields": list(rest.items()),
        "kept_owners": list(enumerate(form.whose_by_head().items())) if sheet is None else [],
        **more,
    }
    if sheet is not None:
        context |= {
            "heads": paste_view.heads(sheet),
            "rows": paste_view.rows(sheet, locale),
            "groups": paste_view.groups(sheet, form),
            "targets": paste_view.target_options(locale),
            "owners": paste_view.whose_options(source, others),
            "units": paste_view.unit_options(),
            "bases": paste_view.basis_options(locale),
        }
    return render(request, "sources/paste.html", context, status=status)
