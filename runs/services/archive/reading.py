"""Taking an archive in: whole or not at all, bounded, and never by a path that the archive names."""

import hashlib
import re
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import msgspec
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.base import File
from django.db import DatabaseError, models, transaction

from runs import store
from runs.domain.units import DomainError
from runs.models import Artifact, User
from runs.services.archive.aims import Aims
from runs.services.archive.recut import Recut
from runs.services.archive.sections import FORMAT, MANIFEST, SECTIONS, VERSION, Section, stored_fields, unpack

MAX_ENTRIES = 1_000_000
MAX_LINE = 64 * 1024 * 1024
MAX_MANIFEST = 256 * 1024 * 1024
CHUNK = 1024 * 1024
# A member that is damaged within its compressed bytes is told by zlib, not by zipfile.
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)
_MEMBER = re.compile(r"tables/[a-z]{1,40}\.jsonl|artifacts/[0-9a-f]{64}")


class ArchiveError(DomainError):
    """A file that is no archive, one of a later version, or one that contradicts itself or what is here."""


@dataclass
class Imported:
    """How many rows came in, and how many were here already."""

    made: dict[str, int] = field(default_factory=dict)
    known: dict[str, int] = field(default_factory=dict)
    files: int = 0


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    sha256: str
    size: int


class _Manifest(msgspec.Struct):
    format: str
    version: int
    entries: dict[str, _Entry] = {}
    rows: dict[str, int] = {}


def import_archive(*, source: Path, max_bytes: int | None = None) -> Imported:
    """Everything of an archive into this instance. What is here already stays as it is. Raises ArchiveError."""
    limit = max_bytes if max_bytes is not None else settings.LIKEWISE_MAX_ARCHIVE_BYTES
    stored: list[store.StoredFile] = []
    try:
        with zipfile.ZipFile(source) as archive:
            manifest = _checked(archive, limit)
            outcome = Imported()
            files = _files(archive, manifest, stored)
            with transaction.atomic():
                _Loader(archive, manifest, files, outcome).load()
            return outcome
    except _UNREADABLE as error:
        store.discard(stored)
        raise ArchiveError(f"{source.name} is no archive that can be read: {error}") from None
    except (DatabaseError, ValidationError, ValueError, TypeError, KeyError, OverflowError) as error:
        store.discard(stored)
        raise error if isinstance(error, ArchiveError) else ArchiveError(f"{source.name}: {error}") from None
    except BaseException:
        store.discard(stored)  # stopped by hand, or by what nobody thought of: no file stays without its row
        raise


def _checked(archive: zipfile.ZipFile, limit: int) -> _Manifest:
    """The manifest, once names, number and sizes of all members agree with it."""
    members = {info.filename: info for info in archive.infolist()}
    if len(members) != len(archive.infolist()) or len(members) > MAX_ENTRIES:
        raise ArchiveError("the archive names a file twice, or has too many")
    if MANIFEST not in members or members[MANIFEST].file_size > MAX_MANIFEST:
        raise ArchiveError(f"expected {MANIFEST} in the archive, saw {', '.join(sorted(members)[:5]) or 'nothing'}")
    with archive.open(MANIFEST) as file:
        manifest = _decode(file.read(MAX_MANIFEST))
    if set(members) - {MANIFEST} != set(manifest.entries):
        raise ArchiveError("the archive holds other files than its manifest names")
    for name, entry in manifest.entries.items():
        if not _MEMBER.fullmatch(name):
            raise ArchiveError(f"an archive has no file {name!r}")
        if members[name].file_size != entry.size:
            raise ArchiveError(f"{name}: expected {entry.size} bytes, saw {members[name].file_size}")
    total = sum(entry.size for entry in manifest.entries.values())
    if total > limit:
        raise ArchiveError(f"the archive unpacks to {total} bytes; at most {limit} are taken")
    return manifest


def _decode(data: bytes) -> _Manifest:
    try:
        manifest = msgspec.json.decode(data, type=_Manifest)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ArchiveError(f"{MANIFEST} is not the manifest of an archive: {error}") from None
    if manifest.format != FORMAT:
        raise ArchiveError(f"expected the format {FORMAT}, saw {manifest.format!r}")
    if manifest.version < 1:
        raise ArchiveError(f"expected an archive version from 1 to {VERSION}, saw {manifest.version}")
    if manifest.version > VERSION:
        raise ArchiveError(
            f"archive version {manifest.version} is newer than {VERSION}, the latest this Likewise reads"
        )
    return manifest


def _files(
    archive: zipfile.ZipFile, manifest: _Manifest, stored: list[store.StoredFile]
) -> dict[str, store.StoredFile]:
    """Artifacts that are not here yet into the storage, each checked against its own name."""
    hashes = [name.removeprefix("artifacts/") for name in manifest.entries if name.startswith("artifacts/")]
    known = store.known(hashes)
    found: dict[str, store.StoredFile] = {}
    for sha256 in hashes:
        if sha256 in known:
            continue
        with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
            for chunk in _read(archive, f"artifacts/{sha256}", manifest):
                spool.write(chunk)
            if manifest.entries[f"artifacts/{sha256}"].sha256 != sha256:
                raise ArchiveError(f"artifacts/{sha256} is not what its name says")
            spool.seek(0)
            found[sha256] = store.write(sha256, File(spool))
            stored.append(found[sha256])
    return found


