"""Brings locale/nl up to date with the texts in code, templates and catalogues: `python -m tools.messages`.

Keeps what is translated, adds what is new without a translation, drops what is gone. Needs no gettext tools.
"""

import ast
import io
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from tools.told import Told

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "locale" / "nl" / "LC_MESSAGES" / "django.po"
# How many texts each of these takes.
KEYWORDS = {"_": 1, "gettext": 1, "gettext_lazy": 1, "gettext_noop": 1, "ngettext": 2}
# Commands of the shell, and what answers machines: their texts reach no page.
NOT_TOLD = ("/migrations/", "/management/", "/archive/", "agent/tools.py", "/simulator.py")
_STRING = r"""u?('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")"""
_CALL = re.compile(rf"\b(ngettext|gettext|_)\({_STRING}(?:,\s*{_STRING})?")

Message = str | tuple[str, ...]


def found() -> dict[Message, str]:
    """Every text that is said somewhere, with the first place of it."""
    messages: dict[Message, str] = {}
    for path, message in (*_python(), *_templates(), *_catalogues(), *told()):
        messages.setdefault(message, path)
    return messages


def _python() -> Iterator[tuple[str, Message]]:
    for folder in ("dashboard", "runs"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if "migrations" not in path.parts:
                yield from _extracted(path, path.read_bytes())


def _templates() -> Iterator[tuple[str, Message]]:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "dashboard.settings")
    import django  # noqa: PLC0415  # after the settings are named
    from django.utils.translation.template import templatize  # noqa: PLC0415

    django.setup()
    for path in sorted((ROOT / "templates").rglob("*.html")):
        name = str(path.relative_to(ROOT))
        # Not quite Python (what is no message is filled with X), so that no tokenizer reads it.
        for call in _CALL.finditer(templatize(path.read_text(encoding="utf-8"), origin=str(path))):
            first, second = (ast.literal_eval(part) if part else "" for part in call.group(2, 3))
            yield name, (first, second) if call[1] == "ngettext" else first


def _extracted(path: Path, code: bytes) -> Iterator[tuple[str, Message]]:
    """Texts of the calls in KEYWORDS. By the syntax tree, since a tokenizer does not look into f-strings."""
    name = str(path.relative_to(ROOT))
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        function = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        wanted = KEYWORDS.get(function, 0)
        texts = [
            one.value for one in node.args[:wanted] if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        if wanted and len(texts) == wanted and texts[0]:
            yield name, (texts[0], texts[1]) if wanted == 2 else texts[0]


def _catalogues() -> Iterator[tuple[str, Message]]:
    """Texts that the domain keeps as data and the renderer says."""
    from runs.domain.metrics import METRICS, SETTINGS  # noqa: PLC0415

    for metric in METRICS:
        yield "runs/domain/metrics.py", metric.name
        yield "runs/domain/metrics.py", metric.definition
    for setting in SETTINGS:
        yield "runs/domain/metrics.py", setting.name


def told() -> Iterator[tuple[str, Message]]:
    """Texts of readers, domain and services, which know no languages: the renderer tells them."""
    files = []
    for folder in ("runs", "dashboard/pages"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not any(part in name for part in NOT_TOLD):
                files.append((name, path))
    for text, name in Told(files).texts.items():
        yield name, text


def read() -> Catalog:
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="nl")


def update() -> tuple[int, int]:
    """How many texts there are, and how many of them have no translation."""
    old = read() if CATALOGUE.exists() else Catalog(locale="nl")
    head = "# Dutch texts of Likewise, kept up to date by `python -m tools.messages`."
    new = Catalog(locale="nl", project="Likewise", version="1", charset="utf-8", fuzzy=False, header_comment=head)
    for message, place in sorted(found().items(), key=lambda pair: (pair[1], str(pair[0]))):
        known = old.get(message[0] if isinstance(message, tuple) else message)
        flags = {"python-brace-format"} if "{" in str(message) else set()
        new.add(message, known.string if known else None, locations=[(place, 0)], flags=flags - {"fuzzy"})
    CATALOGUE.parent.mkdir(parents=True, exist_ok=True)
    output = io.BytesIO()
    write_po(output, new, omit_header=False, include_lineno=False, width=0, sort_output=False)
    # Dates and people would change with every run.
    dated = (b'"POT-Cr', b'"PO-Rev', b'"Last-Tr', b'"Language-Team', b'"Report-Ms', b'"Generated-By')
    kept = [line for line in output.getvalue().splitlines(keepends=True) if not line.startswith(dated)]
    CATALOGUE.write_bytes(b"".join(kept))
    return len(new), len(missing(new))


def missing(catalogue: Catalog) -> list[Any]:
    """Texts without a full translation, and those marked as uncertain."""
    lacking: list[Any] = []
    for message in catalogue:
        strings = message.string if isinstance(message.string, tuple) else (message.string,)
        if message.id and (message.fuzzy or not all(strings)):
            lacking.append(message.id)
    return lacking


if __name__ == "__main__":
    total, lacking = update()
    print(f"{CATALOGUE.relative_to(ROOT)}: {total} texts, {lacking} without a translation")
    sys.exit(1 if lacking else 0)
