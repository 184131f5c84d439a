"""What is in an archive: rows by model, in the order in which they can be put back, and what makes a row the same."""

import base64
from dataclasses import dataclass
from typing import Any

from django.db import models

from runs.models import (
    AliasRow,
    ApiToken,
    Artifact,
    AuditEntry,
    ComparisonVersion,
    ErratumRow,
    EvaluationCover,
    EvaluationRow,
    FactMessage,
    HostKey,
    Job,
    JobArtifact,
    JobRun,
    Occurrence,
    Plan,
    PowerLog,
    PowerSamples,
    Run,
    RunArtifact,
    RunBody,
    RunPower,
    RunSource,
    SavedComparison,
    ScenarioRow,
    Schedule,
    SettingEdit,
    SetupProfile,
    Share,
    ShareAccess,
    Source,
    Target,
    Tombstone,
    UploadRecord,
    User,
)

FORMAT = "likewise.archive"
VERSION = 1
MANIFEST = "manifest.json"


@dataclass(frozen=True)
class Section:
    """The rows of a model. ``identity``: the fields by which a row is known again in another instance; ``same``: what
    must be alike where it is there already."""

    model: type[models.Model]
    identity: tuple[str, ...]
    same: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return str(self.model._meta.model_name)  # noqa: SLF001

    @property
    def member(self) -> str:
        return f"tables/{self.name}.jsonl"


SECTIONS = (
    Section(Source, ("key",), ("record",)),
    Section(ScenarioRow, ("key", "version"), ("record",)),
    Section(Artifact, ("sha256",)),
    Section(PowerLog, ("artifact",)),
    Section(PowerSamples, ("log",)),
    Section(Run, ("content_key",)),
    Section(RunBody, ("run",)),
    Section(RunArtifact, ("run", "artifact", "role")),
    Section(RunPower, ("run",)),
    Section(RunSource, ("run", "key")),
    Section(EvaluationRow, ("content_key",), ("record",)),
    Section(EvaluationCover, ("evaluation", "target")),
    Section(ErratumRow, ("target", "target_key", "record")),
    Section(SettingEdit, ("run", "key", "record")),
    Section(Tombstone, ("public_id",)),
    Section(SetupProfile, ("name",), ("record",)),
    Section(AliasRow, ("kind", "folded"), ("canonical",)),
    Section(UploadRecord, ("at", "answer")),
    Section(SavedComparison, ("slug",), ("name",)),
    Section(ComparisonVersion, ("comparison", "number"), ("view", "notes")),
)

# Accounts, keys, links, machines and what was done through them belong to one instance.
LEFT_OUT = (
    *(User, ApiToken, Share, ShareAccess, FactMessage, AuditEntry),
    *(Target, HostKey, Plan, Schedule, Occurrence, Job, JobArtifact, JobRun),
)


def stored_fields(model: type[models.Model]) -> list[models.Field[Any, Any]]:
    """The columns that travel: all but the running number and the place of a file in this storage."""
    fields = model._meta.concrete_fields  # noqa: SLF001
    return [field for field in fields if not isinstance(field, models.AutoField | models.FileField)]


def pack(field: models.Field[Any, Any], value: Any) -> Any:
    """A column's value as JSON takes it."""
    if isinstance(field, models.BinaryField):
        return None if value is None else base64.b64encode(bytes(value)).decode("ascii")
    return value.isoformat() if hasattr(value, "isoformat") else value


def unpack(field: models.Field[Any, Any], value: Any) -> Any:
    """The other way; raises ValueError for what the column cannot hold."""
    if value is None:
        return None
    if isinstance(field, models.BinaryField):
        return base64.b64decode(value, validate=True)
    return field.to_python(value)
