"""Processes of a job: found by a mark in their environment, whatever group or parent they moved to, and killed."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

MARK = "LIKEWISE_JOB"


def boot_id() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return ""


def started(pid: int) -> str:
    """When a process began, in the kernel's ticks: a number that was given to another process differs here."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in ("Z", "X") else fields[19]


def is_alive(pid: object, start: object, boot: object) -> bool:
    return isinstance(pid, int) and pid > 0 and boot == boot_id() and bool(start) and started(pid) == start


def marked(key: str) -> list[int]:
    """Live processes that carry the job's mark, this one apart."""
    wanted = f"{MARK}={key}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            environment = (entry / "environ").read_bytes()
        except OSError:
            continue
        if wanted in environment.split(b"\0") and started(int(entry.name)):
            found.append(int(entry.name))
    return found


def kill(key: str, grace_s: float, keep: frozenset[int] = frozenset()) -> int:
    """Asks a job's processes to end, then ends them; how many are left (none, unless the kernel holds one)."""
    deadline = time.monotonic() + grace_s
    _signal(key, signal.SIGTERM, keep)
    while time.monotonic() < deadline and _left(key, keep):
        time.sleep(0.05)
    for _attempt in range(50):
        if not _left(key, keep):
            return 0
        _signal(key, signal.SIGKILL, keep)
        time.sleep(0.05)
    return len(_left(key, keep))


def _left(key: str, keep: frozenset[int]) -> list[int]:
    return [pid for pid in marked(key) if pid not in keep]


def _signal(key: str, number: int, keep: frozenset[int]) -> None:
    for pid in _left(key, keep):
        with contextlib.suppress(OSError):
            os.kill(pid, number)
