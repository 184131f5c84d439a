"""Artifacts: bytes into the artifact storage, and their rows."""

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction

from runs.models import Artifact, User
from runs.models.artifact import artifact_storage
from runs.store.codec import text

if TYPE_CHECKING:
    from django.core.files.base import File


@dataclass(frozen=True)
class StoredFile:
    """Bytes that are in the storage already, before the transaction that gives them a row."""

    sha256: str
    path: str


def write(sha256: str, content: "File[bytes]") -> StoredFile:
    """Puts bytes into the storage under a name of their own, so that two uploads of one content cannot mix."""
    return StoredFile(sha256, artifact_storage().save(f"{sha256[:2]}/{sha256}-{uuid.uuid4().hex[:8]}", content))


def discard(path: str) -> None:
    artifact_storage().delete(path)


def known(hashes: Collection[str]) -> dict[str, Artifact]:
    """Artifacts that are here already, by SHA-256."""
    return {artifact.sha256: artifact for artifact in Artifact.objects.filter(sha256__in=hashes)}


def register(
    stored: StoredFile, *, name: str, size: int, format_name: str, status: str, owner: User | None
) -> Artifact:
    """The row of stored bytes. Where another upload of the same bytes came first, its row and its bytes stay."""
    row = Artifact(
        sha256=stored.sha256,
        name=text(name, 255),
        size=size,
        media_type="application/octet-stream",
        format=text(format_name, 60),
        status=status,
        uploaded_by=owner,
    )
    row.file.name = stored.path
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError:
        first = Artifact.objects.get(sha256=stored.sha256)
        transaction.on_commit(lambda: discard(stored.path))
        return first
    return row
