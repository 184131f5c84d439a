"""The keys of a JSON text by a scan of its beginning: for claiming a file that is cut off at 64 KiB."""

import re
from dataclasses import dataclass

MAX_DEPTH = 200
PREAMBLE_LINES = 6

_TOKEN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[\[\]{}]', re.DOTALL)
_START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)


@dataclass(frozen=True)
class Outline:
    """What a JSON text holds: ``paths`` are keys ("gpu", "power.socket_power"), arrays passed through, three deep."""

    is_json: bool
    paths: frozenset[str] = frozenset()
    too_deep: bool = False

    def has(self, *paths: str) -> bool:
        return all(path in self.paths for path in paths)

    def any(self, *paths: str) -> bool:
        return any(path in self.paths for path in paths)


def json_start(text: str) -> int | None:
    """Where the first ``{`` or ``[`` at a line's start is, at most a few lines of preamble down; None if nowhere."""
    found = _START.search(text)
    if found is None or text.count("\n", 0, found.start()) > PREAMBLE_LINES:
        return None
    return found.end() - 1


def outline(text: str) -> Outline:
    """Scan the tokens of ``text``; never fails, never recurses, and stops at ``MAX_DEPTH``."""
    start = json_start(text)
    if start is None:
        return Outline(False)
    paths: set[str] = set()
    stack: list[str] = []
    key = ""
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark in "[{":
            stack.append(key)
            key = ""
            if len(stack) > MAX_DEPTH:
                return Outline(True, frozenset(paths), too_deep=True)
        elif mark in "]}":
            if stack:
                stack.pop()
            key = ""
        elif token.group(2):
            key = token.group(1)
            above = [part for part in stack if part]
            if len(above) < 3:
                paths.add(".".join([*above, key]))
    return Outline(True, frozenset(paths))
