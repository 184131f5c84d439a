"""One `make run` to a folder: two would start two schedulers and workers over one database and one broker of files."""

import fcntl
import os
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
NAME = "serving.lock"


def var_dir() -> Path:
    """The folder that the settings will take, worked out without loading them."""
    return Path(os.environ.get("LIKEWISE_VAR_DIR", "").strip() or ROOT / "var").resolve()


def served_by_another(folder: Path) -> str | None:
    """In words, who serves the folder already; None where nobody does. Leaves nothing behind."""
    try:
        with (folder / NAME).open("r+", encoding="utf-8") as file:
            return None if _lock(file) else _said(folder, file)
    except OSError:
        return None


def take(folder: Path, port: int) -> IO[str] | str:
    """The lock, which ends with this process however that ends; or, in words, who was faster."""
    folder.mkdir(parents=True, exist_ok=True)
    file = (folder / NAME).open("a+", encoding="utf-8")
    if not _lock(file):
        with file:
            return _said(folder, file)
    file.truncate(0)
    file.write(f"{os.getpid()} {port}\n")
    file.flush()
    return file


def _lock(file: IO[str]) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks: nothing can be said, and nothing is refused
    return True


def _said(folder: Path, file: IO[str]) -> str:
    file.seek(0)
    parts = file.read(100).split()
    who = f"process {parts[0]} on port {parts[1]}" if len(parts) == 2 else "another process"
    return (
        f"{folder} is served already, by {who}: two would start every schedule twice. "
        f"Stop that one, or give this one a folder of its own: LIKEWISE_VAR_DIR=/another/folder PORT=8001 make run"
    )
