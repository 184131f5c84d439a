"""One's own account: language and API tokens; and the audit log for administrators."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages.audit_words import entries
from dashboard.pages.locale import locale_of
from runs.services import accounts, tokens
from runs.services.answers import MissingError, RefusedError

PAGE = 100


@login_not_required
@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Sets the reader's language: in a cookie, and in their account where they are logged in."""
    wanted = request.POST.get("language", "")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, require_https=request.is_secure())
    answer = redirect(back if safe else "home")
    if wanted not in dict(settings.LANGUAGES):
        return answer
    if request.user.is_authenticated:
        accounts.set_language(user=request.user, language=wanted)
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        wanted,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return answer


@require_http_methods(["GET", "POST"])
def token_page(request: HttpRequest) -> HttpResponse:
    """The reader's own tokens; a new one's text is shown in the answer that makes it, and never again."""
    user = request.user
    context = {"place": "tokens", "scopes": tokens.scopes_for(user), "max_days": tokens.MAX_DAYS}
    status = 200
    if request.method == "POST":
        days = request.POST.get("days", "")
        try:
            made = tokens.issue(
                user=user,  # type: ignore[arg-type]
                name=request.POST.get("name", "")[:100],
                scopes=request.POST.getlist("scopes"),
                days=int(days) if days.isascii() and days.isdigit() and len(days) < 5 else None,
            )
            context["made"] = made
        except RefusedError as error:
            context["error"], status = str(error), 400
    context["items"] = tokens.list_tokens(user=user)  # type: ignore[arg-type]
    answer = render(request, "account/tokens.html", context, status=status)
    answer["Cache-Control"] = "no-store"
    return answer


@require_POST
def token_revoke(request: HttpRequest, token_id: str) -> HttpResponse:
    try:
        tokens.revoke(user=request.user, token_id=token_id)  # type: ignore[arg-type]
    except MissingError:
        raise Http404 from None
    messages.success(request, _("The token is revoked."), extra_tags="good")
    return redirect("tokens")


@require_GET
def audit_page(request: HttpRequest) -> HttpResponse:
    before = request.GET.get("before", "")
    number = int(before) if before.isascii() and before.isdigit() and len(before) < 18 else None
    noun = request.GET.get("noun", "")[:40].replace("\0", "")
    shown = entries(locale_of(request), before=number, noun=noun, limit=PAGE)
    following = shown[-1].pk if len(shown) == PAGE else None
    return render(request, "account/audit.html", {"place": "audit", "entries": shown, "following": following})
