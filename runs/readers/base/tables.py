"""Delimited logs of up to millions of rows: polars reads the wanted columns as text, everything else is vectorised."""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.readers.base.contract import ReadError, Upload, excerpt
from runs.readers.base.samples import is_missing_word

HEADER_LINES = 8
SEPARATORS = (",", ";", "\t")


@dataclass(frozen=True)
class Header:
    """The header line of a table: its line number from 0, its cells stripped, its separator."""

    line: int
    cells: tuple[str, ...]
    separator: str

    @property
    def cells_lower(self) -> list[str]:
        return [cell.lower() for cell in self.cells]

    def first(self, *names: str) -> int | None:
        """The column of the first of ``names`` that the header has, compared without case."""
        lower = self.cells_lower
        return next((lower.index(name) for name in names if name in lower), None)


@dataclass(frozen=True)
class Table:
    """The wanted columns as text; blank lines, repeated headers and cut rows are gone, ``remarks`` say so."""

    upload: Upload
    header: Header
    frame: pl.DataFrame
    remarks: tuple[Remark, ...]

    def column(self, index: int) -> pl.Series:
        return self.frame[str(index)]

    def locate(self, index: int, cell: str) -> str:
        """The place of the first ``cell`` in a column: a slow search, for errors only."""
        name = self.header.cells[index]
        for number, line in enumerate(self.upload.text.splitlines(), 1):
            if number > self.header.line + 1 and cell in line:
                cells = _cells(line, self.header.separator)
                if index < len(cells) and cells[index] == cell.strip():
                    return f"line {number}, column {name}"
        return f"column {name}"

    def locate_row(self, index: int, row: int) -> str:
        """The place of a row's cell, or of the first cell like it."""
        return self.locate(index, str(self.column(index)[row]))

    def numbers(self, index: int, what: str, unit: str = "") -> NDArray[np.float64]:
        """A column as float64, NaN where the tool gave no value ("N/A", "[Unknown Error]"); unit signs are taken off.

        Raises ReadError with line and column for any other text.
        """
        text = pl.col(str(index)).str.strip_chars(" \t" + unit)
        if self.header.separator == ";":
            text = text.str.replace(",", ".", literal=True)
        values = self.frame.select(text.cast(pl.Float64, strict=False)).to_series()
        if values.null_count():
            for odd in self.column(index).filter(values.is_null()).unique():
                if odd is not None and not is_missing_word(odd):
                    raise ReadError(self.upload.name, self.locate(index, odd), what, excerpt(odd))
            values = values.fill_null(float("nan"))
        return values.to_numpy()

    def distinct(self, *indices: int) -> "Table":
        """The table of the different rows of some columns only, in order."""
        frame = self.frame.select([str(index) for index in dict.fromkeys(indices)]).unique(maintain_order=True)
        return Table(self.upload, self.header, frame, self.remarks)


def _cells(line: str, separator: str) -> list[str]:
    return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]


def find_header(upload: Upload, wanted: Callable[[Sequence[str]], bool]) -> Header | None:
    """The first of the leading lines whose cells, in lower case, ``wanted`` accepts; None if none does."""
    for number, line in enumerate(upload.head.split("\n", HEADER_LINES)[:HEADER_LINES]):
        for separator in SEPARATORS:
            if separator not in line:
                continue
            try:
                cells = _cells(line.rstrip("\r"), separator)
            except csv.Error:
                continue
            if wanted([cell.lower() for cell in cells]):
                return Header(number, tuple(cells), separator)
    return None


def read_table(upload: Upload, header: Header, columns: Sequence[int], value: int, *, longer: bool = True) -> Table:
    """Read ``columns`` of a table as text; ``value`` is the one of them without which a row says nothing.

    ``longer``: rows may have more cells than the header, as where a tool writes lists into cells. Raises ReadError
    where the table cannot be parsed at all, its header changes half way, or a row is longer that may not be.
    """
    data, remarks = _whole_lines(upload, header, value)
    if not longer:
        _refuse_longer(upload, header, data)
    frame = _parse(upload, header, data, sorted(set(columns)))
    name = str(value)
    head = frame[name][0]  # the header line itself, read as a row, so that its repeats are found by equality
    rows = frame.slice(1)
    good = rows.select(pl.col(name).ne(head).fill_null(value=False)).to_series()
    if not good.all():
        cut = rows.filter(pl.col(name).is_null() & ~pl.all_horizontal(pl.all().is_null())).height
        if cut:
            said = f"{cut} lines end before column {header.cells[value]} and were left out"
            remarks.append(Remark("short-rows", said))
        rows = rows.filter(good)
    return Table(upload, header, rows, tuple(remarks))


def _refuse_longer(upload: Upload, header: Header, data: bytes) -> None:
    """A decimal comma in a table of commas moves every cell behind it by one: 712,55 would be 712 W and a cap of 55."""
    sign, most = header.separator.encode(), len(header.cells)
    # The common file at the speed of a count; one with any odd row is looked at line by line.
    octets = np.frombuffer(data, np.uint8)[: len(data.rstrip(b"\r\n"))]
    signs, ends = (int(np.count_nonzero(octets == ord(one))) for one in (sign, b"\n"))
    if signs == (ends + 1) * (most - 1):
        return
    for number, line in enumerate(data.split(b"\n"), 1):
        if number <= header.line + 1 or line.count(sign) < most:
            continue
        cells = _cells_or_none(line.decode("utf-8", errors="replace").rstrip("\r"), header.separator)
        if len(cells) > most and any(cell.strip() for cell in cells[most:]):
            seen = f"{len(cells)} cells: {excerpt(line.decode('utf-8', errors='replace'))}"
            raise ReadError(upload.name, f"line {number}", f"{most} cells, as in the header", seen)


def _parse(upload: Upload, header: Header, data: bytes, columns: list[int]) -> pl.DataFrame:
    def parse(source: bytes) -> pl.DataFrame:
        frame = pl.read_csv(
            source, has_header=False, skip_lines=header.line, separator=header.separator, columns=columns,
            infer_schema=False, truncate_ragged_lines=True,
        )  # fmt: skip
        frame.columns = [str(index) for index in columns]
        return frame

    try:
        return parse(data)
    except pl.exceptions.PolarsError:
        pass
    try:
        return parse(data.decode("utf-8", errors="replace").encode())
    except pl.exceptions.PolarsError as error:
        raise ReadError(upload.name, _odd_quotes(data), "a table of rows and columns", str(error)) from None


def _odd_quotes(data: bytes) -> str:
    """The first line whose quotes do not pair: what makes a table unreadable."""
    for number, line in enumerate(data.splitlines(), 1):
        if line.count(b'"') % 2:
            return f"line {number}"
    return "the table"


def _whole_lines(upload: Upload, header: Header, value: int) -> tuple[bytes, list[Remark]]:
    """The bytes without a last line that may be cut: "69" can be the beginning of 690."""
    data = upload.utf8
    if data.endswith(b"\n"):
        return data, []
    end = data.rfind(b"\n") + 1
    last = data[end:].decode("utf-8", errors="replace")
    if not last.strip() or data.count(b"\n", 0, end) <= header.line:
        return data, []
    cells = last.split(header.separator) if '"' not in last else _cells_or_none(last, header.separator)
    if len(cells) == len(header.cells) and value < len(cells) - 1:
        return data, []
    said = f"the last line has no line end and may be cut: {excerpt(last)} was left out"
    return data[:end], [Remark("cut-last-line", said, f"line {data.count(bytes([10]), 0, end) + 1}")]


def _cells_or_none(line: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=separator, strict=True), [])
    except csv.Error:
        return []
