"""Artifacts: bytes into the artifact storage, and their rows."""

import uuid
from collections.abc import Collection, Iterable
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


def discard(files: Iterable[StoredFile]) -> None:
    """Takes bytes out of the storage again."""
    for one in files:
        artifact_storage().delete(one.path)


def discard_unused(files: Iterable[StoredFile]) -> None:
    """Takes out those bytes that became nobody's row, as another upload of the same came first."""
    written = {one.sha256: one for one in files}
    rows = known(written) if written else {}
    discard(one for sha256, one in written.items() if sha256 not in rows or rows[sha256].file.name != one.path)


def known(hashes: Collection[str]) -> dict[str, Artifact]:
    """Artifacts that are here already, by SHA-256."""
    return {artifact.sha256: artifact for artifact in Artifact.objects.filter(sha256__in=hashes)}


def register(
    stored: StoredFile, *, name: str, size: int, format_name: str, status: str, owner: User | None
) -> tuple[Artifact, bool]:
    """The row of stored bytes, and whether it is new: where another upload of the bytes came first, its row stays."""
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
        return Artifact.objects.get(sha256=stored.sha256), False
    return row, True
