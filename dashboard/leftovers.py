"""Uploads that a killed server left half received: they are nobody's, and nothing else takes them away."""

import time
from contextlib import suppress
from pathlib import Path

PATTERN = "*.upload*"


def sweep(folder: Path, *, spare_s: float) -> list[str]:
    """Removes what was last written ``spare_s`` seconds ago or more and is held open by no process of this machine.

    Returns the names, for those who want to say it.
    """
    now, held = time.time(), _held(folder)
    gone = []
    for path in sorted(folder.glob(PATTERN)):
        with suppress(OSError):
            stat = path.lstat()
            if (stat.st_dev, stat.st_ino) not in held and now - stat.st_mtime >= spare_s and not path.is_dir():
                path.unlink()
                gone.append(path.name)
    return gone


def _held(folder: Path) -> set[tuple[int, int]]:
    """Device and inode of every file in the folder that a process has open, as far as this one may see it."""
    found = set()
    for link in Path("/proc").glob("[0-9]*/fd/*"):
        with suppress(OSError):
            if link.readlink().parent == folder:
                stat = link.stat()
                found.add((stat.st_dev, stat.st_ino))
    return found
