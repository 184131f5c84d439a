"""Which of several named parts a refusal is about: msgspec says ``$.sources[...]`` for every one of them."""

import re
from typing import Any

import msgspec

from runs.readers.published.shapes import FileIn

ANY = "[...]"
_TOKEN = re.compile(r"\.([^.\[\]]+)|\[(\d+|\.\.\.)\]")
_MOST = 200

Step = str | int


def named(content: Any, place: str, error: str) -> str:
    """``place`` with the name of the part in place of ``[...]``, where it can be told; ``error`` as msgspec gave it."""
    steps: list[Step] = []
    shown = "$"
    for match in _TOKEN.finditer(place):
        if match[0] != ANY:
            step: Step = match[1] if match[1] is not None else int(match[2])
            steps.append(step)
            shown += match[0]
            continue
        key = _culprit(content, steps, error)
        if key is None:
            return place
        steps.append(key)
        shown += f".{key}"
    return shown if steps else place


def _culprit(content: Any, steps: list[Step], error: str) -> str | None:
    """The key whose value alone gives the very same error."""
    holder = _at(content, steps)
    if not isinstance(holder, dict) or len(holder) > _MOST:
        return None
    for key, value in holder.items():
        try:
            msgspec.convert(_with(content, steps, {key: value}), type=FileIn)
        except msgspec.ValidationError as found:
            if str(found) == error:
                return str(key)
    return None


def _at(content: Any, steps: list[Step]) -> Any:
    for step in steps:
        if isinstance(content, dict):
            content = content.get(step)
        elif isinstance(content, list) and isinstance(step, int) and step < len(content):
            content = content[step]
        else:
            return None
    return content


def _with(content: Any, steps: list[Step], value: Any) -> Any:
    """A copy of the content that has ``value`` where the steps lead."""
    if not steps:
        return value
    first, *rest = steps
    if isinstance(content, dict):
        return {**content, first: _with(content[first], rest, value)}
    return [_with(one, rest, value) if at == first else one for at, one in enumerate(content)]
