"""Text copied from a page without tabs: one cell a line is read, cells that run together are not."""

from runs.readers.base import ReadError, excerpt
from runs.readers.pasted.cells import looks_whole

MOST_COLUMNS = 40


def cells_a_line(lines: list[str], columns: int | None, name: str) -> list[list[str]]:
    """Lines as cells, row by row. The number of columns is the only one that makes columns of one kind, or is asked."""
    if columns is not None:
        if columns < 2 or len(lines) % columns:
            raise ReadError(name, "columns", "a number of columns that parts the lines evenly", f"{len(lines)} lines")
        return _rows(lines, columns)
    if sum(map(looks_whole, lines)) * 3 < len(lines):
        raise ReadError(
            name,
            "",
            "cells that can be told apart: HTML, Markdown, CSV, tabs between cells, one cell a line, or a | typed by "
            "you wherever a cell ends",
            f"cells run together, as in {excerpt(lines[min(1, len(lines) - 1)], 90)}",
        )
    fitting = [width for width in range(2, min(MOST_COLUMNS, len(lines) // 2) + 1) if _fits(lines, width)]
    if len(fitting) != 1:
        seen = " or ".join(map(str, fitting)) if fitting else "no number that makes columns of one kind"
        raise ReadError(name, "columns", "one cell a line, and how many columns there are", seen)
    return _rows(lines, fitting[0])


def _rows(lines: list[str], columns: int) -> list[list[str]]:
    return [lines[start : start + columns] for start in range(0, len(lines), columns)]


def _fits(lines: list[str], columns: int) -> bool:
    """Whether the first row is words and every other column is numbers, or absent, all the way down."""
    if len(lines) % columns:
        return False
    head, *rows = _rows(lines, columns)
    return (
        not any(map(looks_whole, head))
        and all(not looks_whole(row[0]) for row in rows)
        and all(looks_whole(cell) for row in rows for cell in row[1:])
    )
