"""A labelled line of text in a form. Most of the forms' fields are just that, so it stands in one place."""

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def text_field(name: str, label: str, value: Any = "", **attributes: Any) -> SafeString:
    """A field with its label above and its help below, which a screen reader tells with it.

    ``attributes`` are those of the input (``maxlength``, ``inputmode``, ``placeholder``, ``required`` …): None and
    False leave one out, True gives it without a value. ``id`` is the name unless given; ``help`` is the line below.
    """
    help_text, identity = attributes.pop("help", ""), attributes.pop("id", name.replace(".", "-"))
    described = f"{identity}-help" if help_text else None
    shown = {"id": identity, "name": name, "value": "" if value is None else value, "aria-describedby": described,
             **attributes}  # fmt: skip
    pairs = (
        (key, "" if given is True else given) for key, given in shown.items() if not (given is None or given is False)
    )
    below = format_html('<span class="help" id="{}">{}</span>', described, help_text) if help_text else ""
    return format_html(
        '<div class="field"><label for="{}">{}</label><input{}>{}</div>',
        identity, label, format_html_join("", ' {}="{}"', pairs), below,
    )  # fmt: skip
