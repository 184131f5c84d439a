"""Shares for those who make them: list, make, preview, revoke, lock."""

import datetime as dt
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages.asked import Asked, asked, asked_saved
from dashboard.pages.locale import locale_of
from dashboard.pages.share_context import locale_of_share, share_context
from dashboard.pages.share_form import ShareForm
from dashboard.pages.viewstate import CompareState
from runs.services import shares
from runs.services.answers import MissingError, RefusedError
from runs.services.saved import SavedView, saved
from runs.services.shares import ShareDraft, ShareItem
from runs.services.sharing import OpenShare, Shown


@require_GET
def share_list(request: HttpRequest) -> HttpResponse:
    return render(request, "shares/list.html", {"place": "shares", "items": shares.list_shares()})


@require_http_methods(["GET", "POST"])
def share_new(request: HttpRequest) -> HttpResponse:
    """The form of a new share; ``preview``: as the customer would see it; else the link, shown this once."""
    data = request.POST if request.method == "POST" else request.GET
    slug = data.get("of", "")
    try:
        origin = saved(slug=slug) if slug else None
        found = _asked(origin, QueryDict(data.get("state", "")))
    except RefusedError as error:
        raise Http404(str(error)) from None
    form = ShareForm.of(data, origin, found.comparison, locale_of(request))
    if request.method == "GET":
        return _form(request, form, found, origin)
    try:
        draft = form.draft(found, origin)
        if "preview" in request.POST:
            return _preview(request, shares.cleaned(draft))
        made = shares.make_share(draft=draft, user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        return _form(request, form, found, origin, error=str(error), status=400)
    link = request.build_absolute_uri(reverse("share", args=[made.token]))
    answer = render(request, "shares/detail.html", {**_detail(made.item), "link": link})
    answer["Cache-Control"] = "no-store"
    return answer


def _asked(origin: SavedView | None, query: QueryDict) -> Asked:
    return asked_saved(origin, query) if origin is not None else asked(CompareState.of(query))


def _form(
    request: HttpRequest, form: ShareForm, found: Asked, origin: SavedView | None, error: str = "", status: int = 200
) -> HttpResponse:
    context = {
        "place": "shares",
        "form": form,
        "state": found.state.query,
        "of": origin.slug if origin else "",
        "runs": found.comparison.runs,
        "scenario": found.form.used,
        "error": error,
    }
    return render(request, "shares/new.html", context, status=status)


def _preview(request: HttpRequest, draft: ShareDraft) -> HttpResponse:
    """Exactly the template and the built comparison of the share, and nothing stored."""
    now = timezone.now()
    share = OpenShare(
        0, draft.title or _("Comparison"), draft.kind, draft.language, False, now, draft.expires, draft.spec
    )
    shown = Shown(shares.build(draft.spec))
    with translation.override(locale_of_share(request, share)):
        context = {**share_context(request, share, shown, ""), "preview": True}
        return render(request, "share/page.html", context)


@require_GET
def share_detail(request: HttpRequest, share_id: int) -> HttpResponse:
    return render(request, "shares/detail.html", _detail(_item(share_id)))


@require_POST
def share_revoke(request: HttpRequest, share_id: int) -> HttpResponse:
    _item(share_id)
    shares.revoke_share(share_id=share_id)
    messages.success(request, _("The link is revoked: page and downloads are gone at once."), extra_tags="good")
    return redirect("share-detail", share_id)


@require_POST
def share_passphrase(request: HttpRequest, share_id: int) -> HttpResponse:
    _item(share_id)
    try:
        shares.set_passphrase(share_id=share_id, passphrase=request.POST.get("passphrase", ""))
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("share-detail", share_id)
    messages.success(
        request, _("The passphrase is changed; whoever was in with the old one is out."), extra_tags="good"
    )
    return redirect("share-detail", share_id)


def _item(share_id: int) -> ShareItem:
    try:
        return shares.share_item(share_id=share_id)
    except MissingError:
        raise Http404 from None


def _behind(item: ShareItem) -> int | None:
    """The newest version of the saved comparison where a share that follows nothing shows an older one."""
    made = item.spec.saved_version
    if not item.comparison or made is None or item.spec.follow:
        return None
    latest = saved(slug=item.comparison).latest
    return latest if latest > made else None


def _detail(item: ShareItem) -> dict[str, Any]:
    left = item.expires - timezone.now() if item.expires else None
    return {
        "place": "shares",
        "item": item,
        "behind": _behind(item),
        "accesses": shares.accesses(share_id=item.id),
        "soon": left is not None and dt.timedelta(0) < left < dt.timedelta(days=3),
    }
