"""Whose request it is, by address."""

from django.conf import settings
from django.http import HttpRequest


def address_of(request: HttpRequest) -> str:
    """The client's address: the last but PROXY_COUNT of those that trusted proxies wrote down, else the connection's.

    What stands before them in X-Forwarded-For is the client's own word and counts for nothing.
    """
    trusted: int = settings.PROXY_COUNT
    named = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if trusted and len(named) >= trusted:
        return str(named[-trusted])
    return str(request.META.get("REMOTE_ADDR", ""))
