"""What every template knows of its reader."""

from django.conf import settings
from django.http import HttpRequest

from runs.services.rights import rights_of


def reader(request: HttpRequest) -> dict[str, object]:
    """``rights``: names of what the reader may do, for links that lead somewhere."""
    user = getattr(request, "user", None)
    names = {right.value for right in rights_of(user)} if user is not None else set()
    if settings.LIKEWISE_PUBLIC_READ:
        names.add("read")
    return {"rights": names, "languages": settings.LANGUAGES}
