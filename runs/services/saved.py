"""Saved comparisons: a name and an address, every version kept."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import F, OuterRef, Subquery
from django.utils import timezone
from django.utils.text import slugify

from runs.models import ComparisonVersion, SavedComparison, User
from runs.services.answers import MissingError, Problem, RefusedError

MAX_NOTES = 20_000
MAX_NAME = 120
RESERVED = frozenset({"save"})


@dataclass(frozen=True)
class SavedView:
    """A version of a saved comparison. ``view`` is the state of the comparison page, as its address has it."""

    slug: str
    name: str
    number: int
    latest: int
    view: Mapping[str, str]
    scenario_key: str
    scenario_version: int | None
    notes: str
    by: str
    at: dt.datetime
    owner: str


@dataclass(frozen=True)
class SavedItem:
    """A saved comparison as the list shows it."""

    slug: str
    name: str
    runs: tuple[str, ...]
    versions: int
    owner: str
    changed: dt.datetime


@dataclass(frozen=True)
class Draft:
    """What is to be saved."""

    name: str
    view: Mapping[str, str]
    scenario_key: str = ""
    scenario_version: int | None = None
    notes: str = ""


@transaction.atomic
def save_comparison(*, draft: Draft, user: User | None) -> SavedView:
    """A new saved comparison, version 1. Raises RefusedError for a draft without a name or runs."""
    _check(draft)
    now = timezone.now()
    name = draft.name.strip()
    row = _row(name, user, now)
    _append(row, 1, draft, user, now)
    return saved(slug=row.slug)


@transaction.atomic
def offer_comparison(*, slug: str, draft: Draft) -> bool:
    """A comparison of nobody's under this very address; False, and nothing done, where the address is taken."""
    _check(draft)
    now = timezone.now()
    row, made = SavedComparison.objects.get_or_create(
        slug=slug, defaults={"name": draft.name.strip(), "created": now, "changed": now}
    )
    if made:
        _append(row, 1, draft, None, now)
    return made


def offered(slugs: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Address and name of those of some comparisons that are here, in their order; one query."""
    names = dict(SavedComparison.objects.filter(slug__in=slugs).values_list("slug", "name"))
    return tuple((slug, names[slug]) for slug in slugs if slug in names)


@transaction.atomic
def change_comparison(*, slug: str, based_on: int, draft: Draft, user: User | None) -> SavedView:
    """The next version. Raises RefusedError (``conflict``) where somebody else has added one meanwhile."""
    _check(draft)
    row = SavedComparison.objects.filter(slug=slug).select_for_update().first()
    if row is None:
        raise _missing(slug)
    latest = row.versions.values_list("number", flat=True).first() or 0
    if latest != based_on:
        raise RefusedError("conflict", f"Somebody else saved version {latest} meanwhile; look at it first.")
    now = timezone.now()
    row.name, row.changed = draft.name.strip(), now
    row.save(update_fields=["name", "changed"])
    try:
        with transaction.atomic():
            _append(row, latest + 1, draft, user, now)
    except IntegrityError:
        raise RefusedError("conflict", "Somebody else saved a version just now; look at it first.") from None
    return saved(slug=slug)


def saved(*, slug: str, number: int | None = None) -> SavedView:
    """A saved comparison in a version, the latest where none is named. Raises MissingError."""
    versions = ComparisonVersion.objects.filter(comparison__slug=slug).select_related("comparison__owner", "by")
    latest = versions.first()
    found = versions.filter(number=number).first() if number is not None else latest
    if found is None or latest is None:
        raise _missing(slug)
    return SavedView(
        slug=slug,
        name=found.name,
        number=found.number,
        latest=latest.number,
        view=found.view,
        scenario_key=found.scenario_key,
        scenario_version=found.scenario_version,
        notes=found.notes,
        by=found.by.get_username() if found.by else "",
        at=found.at,
        owner=_owner(found.comparison),
    )


def saved_list(limit: int = 200) -> tuple[SavedItem, ...]:
    """Saved comparisons, the latest change first, in one query."""
    latest = ComparisonVersion.objects.filter(comparison=OuterRef("pk")).order_by("-number")
    rows = SavedComparison.objects.select_related("owner").annotate(
        view=Subquery(latest.values("view")[:1]), versions_count=Subquery(latest.values("number")[:1])
    )
    return tuple(
        SavedItem(row.slug, row.name, _runs(row.view), row.versions_count or 0, _owner(row), row.changed)
        for row in rows[:limit]
    )


def history(*, slug: str) -> Sequence[tuple[int, str, str, dt.datetime]]:
    """Every version: number, name, by whom, when; the latest first."""
    rows = ComparisonVersion.objects.filter(comparison__slug=slug)
    names = rows.annotate(who=F("by__username")).values_list("number", "name", "who", "at")
    return [(number, name, who or "", at) for number, name, who, at in names]


def _check(draft: Draft) -> None:
    name = draft.name.strip()
    if not name or len(name) > MAX_NAME:
        raise RefusedError("invalid_name", f"A comparison has a name of at most {MAX_NAME} characters.")
    if not _runs(draft.view):
        raise RefusedError("no_runs", "A comparison has at least one run.")
    if len(draft.notes) > MAX_NOTES:
        seen = Problem("", "notes", f"at most {MAX_NOTES} characters", str(len(draft.notes)))
        raise RefusedError("notes_too_long", f"Notes have at most {MAX_NOTES} characters.", seen)
    if "\0" in name + draft.notes + "".join(draft.view.values()):
        raise RefusedError("invalid_text", "A text holds a character that cannot be stored.")


def _row(name: str, user: User | None, now: dt.datetime) -> SavedComparison:
    """A row under a readable address of its own: the name's, with a number behind it where that is taken."""
    base = slugify(name)[:70] or "comparison"
    base = f"{base}-1" if base in RESERVED else base
    taken = set(SavedComparison.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    for number in range(1, len(taken) + 20):
        slug = base if number == 1 else f"{base}-{number}"
        if slug in taken:
            continue
        try:
            with transaction.atomic():
                return SavedComparison.objects.create(slug=slug, name=name, owner=user, created=now, changed=now)
        except IntegrityError:
            continue
    raise RefusedError("conflict", "No free address was found for this name; choose another.")


def _append(row: SavedComparison, number: int, draft: Draft, user: User | None, now: dt.datetime) -> None:
    ComparisonVersion.objects.create(
        comparison=row,
        number=number,
        name=draft.name.strip(),
        view=dict(draft.view),
        scenario_key=draft.scenario_key,
        scenario_version=draft.scenario_version,
        notes=draft.notes,
        by=user,
        at=now,
    )


def _runs(view: Any) -> tuple[str, ...]:
    text = view.get("runs", "") if isinstance(view, Mapping) else ""
    return tuple(run for run in str(text).split(",") if run)


def _owner(row: SavedComparison) -> str:
    return row.owner.get_username() if row.owner else ""


def _missing(slug: str) -> MissingError:
    seen = Problem("", "comparison", "the address of a saved comparison", slug)
    return MissingError("comparison_not_found", "There is no such comparison.", seen)
