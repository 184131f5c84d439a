"""What a viewer may see of declared setups: the settings they bring, and the runs that declare them."""

from dataclasses import dataclass

from django.db.models import Count

from runs import store
from runs.domain.facts import Setting
from runs.domain.records import RunRecord
from runs.models import Run

MAX_MEMBERS = 200


@dataclass(frozen=True)
class Setup:
    """A declared setup, with how many runs declare it and the settings it brings them; none for a bare name."""

    name: str
    runs: int
    settings: dict[str, Setting]


def list_setups() -> tuple[Setup, ...]:
    """Declared setups by name; two queries."""
    counted = Run.objects.exclude(setup="").order_by().values_list("setup")
    runs = dict(counted.annotate(runs=Count("pk")))
    brought = store.profiles()
    return tuple(Setup(name, runs.get(name, 0), dict(brought.get(name, {}))) for name in sorted({*runs, *brought}))


@dataclass(frozen=True)
class SetupDetail:
    """A declared setup with its settings and its runs as they stand, by id, oldest first."""

    name: str
    settings: dict[str, Setting]
    runs: tuple[tuple[str, RunRecord], ...]
    capped: bool


def setup_detail(name: str) -> SetupDetail | None:
    """A setup that has settings or runs; None where there is none of that name."""
    if not name:
        return None
    brought = dict(store.profiles([name]).get(name, {}))
    ids = list(Run.objects.filter(setup=name).order_by("pk").values_list("public_id", flat=True)[: MAX_MEMBERS + 1])
    if not ids and not brought:
        return None
    records = store.effective(ids[:MAX_MEMBERS])
    runs = tuple((one, records[one]) for one in ids[:MAX_MEMBERS])
    return SetupDetail(name, brought, runs, capped=len(ids) > MAX_MEMBERS)
