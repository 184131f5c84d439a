"""The form of a new share, read from what was sent and written back into the fields."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.pages.asked import Asked
from dashboard.render.numbers import Locale
from dashboard.render.wording import say, setting_value
from runs.domain.comparison import Comparison
from runs.domain.metrics import SETTING_BY_KEY, setting_spec
from runs.domain.redaction import Redactions, letter_label
from runs.domain.units import DomainError
from runs.services.answers import RefusedError
from runs.services.saved import SavedView
from runs.services.shares import ShareDraft, ShareSpec

DAYS = ("7", "30", "90", "365", "")


@dataclass(frozen=True)
class Option:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True)
class Label:
    """A run's own label and the one that readers of the share see instead, with the name of its field."""

    key: str
    name: str
    own: str
    text: str


@dataclass(frozen=True)
class ShareForm:
    """As typed. Files and node names are withheld unless the sender says otherwise."""

    title: str
    kind: Literal["frozen", "live", "follow"]
    language: str
    days: str
    passphrase: str
    nodes: bool
    notes: bool
    files: bool
    own_notes: bool
    settings: tuple[Option, ...]
    relabel: bool
    labels: tuple[Label, ...]

    @classmethod
    def of(cls, data: QueryDict, origin: SavedView | None, comparison: Comparison, locale: Locale) -> "ShareForm":
        sent = "title" in data
        wanted = set(data.getlist("withhold"))
        return cls(
            title=data.get("title", "") if sent else (origin.name if origin else ""),
            kind=_kind(data.get("kind", ""), origin),
            language=data.get("language", ""),
            days=data.get("days", "") if sent else "90",
            passphrase=data.get("passphrase", ""),
            nodes="nodes" in data if sent else True,
            notes="notes" in data if sent else True,
            files="files" in data if sent else True,
            own_notes="own_notes" in data,
            settings=_settings(comparison, wanted, locale),
            relabel="relabel" in data,
            labels=_labels(comparison, data),
        )

    def languages(self) -> list[Option]:
        names = (("", _("the reader’s")), ("en", "English"), ("nl", "Nederlands"))
        return [Option(value, words, value == self.language) for value, words in names]

    def terms(self) -> list[Option]:
        return [Option(days, _term(days), days == self.days) for days in DAYS]

    def draft(self, found: Asked, origin: SavedView | None) -> ShareDraft:
        """Raises RefusedError for a term that is none, a label that cannot be, a view that is not the one saved."""
        if self.days not in DAYS:
            raise RefusedError("invalid_expiry", _("That is no term of a share."))
        keys = tuple(option.value for option in self.settings if option.chosen)
        follow = self.kind == "follow" and origin is not None
        if follow and origin is not None and dict(found.state.pairs()) != dict(origin.view):
            raise RefusedError(
                "not_saved", _("This is not the view that was saved: save it first, or share it as it is.")
            )
        spec = ShareSpec(
            runs=found.state.runs,
            baseline=found.state.baseline,
            metrics=found.state.metrics,
            scenario=found.form.used,
            redactions=self._redactions(keys),
            notes=origin.notes if origin and self.own_notes else "",
            saved_version=origin.number if origin else None,
            follow=follow,
        )
        expires = timezone.now() + dt.timedelta(days=int(self.days)) if self.days else None
        slug = origin.slug if origin else ""
        kind: Literal["frozen", "live"] = "frozen" if self.kind == "frozen" else "live"
        return ShareDraft(self.title, spec, kind, self.language, expires, self.passphrase, slug)

    def _redactions(self, keys: tuple[str, ...]) -> Redactions:
        labels = tuple((label.key, label.text) for label in self.labels) if self.relabel else ()
        try:
            return Redactions(self.nodes, self.notes, self.files, keys, labels)
        except DomainError as error:
            raise RefusedError("invalid_label", f"{error}.") from None


def _kind(sent: str, origin: SavedView | None) -> Literal["frozen", "live", "follow"]:
    if sent == "follow" and origin is not None:
        return "follow"
    return "live" if sent == "live" else "frozen"


def _labels(comparison: Comparison, data: QueryDict) -> tuple[Label, ...]:
    """What each run is to be called: as typed, else by the letter of its column."""
    heads = enumerate(comparison.runs)
    return tuple(
        Label(head.key, f"label.{place}", head.label, data.get(f"label.{place}", "").strip() or letter_label(place))
        for place, head in heads
    )


def _settings(comparison: Comparison, wanted: set[str], locale: Locale) -> tuple[Option, ...]:
    """Settings that any of the runs has, with their values; the node has its own box."""
    found = []
    for row in comparison.settings:
        known = dict.fromkeys(setting_value(cell, locale, brief=True) for cell in row.cells if cell.is_known)
        if known and row.key != "node":
            words = f"{say(setting_spec(row.key).name, locale)}: {', '.join(known)}"
            found.append(Option(row.key, words, row.key in wanted and row.key in SETTING_BY_KEY))
    return tuple(found)


def _term(days: str) -> str:
    return _("%(n)s days") % {"n": days} if days else _("never")