def _read(archive: zipfile.ZipFile, name: str, manifest: _Manifest) -> Iterator[bytes]:
    """A member in chunks; raises ArchiveError at its end where its digest is another."""
    digest = hashlib.sha256()
    with archive.open(name) as member:
        while chunk := member.read(CHUNK):
            digest.update(chunk)
            yield chunk
    if digest.hexdigest() != manifest.entries[name].sha256:
        raise ArchiveError(f"{name}: its SHA-256 is not the manifest's")


class _Loader:
    """Rows into the database, with the numbers they have here."""

    def __init__(
        self, archive: zipfile.ZipFile, manifest: _Manifest, files: dict[str, store.StoredFile], outcome: Imported
    ) -> None:
        self.archive, self.manifest, self.files, self.outcome = archive, manifest, files, outcome
        self.people = dict(User.objects.values_list("username", "pk"))
        self.numbers: dict[type[models.Model], dict[Any, Any]] = {}
        self.aims, self.recut = Aims(), Recut()

    def load(self) -> None:
        # Into an instance that has nothing the rows come whole.
        used = any(section.model._default_manager.exists() for section in SECTIONS)  # noqa: SLF001
        for section in SECTIONS:
            if section.member in self.manifest.entries:
                self._section(section)
        if used:
            self.recut.refresh()
        self.outcome.files = len(self.files)
        unknown = {name for name in self.manifest.entries if name.startswith("tables/")}
        unknown -= {section.member for section in SECTIONS}
        if unknown:
            raise ArchiveError(f"the archive has tables that this Likewise does not know: {', '.join(sorted(unknown))}")

    def _section(self, section: Section) -> None:
        numbers = self.numbers.setdefault(section.model, {})
        made = known = 0
        for line in self._lines(section.member):
            values = self._values(section, line)
            values, here = self._here(section, values)
            if here is not None:
                self._same(section, here, values)
                known += 1
            else:
                here = self._insert(section, values)
                made += 1
                self.recut.note(here)
            numbers[line["pk"]] = here.pk
        self.outcome.made[section.name], self.outcome.known[section.name] = made, known

    def _here(self, section: Section, values: dict[str, Any]) -> tuple[dict[str, Any], models.Model | None]:
        """The row's columns with the ids of this instance, and the row where it is here already."""
        rows = section.model._default_manager  # noqa: SLF001
        if section.identity == ("content_key",):
            here = rows.filter(content_key=values["content_key"]).first()
            self.aims.note(section.model, values, here)
            return self.aims.aimed(section.model, values), here
        values = self.aims.aimed(section.model, values)
        # What a file holds is known by the file; the same said twice by people is not one erratum.
        identity = ("content_key",) if values.get("content_key") else section.identity
        return values, rows.filter(**{name: values[name] for name in identity}).first()

    def _lines(self, name: str) -> Iterator[dict[str, Any]]:
        with tempfile.TemporaryFile(dir=settings.FILE_UPLOAD_TEMP_DIR) as spool:
            for chunk in _read(self.archive, name, self.manifest):
                spool.write(chunk)
            spool.seek(0)
            while line := _line(spool, name):
                yield msgspec.json.decode(line, type=dict[str, Any])

    def _values(self, section: Section, line: dict[str, Any]) -> dict[str, Any]:
        fields = stored_fields(section.model)
        if set(line) != {"pk", *(one.name for one in fields)}:
            raise ArchiveError(f"{section.member}: a row has other columns than this Likewise knows")
        return {one.name: self._value(one, line[one.name]) for one in fields}

    def _value(self, column: models.Field[Any, Any], value: Any) -> Any:
        related = column.related_model
        if related is User:
            pk = self.people.get(value)
            return User(pk=pk) if pk is not None else None
        if isinstance(related, type) and issubclass(related, models.Model):
            if value is None:
                return None
            if value not in self.numbers.get(related, {}):
                raise ArchiveError(f"{column.name} {value} is not in the archive")
            return related._default_manager.get(pk=self.numbers[related][value])  # noqa: SLF001
        return unpack(column, value)

    def _insert(self, section: Section, values: dict[str, Any]) -> models.Model:
        row = section.model(**values)
        if isinstance(row, Artifact):
            stored = self.files.get(row.sha256)
            if stored is None:
                raise ArchiveError(f"the bytes of artifact {row.sha256} are not in the archive")
            row.file.name = stored.path
        return section.model._default_manager.bulk_create([row])[0]  # noqa: SLF001

    def _same(self, section: Section, here: models.Model, values: dict[str, Any]) -> None:
        for name in section.same:
            mine = getattr(here, name)
            if (bytes(mine) if isinstance(mine, memoryview | bytes) else mine) != values[name]:
                raise ArchiveError(f"{section.name} {here} is here already and says something else ({name})")


def _line(spool: IO[bytes], name: str) -> bytes:
    line = spool.readline(MAX_LINE + 1)
    if len(line) > MAX_LINE:
        raise ArchiveError(f"{name}: a row is longer than {MAX_LINE} bytes")
    return line
