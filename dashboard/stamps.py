"""Small files that remember what was done, so that a second start need not do it again."""

import fcntl
import hashlib
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def fingerprint(sources: Iterable[Path]) -> str:
    """SHA-256 over the names and contents of files and of folders of files."""
    digest = hashlib.sha256()
    for source in sources:
        files = [source] if source.is_file() else sorted(path for path in source.rglob("*") if path.is_file())
        for path in files:
            digest.update(str(path.relative_to(source.parent)).encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def matches(stamp: Path, wanted: str) -> bool:
    return stamp.is_file() and stamp.read_text(encoding="ascii") == wanted


def written_once(path: Path, content: str) -> str:
    """The file's content; written, readable by its owner only, when it is not there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        # Linked into place whole: of two processes that start at once, one wins and neither reads half a file.
        with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as draft:  # mode 0600
            draft.write(content)
            draft.flush()
            with suppress(FileExistsError):
                path.hardlink_to(draft.name)
    return path.read_text(encoding="ascii").strip()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
