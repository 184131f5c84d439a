"""A source as a form: what it must say, and its address and dates as typed."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.http import QueryDict
from django.utils.translation import gettext as _

from runs.domain.records import Source
from runs.domain.sourcecheck import NOT_STATED
from runs.services.sources import fingerprint, free_key, make_source, slug_of

LOCALES = ("en", "nl", "plain")
TEXTS = ("title", "publisher", "relation", "url", "published", "accessed", "language", "note")


@dataclass(frozen=True)
class SourceForm:
    """What was typed, as typed."""

    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: QueryDict) -> "SourceForm":
        return cls({name: str(data.get(name, "")).strip().replace("\0", "") for name in (*TEXTS, "locale", "seen")})

    @classmethod
    def from_source(cls, source: Source) -> "SourceForm":
        typed = {name: str(getattr(source, name)) for name in TEXTS}
        typed["published"] = typed["published"] or NOT_STATED
        return cls({**typed, "locale": source.known_locale or "", "seen": fingerprint(source=source)})

    def source(self, there: Source | None) -> Source:
        """The source that was typed; ``there`` keeps its key and its archived copy. Raises RefusedError."""
        typed = {name: self.typed[name] for name in TEXTS}
        typed["relation"] = typed["relation"] or NOT_STATED
        if typed["url"].casefold() in (NOT_STATED, "url not stated"):
            typed["url"] = ""
        locale = self.typed["locale"]
        given = {
            **typed,
            "key": there.key if there else free_key(wanted=slug_of(typed)),
            "locale": locale if locale in LOCALES else "plain",
            "locale_stated": locale in LOCALES,
            "archived_sha256": there.archived_sha256 if there else "",
        }
        return make_source(given=given)


def locale_choices() -> list[tuple[str, str]]:
    return [
        ("", _("not stated: every number that can be read two ways is asked")),
        ("en", _("English: 5,661.5")),
        ("nl", _("Dutch: 5.661,5")),
        ("plain", _("plain: 5661.5, no separators between thousands")),
    ]
