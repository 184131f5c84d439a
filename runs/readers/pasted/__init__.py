"""Tables that a person pastes: told apart, read cell by cell, and written as a published-runs document."""

from runs.readers.pasted.cells import PastedCell, read_cell
from runs.readers.pasted.choices import Choices, Whose
from runs.readers.pasted.columns import FIGURE, IGNORE, LABEL, SETTING, Column, column_of, suggest
from runs.readers.pasted.document import document, slug
from runs.readers.pasted.grid import Grid, read_tables
from runs.readers.pasted.sheet import Sheet, SheetCell, SheetRow, read_sheet
from runs.readers.pasted.single import figure_keys, single_run

__all__ = [
    "FIGURE",
    "IGNORE",
    "LABEL",
    "SETTING",
    "Choices",
    "Column",
    "Grid",
    "PastedCell",
    "Sheet",
    "SheetCell",
    "SheetRow",
    "Whose",
    "column_of",
    "document",
    "figure_keys",
    "read_cell",
    "read_sheet",
    "read_tables",
    "single_run",
    "slug",
    "suggest",
]
