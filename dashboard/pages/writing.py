"""What pages that write share: how large a form may be."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt, csrf_protect

FORM_BYTES = 2 * 1024 * 1024
DRAIN_BYTES = 64 * 1024 * 1024

View = Callable[..., HttpResponse]


def bounded(view: View) -> View:
    """Refuses a form that is too large in words, before anything reads it.

    The check for forgery reads the body, so it is put off until the size is known.
    """
    protected = csrf_protect(view)

    @csrf_exempt
    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        return refused(request) or protected(request, *args, **kwargs)

    return checked


def refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to a form that is too large, its body drained so that the browser gets to see it; None otherwise."""
    length = int(request.META.get("CONTENT_LENGTH") or 0)
    if length <= FORM_BYTES:
        return None
    left = min(length, DRAIN_BYTES)
    while left > 0 and (chunk := request.read(min(left, 65536))):
        left -= len(chunk)
    words = _("A form takes at most %(most)s MB; this one has %(given)s MB. Nothing was read or saved.") % {
        "most": FORM_BYTES // 1024**2,
        "given": round(length / 1024**2, 1),
    }
    return render(request, "too_large.html", {"words": words}, status=413)


class BoundedFormsMiddleware:
    """The same for every page whose form sends no file (those stream); the API bounds its bodies itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        typed = request.content_type == "application/x-www-form-urlencoded" and not request.path.startswith("/api/")
        return (refused(request) if typed else None) or self.get_response(request)
