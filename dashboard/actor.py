"""Tells the audit log who is asking."""

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase

from runs.services import audit

Handler = Callable[[HttpRequest], HttpResponseBase]


class ActorMiddleware:
    """For the length of a request. The API names its own user once the token is known."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        user = request.user if request.user.is_authenticated else None
        with audit.acting(user, "page"):
            return self.get_response(request)
