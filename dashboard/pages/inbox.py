"""What readers of shares supplied or disputed, for those who may share."""

from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from dashboard.pages.locale import locale_of
from dashboard.pages.upload_form import typed_value
from dashboard.render.subjects import subject_words
from runs.domain.metrics import setting_spec
from runs.selectors import names
from runs.services import inbox
from runs.services.answers import MissingError, RefusedError
from runs.services.inbox import InboxItem

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
        value = claimed_value(inbox.inbox_item(message_id=message_id))
        user: Any = request.user
        item = inbox.decide(message_id=message_id, decision=decision, answer=answer, user=user, value=value)
    except MissingError:
        raise Http404 from None
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("inbox")
    messages.success(request, _outcome(item, value), extra_tags="good")
    return redirect("run", item.run_key) if item.state == "accepted" and item.run_key else redirect("inbox")


def _outcome(item: InboxItem, value: object) -> str:
    if item.state != "accepted":
        return _("Declined.")
    if item.decision != "correction" and value is not None and item.run_key:
        return _("Accepted and written down at the run, with the message as its evidence.")
    return _("Accepted; now write it down at the run.")


def claimed_value(item: InboxItem) -> object:
    """What a reader said a setting is, as a value of its kind; None for a figure, or where they gave none."""
    kind, _colon, key = item.subject.partition(":")
    if kind != "setting" or not item.value.strip():
        return None
    spec = setting_spec(key)
    return typed_value(spec, item.value.strip().removesuffix(spec.unit).strip() if spec.unit else item.value.strip())
