"""What a client prints: its beginning kept up to a bound, its end kept always, and the moments of known lines noted."""

from __future__ import annotations

import os
import threading
import time
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

TAIL_BYTES = 64 * 1024
LINE_BYTES = 4096


class Recorder(threading.Thread):
    """Reads a pipe to its end, however much comes: a client that floods is slowed by nothing and fills no disk."""

    def __init__(self, pipe: IO[bytes], path: Path, limit: int, starts: list[str], ends: list[str]) -> None:
        super().__init__(daemon=True)
        self._pipe, self._path, self._limit = pipe, path, limit
        self._starts, self._ends = [one.encode() for one in starts], [one.encode() for one in ends]
        self._line = b""
        self.total = self.kept = 0
        self.tail = b""
        self.window_start = self.window_end = 0.0
        self.full = False

    def run(self) -> None:
        with self._path.open("ab", buffering=0) as file:
            while chunk := os.read(self._pipe.fileno(), 65536):
                now = time.time()
                self.total += len(chunk)
                self.tail = (self.tail + chunk)[-TAIL_BYTES:]
                self._keep(file, chunk)
                if self._starts and not self.window_end:
                    self._look(chunk, now)

    def _keep(self, file: IO[bytes], chunk: bytes) -> None:
        part = chunk[: max(0, self._limit - self.kept)]
        if part and not self.full:
            try:
                self.kept += file.write(part) or 0
            except OSError:
                self.full = True  # the tail in memory goes on; the client is not stopped for our log

    def _look(self, chunk: bytes, now: float) -> None:
        """The last start before the first end counts: clients announce a warm-up with the same words."""
        lines = (self._line + chunk).split(b"\n")
        self._line = lines[-1][-LINE_BYTES:]
        for line in lines:
            if any(mark in line for mark in self._ends) and self.window_start:
                self.window_end = now
                return
            if any(mark in line for mark in self._starts) and line != self._line:
                self.window_start = now
