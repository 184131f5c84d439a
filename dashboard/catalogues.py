"""Compiles the translations (.po) where they are newer than what was compiled: no gettext tools, only Babel."""

import os
import tempfile
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_all(folder: Path) -> None:
    """Every catalogue below a folder. What is up to date is left alone; two processes at once do no harm."""
    for source in folder.glob("*/LC_MESSAGES/*.po"):
        target = source.with_suffix(".mo")
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            _compile(source, target)


def _compile(source: Path, target: Path) -> None:
    with source.open("rb") as text:
        catalogue = read_po(text, locale=source.parts[-3])
    handle, temporary = tempfile.mkstemp(dir=target.parent, suffix=".tmp")
    with os.fdopen(handle, "wb") as output:
        write_mo(output, catalogue)
    # Others may run under another user than the one that compiled.
    Path(temporary).chmod(0o644)
    Path(temporary).replace(target)
