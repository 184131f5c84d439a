"""What a person pastes, as rows of cells: HTML, Markdown, TSV, CSV, or text with its cells told apart.

A paste is refused in words (:class:`ReadError`) where its cells cannot be told apart safely; no border is guessed.
"""

import csv
import re
from dataclasses import dataclass
from typing import Literal

from markdown_it import MarkdownIt

from runs.readers.base import ReadError, clean_text, excerpt
from runs.readers.pasted.htmlgrid import html_rows
from runs.readers.pasted.linegrid import cells_a_line

MAX_CHARS = 500_000
MAX_COLUMNS = 60
MAX_ROWS = 100
MAX_CELL = 400
NAME = "paste"

Kind = Literal["HTML", "Markdown", "TSV", "CSV", "cell borders", "one cell a line", "typed"]
_SEPARATOR = re.compile(r"^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)+\|?[ \t]*$", re.MULTILINE)
_INLINE = {"br": " ", "sup": "^", "sub": "^"}
_TAG = re.compile(r"<(table|tr)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Grid:
    """A table: how it was told apart, its head, its rows of as many cells, and lines that stood outside it."""

    kind: Kind
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    outside: tuple[str, ...] = ()


def read_tables(text: str, columns: int | None = None) -> tuple[Grid, ...]:
    """Every table in a paste, at least one. ``columns`` tells how many there are where text has one cell a line."""
    if len(text) > MAX_CHARS:
        raise ReadError(NAME, "", f"at most {MAX_CHARS:,} characters in one paste", f"{len(text):,}")
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", " ").removeprefix("\ufeff")
    if not text.strip():
        raise ReadError(NAME, "", "a table", "nothing")
    if _TAG.search(text):
        grids = [_grid("HTML", rows) for rows in html_rows(text, MAX_COLUMNS, MAX_ROWS)]
    else:
        grids = _plain_tables(text, columns)
    found = tuple(grid for grid in grids if grid is not None)
    if not found:
        raise ReadError(NAME, "", "a table with a head and at least one row", excerpt(text))
    return found


def _plain_tables(text: str, columns: int | None) -> list[Grid | None]:
    lines = [line for line in text.split("\n") if line.strip()]
    widest = max(max(line.count(sign) for sign in "\t|;,") for line in lines)
    if widest > 20 * MAX_COLUMNS:
        raise ReadError(NAME, "columns", f"at most {MAX_COLUMNS} columns", f"about {widest + 1:,}")
    if any("\t" in line.strip() for line in lines):
        return _segments("TSV", _delimited(text, "\t"))
    if _SEPARATOR.search(text):
        return [_grid("Markdown", rows) for rows in _markdown_rows("\n".join(lines))]
    if len(lines) > 1 and all("|" in line for line in lines):
        return [_grid("cell borders", [line.strip().strip("|").split("|") for line in lines])]
    for sign in (";", ","):
        rows = _delimited(text, sign)
        if len(rows) > 1 and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            return [_grid("CSV", rows)]
    return [_grid("one cell a line", cells_a_line([line.strip() for line in lines], columns, NAME))]


def _delimited(text: str, sign: str) -> list[list[str]]:
    try:
        rows = list(csv.reader(text.split("\n"), delimiter=sign))
    except csv.Error as error:
        raise ReadError(NAME, "", "cells with a delimiter between them", str(error)) from None
    return [row for row in rows if any(cell.strip() for cell in row)]


def _segments(kind: Kind, rows: list[list[str]]) -> list[Grid | None]:
    """Tables among lines: lines of one cell stand outside, and one between two tables parts them."""
    tables: list[list[list[str]]] = [[]]
    outside: list[str] = []
    for row in rows:
        if len([cell for cell in row if cell.strip()]) > 1 or len(row) > 1:
            tables[-1].append(row)
        else:
            outside.append(row[0])
            if tables[-1]:
                tables.append([])
    return [_grid(kind, table, outside) for table in tables if table]


def _markdown_rows(text: str) -> list[list[list[str]]]:
    tables: list[list[list[str]]] = []
    cell = False
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "table_open":
            tables.append([])
        elif token.type == "tr_open":
            tables[-1].append([])
        elif token.type in ("th_open", "td_open"):
            cell = True
        elif token.type == "inline" and cell:
            tables[-1][-1].append("".join(_markdown_text(child.type, child.content) for child in token.children or ()))
            cell = False
    return tables


def _markdown_text(kind: str, content: str) -> str:
    """The text of a piece of a cell. A break parts numbers, and a raised mark is no digit: 944<sup>1</sup>."""
    if kind == "html_inline":
        return _INLINE.get(content.strip("<> ").removesuffix("/").strip().casefold(), "")
    return content if kind in ("text", "code_inline") else ""


def _grid(kind: Kind, rows: list[list[str]], outside: list[str] | None = None) -> Grid | None:
    """Rows as a table; None where there is no head with rows below it. A row of another width is refused."""
    kept = [[clean_text(cell, MAX_CELL) for cell in row] for row in rows[: MAX_ROWS + 2]]
    if len(rows) > MAX_ROWS + 1:
        raise ReadError(NAME, "rows", f"at most {MAX_ROWS} rows below the head", f"{len(rows) - 1:,}")
    if len(kept) < 2 or not kept[0]:
        return None
    width = max(len(row) for row in kept)
    if width > MAX_COLUMNS:
        raise ReadError(NAME, "columns", f"at most {MAX_COLUMNS} columns", f"{width:,}")
    while width > 1 and all(len(row) < width or not row[width - 1] for row in kept):
        width -= 1
    for number, row in enumerate(kept):
        while len(row) > width:
            row.pop()
        if len(row) < width:
            raise ReadError(NAME, f"row {number + 1}", f"{width} cells, as in the widest row", f"{len(row)} cells")
    return Grid(kind, tuple(kept[0]), tuple(map(tuple, kept[1:])), tuple(clean_text(one) for one in outside or ()))
