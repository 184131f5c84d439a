"""What every reader shares: the upload it gets, what it gives back, and how it refuses."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from runs.domain.records import Remark, RunRecord, Source
from runs.domain.scenarios import Scenario
from runs.domain.trace import GpuCap, PowerTrace
from runs.domain.units import DomainError


class ReadError(DomainError):
    """A file, or a place in it, that cannot be read: what was expected and what was seen."""

    def __init__(self, file: str, place: str, expected: str, seen: str) -> None:
        self.file, self.place, self.expected, self.seen = file, place, expected, seen
        super().__init__(f"{file}: at {place}: expected {expected}, saw {seen}" if place else
                         f"{file}: expected {expected}, saw {seen}")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Upload:
    """A file as it came: its name (untrusted) and its bytes, already unpacked and bounded in size."""

    name: str
    data: bytes
    sha256: str = ""

    @cached_property
    def head(self) -> str:
        """The first 64 KiB as text, for claiming: decoded leniently, NULs of UTF-16 removed by decoding."""
        return decode(self.data[:65536])[0]

    @cached_property
    def text(self) -> str:
        """The whole file as text (UTF-8 with or without BOM, UTF-16)."""
        return decode(self.data)[0]


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
class Reading:
    """What a file turned out to be: runs, a power trace, caps, or (with remarks) none of them."""

    format: str
    runs: tuple[ReadRun, ...] = ()
    trace: PowerTrace | None = None
    caps: tuple[GpuCap, ...] = ()
    sources: tuple[Source, ...] = ()
    scenarios: tuple[Scenario, ...] = ()
    remarks: tuple[Remark, ...] = field(default=())


@dataclass(frozen=True)
class Reader:
    """A format: its name, whether it claims a file by its first 64 KiB, and how it reads it."""

    format: str
    title: str
    claims: Callable[[Upload], bool]
    read: Callable[[Upload], Reading]
