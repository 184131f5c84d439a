"""What a source must say before figures can rest on it."""

import re

from runs.domain.records import Source
from runs.domain.units import DomainError

NOT_STATED = "not stated"
_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?")
_KEY = re.compile(r"[a-z0-9][a-z0-9-]{0,98}")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def source_problems(source: Source) -> tuple[tuple[str, str, str], ...]:
    """What is wrong with a source: (field, expected, seen). A date is a day, a month, a year or "not stated"."""
    found = []
    if not _KEY.fullmatch(source.key):
        found.append(("key", "lower-case letters, digits and dashes, at most 99", source.key))
    found += [
        (name, "a text", "nothing") for name in ("title", "publisher", "relation") if not getattr(source, name).strip()
    ]
    if not (source.published == NOT_STATED or _DATE.fullmatch(source.published)):
        expected = "the date of publication such as 2026-11-11, 2026-11 or 2026, or “not stated”"
        found.append(("published", expected, source.published or "nothing"))
    if source.accessed not in ("", NOT_STATED) and not _DATE.fullmatch(source.accessed):
        found.append(("accessed", "the date of access such as 2026-11-12, or “not stated”", source.accessed))
    if source.url and not source.url.startswith(("https://", "http://")):
        found.append(("url", "an address that begins with https:// or http://, or nothing", source.url))
    if source.archived_sha256 and not _SHA256.fullmatch(source.archived_sha256):
        found.append(("archived_sha256", "a SHA-256", source.archived_sha256))
    return tuple(found)


def checked(source: Source) -> Source:
    """The source itself; raises DomainError that names the first thing that is wrong."""
    for field, expected, seen in source_problems(source):
        raise DomainError(f"{field}: expected {expected}, saw {seen}")
    return source
