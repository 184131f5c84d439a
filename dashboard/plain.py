"""Addresses without NUL characters: PostgreSQL takes none, not even to look for them."""

from collections.abc import Callable

from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


class PlainAddressMiddleware:
    """400 for a page whose address holds a NUL; the API's serializers refuse them by name."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        address = (request.path, request.META.get("QUERY_STRING", ""))
        if any("\0" in part or "%00" in part for part in address) and not request.path.startswith("/api/"):
            raise BadRequest("The address holds a NUL character.")
        return self.get_response(request)
