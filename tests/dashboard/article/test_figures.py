"""Every row of the article's list of figures against what the product returns by API, exports and shows on its pages.

Where a row has its place in the data stands in ``tests.domain.test_article_whole``. What the product computes from
another party's figure and the reader's scenario (rental) is that party's under the scenario, whoever printed it first.
"""

from decimal import Decimal
from typing import Any

import pytest

from dashboard.render.telling import formula
from dashboard.render.wording import metric_name
from runs.domain.metrics import metric
from runs.domain.units import as_decimal, convert, round_half_away
from tests.dashboard.article.surfaces import PARTIES, Compared, Page, Surfaces, cells_of
from tests.domain.article import Row
from tests.domain.test_article_whole import (
    FIGURE_ROWS,
    figure_place,
    name,
)

pytestmark = pytest.mark.django_db

STATED = [row for row in FIGURE_ROWS if row.status != "not stated"]
MISSING = [row for row in FIGURE_ROWS if row.status == "not stated"]
# Money is worked out in a comparison, under its scenario; a run alone has none.
OF_A_RUN = [row for row in STATED if row.unit not in ("$/Mtok", "$/year")]


def place(row: Row) -> tuple[str, str]:
    found = figure_place(row)
    assert found is not None
    return found


def party(row: Row, surfaces: Surfaces) -> str:
    """Who says the figure."""
    run, key = place(row)
    return str(surfaces.runs[run]["party"]["name"]) if key.startswith("rental:") else PARTIES[row.party]


def in_row_unit(value: Any, unit: str, row: Row) -> Decimal:
    """A value of the product's in the unit of the list; tok/s of one user is the list's output tok/s of one request."""
    unit = {"tok/s/user": "tok/s"}.get(unit, unit)
    exact = Decimal(str(value))
    return exact if unit == row.unit else as_decimal(convert(exact, unit, row.unit))


def rounded(value: Any, unit: str, row: Row) -> Decimal:
    printed = Decimal(row.value)
    return round_half_away(in_row_unit(value, unit, row), -int(printed.as_tuple().exponent))


def assert_numbers(found: dict[str, Any], row: Row) -> None:
    """Value or both ends of a range, to the printed digit."""
    if row.low:
        ends = [in_row_unit(found[end], found["unit"], row) for end in ("low", "high")]
        assert ends == [Decimal(row.low), Decimal(row.high)]
    else:
        # "2,8 biljoen" and its like have more digits than were printed.
        assert rounded(found["value"], found["unit"], row) == Decimal(row.value)


def assert_figure(found: dict[str, Any], row: Row, who: str) -> None:
    """A figure as the API and the JSON export give it."""
    assert_numbers(found, row)
    assert (found["basis"], found["status"]) == (row.basis, row.status)
    assert found["party"]["name"] == who
    if found["printed"] is None:
        assert row.basis == "derived"
        assert found["formula"]
    else:
        assert_printed(found["printed"]["text"], row)
    if "assumed" in row.how and row.basis == "derived":
        assert found["system_basis"] == "assumed"


def assert_printed(text: str, row: Row) -> None:
    assert text
    assert text.casefold() in row.printed.casefold() or row.printed.casefold() in text.casefold(), (text, row.printed)


def cell_of(compared: Compared, found: dict[str, Any], row: Row) -> dict[str, Any]:
    run, key = place(row)
    return list(cells_of(found, key))[compared.place(run)]


@pytest.mark.parametrize("row", OF_A_RUN, ids=name)
def test_a_run_over_the_api_has_the_figure(surfaces: Surfaces, row: Row) -> None:
    run, key = place(row)
    assert_figure(surfaces.runs[run]["figures"][key], row, party(row, surfaces))


@pytest.mark.parametrize("row", STATED, ids=name)
def test_a_comparison_over_the_api_and_as_json_has_the_figure(surfaces: Surfaces, row: Row) -> None:
    compared = surfaces.of(place(row)[0])
    for found in (compared.api, compared.json):
        assert_figure(cell_of(compared, found, row)["figure"], row, party(row, surfaces))


@pytest.mark.parametrize("row", STATED, ids=name)
def test_the_csv_export_has_the_figure(surfaces: Surfaces, row: Row) -> None:
    run, key = place(row)
    line = surfaces.of(run).csv_line("figure", key, run)
    assert_numbers(line, row)
    assert (line["basis"], line["status"], line["party"]) == (row.basis, row.status, party(row, surfaces))
    assert line["printed"] or line["formula"]
    if line["printed"]:
        assert_printed(line["printed"], row)
    if "assumed" in row.how and row.basis == "derived":
        assert line["basis_words"] == "derived from assumed"


def shown_number(text: str) -> tuple[Decimal, ...]:
    """The number that a cell begins with, or both ends of its range."""
    number = text.removeprefix("circa ").split()[0]
    return tuple(Decimal(end.replace(",", "")) for end in number.split("–"))


