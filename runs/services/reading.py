"""Files as they come into readings: bounded, hashed once, and read with no transaction open."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings

from runs import readers
from runs.domain.units import DomainError
from runs.readers import ReadError, Reading, UnknownFormatError
from runs.services.answers import FileAnswer, Problem, RefusedError

if TYPE_CHECKING:
    from django.core.files.base import File

MAX_FILES = 100
NAME_LIMIT = 200


@dataclass(frozen=True, eq=False)
class Incoming:
    """A file on its way in: the name it came under (untrusted) and its bytes."""

    name: str
    content: "File[bytes]"


@dataclass(frozen=True, eq=False)
class Parsed:
    """A file with its verdict, and its reading where it has one."""

    incoming: Incoming
    answer: FileAnswer
    reading: Reading | None = None

    @property
    def name(self) -> str:
        return self.answer.name

    @property
    def sha256(self) -> str:
        return self.answer.sha256


def safe_name(name: str) -> str:
    """A file's name as text that every column and page takes: no folders, no control characters, not endless."""
    base = name.replace("\\", "/").rsplit("/", 1)[-1].encode("utf-8", errors="replace").decode()
    kept = "".join(char if char.isprintable() else "\ufffd" for char in base).strip()
    return kept[:NAME_LIMIT] or "unnamed"


def read_all(files: Sequence[Incoming]) -> list[Parsed]:
    """Every file with its verdict. Raises RefusedError where there are none or too many."""
    if not files:
        raise RefusedError(
            "no_files", "There is no file in the upload.", Problem("", "file", "at least one file", "none")
        )
    if len(files) > MAX_FILES:
        seen = Problem("", "file", f"at most {MAX_FILES} files", f"{len(files)} files")
        raise RefusedError("too_many_files", "There are too many files in one upload.", seen)
    return [_read(file) for file in files]


def _read(incoming: Incoming) -> Parsed:
    name = safe_name(incoming.name)
    limit: int = settings.LIKEWISE_MAX_FILE_BYTES
    answer = partial(FileAnswer, name, size=incoming.content.size)
    incoming.content.seek(0)
    sha256 = ""
    try:
        upload = readers.unpack(name, incoming.content.read(), limit)
        sha256 = upload.sha256
        reading = readers.read(upload)
    except UnknownFormatError as error:
        text = f"No reader knows this format; the file is kept until it has a mapping. It begins with {error.seen}."
        problem = _problem(name, error)
        return Parsed(incoming, answer(sha256=sha256, verdict="needs mapping", text=text, problem=problem))
    except DomainError as error:
        refused = answer(sha256=sha256, verdict="refused", text=str(error), problem=_problem(name, error))
        return Parsed(incoming, refused)
    read = answer(sha256=sha256, verdict="read", format=reading.format, holds=_holds(reading), remarks=reading.remarks)
    return Parsed(incoming, read, reading)


def _problem(name: str, error: DomainError) -> Problem:
    if isinstance(error, ReadError):
        return Problem(error.file or name, error.place, error.expected, error.seen)
    return Problem(name, "", "a file within the domain's rules", str(error))


def _holds(reading: Reading) -> tuple[str, ...]:
    """What is in a file, in words."""
    held = [(len(reading.runs), "run"), (len(reading.caps), "power cap"), (len(reading.sources), "source"),
            (len(reading.scenarios), "scenario"),
            (len(reading.evaluations), "evaluation")]  # fmt: skip
    words = [f"{count} {noun}{'' if count == 1 else 's'}" for count, noun in held if count]
    if reading.errata:
        words.append("1 erratum" if len(reading.errata) == 1 else f"{len(reading.errata)} errata")
    if reading.trace is not None:
        words.append(f"a power log of {len(reading.trace)} samples of {len(reading.trace.gpus)} GPUs")
    return tuple(words)
