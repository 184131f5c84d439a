"""Lists of runs: filters, sorting by a cursor, counts and facets. Everyone logged in sees every run."""

import base64
import binascii
import datetime as dt
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from django.db import connection
from django.db.models import Count, F, Q, QuerySet
from django.db.models.lookups import Exact, In

from runs import store
from runs.domain.names import KINDS, canonical
from runs.models import Run
from runs.models.expressions import Unindexed
from runs.store.codec import SORT_KEYS

SORTS = {key: column for column, key in SORT_KEYS.items()} | {name: name for name in ("run_date", "created", "label")}
NULLABLE = frozenset({*SORT_KEYS, "run_date"})
COUNT_CAP = 1000
FEW = 500
FACETS = ("provenance", "model", "runtime", "accelerator", "workload", "basis")
_WORDS = (*FACETS, "status")
_COMPARED = (*_WORDS, "isl", "osl", "concurrency", "active_gpus")
FACET_CAP = 100
COMBINATIONS = 5000
MAX_PAGE = 200


class CursorError(ValueError):
    """A cursor that no page of this list gave."""


@dataclass(frozen=True)
class RunFilter:
    """Which runs. Values of one field are alternatives; fields narrow together; ``q`` is looked for in the names."""

    provenance: Sequence[str] = ()
    model: Sequence[str] = ()
    runtime: Sequence[str] = ()
    accelerator: Sequence[str] = ()
    workload: Sequence[str] = ()
    basis: Sequence[str] = ()
    status: Sequence[str] = ()
    isl: int | None = None
    osl: int | None = None
    concurrency: int | None = None
    active_gpus: int | None = None
    has_power: bool | None = None
    since: dt.date | None = None
    until: dt.date | None = None
    q: str = ""


@dataclass(frozen=True)
class RunItem:
    """A run as a list shows it. ``configuration`` is what its repeats have in common; ``summary`` holds its figures
    with their basis, by key of the catalogue."""

    id: str
    label: str
    provenance: str
    status: str
    model: str
    runtime: str
    accelerator: str
    workload: str
    isl: int | None
    osl: int | None
    concurrency: int | None
    active_gpus: int | None
    run_date: dt.date | None
    created: dt.datetime
    configuration: str
    summary: store.Summary


@dataclass(frozen=True)
class RunPage:
    """One page of a list, and the cursor of the next; "" where this is the last."""

    items: tuple[RunItem, ...]
    next: str = ""


@dataclass(frozen=True)
class RunCount:
    """How many runs there are, counted up to a cap."""

    count: int
    capped: bool


class _Cursor(msgspec.Struct, array_like=True, frozen=True):
    sort: str
    value: float | str | None
    pk: int


_COLUMNS = (
    "public_id", "label", "provenance", "status", "model", "runtime", "accelerator", "workload", "isl", "osl",
    "concurrency", "active_gpus", "run_date", "created", "fingerprint", "summary",
)  # fmt: skip


def list_runs(wanted: RunFilter = RunFilter(), *, sort: str = "-created", limit: int = 50, cursor: str = "") -> RunPage:
    """One page of runs by a sort key (``-`` first: descending); runs without that figure come last.

    Raises CursorError for a cursor of another list and ValueError for an unknown sort.
    """
    named = sort.removeprefix("-")
    if named not in SORTS:
        raise ValueError(f"unknown sort {sort!r}; known: {', '.join(SORTS)}, each with - for descending")
    column = SORTS[named]
    sort = f"-{column}" if sort.startswith("-") else column
    limit = max(1, min(limit, MAX_PAGE))
    after = _read_cursor(cursor, sort) if cursor else None
    runs = _steered(wanted)
    rows: list[tuple[Any, ...]] = []
    if after is None or after.value is not None:
        rows = list(_with_value(runs, column, sort, after)[: limit + 1])
    if len(rows) <= limit and column in NULLABLE:
        missing = runs.filter(**{f"{column}__isnull": True}).order_by("-pk")
        if after is not None and after.value is None:
            missing = missing.filter(pk__lt=after.pk)
        rows += missing.values_list("pk", column, *_COLUMNS)[: limit + 1 - len(rows)]
    following = ""
    if len(rows) > limit:
        pk, value = rows[limit - 1][:2]
        following = _cursor(sort, value, pk)
    return RunPage(tuple(_item(row[2:]) for row in rows[:limit]), following)


def _with_value(runs: QuerySet[Run], column: str, sort: str, after: _Cursor | None) -> QuerySet[Run, tuple[Any, ...]]:
    """Runs that have the sort key, from after the cursor on. One comparison first, so that the index cuts the page."""
    down = sort.startswith("-")
    order = [sort, "-pk" if down else "pk"]
    if column in NULLABLE:
        runs = runs.filter(**{f"{column}__isnull": False})
    if after is not None:
        side = "lt" if down else "gt"
        tie = Q(**{column: after.value, f"pk__{side}": after.pk})
        runs = runs.filter(**{f"{column}__{side}e": after.value}).filter(Q(**{f"{column}__{side}": after.value}) | tie)
    return runs.order_by(*order).values_list("pk", column, *_COLUMNS)


