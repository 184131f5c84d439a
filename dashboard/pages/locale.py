"""The language of a page, for the renderer."""

from django.http import HttpRequest
from django.utils.translation import get_language

from dashboard.render.numbers import Locale


def locale_of(_request: HttpRequest) -> Locale:
    """Dutch where the reader's language is Dutch, English otherwise."""
    return "nl" if (get_language() or "en").startswith("nl") else "en"
