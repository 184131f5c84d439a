"""Names that stand for others: merged and un-merged, and every row that goes by them recomputed."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Count, Q

from runs import store
from runs.domain.names import KINDS, canonical, merged
from runs.domain.units import DomainError
from runs.models import AliasRow, Run, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.tokens import may_purge

MAX_NAME = 200
MAX_NAMES = 500


@dataclass(frozen=True)
class AliasItem:
    """An alias, the name it was merged into, and the one name both are found by now."""

    id: int
    kind: str
    alias: str
    name: str
    canonical: str


@dataclass(frozen=True)
class NameItem:
    """A name that runs go by, and how many."""

    kind: str
    name: str
    runs: int


def aliases() -> tuple[AliasItem, ...]:
    """Every alias, by kind and name."""
    known = store.aliases()
    rows = AliasRow.objects.order_by("kind", "canonical", "alias")
    return tuple(
        AliasItem(row.pk, row.kind, row.alias, row.canonical, canonical(row.kind, row.canonical, known)) for row in rows
    )


def names() -> tuple[NameItem, ...]:
    """The names that runs go by, most frequent first within their kind; a query a kind."""
    found = []
    for kind in KINDS:
        counted = Run.objects.exclude(**{kind: ""}).values(kind).annotate(runs=Count("pk")).order_by("-runs", kind)
        found += [NameItem(kind, row[kind], row["runs"]) for row in counted[:MAX_NAMES]]
    return tuple(found)


def merge_names(*, kind: str, alias: str, name: str, user: User | None) -> AliasItem:
    """From now on ``alias`` goes by ``name``; what was stated stays as it was. Administrators only.

    Raises RefusedError (``permission_denied``, ``invalid_alias``, ``conflict``).
    """
    _administrator(user)
    alias, name = " ".join(alias.split()), " ".join(name.split())
    if max(len(alias), len(name)) > MAX_NAME or "\0" in alias + name:
        seen = Problem("", "alias", f"names of at most {MAX_NAME} characters", alias[:40])
        raise RefusedError("invalid_alias", "A name is too long.", seen)
    try:
        with transaction.atomic():
            key = merged(kind, alias, name, store.aliases())
            row = store.add_alias(kind, alias, key, name, user)
            _recompute(kind, [alias])
    except DomainError as error:
        problem = Problem("", "alias", "two names that can be merged", str(error))
        raise RefusedError("invalid_alias", f"{error}.", problem) from None
    except IntegrityError:
        problem = Problem("", "alias", "a name that nobody else is merging", alias)
        raise RefusedError("conflict", f"{alias} was merged meanwhile.", problem) from None
    return AliasItem(row.pk, kind, row.alias, row.canonical, canonical(kind, name, store.aliases()))


def unmerge_names(*, alias_id: int, user: User | None) -> None:
    """Takes an alias away; every run goes by its own name again. Administrators only. Raises MissingError."""
    _administrator(user)
    with transaction.atomic():
        row = AliasRow.objects.filter(pk=alias_id).first()
        if row is None:
            seen = Problem("", "alias", "the id of an alias", str(alias_id))
            raise MissingError("alias_not_found", "There is no such alias.", seen)
        before = canonical(row.kind, row.canonical, store.aliases())
        row.delete()
        _recompute(row.kind, [before])


def _recompute(kind: str, found_by: Sequence[str]) -> None:
    """The rows of the runs that were found by some names until now; those that go by them still stay as they are."""
    named = Q()
    for name in found_by:
        named |= Q(**{f"{kind}__iexact": name})
    store.refresh(list(Run.objects.filter(named).values_list("pk", flat=True)))


def _administrator(user: User | None) -> None:
    if user is not None and not may_purge(user):
        raise RefusedError("permission_denied", "Only an administrator merges names.")
