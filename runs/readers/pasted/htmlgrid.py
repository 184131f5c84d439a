"""The tables of an HTML fragment, as rows of cell texts."""

from collections.abc import Iterator

from lxml import etree

from runs.readers.base import ReadError

_SPACES = " \t\n\u00a0\u202f\u2009"
MERGED = " ⇤ merged cell"
_UNSEEN = frozenset({"script", "style", "template", "noscript"})


def html_rows(text: str, most_columns: int, most_rows: int) -> list[list[list[str]]]:
    """Every table, cells that span repeated in each place they cover. Raises ReadError beyond the bounds."""
    # A paste may hold rows without their table; a parser would drop them and leave the cells' text run together.
    wrapped = text if "<table" in text.casefold() else f"<table>{text}</table>"
    parser = etree.HTMLParser(encoding="utf-8", no_network=True, remove_comments=True, remove_pis=True)
    try:
        tree = etree.fromstring(wrapped.encode("utf-8", errors="replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ReadError("paste", "", "HTML", str(error)) from None
    if tree is None:
        raise ReadError("paste", "", "HTML", "none")
    return [_rows(table, most_columns, most_rows) for table in tree.iter("table") if not _holds_table(table)]


def _holds_table(table: etree._Element) -> bool:
    return next(table.iterdescendants("table"), None) is not None


def _rows(table: etree._Element, most_columns: int, most_rows: int) -> list[list[str]]:
    rows: list[list[str]] = []
    spanning: dict[int, tuple[int, str]] = {}
    for row in table.iter("tr"):
        if len(rows) > most_rows:
            raise ReadError("paste", "rows", f"at most {most_rows} rows below the head", "more")
        cells: list[str] = []
        for text, width, height in _cells(row):
            _fill(cells, spanning)
            if width > 1 and rows and text[:1].isdigit():
                text += MERGED  # noqa: PLW2901 - a number across columns is of none of them for certain
            for _copy in range(width):
                if height > 1:
                    spanning[len(cells)] = (height - 1, text)
                cells.append(text)
            if len(cells) > most_columns:
                raise ReadError("paste", "columns", f"at most {most_columns} columns", "more")
        _fill(cells, spanning)
        if any(cells):
            rows.append(cells)
    return rows


def _fill(cells: list[str], spanning: dict[int, tuple[int, str]]) -> None:
    """Cells that a row above stretches down to here."""
    while len(cells) in spanning:
        left, text = spanning.pop(len(cells))
        if left > 1:
            spanning[len(cells)] = (left - 1, text)
        cells.append(text)


def _cells(row: etree._Element) -> Iterator[tuple[str, int, int]]:
    for cell in row.iterchildren("td", "th"):
        yield _text(cell), _span(cell, "colspan"), _span(cell, "rowspan")


def _span(cell: etree._Element, name: str) -> int:
    given = str(cell.get(name, "1"))
    return min(int(given), 1000) if given.isascii() and given.isdigit() and 0 < len(given) < 6 and int(given) else 1


def _text(cell: etree._Element) -> str:
    parts: list[str] = []
    for event, node in etree.iterwalk(cell, events=("start", "end")):
        if event == "start":
            # A note's mark is no digit: 944 with a raised 1 must not become 9441.
            parts.append("^" if node.tag in ("sup", "sub") else " " if node.tag in ("br", "p", "div", "li") else "")
            parts.append(node.text or "" if node.tag not in _UNSEEN else "")
        elif node is not cell:
            parts.append(node.tail or "")
    return " ".join("".join(parts).split()).strip(_SPACES)