def _item(row: tuple[Any, ...]) -> RunItem:
    return RunItem(*(*row[:-1], store.decode_summary(bytes(row[-1]))))


def _cursor(sort: str, value: Any, pk: int) -> str:
    kept = value.isoformat() if isinstance(value, dt.date) else value
    return base64.urlsafe_b64encode(msgspec.json.encode(_Cursor(sort, kept, pk))).decode().rstrip("=")


def _read_cursor(text: str, sort: str) -> _Cursor:
    try:
        found = msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=_Cursor)
    except (ValueError, binascii.Error, RecursionError):
        raise CursorError("no cursor of this list") from None
    if found.sort != sort or not 0 <= found.pk < 2**63 or not _fits(found, sort.removeprefix("-")):
        raise CursorError("a cursor of another list: filters and sort stay the same from page to page")
    return found


def _fits(cursor: _Cursor, column: str) -> bool:
    if cursor.value is None:
        return column in NULLABLE
    if column in SORT_KEYS:
        return isinstance(cursor.value, float)
    if not isinstance(cursor.value, str) or "\0" in cursor.value:
        return False
    if column == "label":
        return True
    try:
        return bool(dt.date.fromisoformat(cursor.value) if column == "run_date" else _moment(cursor.value))
    except ValueError:
        return False


def _moment(text: str) -> bool:
    """Whether a text is an instant that every database takes; in the years 1 and 9999 UTC may have no such day."""
    moment = dt.datetime.fromisoformat(text)
    return moment.tzinfo is not None and 1 < moment.year < dt.MAXYEAR


def _steered(wanted: RunFilter) -> QuerySet[Run]:
    """The filter for a page in some order: of few matches the database sorts all, of many it walks the sort's index."""
    if wanted == RunFilter() or connection.vendor != "sqlite":
        return _filtered(wanted)
    few = _filtered(wanted).order_by().values("pk")[:FEW].count() < FEW
    return _filtered(wanted, indexed=few)


def _filtered(wanted: RunFilter, *, indexed: bool = True) -> QuerySet[Run]:
    runs = Run.objects.all()
    for name in _COMPARED:
        value = getattr(wanted, name)
        if value is None or (name in _WORDS and not value):
            continue
        if name in KINDS:
            value = canonical_words(name, value)
        column = F(name) if indexed else Unindexed(F(name))
        runs = runs.filter(In(column, list(value)) if name in _WORDS else Exact(column, value))
    if wanted.has_power is not None:
        runs = runs.filter(gpu_power_mean__isnull=not wanted.has_power)
    if wanted.since is not None:
        runs = runs.filter(run_date__gte=wanted.since)
    if wanted.until is not None:
        runs = runs.filter(run_date__lte=wanted.until)
    if wanted.q:
        named = [Q(**{f"{name}__icontains": wanted.q}) for name in ("label", "model", "runtime", "accelerator")]
        runs = runs.filter(named[0] | named[1] | named[2] | named[3])
    return runs


def canonical_words(kind: str, words: Sequence[str]) -> list[str]:
    """Names as runs are found by them, each once; one query."""
    known = store.aliases()
    return list(dict.fromkeys(canonical(kind, word, known) for word in words))


def count_runs(wanted: RunFilter = RunFilter()) -> RunCount:
    """How many runs a filter leaves, counted no further than :data:`COUNT_CAP`."""
    found = _filtered(wanted).order_by()[: COUNT_CAP + 1].count()
    return RunCount(min(found, COUNT_CAP), capped=found > COUNT_CAP)


def facets(wanted: RunFilter = RunFilter()) -> dict[str, list[tuple[str, int]]]:
    """Values of each facet with their counts within a filter, most frequent first.

    One pass counts the combinations of all facets; only where those are very many, one query a facet.
    """
    runs = _filtered(wanted).order_by()
    combined = list(runs.values_list(*FACETS).annotate(runs=Count("pk"))[: COMBINATIONS + 1])
    found: dict[str, list[tuple[str, int]]] = {}
    for place, name in enumerate(FACETS):
        counts: Counter[str] = Counter()
        if len(combined) <= COMBINATIONS:
            for row in combined:
                counts[row[place]] += row[-1]
        else:
            counts.update(dict(runs.values_list(name).annotate(runs=Count("pk")).order_by("-runs", name)[:FACET_CAP]))
        counts.pop("", None)
        found[name] = sorted(counts.items(), key=lambda one: (-one[1], one[0]))[:FACET_CAP]
    return found
