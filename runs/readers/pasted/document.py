"""A sheet as a document in the published-runs format, which enters by the same door as an uploaded one."""

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from runs.domain.records import Source
from runs.readers.pasted.choices import Choices
from runs.readers.pasted.sheet import Sheet, SheetRow
from runs.readers.pasted.statements import Statement

_WORDS = re.compile(r"[^a-z0-9]+")


def slug(text: str, limit: int = 60) -> str:
    """A text as a key: lower-case letters and digits with dashes between."""
    return _WORDS.sub("-", text.casefold().replace("×", "x")).strip("-")[:limit].strip("-")


def document(sheet: Sheet, choices: Choices, sources: Sequence[Source]) -> bytes:
    """The runs of a sheet without problems, with the sources they rest on, as JSON."""
    runs = [_run(row, choices) for row in sheet.rows]
    used = {run[name] for run in runs for name in ("source", "via") if run.get(name)}
    content: dict[str, Any] = {
        "likewise": "published-runs/1",
        "sources": {one.key: _source(one) for one in sources if one.key in used},
        "setups": {run["setup"]: {} for run in runs if run.get("setup")},
        "runs": runs,
    }
    return json.dumps(content, ensure_ascii=False, indent=1).encode("utf-8", errors="replace")


def _source(source: Source) -> dict[str, Any]:
    given = {name: value for name, value in asdict(source).items() if name != "key"}
    return {**given, "published": source.published or "not stated"}


def _run(row: SheetRow, choices: Choices) -> dict[str, Any]:
    whose = choices.whose_of(row.head)
    settings = {key: _setting(value) for key, value in row.settings.items()}
    run: dict[str, Any] = {
        "key": f"r{row.place + 1}",
        "label": row.label,
        "source": whose.source,
        "provenance": whose.provenance.value,
        "settings": settings,
        "figures": row.figures,
    }
    if whose.via:
        run["via"] = whose.via
    if choices.one_setup:
        run["setup"] = f"{choices.source}-{slug(row.head)}"
    repeats = _repeats(row)
    if repeats is not None:
        run["repeats"] = repeats
    return run


def _setting(value: Statement | str | None) -> Statement | str:
    return "not stated" if value is None else value


def _repeats(row: SheetRow) -> int | None:
    if row.repeats.isascii() and row.repeats.isdigit():
        return int(row.repeats)
    return len(row.figures["total_throughput"]["repeat_values"]) if row.repeats else None
