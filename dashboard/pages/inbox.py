"""What readers of shares supplied or disputed, for those who may share: looked at, then decided in one step."""

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from dashboard.pages.errata import status_of
from dashboard.pages.errata_form import Typed
from dashboard.pages.locale import locale_of
from dashboard.pages.upload_form import problems_of, typed_value
from dashboard.render.subjects import subject_words
from dashboard.render.wording import setting_value
from runs import selectors
from runs.domain.metrics import metric, setting_spec
from runs.domain.units import DomainError
from runs.selectors import names
from runs.services import deciding, inbox
from runs.services.answers import MissingError, RefusedError
from runs.services.correcting import value_of
from runs.services.deciding import Deciding
from runs.services.inbox import InboxItem

STATES = ("new", "accepted", "declined")


@require_GET
def inbox_page(request: HttpRequest) -> HttpResponse:
    state = request.GET.get("state", "new")
    items = inbox.inbox(user=_user(request), state=state if state in STATES else "")
    labels = names([item.run_key for item in items if item.run_key])
    locale = locale_of(request)
    rows = [
        (item, labels.get(item.run_key, ""), subject_words(item.subject, locale), choices(item, labels))
        for item in items
    ]
    return render(request, "inbox/list.html", {"place": "inbox", "rows": rows, "state": state, "states": STATES})


def choices(item: InboxItem, labels: dict[str, str]) -> tuple[str, ...]:
    """What a message can be accepted as; the run it is about must still be here."""
    kind = item.subject.partition(":")[0]
    return deciding.DECISIONS[kind] if item.run_key in labels and kind else deciding.DECISIONS[""]


@require_http_methods(["GET", "POST"])
def inbox_decide(request: HttpRequest, message_id: int) -> HttpResponse:
    """What would be written down, to be confirmed; then it is written and the message decided, or neither."""
    try:
        item = inbox.inbox_item(message_id=message_id, user=_user(request))
    except MissingError:
        raise Http404 from None
    if request.method == "GET":
        return _preview(request, item, Typed({"decision": request.GET.get("decision", "")}))
    typed, user = Typed.of(request.POST), _user(request)
    try:
        decided, written = deciding.decide(message_id=message_id, given=given(item, typed), user=user)
    except RefusedError as error:
        more = {"problems": problems_of(error), "refused": str(error)}
        return _preview(request, item, typed, more, status=status_of(error))
    messages.success(request, _outcome(decided, written), extra_tags="good")
    return redirect("run-history", item.run_key) if written else redirect("inbox")


def given(item: InboxItem, typed: Typed) -> Deciding:
    """Raises RefusedError for a revision that is no number."""
    kind, _colon, key = item.subject.partition(":")
    text = typed.get("value")
    unit = metric(key).unit if kind == "figure" else ""
    return Deciding(
        decision=typed.get("decision"),
        answer=typed.get("answer"),
        value=claimed_value(key, text) if kind == "setting" and text else None,
        new=text.removesuffix(unit).strip() if unit else text,
        locale=typed.locale,
        seen=typed.seen,
        who=typed.get("who")[:150],
        reason=typed.get("reason"),
        quote=typed.get("quote"),
    )


@dataclass(frozen=True)
class Standing:
    """The run that a message is about, as it stands: its revision, and the value that the message would change."""

    label: str
    revision: int
    now: str
    unit: str


def _preview(
    request: HttpRequest, item: InboxItem, typed: Typed, more: dict[str, Any] | None = None, status: int = 200
) -> HttpResponse:
    locale = locale_of(request)
    standing = _standing(item, request)
    kind = item.subject.partition(":")[0]
    context = {
        "place": "inbox",
        "item": item,
        "subject": subject_words(item.subject, locale),
        "kind": kind if standing else "",
        "standing": standing,
        "decision": typed.get("decision"),
        "choices": choices(item, {item.run_key: ""} if standing else {}),
        "typed": typed,
        "first_time": request.method == "GET",
        **(more or {}),
    }
    return render(request, "inbox/decide.html", context, status=status)


def _standing(item: InboxItem, request: HttpRequest) -> Standing | None:
    detail = selectors.run_detail(item.run_key) if item.run_key else None
    kind, _colon, key = item.subject.partition(":")
    if detail is None or not kind:
        return None
    record = detail.record
    try:
        if kind == "setting":
            unit, now = setting_spec(key).unit, setting_value(record.setting(key), locale_of(request))
        else:
            found = record.quantity(key)
            unit, now = found.unit if found else metric(key).unit, value_of(record, key) or _("not stated")
    except DomainError:
        return None
    return Standing(record.label, detail.revision, now, unit)


def _outcome(item: InboxItem, written: bool) -> str:
    if item.state != "accepted":
        return _("Declined.")
    if written:
        return _("Accepted and written down at the run, with the message as its evidence.")
    return _("Accepted; it names nothing that could be written down at a run.")


def claimed_value(key: str, text: str) -> object:
    """What somebody says a setting is, as a value of its kind; its unit may stand behind it."""
    spec = setting_spec(key)
    return typed_value(spec, text.removesuffix(spec.unit).strip() if spec.unit else text)


def _user(request: HttpRequest) -> Any:
    return request.user
