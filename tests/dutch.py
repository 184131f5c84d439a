"""What a Dutch reader sees of a page, and which of it is English."""

import html
import re
import string
from collections.abc import Iterator

from dashboard.render.wording import say
from runs.telling import patterns, tell

PLACEHOLDER = re.compile(r"%\((\w+)\)s")


def fields(text: str) -> set[str]:
    if PLACEHOLDER.search(text):
        return set(PLACEHOLDER.findall(text))
    return {name for _text, name, _form, _conversion in string.Formatter().parse(text) if name is not None}


def texts(page: str) -> Iterator[str]:
    """Texts and spoken attributes of a page, without scripts."""
    body = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    for text in re.split(r"<[^>]*>", body):
        yield " ".join(html.unescape(text).split())
    for text in re.findall(r'(?:title|aria-label|placeholder|alt)="([^"]*)"', body):
        yield " ".join(html.unescape(text).split())


def english_in(page: str) -> list[str]:
    """Texts of a page that the domain told and nobody translated. Patterns of few letters would match anything."""
    firm = [one for one in patterns("nl") if sum(map(str.isalpha, "".join(one.literals))) >= 8]
    changed = [text for text in texts(page) if tell(text, "nl") != text]
    return [
        text for text in changed if (" " in text and say(text, "nl") != text) or any(one.match(text) for one in firm)
    ]
