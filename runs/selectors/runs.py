"""One run, and what pages need of several: records, files, power, names, revisions."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db.models import Q

from runs import store
from runs.domain.errata import Erratum
from runs.domain.records import RunRecord, Source
from runs.domain.trace import PowerTrace
from runs.models import Artifact, Run, RunArtifact, RunPower


@dataclass(frozen=True)
class FileItem:
    """A file behind a run."""

    sha256: str
    name: str
    size: int
    role: str
    format: str
    uploaded_at: dt.datetime


@dataclass(frozen=True)
class RunDetail:
    """One run as it stands: its record with edits, errata and names worked in, its errata, its files.

    ``fingerprint`` names its configuration; empty where it can be grouped with no other run.
    """

    id: str
    revision: int
    created: dt.datetime
    owner: str
    record: RunRecord
    files: tuple[FileItem, ...] = field(default=())
    errata: tuple[Erratum, ...] = ()
    fingerprint: str = ""
    evaluations: tuple[store.StoredEvaluation, ...] = ()


def run_detail(public_id: str) -> RunDetail | None:
    """One run as it stands, with its files, in seven queries; None where there is no such run."""
    row = Run.objects.filter(public_id=public_id).select_related("owner").defer("summary").first()
    run = store.current([public_id]).get(public_id) if row is not None else None
    if row is None or run is None:
        return None
    owner = row.owner.get_username() if row.owner is not None else ""
    files = _files(row.pk)
    standing = (run.errata, row.fingerprint, run.evaluations)
    return RunDetail(row.public_id, row.revision, row.created, owner, run.effective, files, *standing)


def _files(run_pk: int) -> tuple[FileItem, ...]:
    names = ("sha256", "name", "size", "format", "uploaded_at")
    links = RunArtifact.objects.filter(run_id=run_pk).order_by("pk")
    rows = links.values_list("role", *(f"artifact__{name}" for name in names))
    return tuple(FileItem(sha, name, size, role, form, at) for role, sha, name, size, form, at in rows)


def run_file(public_id: str, sha256: str) -> Artifact | None:
    """A file behind a run, to download; None where the run has no such file."""
    return Artifact.objects.filter(run_artifacts__run__public_id=public_id, sha256=sha256).first()


@dataclass(frozen=True)
class RunTrace:
    """The samples behind a run's power, with the zone its local times were read in."""

    trace: PowerTrace
    time_zone: str


def run_trace(public_id: str) -> RunTrace | None:
    """The power log of a run as arrays, as the log has them; None where the run has none."""
    power = RunPower.objects.filter(run__public_id=public_id).values_list("log_id", "time_zone").first()
    return None if power is None else RunTrace(store.load_trace(power[0]), power[1])


def records(public_ids: Sequence[str]) -> dict[str, RunRecord]:
    """Records as they stand, by public id, in five queries."""
    return store.effective(public_ids)


def sources(record: RunRecord) -> tuple[Source, ...]:
    """The documents that a run's facts were read in."""
    return store.sources(store.source_keys([record]))


def sources_by_key(keys: Sequence[str]) -> tuple[Source, ...]:
    """Sources by their keys."""
    return store.sources(keys)


def all_sources() -> tuple[Source, ...]:
    """Every source, by title; one query."""
    return store.every_source()


def names(public_ids: Sequence[str]) -> dict[str, str]:
    """Labels by public id; ids that are no run's are left out."""
    if not public_ids:
        return {}
    return dict(Run.objects.filter(public_id__in=public_ids).values_list("public_id", "label"))


def fingerprint_of(public_id: str) -> str:
    """The configuration of a run; "" where it can be grouped with none, or there is no such run."""
    return Run.objects.filter(public_id=public_id).values_list("fingerprint", flat=True).first() or ""


def revisions(public_ids: Sequence[str]) -> dict[str, int]:
    """The revision of each run, and of each in a ``group:`` of runs: with the ids, what a cached comparison depends
    on."""
    prints = [one.removeprefix("group:") for one in public_ids if one.startswith("group:")]
    wanted = Q(public_id__in=public_ids)
    if any(prints):
        wanted |= Q(fingerprint__in=list(filter(None, prints)))
    return dict(Run.objects.filter(wanted).values_list("public_id", "revision"))
