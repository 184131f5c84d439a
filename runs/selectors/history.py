"""What a viewer may see of what came after an upload: history, evaluations, repeats, what was purged."""

import datetime as dt
from dataclasses import dataclass
from typing import Literal

from django.db.models import Count

from runs import store
from runs.domain.errata import Erratum, Target
from runs.domain.records import Source
from runs.domain.repeats import Spread, distinct, spreads
from runs.domain.settling import SettingEdit
from runs.models import ErratumRow, EvaluationRow, Run, RunArtifact, Tombstone
from runs.models import SettingEdit as EditRow

StoredEvaluation = store.StoredEvaluation
MAX_MEMBERS = 200
MAX_EVALUATIONS = 500

EventKind = Literal["upload", "file", "edit", "erratum"]


@dataclass(frozen=True)
class Event:
    """Something that happened to a run: an upload, a file added, a setting filled in, an erratum.

    ``revision`` is the one that the run got by it; 0 where the erratum came with a file or is about a source or an
    evaluation of the run.
    """

    at: dt.datetime
    kind: EventKind
    who: str
    revision: int = 0
    file: str = ""
    role: str = ""
    erratum: Erratum | None = None
    edit: SettingEdit | None = None
    reason: str = ""


def history(public_id: str) -> tuple[Event, ...] | None:
    """Everything that happened to a run, oldest first; None where there is no such run. Eight queries."""
    row = Run.objects.filter(public_id=public_id).select_related("owner").defer("summary").first()
    run = store.current([public_id]).get(public_id)
    if row is None or run is None:
        return None
    events: list[Event] = [Event(row.created, "upload", _name(row.owner), 1)]
    links = RunArtifact.objects.filter(run=row).select_related("artifact", "by").order_by("pk")
    events += [Event(link.at, "file", _name(link.by), file=link.artifact.name, role=link.role) for link in links]
    edits = EditRow.objects.filter(run=row).select_related("user").order_by("pk")
    events += [
        Event(
            edit.at, "edit", _name(edit.user), edit.revision, edit=store.decode_edit(bytes(edit.record)),
            reason=edit.reason,
        )
        for edit in edits
    ]  # fmt: skip
    events += _errata(run)
    return tuple(sorted(events, key=lambda event: (event.at, event.revision)))


def _errata(run: "store.CurrentRun") -> list[Event]:
    about = {(one.target, one.target_key) for one in run.errata}
    if not about:
        return []
    keys = [key for _target, key in about]
    rows = ErratumRow.objects.filter(target_key__in=keys).select_related("user").order_by("pk")
    return [
        Event(
            row.at, "erratum", _name(row.user), row.revision if row.target == "run" else 0,
            erratum=store.decode_erratum(bytes(row.record)),
        )
        for row in rows
        if (row.target, row.target_key) in about
    ]  # fmt: skip


def _name(user: object) -> str:
    return str(user) if user is not None else ""


def errata_of(target: Target, key: str) -> tuple[Erratum, ...]:
    """Errata about one run, evaluation or source, oldest first."""
    return store.errata_about([(target, key)]).get((target, key), ())


def tombstone(public_id: str) -> Tombstone | None:
    """What is left of a run that was purged; None where none was."""
    return Tombstone.objects.filter(public_id=public_id).first()


@dataclass(frozen=True)
class EvaluationList:
    """Evaluations as they stand, by task."""

    items: tuple[store.StoredEvaluation, ...]
    capped: bool

    @property
    def sources(self) -> tuple[Source, ...]:
        """The documents they were read in; one query."""
        evidence = [found for one in self.items for found in one.original.evidence]
        return store.sources(dict.fromkeys(found.ref for found in evidence if found.kind == "document"))


def list_evaluations(task: str = "") -> EvaluationList:
    """Evaluations by task and age, at most :data:`MAX_EVALUATIONS`; three queries."""
    rows = EvaluationRow.objects.order_by("task", "pk")
    if task:
        rows = rows.filter(task=task)
    keys = list(rows.values_list("key", flat=True)[: MAX_EVALUATIONS + 1])
    stored = store.evaluations(keys[:MAX_EVALUATIONS])
    items = tuple(stored[key] for key in keys[:MAX_EVALUATIONS])
    return EvaluationList(items, capped=len(keys) > MAX_EVALUATIONS)


def evaluation(key: str) -> store.StoredEvaluation | None:
    """One evaluation as it stands; None where there is none of that key."""
    return store.evaluations([key]).get(key)


@dataclass(frozen=True)
class Group:
    """Runs of one configuration: their ids and labels, oldest first, and every figure that all of them have.

    ``n`` counts measurements: runs that are one measurement read twice count once.
    """

    fingerprint: str
    members: tuple[tuple[str, str], ...]
    spreads: tuple[Spread, ...]
    n: int

    @property
    def twice(self) -> int:
        """Members that tell a measurement again."""
        return len(self.members) - self.n


def group_of(fingerprint: str) -> Group | None:
    """The runs of a configuration; None without a fingerprint or where there are none. Six queries."""
    if not fingerprint:
        return None
    rows = Run.objects.filter(fingerprint=fingerprint).order_by("pk")[:MAX_MEMBERS]
    members = tuple(rows.values_list("public_id", "label"))
    if not members:
        return None
    known = store.effective([public_id for public_id, _label in members])
    records = [known[public_id] for public_id, _label in members]
    return Group(fingerprint, members, spreads(records), len(distinct(records)))


def group_sizes(fingerprints: list[str]) -> dict[str, int]:
    """How many runs each configuration has; one query."""
    wanted = [one for one in fingerprints if one]
    rows = Run.objects.filter(fingerprint__in=wanted).order_by().values_list("fingerprint")
    return dict(rows.annotate(runs=Count("pk"))) if wanted else {}
