"""A pasted table over the API: every cell's readings with dry_run, its runs without."""

from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query, user_of
from dashboard.api.errata import read
from dashboard.api.schema import body, refusals
from dashboard.api.uploads import DryRunQuery
from runs.domain.facts import Basis
from runs.domain.records import Source
from runs.domain.units import DomainError, NumberLocale
from runs.readers.pasted import Choices, Column, SheetCell, column_of
from runs.services.answers import Outcome, Problem, RefusedError
from runs.services.pasting import Paste, PasteRead, owner, read_paste, store_paste
from runs.services.sources import find_source

AS_SOURCE, NOT_STATED = "as the source", "not stated"
LOCALES: dict[str, NumberLocale] = {"en": "en", "nl": "nl", "plain": "plain"}


def _number(most: int, **more: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=0, max_value=most, **more)


def _text(limit: int, **more: Any) -> Any:
    return PlainTextField(required=False, default="", allow_blank=True, max_length=limit, **more)


class ColumnBody(serializers.Serializer[Any]):
    at = _number(9999, help_text="Number of the column, or of the line of conditions, from 0.")
    target = PlainTextField(
        max_length=100, allow_blank=True, help_text="label, ignore, figure:KEY or setting:KEY; empty is undecided."
    )
    unit = _text(40, help_text="Where neither head nor cells say it.")
    basis = serializers.ChoiceField([one.value for one in Basis], default=Basis.MEASURED.value)


class RowBody(serializers.Serializer[Any]):
    at = _number(9999, help_text="Number of the row below the head, from 0.")
    label = _text(200)
    repeats = _text(200, help_text="A number, or the repeats' own totals with ; between them.")


class OwnerBody(serializers.Serializer[Any]):
    head = PlainTextField(max_length=400, help_text="Of the rows, as it stands in the column of labels.")
    source = _text(100, help_text="Key of another source whose figures they are, read in this one.")
    house = serializers.BooleanField(default=False, help_text="This house's own, by this document only.")


class PasteBody(serializers.Serializer[Any]):
    """A table as text (TSV, CSV, Markdown, HTML, cell borders, one cell a line) and what was decided about it. What is
    left out is taken as the heads suggest."""

    table = PlainTextField(max_length=600_000, trim_whitespace=False)
    conditions = PlainTextField(
        required=False, default="", allow_blank=True, max_length=600_000, trim_whitespace=False,
        help_text="A second table: a setting a line, a configuration a column.",
    )  # fmt: skip
    which = _number(99, default=0, help_text="Which table of the paste, from 0.")
    width = serializers.IntegerField(
        min_value=2, max_value=60, required=False, default=None, allow_null=True,
        help_text="How many columns, where the text has one cell a line.",
    )  # fmt: skip
    locale = serializers.ChoiceField([AS_SOURCE, NOT_STATED, *LOCALES], default=AS_SOURCE)
    columns = ColumnBody(many=True, required=False, default=list)
    lines = ColumnBody(many=True, required=False, default=list)
    rows = RowBody(many=True, required=False, default=list)
    whose = OwnerBody(many=True, required=False, default=list)
    settings = serializers.DictField(
        child=PlainTextField(max_length=400), required=False, default=dict, help_text="For every row, as typed: 8K."
    )
    one_setup = serializers.BooleanField(default=False, help_text="Rows of one head are one setup.")


@dataclass(frozen=True)
class PasteReading:
    """What a cell says in one number language: a value, or both ends of a range."""

    locale: NumberLocale
    value: Decimal | None
    low: Decimal | None
    high: Decimal | None


@dataclass(frozen=True)
class PasteCell:
    """A cell as it was pasted. ``readings`` has one for each number that it may be; ``unit`` is the one it is taken in;
    ``absent`` which word for absent it is; ``problem`` what keeps it from being read."""

    text: str
    holds: Literal["label", "figure", "setting", "ignore", "undecided"]
    readings: tuple[PasteReading, ...]
    unit: str
    absent: str
    circa: bool
    problem: str


@dataclass(frozen=True)
class PasteRow:
    """A row as the run it becomes. ``settings`` and ``figures`` are as in a published-runs document."""

    at: int
    head: str
    label: str
    repeats: str
    cells: tuple[PasteCell, ...]
    settings: dict[str, Any]
    figures: dict[str, Any]


