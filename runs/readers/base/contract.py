"""What every reader shares: the upload it gets, what it gives back, and how it refuses."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation
from runs.domain.records import Remark, RunRecord, Source
from runs.domain.scenarios import Scenario
from runs.domain.setups import Profile
from runs.domain.trace import GpuCap, PowerTrace
from runs.domain.units import DomainError
from runs.readers.base.outline import Outline, outline

HEAD_BYTES = 65536


class ReadError(DomainError):
    """A file, or a place in it, that cannot be read: what was expected and what was seen."""

    def __init__(self, file: str, place: str, expected: str, seen: str) -> None:
        file, place, seen = clean_text(file, 120), clean_text(place, 200), clean_text(seen, 200)
        self.file, self.place, self.expected, self.seen = file, place, expected, seen
        super().__init__(f"{file}: at {place}: expected {expected}, saw {seen}" if place else
                         f"{file}: expected {expected}, saw {seen}")  # fmt: skip


class UnknownFormatError(ReadError):
    """Text that no reader claims: nothing is wrong with it, and a mapping may yet be given."""


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it came: its name (untrusted) and its bytes, already unpacked and bounded in size."""

    name: str
    data: bytes
    sha256: str = ""

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as text, for claiming: decoded leniently, UTF-16 decoded."""
        return decode(self.data[:HEAD_BYTES])[0]

    @cached_property
    def text(self) -> str:
        """The whole file as text (UTF-8 with or without BOM, UTF-16)."""
        return decode(self.data)[0]

    @cached_property
    def outline(self) -> Outline:
        """The keys of the JSON in the head, for claiming; empty where the head is no JSON."""
        return outline(self.head)

    @cached_property
    def utf8(self) -> bytes:
        """The whole file as UTF-8 without BOM: the very bytes where they are that already."""
        plain = self.data[:3] != b"\xef\xbb\xbf" and self.data[:2] not in (b"\xff\xfe", b"\xfe\xff")
        if plain and not self.data[:400].count(0):
            return self.data
        return self.text.encode("utf-8", errors="replace")

    @property
    def stem(self) -> str:
        """The file's name without folders and ending, made safe to show."""
        base = clean_text(self.name.replace("\\", "/").rsplit("/", 1)[-1], 120)
        return base.rsplit(".", 1)[0] if "." in base[1:] else base


def clean_text(text: str, limit: int = 300) -> str:
    """Text from a file, safe to store and show: no control characters, no lone surrogates, at most ``limit`` long.

    PostgreSQL refuses NUL and UTF-8 refuses lone surrogates, and both can stand in a JSON string.
    """
    kept = text[: limit + 1].encode("utf-8", errors="replace").decode("utf-8")
    kept = "".join(char if char.isprintable() else " " for char in kept).strip()
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


def excerpt(text: str, limit: int = 60) -> str:
    """The beginning of a text, quoted, for an error's "seen"."""
    return repr(clean_text(text.lstrip("\ufeff"), limit)) if text.strip() else "nothing"


def decode(data: bytes) -> tuple[str, bool]:
    """Bytes as text and whether bytes had to be replaced. UTF-16 by BOM or by its NULs, else UTF-8."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", errors="replace"), False
    if data[:3] == b"\xef\xbb\xbf":
        data = data[3:]
    elif data[:400].count(0) > len(data[:400]) // 4:
        return data.decode("utf-16-le" if data[1:2] == b"\0" else "utf-16-be", errors="replace"), False
    try:
        return data.decode("utf-8"), False
    except UnicodeDecodeError:
        return data.decode("utf-8", errors="replace"), True


@dataclass(frozen=True)
class ReadRun:
    """A run found in a file, and its place in it ("document 2", "[1]")."""

    place: str
    record: RunRecord


@dataclass(frozen=True)
class ReadErratum:
    """An erratum found in a file and what it is about: a run of the same file by its place, an evaluation or a source
    by its key."""

    target: Literal["run", "evaluation", "source"]
    key: str
    erratum: Erratum


@dataclass(frozen=True)
class Reading:
    """What a file turned out to be: runs, a power trace, caps, or (with remarks) none of them."""

    format: str
    runs: tuple[ReadRun, ...] = ()
    trace: PowerTrace | None = None
    caps: tuple[GpuCap, ...] = ()
    sources: tuple[Source, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    errata: tuple[ReadErratum, ...] = ()
    remarks: tuple[Remark, ...] = field(default=())
    setups: Mapping[str, Profile] = field(default_factory=dict)


@dataclass(frozen=True)
class Reader:
    """A format: its name, whether it claims a file by its first 64 KiB, and how it reads it."""

    format: str
    title: str
    claims: Callable[[Upload], bool]
    read: Callable[[Upload], Reading]
