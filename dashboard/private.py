"""Pages and answers are for whoever is logged in: no cache on the way, and none after logging out, keeps a copy."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


class PrivateMiddleware:
    """``Cache-Control: private, no-store`` on every answer that does not say otherwise itself."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", "private, no-store")
        return response