def assert_shown(text: str, unit: str, row: Row) -> None:
    """A cell as words: the number in the unit of its row, its basis and its status."""
    expected = [Decimal(one) for one in (row.low, row.high) if one] or [Decimal(row.value)]
    shown = [in_row_unit(number, unit, row) for number in shown_number(text)]
    assert shown == expected, text
    words = {"derived": "derived", "measured": "measured", "configured": "configured"}.get(row.basis, row.basis)
    assert words in text
    if row.status != "current":
        assert row.status in text
    if "assumed" in row.how and row.basis == "derived":
        assert "derived from assumed" in text


def line_of(found: Page, row: Row, run: str, compared: Compared) -> tuple[str, str]:
    """The cell of the run in the figure's row of a table of runs, and the row's unit."""
    _run, key = place(row)
    head, _colon, stat = key.partition(":")
    known = metric(head)
    wanted = metric_name(known, stat, "en")
    unit = known.display_unit if known.family not in ("electricity", "rental") else row.unit
    cells = found.row(f"{wanted}, {unit}") or found.row(f"{wanted} {unit}")
    assert cells is not None, f"no row {wanted}"
    return cells[1 + compared.place(run)], unit


def assert_said_by(text: str, row: Row, run: str, surfaces: Surfaces) -> None:
    who, of_the_run = party(row, surfaces), surfaces.runs[run]["party"]["name"]
    assert (f"by {who}" in text) is (who != of_the_run)


@pytest.mark.parametrize("form", ["markdown", "html"])
@pytest.mark.parametrize("row", STATED, ids=name)
def test_the_exports_for_an_article_have_the_figure(surfaces: Surfaces, row: Row, form: str) -> None:
    run, _key = place(row)
    compared = surfaces.of(run)
    found: Page = getattr(compared, form)
    text, unit = line_of(found, row, run, compared)
    assert_shown(text, unit, row)
    assert_said_by(text, row, run, surfaces)
    head = f"{compared.api['runs'][compared.place(run)]['label']} ("
    assert surfaces.runs[run]["party"]["name"] in found.text[found.text.index(head) :].partition(";")[0]
    if (figure := cell_of(compared, compared.api, row)["figure"])["printed"]:
        assert f"printed “{figure['printed']['text']}”" in text


@pytest.mark.parametrize("row", STATED, ids=name)
def test_the_comparison_page_shows_the_figure(surfaces: Surfaces, row: Row) -> None:
    run, _key = place(row)
    compared = surfaces.of(run)
    text, unit = line_of(compared.page, row, run, compared)
    assert_shown(text, unit, row)
    assert_said_by(text, row, run, surfaces)
    assert surfaces.runs[run]["party"]["name"] in compared.page.tables[0].head[1 + compared.place(run)]


@pytest.mark.parametrize("row", OF_A_RUN, ids=name)
def test_the_page_of_the_run_shows_the_figure_as_it_was_printed(surfaces: Surfaces, row: Row) -> None:
    run, key = place(row)
    found = surfaces.run_pages[run]
    head, _colon, stat = key.partition(":")
    known = metric(head)
    if head in ("ttft", "tpot", "e2el"):
        cells = found.row(f"{head.upper()} {known.display_unit}")
        assert cells is not None
        heads = next(table for table in found.tables if cells in table.rows).head
        text = f"{cells[heads.index({'single': 'single'}.get(stat, stat))]} {cells[0]}"
    else:
        cells = found.row(metric_name(known, stat, "en"))
        assert cells is not None
        text = " ".join(cells[1:])
        assert f" {known.display_unit} " in text
    assert_shown(text, known.display_unit, row)
    assert_said_by(text, row, run, surfaces)
    assert surfaces.runs[run]["party"]["name"] in found.text
    printed = surfaces.runs[run]["figures"][key]["printed"]
    assert (
        f"printed “{printed['text']}”" if printed else formula(surfaces.runs[run]["figures"][key]["formula"], "en")
    ) in text


@pytest.mark.parametrize("row", MISSING, ids=name)
def test_a_figure_that_is_not_stated_is_so_everywhere(surfaces: Surfaces, row: Row) -> None:
    run, key = place(row)
    compared = surfaces.of(run)
    assert key not in surfaces.runs[run]["figures"]
    for found in (compared.api, compared.json):
        cell = cell_of(compared, found, row)
        assert (cell["figure"], cell["absent"], cell["ratio"]) == (None, "not stated", None)
    line = compared.csv_line("figure", key, run)
    assert (line["value"], line["low"], line["status"]) == ("", "", "not stated")
    for shown in (compared.markdown, compared.html, compared.page):
        assert line_of(shown, row, run, compared)[0].startswith("not stated")
