"""A comparison as Markdown tables for an article; every text escaped, so that none becomes markup."""

import re
from collections.abc import Sequence

from dashboard.render.exports.blocks import Block, Table, blocks
from dashboard.render.exports.document import Export

_SIGNS = re.compile(r"([\\`*_\[\]<>|#!~])")


def markdown_text(export: Export) -> str:
    return markdown_of(blocks(export))


def markdown_of(found: Sequence[Block]) -> str:
    """Blocks as Markdown; the first one's heading is the document's."""
    first, *others = found
    parts = [f"## {escape(first.heading)}", *(escape(text) for text in first.paragraphs)]
    for block in others:
        parts.append(f"### {escape(block.heading)}")
        parts += _body(block)
    return "\n\n".join(parts) + "\n"


def escape(text: str) -> str:
    """Text that Markdown takes as text: no markup, no line of its own."""
    return _SIGNS.sub(r"\\\1", " ".join(text.split("\n"))).replace("&", "&amp;")


def _body(block: Block) -> list[str]:
    parts = [escape(text) for text in block.paragraphs]
    if block.table is not None:
        parts.append(_table(block.table))
    if block.items:
        parts.append(
            "\n".join(f"- {f'**{escape(name)}** ' if name else ''}{escape(text)}" for name, text in block.items)
        )
    return parts


def _table(table: Table) -> str:
    lines = [_row(table.head), _row(("---",) * len(table.head), raw=True), *(_row(row) for row in table.rows)]
    return "\n".join(lines)


def _row(cells: tuple[str, ...], *, raw: bool = False) -> str:
    return f"| {' | '.join(cells if raw else [escape(cell) for cell in cells])} |"
