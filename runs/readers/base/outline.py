"""The keys of a JSON text by a scan of its beginning: for claiming a file that is cut off at 64 KiB."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 200
PREAMBLE_LINES = 6

_TOKEN = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[\[\]{}]', re.DOTALL)
_START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)


@dataclass(frozen=True)
class Outline:
    """What a JSON text holds: ``paths`` are keys ("gpu", "power.socket_power"), arrays passed through, three deep;
    ``repeated`` those of a document (not of what is in it) that stand in it more than once."""

    is_json: bool
    paths: frozenset[str] = frozenset()
    too_deep: bool = False
    repeated: tuple[str, ...] = ()

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
    document = 1 if text[start] == "{" else 2
    paths: set[str] = set()
    repeated: dict[str, None] = {}
    own: set[str] = set()
    for depth, key, above in _walk(text, start):
        if depth > MAX_DEPTH:
            return Outline(True, frozenset(paths), too_deep=True)
        if not key and depth == document:
            own = set()
        if key and depth == document:
            repeated.update(dict.fromkeys({key} & own))
            own.add(key)
        if key and len(above) < 3:
            paths.add(".".join([*above, key]))
    return Outline(True, frozenset(paths), repeated=tuple(repeated))


def _walk(text: str, start: int) -> Iterator[tuple[int, str, list[str]]]:
    """Every object or array that opens (its depth, no key) and every key (its depth, itself, the keys above it)."""
    stack: list[str] = []
    key = ""
    for token in _TOKEN.finditer(text, start):
        mark = token.group()
        if mark in "[{":
            stack.append(key)
            key = ""
            yield len(stack), "", []
        elif mark in "]}":
            if stack:
                stack.pop()
            key = ""
        elif token.group(2):
            key = token.group(1)
            yield len(stack), key, [part for part in stack if part]
