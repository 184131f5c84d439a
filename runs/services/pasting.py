"""A pasted table: read with every cell, then stored by the door that uploads take; for page and API alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from runs import store
from runs.domain.records import Provenance, Source
from runs.domain.units import DomainError, NumberLocale
from runs.models import User
from runs.readers.base import ReadError
from runs.readers.pasted import Choices, Grid, Sheet, Whose, document, read_sheet, read_tables
from runs.services.answers import Outcome, Problem, RefusedError
from runs.services.sources import add_runs

PASTE = "paste"


@dataclass(frozen=True)
class Paste:
    """What was pasted, and what was decided about it.

    ``which`` of its tables is meant, from 0; ``width``: how many columns there are where the text has one cell a line;
    ``conditions``: a second table, of settings by configuration.
    """

    source: Source
    table: str
    choices: Choices
    conditions: str = ""
    which: int = 0
    width: int | None = None


@dataclass(frozen=True)
class PasteRead:
    """The tables found, the one meant as a sheet, and each thing that keeps it from becoming runs, with its place."""

    tables: tuple[Grid, ...]
    which: int
    sheet: Sheet
    locale: NumberLocale | None
    problems: tuple[Problem, ...] = field(default=())


def read_paste(*, paste: Paste) -> PasteRead:
    """Nothing is stored. Raises RefusedError (``unreadable_paste``) where the cells cannot be told apart."""
    try:
        tables = read_tables(paste.table, paste.width)
        conditions = read_tables(paste.conditions)[0] if paste.conditions.strip() else None
    except ReadError as error:
        seen = Problem(error.file, error.place, error.expected, error.seen)
        raise RefusedError("unreadable_paste", str(error), seen) from None
    which = paste.which if paste.which < len(tables) else 0
    try:
        sheet = read_sheet(tables[which], paste.choices, conditions)
    except DomainError as error:
        raise RefusedError("unreadable_paste", str(error), Problem(PASTE, "", "", str(error))) from None
    return PasteRead(tables, which, sheet, paste.choices.locale, problems_of(sheet))


def problems_of(sheet: Sheet) -> tuple[Problem, ...]:
    """Everything that is wrong with a sheet; with a cell's place and text where it is a cell."""
    cells = {
        f"row {row.place + 1}, {head or '(no head)'}: {one.problem}": Problem(
            PASTE, f"row {row.place + 1}, {head or '(no head)'}", one.problem, one.text
        )
        for row in sheet.rows
        for head, one in zip(sheet.grid.head, row.cells, strict=True)
        if one.problem
    }
    return tuple(cells.get(words) or Problem(PASTE, "", words) for words in sheet.problems)


def store_paste(*, source: Source, found: PasteRead, choices: Choices, user: User | None, dry_run: bool) -> Outcome:
    """The runs of a table that was read without a problem. Raises RefusedError with every problem where there are any,
    and with what the upload refuses."""
    if found.problems:
        message = "The table cannot become runs as it is; nothing was written."
        raise RefusedError("undecided_paste", message, *found.problems)
    sources = store.every_source()
    _refuse_unknown(choices, sources)
    content = document(found.sheet, choices, sources)
    return add_runs(document=content, name=f"pasted-{source.key}", user=user, dry_run=dry_run)


def _refuse_unknown(choices: Choices, sources: Sequence[Source]) -> None:
    here = {one.key for one in sources}
    unknown = [
        Problem(PASTE, f"whose {head}", "the key of a source that is here", one.source)
        for head, one in choices.whose.items()
        if one.source not in here
    ]
    if unknown:
        raise RefusedError("undecided_paste", "Whose the figures are is not known here; nothing was written.", *unknown)


def owner(*, source: Source, of: str = "", house: bool = False) -> Whose:
    """Whose figures a row has: the source's own (published, or this house's by document only), or those of another
    source ``of`` that were read in this one."""
    if of and of != source.key:
        return Whose(of, Provenance.PUBLISHED, source.key)
    return Whose(source.key, Provenance.HOUSE_DOCUMENT) if house else Whose(source.key)