@dataclass(frozen=True)
class PasteColumn:
    """What a column was taken to hold: label, ignore, figure:KEY or setting:KEY; empty is undecided."""

    at: int
    head: str
    target: str
    unit: str
    basis: Basis


@dataclass(frozen=True)
class PasteShape:
    """``tables``: the heads of every table found. ``problems`` keep the one read from becoming runs; ``outcome`` is the
    upload's answer, none where there are problems. ``locale`` null: how the source prints numbers is not stated."""

    locale: NumberLocale | None
    tables: tuple[tuple[str, ...], ...]
    which: int
    columns: tuple[PasteColumn, ...]
    rows: tuple[PasteRow, ...]
    unmatched: tuple[str, ...]
    problems: tuple[Problem, ...]
    outcome: Outcome | None


class SourcePasteView(ApiView):
    @extend_schema(
        operation_id="paste",
        parameters=[DryRunQuery],
        request=PasteBody,
        responses={
            200: body(PasteShape),
            201: body(PasteShape),
            **refusals(400, 401, 403, 404, 411, 413, 422),
        },
    )
    def post(self, request: Request, source_key: str) -> Response:
        """A pasted table. With ``dry_run``: 200 with every cell's readings (both where the number's language is not
        stated) and every problem. Without: 201 with its runs, 200 where they are all here, 422 where there are
        problems; a problem names row and column."""
        dry_run = query(request, DryRunQuery)["dry_run"]
        source = find_source(key=source_key)
        paste = _paste(source, read(request, PasteBody))
        found = read_paste(paste=paste)
        if dry_run and found.problems:
            return Response(_shape(found, None))
        outcome = store_paste(source=source, found=found, choices=paste.choices, user=user_of(request), dry_run=dry_run)
        return Response(_shape(found, outcome), status.HTTP_201_CREATED if outcome.wrote else status.HTTP_200_OK)


def _shape(found: PasteRead, outcome: Outcome | None) -> PasteShape:
    sheet = found.sheet
    columns = tuple(
        PasteColumn(at, head, column.target, column.unit, column.basis)
        for at, (head, column) in enumerate(zip(sheet.grid.head, sheet.columns, strict=True))
    )
    rows = tuple(
        PasteRow(
            row.place, row.head, row.label, row.repeats, tuple(map(_cell, row.cells)), row.settings, dict(row.figures)
        )
        for row in sheet.rows
    )
    heads = tuple(grid.head for grid in found.tables)
    return PasteShape(found.locale, heads, found.which, columns, rows, sheet.unmatched, found.problems, outcome)


def _cell(one: SheetCell) -> PasteCell:
    cell = one.cell
    if cell is None:
        return PasteCell(one.text, one.kind, (), one.unit, "", False, one.problem)
    readings = tuple(PasteReading(each.locale, each.value, each.low, each.high) for each in cell.readings)
    problem = one.problem or (cell.problem if one.kind == "undecided" else "")
    return PasteCell(one.text, one.kind, readings, one.unit or cell.unit, cell.absent, cell.circa, problem)


def _paste(source: Source, given: dict[str, Any]) -> Paste:
    locale = source.known_locale if given["locale"] == AS_SOURCE else LOCALES.get(given["locale"])
    choices = Choices(
        source=source.key,
        locale=locale,
        columns=_columns("columns", given),
        common=given["settings"],
        labels={one["at"]: one["label"] for one in given["rows"] if one["label"]},
        repeats={one["at"]: one["repeats"] for one in given["rows"] if one["repeats"]},
        whose={one["head"]: owner(source=source, of=one["source"], house=one["house"]) for one in given["whose"]},
        conditions=_columns("lines", given),
        one_setup=given["one_setup"],
    )
    return Paste(source, given["table"], choices, given["conditions"], given["which"], given["width"])


def _columns(name: str, given: dict[str, Any]) -> dict[int, Column]:
    """Choices of columns by their number. Raises RefusedError for one that cannot be."""
    found, problems = dict[int, Column](), []
    for one in given[name]:
        try:
            found[one["at"]] = column_of(one["target"], one["unit"], one["basis"])
        except DomainError as error:
            problems.append(Problem("", f"{name} {one['at']}", str(error), one["target"] or "nothing"))
    if problems:
        raise RefusedError("invalid_paste", "A column cannot hold that.", *problems)
    return found
