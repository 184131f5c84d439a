"""Runs into rows and back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from django.db.models import F

from runs.domain.records import RECORD_VERSION, RunRecord
from runs.models import Artifact, Run, RunArtifact, RunBody, RunSource, User
from runs.store.codec import columns, decode_record, encode_record, text
from runs.store.current import refresh
from runs.store.references import source_keys


@dataclass(frozen=True)
class Prepared:
    """A record made ready for its row before any transaction begins. Raises DomainError where it cannot be stored."""

    record: RunRecord
    content_key: str
    blob: bytes

    @classmethod
    def of(cls, record: RunRecord, content_key: str) -> "Prepared":
        return cls(record, content_key, encode_record(record))


def insert(prepared: Prepared, *, owner: User | None) -> Run:
    """One new run. Raises IntegrityError where the same content has become a run already."""
    run = Run.objects.create(content_key=prepared.content_key, owner=owner, **columns(prepared.record))
    RunBody.objects.create(run=run, version=RECORD_VERSION, record=prepared.blob)
    _link_sources(run.pk, prepared.record)
    return run


def _link_sources(run_pk: int, record: RunRecord) -> None:
    """The sources that a record rests on, anew."""
    RunSource.objects.filter(run_id=run_pk).delete()
    keys = {text(key, 100) for key in source_keys([record])}
    RunSource.objects.bulk_create([RunSource(run_id=run_pk, key=key) for key in sorted(keys)])


def replace(run_pk: int, record: RunRecord, *, revision: int) -> bool:
    """The record of a run anew, as it came, and the row cut from what it stands for now; False, and nothing done, if
    the run has moved on."""
    if not Run.objects.filter(pk=run_pk, revision=revision).update(revision=F("revision") + 1):
        return False
    RunBody.objects.filter(pk=run_pk).update(version=RECORD_VERSION, record=encode_record(record))
    _link_sources(run_pk, record)
    refresh([run_pk], bump=False)
    return True


def load(public_ids: Collection[str]) -> dict[str, RunRecord]:
    """Records as they came, by public id, in one query; ids that are no run's are left out."""
    rows = RunBody.objects.filter(run__public_id__in=public_ids).values_list("run__public_id", "version", "record")
    return {public_id: decode_record(version, bytes(blob)) for public_id, version, blob in rows}


def existing(content_keys: Collection[str]) -> dict[str, str]:
    """Public ids of the runs that some contents have become already, by content key."""
    return dict(Run.objects.filter(content_key__in=content_keys).values_list("content_key", "public_id"))


def link(run: Run, artifacts: Sequence[tuple[Artifact, str]], *, by: User | None) -> None:
    """The files behind a run, each with its role; a link that is there stays."""
    RunArtifact.objects.bulk_create(
        [RunArtifact(run=run, artifact=artifact, role=role, by=by) for artifact, role in artifacts],
        ignore_conflicts=True,
    )
