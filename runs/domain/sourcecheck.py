"""What a source must say before figures can rest on it."""

import re
from collections.abc import Mapping

NOT_STATED = "not stated"
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,98}")


def source_problems(given: Mapping[str, object]) -> tuple[tuple[str, str, str], ...]:
    """What is wrong with a source: (field, expected, seen). A date is a day, a month, a year or "not stated"."""
    told = {name: str(value).strip() for name, value in given.items()}
    found = []
    if not _KEY.fullmatch(told.get("key", "")):
        found.append(("key", "lower-case letters, digits and dashes, at most 99", told.get("key") or "nothing"))
    found += [(name, "a text", "nothing") for name in ("title", "publisher", "relation") if not told.get(name)]
    published, accessed, url = told.get("published", ""), told.get("accessed", ""), told.get("url", "")
    if not (published == NOT_STATED or _DATE.fullmatch(published)):
        expected = "the date of publication such as 2026-11-11, 2026-11 or 2026, or “not stated”"
        found.append(("published", expected, published or "nothing"))
    if accessed not in ("", NOT_STATED) and not _DATE.fullmatch(accessed):
        found.append(("accessed", "the date of access such as 2026-11-12, or “not stated”", accessed))
    if url and not url.lower().startswith(("https://", "http://")):
        found.append(("url", "an address that begins with https:// or http://, or nothing", url))
    return tuple(found)
