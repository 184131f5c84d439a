"""One run of a source, entered by hand: settings with their states, figures as printed."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.pages.locale import locale_of
from dashboard.pages.paste_form import PasteForm, whose_of
from dashboard.pages.paste_view import basis_options, whose_options
from dashboard.pages.source_form import locale_choices
from dashboard.pages.upload_form import MetaForm, problems_of
from dashboard.pages.writing import bounded
from dashboard.render.numbers import Locale
from dashboard.render.wording import FAMILIES, GROUPS, metric_name, say
from runs.domain.facts import Basis
from runs.domain.metrics import SETTINGS, metric
from runs.domain.records import Source
from runs.domain.units import DomainError
from runs.readers.pasted import Choices, document, figure_keys, single_run
from runs.selectors import documents as selectors
from runs.services.answers import Problem, RefusedError
from runs.services.sources import add_runs

MAIN = ("total_throughput", "per_gpu_total", "output_throughput", "ttft:median", "tpot:median", "gpu_power:mean")


@bounded
@require_http_methods(["GET", "POST"])
def source_run(request: HttpRequest, key: str) -> HttpResponse:
    source = selectors.find_source(key)
    if source is None:
        raise Http404
    form = PasteForm.of(request.POST)
    if request.method == "GET":
        return _page(request, source, form)
    try:
        content, problems = _document(source, form)
        if problems:
            return _page(request, source, form, 400, problems=problems)
        outcome = add_runs(document=content, name=f"entered-{source.key}", user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        return _page(request, source, form, 400, problems=problems_of(error))
    except DomainError as error:
        return _page(request, source, form, 400, problems=[Problem("", "", "", str(error))])
    messages.success(request, _("The run was added."), extra_tags="good")
    return redirect("run", outcome.runs[0].id)


def _document(source: Source, form: PasteForm) -> tuple[bytes, list[Problem]]:
    """The run as a document, or what keeps it from becoming one."""
    label = form.text("label").strip()
    basis = form.text("basis")
    choices = Choices(
        source=source.key,
        locale=form.locale(source),
        common={spec.key: text for spec in SETTINGS if (text := form.text(f"set.{spec.key}").strip())},
        whose={label: whose_of(form.text("whose"), source)},
    )
    figures = {key: form.text(f"figure.{key}") for key in figure_keys()}
    given = Basis(basis) if basis in set(Basis) else Basis.MEASURED
    sheet = single_run(label, figures, given, form.text("repeats").strip(), choices)
    problems = [Problem("", "", "", text) for text in sheet.problems]
    if not label:
        problems.append(Problem("", "label", "what the run is called", "nothing"))
    sources = [item.source for item in selectors.list_sources()]
    return (b"" if problems else document(sheet, choices, sources)), problems


def _page(request: HttpRequest, source: Source, form: PasteForm, status: int = 200, **more: object) -> HttpResponse:
    locale = locale_of(request)
    others = [item.source for item in selectors.list_sources()]
    context = {
        "place": "sources",
        "source": source,
        "form": form,
        "typed": form.typed,
        "locales": locale_choices(),
        "locale": form.locale(source) or "",
        "owners": whose_options(source, others),
        "bases": basis_options(locale),
        "main_figures": [_field(key, form, locale) for key in MAIN],
        "more_figures": _more(form, locale),
        "groups": [(say(GROUPS[name], locale), fields) for name, fields in MetaForm(form.typed).groups()],
        **more,
    }
    return render(request, "sources/run.html", context, status=status)


def _field(key: str, form: PasteForm, locale: Locale) -> dict[str, str]:
    known = metric(key)
    return {
        "key": key,
        "name": metric_name(known, key.partition(":")[2], locale),
        "unit": "0.65 s" if known.unit == "s" else known.unit,
        "value": form.text(f"figure.{key}"),
    }


def _more(form: PasteForm, locale: Locale) -> list[tuple[str, list[dict[str, str]]]]:
    found: dict[str, list[dict[str, str]]] = {}
    for key in figure_keys():
        if key not in MAIN:
            found.setdefault(say(FAMILIES[metric(key).family], locale), []).append(_field(key, form, locale))
    return list(found.items())
