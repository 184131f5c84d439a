"""Writing an archive: a zip of tables and files, with a manifest that carries the SHA-256 of each."""

import hashlib
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
from django.db import models, transaction
from django.utils import timezone

from runs.models import Artifact, User
from runs.services.archive.sections import FORMAT, MANIFEST, SECTIONS, VERSION, Section, pack, stored_fields

CHUNK = 1024 * 1024


@dataclass(frozen=True)
class Exported:
    rows: dict[str, int]
    files: int
    bytes: int


class _Writer:
    """Members of the zip, each hashed while it is written."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self.archive = archive
        self.entries: dict[str, dict[str, Any]] = {}

    def add(self, name: str, chunks: Iterator[bytes]) -> None:
        digest, size = hashlib.sha256(), 0
        with self.archive.open(name, "w", force_zip64=True) as member:
            for chunk in chunks:
                digest.update(chunk)
                size += len(chunk)
                member.write(chunk)
        self.entries[name] = {"sha256": digest.hexdigest(), "size": size}


@transaction.atomic
def export_archive(*, target: Path) -> Exported:
    """Everything into a new file. The file stands under its name only once it is whole.

    Raises FileExistsError where there is one, FileNotFoundError where an artifact's bytes are lost.
    """
    if target.exists():
        raise FileExistsError(f"{target} exists already")
    unfinished = target.with_name(f"{target.name}.unfinished")
    rows: dict[str, int] = {}
    try:
        with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED) as archive:
            writer = _Writer(archive)
            for section in SECTIONS:
                rows[section.name] = 0
                writer.add(section.member, _lines(section, rows))
            hashes = list(Artifact.objects.order_by("pk"))
            for artifact in hashes:
                writer.add(f"artifacts/{artifact.sha256}", _bytes(artifact))
            _manifest(archive, writer.entries, rows)
        unfinished.rename(target)
    finally:
        unfinished.unlink(missing_ok=True)
    return Exported(rows, len(hashes), target.stat().st_size)


def _manifest(archive: zipfile.ZipFile, entries: dict[str, dict[str, Any]], rows: dict[str, int]) -> None:
    made = timezone.now().isoformat(timespec="seconds")
    body = {"format": FORMAT, "version": VERSION, "made": made, "rows": rows, "entries": entries}
    archive.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(body), indent=1))


def _lines(section: Section, rows: dict[str, int]) -> Iterator[bytes]:
    fields = stored_fields(section.model)
    names = dict(User.objects.values_list("pk", "username"))
    for row in section.model._default_manager.order_by("pk").iterator(chunk_size=200):  # noqa: SLF001
        rows[section.name] += 1
        yield msgspec.json.encode({"pk": row.pk, **_values(row, fields, names)}) + b"\n"


def _values(row: models.Model, fields: list[models.Field[Any, Any]], names: dict[int, str]) -> dict[str, Any]:
    found = {}
    for field in fields:
        value = getattr(row, field.attname)
        # People are known by their names in the other instance, if they are there.
        found[field.name] = names.get(value, "") if field.related_model is User else pack(field, value)
    return found


def _bytes(artifact: Artifact) -> Iterator[bytes]:
    with artifact.open() as file:
        while chunk := file.read(CHUNK):
            yield chunk
