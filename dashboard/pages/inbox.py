"""What readers of shares supplied or disputed, for those who may share."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from dashboard.pages.locale import locale_of
from dashboard.render.subjects import subject_words
from runs.selectors import names
from runs.services import inbox
from runs.services.answers import MissingError, RefusedError

STATES = ("new", "accepted", "declined")


@require_GET
def inbox_page(request: HttpRequest) -> HttpResponse:
    state = request.GET.get("state", "new")
    items = inbox.inbox(state=state if state in STATES else "")
    labels = names([item.run_key for item in items if item.run_key])
    locale = locale_of(request)
    rows = [(item, labels.get(item.run_key, ""), subject_words(item.subject, locale)) for item in items]
    return render(request, "inbox/list.html", {"place": "inbox", "rows": rows, "state": state, "states": STATES})


@require_POST
def inbox_decide(request: HttpRequest, message_id: int) -> HttpResponse:
    decision, answer = request.POST.get("decision", ""), request.POST.get("answer", "")
    try:
        item = inbox.decide(message_id=message_id, decision=decision, answer=answer, user=request.user)  # type: ignore[arg-type]
    except MissingError:
        raise Http404 from None
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("inbox")
    words = _("Accepted; now write it down at the run.") if item.state == "accepted" else _("Declined.")
    messages.success(request, words, extra_tags="good")
    return redirect("run", item.run_key) if item.state == "accepted" and item.run_key else redirect("inbox")
