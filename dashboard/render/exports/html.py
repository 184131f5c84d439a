"""A comparison as a self-contained HTML fragment for an article: plain tables, no script, no style, no class."""

from collections.abc import Sequence
from html import escape

from dashboard.render.exports.blocks import Block, Table, blocks
from dashboard.render.exports.document import Export
from dashboard.render.numbers import Locale


def html_text(export: Export) -> str:
    """A whole small page, so that it opens by itself; its ``<section>`` can be pasted into an article."""
    return html_of(blocks(export), export.locale)


def html_of(found: Sequence[Block], locale: Locale) -> str:
    """Blocks as a page; the first one's heading is its title."""
    first, *others = found
    body = [f"<h2>{escape(first.heading)}</h2>", *(f"<p>{escape(text)}</p>" for text in first.paragraphs)]
    for block in others:
        body += _block(block)
    section = "\n".join(body)
    head = f'<meta charset="utf-8">\n<meta name="robots" content="noindex">\n<title>{escape(first.heading)}</title>'
    return (
        f'<!DOCTYPE html>\n<html lang="{locale}">\n<head>\n{head}\n</head>\n<body>\n<section>\n'
        f"{section}\n</section>\n</body>\n</html>\n"
    )


def _block(block: Block) -> list[str]:
    parts = [f"<h3>{escape(block.heading)}</h3>", *(f"<p>{escape(text)}</p>" for text in block.paragraphs)]
    if block.table is not None:
        parts.append(_table(block.table))
    if block.items:
        listed = "\n".join(
            f"<li>{f'<strong>{escape(name)}</strong> ' if name else ''}{escape(text)}</li>"
            for name, text in block.items
        )
        parts.append(f"<ul>\n{listed}\n</ul>")
    return parts


def _table(table: Table) -> str:
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in table.head)
    rows = "\n".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, *cells in table.rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"
