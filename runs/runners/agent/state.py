"""The folder of a job on its target: what is to run, how far it is, and its files. Written so that it is never half."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import time
from pathlib import Path
from typing import Any

STATE, REQUEST, CANCEL, RESERVE, OUTPUT = "state.json", "job.json", "cancel", "reserve", "output.log"
RESERVE_BYTES = 128 * 1024
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class Folder:
    """One job's folder. ``reserve`` is room set aside, so that a full disk can still be reported."""

    def __init__(self, root: str, key: str) -> None:
        if not key.isalnum() or len(key) > 64:
            raise ValueError("a job's key is letters and digits")
        self.path = Path(root).expanduser().absolute() / f"job-{key}"
        self.key = key

    def create(self, request: dict[str, Any]) -> bool:
        """False where the job is here already: whoever comes second launches nothing."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self.path.mkdir(mode=0o700)
        except FileExistsError:
            return False
        (self.path / RESERVE).write_bytes(b"\0" * RESERVE_BYTES)
        self.write(REQUEST, request)
        self.write(STATE, {"phase": "starting", "at": time.time()})
        return True

    def read(self, name: str) -> dict[str, Any] | None:
        try:
            found = json.loads((self.path / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Whole or not at all; on a full disk the reserve is given up for it."""
        try:
            self._replace(name, content)
        except OSError as error:
            if error.errno not in FULL:
                raise
            with contextlib.suppress(OSError):
                (self.path / RESERVE).unlink()
            with contextlib.suppress(OSError):
                self._replace(name, content)

    def _replace(self, name: str, content: dict[str, Any]) -> None:
        temporary = self.path / f".{name}.{os.getpid()}"
        try:
            with temporary.open("w", encoding="utf-8") as file:
                json.dump(content, file)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(self.path / name)
        except OSError:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise

    def files(self) -> list[dict[str, Any]]:
        """Regular files that the job left, its own bookkeeping apart; links are never followed."""
        found = []
        for folder, folders, names in os.walk(self.path):
            folders[:] = sorted(one for one in folders if not (Path(folder) / one).is_symlink())[:50]
            for name in sorted(names)[:500]:
                path = Path(folder) / name
                if path.is_symlink() or not path.is_file() or name.startswith(".") or name == RESERVE:
                    continue
                stat = path.stat()
                found.append({"name": str(path.relative_to(self.path)), "size": stat.st_size, "mtime": stat.st_mtime})
        return found[:500]

    def inside(self, name: str) -> Path:
        """The path of a file in the folder. Raises ValueError for a name that leads out of it."""
        path = self.path / name
        if Path(name).is_absolute() or path.is_symlink() or self.path.resolve() not in path.resolve().parents:
            raise ValueError("a file outside the job's folder")
        return path
