"""A publisher's answer, filed from the question it answers."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from dashboard.pages.locale import locale_of
from dashboard.pages.paste_form import PasteForm
from dashboard.pages.upload_form import problems_of
from dashboard.pages.writing import bounded
from dashboard.render.caveats import setting_name
from dashboard.render.wording import setting_value
from runs.domain.metrics import SETTING_BY_KEY
from runs.domain.question_texts import ask
from runs.domain.units import DomainError
from runs.readers.pasted.statements import statement
from runs.selectors import documents as selectors
from runs.selectors import revisions
from runs.services.answering import PublisherAnswer, file_answer
from runs.services.answers import Problem, RefusedError


@bounded
@require_http_methods(["GET", "POST"])
def source_answer(request: HttpRequest, key: str, setting: str) -> HttpResponse:
    detail = selectors.source_detail(key)
    if detail is None or setting not in SETTING_BY_KEY:
        raise Http404
    form = PasteForm.of(request.POST)
    if request.method == "GET":
        return _page(request, detail, setting, form)
    picked = [run for run in request.POST.getlist("runs") if run in detail.own]
    try:
        seen = {run: int(form.text(f"seen.{run}") or 0) for run in picked}
        answer = _answer(setting, form)
        filed = file_answer(source_key=key, answer=answer, seen=seen, user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        status = 409 if error.code == "conflict" else 400
        return _page(request, detail, setting, form, status, problems=problems_of(error), refused=str(error))
    except (DomainError, ValueError) as error:
        return _page(request, detail, setting, form, 400, problems=[Problem("", "", "", str(error))])
    words = ngettext("The answer was filed for %(n)s run.", "The answer was filed for %(n)s runs.", len(filed))
    messages.success(request, words % {"n": len(filed)}, extra_tags="good")
    return redirect("source", key)


def _answer(setting: str, form: PasteForm) -> PublisherAnswer:
    """Raises DomainError where the value does not fit the setting."""
    found = statement(setting, form.text("value"), "plain") if form.text("value").strip() else None
    given: dict[str, Any] = found if isinstance(found, dict) else {}
    told = [form.text(name).strip() for name in ("words", "who", "date")]
    return PublisherAnswer(setting, given.get("value"), str(given.get("nominal", "")), *told)


def _page(
    request: HttpRequest,
    detail: selectors.SourceDetail,
    setting: str,
    form: PasteForm,
    status: int = 200,
    **more: object,
) -> HttpResponse:
    locale = locale_of(request)
    now = revisions(tuple(detail.own))
    open_runs = [
        (run, record.label, setting_value(record.setting(setting), locale), form.text(f"seen.{run}") or now.get(run, 0))
        for run, record in detail.own.items()
        if not record.setting(setting).is_firm
    ]
    context = {
        "place": "sources",
        "source": detail.source,
        "setting": setting,
        "name": setting_name(setting, locale),
        "unit": SETTING_BY_KEY[setting].unit,
        "question": ask(setting, locale),
        "runs": open_runs,
        "typed": form.typed,
        "today": timezone.localdate().isoformat(),
        **more,
    }
    return render(request, "sources/answer.html", context, status=status)
