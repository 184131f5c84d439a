"""What someone is answered who was locked out after too many wrong passwords."""

from typing import Any

from django.http import HttpRequest, HttpResponse

MESSAGE = "Too many failed logins. Try again later."


def locked_out(request: HttpRequest, response: HttpResponse | None = None, _credentials: Any = None) -> HttpResponse:
    """The API has answered in its envelope already; a page gets a sentence."""
    if response is not None and request.path.startswith("/api/"):
        return response
    return HttpResponse(MESSAGE, status=429, content_type="text/plain; charset=utf-8")
