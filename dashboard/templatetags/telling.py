"""`{{ problem.expected|told }}`: what was told in English, in the page's language. Known to every template."""

from django import template
from django.template.defaultfilters import stringfilter
from django.utils.translation import get_language

from runs.telling import tell

register = template.Library()


@register.filter
@stringfilter
def told(text: str) -> str:
    return tell(text, "nl" if (get_language() or "en").startswith("nl") else "en")
