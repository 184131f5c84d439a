"""The language of a page: the reader's own where they are logged in, else their cookie, else what the browser asks."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils import translation

Handler = Callable[[HttpRequest], HttpResponseBase]


class LanguageMiddleware:
    """After LocaleMiddleware (cookie, browser) and the login: a user's choice counts wherever they log in."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        language = getattr(request.user, "language", "") if request.user.is_authenticated else ""
        if language:
            translation.activate(language)
            request.LANGUAGE_CODE = language
        return self.get_response(request)
