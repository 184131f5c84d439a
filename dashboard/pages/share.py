"""A share as its reader gets it. Everything under its address is reached by the token alone, and by nothing else."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.client import address_of
from dashboard.pages.exports import download, drawing
from dashboard.pages.share_context import export_of, locale_of_share, share_context
from dashboard.pages.share_follow import current
from runs.domain.units import DomainError
from runs.services import inbox, sharing
from runs.services.answers import MissingError, RefusedError
from runs.services.inbox import FactDraft
from runs.services.sharing import OpenShare, Shown

COOKIE = "share"
COOKIE_SECONDS = 12 * 3600
HEADERS = {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Vary": "Cookie, Accept-Language",
}

# No CSRF token on these pages: under Referrer-Policy no-referrer browsers send "Origin: null", which Django's check
# refuses, and there is no login here that a forged request could use.
Handler = Callable[[HttpRequest, OpenShare], HttpResponse]


def _shared(request: HttpRequest, token: str, handler: Handler, *, locked_too: bool = False) -> HttpResponse:
    """Finds the share and answers in its language; one page for everything that is not, not yet or no longer there."""
    try:
        share = current(sharing.find(token))
        language = locale_of_share(request, share)
        with translation.override(language):
            answer = _open(request, token, share, handler, locked_too=locked_too)
            answer["Content-Language"] = language  # or it would be the reader's own, whatever the share fixes
    except DomainError:
        # A snapshot of a later version: said in words, with nothing of it.
        answer = render(request, "share/unreadable.html", status=503)
    for name, value in HEADERS.items():
        answer[name] = value
    return answer


def _open(
    request: HttpRequest, token: str, share: OpenShare | None, handler: Handler, *, locked_too: bool
) -> HttpResponse:
    if share is None:
        return _gone(request)
    if not locked_too and not sharing.is_unlocked(share=share, proof=request.COOKIES.get(COOKIE, "")):
        return _ask(request, token, share)
    try:
        return handler(request, share)
    except (MissingError, Http404):
        return _gone(request)


def _gone(request: HttpRequest) -> HttpResponse:
    return render(request, "share/gone.html", status=404)


def _ask(request: HttpRequest, token: str, share: OpenShare, *, wrong: bool = False) -> HttpResponse:
    shut = sharing.too_many_tries(share, address_of(request))
    context = {"unlock_url": reverse("share-unlock", args=[token]), "wrong": wrong, "shut": shut}
    return render(request, "share/unlock.html", context, status=429 if shut else 401)


@login_not_required
@require_GET
def share_page(request: HttpRequest, token: str) -> HttpResponse:
    def handler(request: HttpRequest, share: OpenShare) -> HttpResponse:
        corrected = request.GET.get("corrected") == "1"
        shown = sharing.show(share=share, corrected=corrected)
        sharing.note_access(share=share, kind="corrected" if corrected else "view")
        return render(request, "share/page.html", share_context(request, share, shown, _base(token)))

    return _shared(request, token, handler)


@login_not_required
@require_GET
def share_export(request: HttpRequest, token: str, extension: str) -> HttpResponse:
    return _shared(request, token, lambda _request, share: download(_export(request, share), extension))


@login_not_required
@require_GET
def share_chart(request: HttpRequest, token: str, chart_id: str, extension: str) -> HttpResponse:
    return _shared(request, token, lambda _request, share: drawing(_export(request, share), chart_id, extension))


def _export(request: HttpRequest, share: OpenShare) -> Any:
    shown = sharing.show(share=share, corrected=request.GET.get("corrected") == "1")
    sharing.note_access(share=share, kind="download")
    return export_of(request, share, shown)


@csrf_exempt
@login_not_required
def share_nothing(request: HttpRequest, rest: str) -> HttpResponse:
    """Every other address below a share's: the same page as for a share that is none."""
    return _shared(request, rest, lambda request, _share: _gone(request), locked_too=True)


@csrf_exempt
@login_not_required
@require_POST
def share_unlock(request: HttpRequest, token: str) -> HttpResponse:
    def handler(request: HttpRequest, share: OpenShare) -> HttpResponse:
        proof = sharing.unlock(
            share=share, passphrase=request.POST.get("passphrase", "")[:200], address=address_of(request)
        )
        if proof is None:
            return _ask(request, token, share, wrong=True)
        answer = HttpResponse(status=303, headers={"Location": _base(token)})
        answer.set_cookie(
            COOKIE,
            proof,
            max_age=COOKIE_SECONDS,
            path=_base(token),
            httponly=True,
            secure=request.is_secure(),
            samesite="Strict",
        )
        return answer

    return _shared(request, token, handler, locked_too=True)


@csrf_exempt
@login_not_required
@require_http_methods(["GET", "POST"])
def share_fact(request: HttpRequest, token: str) -> HttpResponse:
    """Supply or dispute a fact."""

    def handler(request: HttpRequest, share: OpenShare) -> HttpResponse:
        shown = sharing.show(share=share)
        context = share_context(request, share, shown, _base(token))
        if request.method == "GET":
            return render(request, "share/fact.html", {**context, "given": _given(request.GET, shown)})
        given = _given(request.POST, shown)
        try:
            inbox.send_fact(share=share, draft=given)
        except RefusedError as error:
            status = 429 if error.code == "too_many_messages" else 400
            return render(request, "share/fact.html", {**context, "given": given, "error": str(error)}, status=status)
        return render(request, "share/fact.html", {**context, "sent": True})

    return _shared(request, token, handler)


def _given(data: Any, shown: Shown) -> FactDraft:
    """What was sent. Runs are numbered by their column on the page: a share names no run otherwise."""
    column = data.get("run", "")
    place = int(column) if column.isascii() and column.isdigit() and len(column) < 4 else 0
    heads = shown.comparison.runs
    run = heads[place - 1].key if 1 <= place <= len(heads) else ""
    texts = {name: data.get(name, "") for name in ("subject", "value", "message", "evidence", "email")}
    return FactDraft(run_key=run, **texts)


def _base(token: str) -> str:
    return reverse("share", args=[token])
