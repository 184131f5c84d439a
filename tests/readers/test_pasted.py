"""Pasted tables: one reading whatever the form, and never a guess."""

import contextlib
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.derived import figures
from runs.domain.facts import Basis, State
from runs.domain.records import Provenance, RunRecord, Source
from runs.domain.units import DomainError
from runs.readers import published
from runs.readers.base import ReadError, Upload
from runs.readers.pasted import (
    Choices,
    Column,
    Grid,
    Whose,
    column_of,
    document,
    read_cell,
    read_sheet,
    read_tables,
    suggest,
)
from runs.readers.pasted.grid import MAX_COLUMNS, MAX_ROWS
from runs.readers.pasted.heads import read_head
from runs.readers.pasted.statements import statement
from tests import pastes

ELIO = Source("elio", "Six GPUs", "ElioVP", "maker of the runtime", published="2026-11-11", locale="nl")
AMD = Source("amd", "Eight GPUs", "AMD", "maker of the accelerator", published="2026-11-04", locale="nl")
THEIRS = Whose("amd", Provenance.PUBLISHED, "elio")
CHOICES = Choices(
    "elio",
    "nl",
    common={"isl": "8K", "osl": "1K", "concurrency": "16"},
    repeats={0: "5.673; 5.648", 1: "1"},
    whose={
        "Paiton, 6 GPUs × 800 W": Whose("elio", Provenance.HOUSE_DOCUMENT),
        "ATOM, 8 GPUs, limiet onbekend": THEIRS,
        "vLLM, 8 GPUs, limiet onbekend": THEIRS,
    },
    one_setup=True,
)


def records(text: str, choices: Choices = CHOICES, conditions: str = "") -> dict[str, RunRecord]:
    """The runs of a paste, through the document and its reader."""
    sheet = read_sheet(read_tables(text)[0], choices, read_tables(conditions)[0] if conditions else None)
    assert sheet.problems == ()
    reading = published.read(Upload("paste.json", document(sheet, choices, (ELIO, AMD))))
    return {run.record.label: run.record for run in reading.runs}


@pytest.mark.parametrize("form", pastes.FORMS)
@pytest.mark.parametrize("table", [pastes.SHORT, pastes.LONG], ids=["short", "long"])
def test_every_form_reads_the_same_cells(form: str, table: pastes.Table) -> None:
    (grid,) = read_tables(pastes.FORMS[form](table))
    assert grid.kind == form
    assert (grid.head, *grid.rows) == tuple(map(tuple, table))


def test_the_article_becomes_its_runs() -> None:
    found = records(pastes.tsv(pastes.SHORT), conditions=pastes.tsv(pastes.CONDITIONS))
    assert list(found) == [
        "Paiton, 6 GPUs × 800 W · T=0 · 8K/1K",
        "Paiton, 6 GPUs × 800 W · T=1.0 · 8K/1K",
        "ATOM, 8 GPUs, limiet onbekend · 8K/1K",
        "vLLM, 8 GPUs, limiet onbekend · 8K/1K",
    ]
    greedy, sampled, atom, vllm = found.values()
    total = greedy.quantity("total_throughput")
    assert total is not None
    assert (total.value, total.unit, total.repeats) == (Decimal(5661), "tok/s", 2)
    assert total.repeat_values == (Decimal(5673), Decimal(5648))
    assert total.printed is not None
    assert (total.printed.text, total.printed.locale) == ("5.661", "nl")
    ttft = atom.quantity("ttft:median")
    assert ttft is not None
    assert (ttft.value, ttft.unit, ttft.evidence[0].quote) == (Decimal("0.821"), "s", "0,821 s")
    assert (ttft.evidence[0].ref, ttft.evidence[0].via) == ("amd", "elio")
    each = greedy.quantity("gpu_power_per_gpu:mean")
    assert each is not None and each.printed is not None and each.printed.circa
    assert greedy.quantity("gpu_power:mean") is not None
    assert sampled.quantity("gpu_power:mean") is None
    assert greedy.setting("power_cap_w").value == 800
    assert atom.setting("power_cap_w").state is State.NOT_STATED
    assert vllm.setting("temperature").state is State.NOT_STATED
    assert vllm.setting("speculative_method").state is State.NOT_STATED
    assert sampled.setting("temperature").value == 1.0
    assert (greedy.setting("isl").value, greedy.setting("isl").nominal) == (None, "8K")
    assert atom.setting("accelerator").value == "MI355X"
    assert greedy.setup == sampled.setup != atom.setup
    assert (greedy.provenance, atom.provenance) == (Provenance.HOUSE_DOCUMENT, Provenance.PUBLISHED)


@pytest.mark.parametrize("table", [pastes.SHORT, pastes.LONG], ids=["short", "long"])
def test_cells_that_run_together_are_not_split(table: pastes.Table) -> None:
    with pytest.raises(ReadError, match="cells run together"):
        read_tables(pastes.run_together(table))


def test_borders_may_be_placed_by_hand() -> None:
    text = pastes.run_together(pastes.SHORT)
    for row in pastes.SHORT:
        text = text.replace("".join(row), "|".join(row))
    assert read_tables(text)[0].rows == tuple(map(tuple, pastes.SHORT[1:]))


def test_several_tables_are_told_apart() -> None:
    both = f"8K/1K\n{pastes.tsv(pastes.SHORT)}\n\n128K/100\n{pastes.tsv(pastes.LONG)}"
    assert [len(grid.head) for grid in read_tables(both)] == [7, 5]
    assert [len(grid.head) for grid in read_tables(pastes.as_html(pastes.SHORT) + pastes.as_html(pastes.LONG))] == [
        7,
        5,
    ]


@pytest.mark.parametrize(
    ("text", "locale", "value"),
    [
        ("5.661", "nl", "5661"),
        ("5.661", "en", "5.661"),
        ("5,661", "en", "5661"),
        ("5.661", "plain", "5.661"),
        ("0,65 s", None, "0.65"),
        ("20.4 ms", None, "20.4"),
        ("629", None, "629"),
        ("circa 3.200 invoer-tok/s", "nl", "3200"),
        ("~ 696 W/GPU", None, "696"),
        ("\u221212", "en", "-12"),
    ],
)
def test_numbers(text: str, locale: str | None, value: str) -> None:
    cell = read_cell(text, locale)  # type: ignore[arg-type]
    assert [reading.value for reading in cell.readings] == [Decimal(value)]
    assert cell.problem == ""
    assert cell.circa == text.startswith(("circa", "~"))


def test_both_readings_are_shown_where_both_are_possible() -> None:
    cell = read_cell("5.661", None)
    assert [(one.locale, one.value) for one in cell.readings] == [("en", Decimal("5.661")), ("nl", Decimal(5661))]
    assert "two numbers are possible" in cell.problem
    choices = Choices("elio", common={"isl": "8K"})
    sheet = read_sheet(read_tables(pastes.tsv(pastes.SHORT))[0], choices)
    assert "row 1, Totaal tok/s, node: two numbers are possible: say how the source prints numbers" in sheet.problems


@pytest.mark.parametrize(
    ("text", "locale", "words"),
    [
        ("5,661.0", "nl", "no number as nl prints one; en would take it"),
        ("1.105-1.035", "nl", "a range upside down"),
        ("5 661", "en", ""),
        ("1,2,3", None, "no number as en or nl prints one"),
        ("=cmd|' /C calc'!A0", None, "no number"),
        ("944^1", None, ""),
        ("1" * 60, None, "more digits"),
        ("1e999999", "plain", "no number"),
    ],
)
def test_what_is_no_number_is_said_to_be_none(text: str, locale: str | None, words: str) -> None:
    cell = read_cell(text, locale)  # type: ignore[arg-type]
    assert words in cell.problem
    assert cell.problem or cell.unit_text


@pytest.mark.parametrize("text", ["Niet vermeld", "not stated", "-", "–", "", "onbekend", "Niet eerder gemeld"])
def test_one_keystroke_says_not_stated(text: str) -> None:
    assert read_cell(text, None).absent == "not stated"


def test_ranges_are_read_in_their_locale() -> None:
    (reading,) = read_cell("1.035-1.105", "nl").readings
    assert (reading.low, reading.high) == (Decimal(1035), Decimal(1105))


@pytest.mark.parametrize(
    ("head", "target"),
    [
        ("Totaal tok/s, node", "figure:total_throughput"),
        ("Totaal tok/s/GPU", "figure:per_gpu_total"),
        ("Uitvoer tok/s, node", "figure:output_throughput"),
        ("Mediane TTFT", "figure:ttft:median"),
        ("Mediane TPOT", "figure:tpot:median"),
        ("Samplingtemperatuur", "setting:temperature"),
        ("Median TPOT (ms)", "figure:tpot:median"),
        ("p99 TTFT [ms]", "figure:ttft:p99"),
        ("Mean time to first token", "figure:ttft:mean"),
        ("Output throughput per GPU", "figure:per_gpu_output"),
        ("Requests/s", "figure:request_throughput"),
        ("Sampling temperature", "setting:temperature"),
        ("Max concurrency", "setting:concurrency"),
        ("ISL", "setting:isl"),
        ("Vermogenslimiet per GPU", "setting:power_cap_w"),
        ("Gezamenlijke GPU-vermogenslimiet", "figure:gpu_power_cap"),
        ("TTFT", ""),
        ("Kosten per miljoen tokens", "ignore"),
        ("Something else", ""),
    ],
)
def test_heads_suggest_what_a_column_holds(head: str, target: str) -> None:
    assert suggest(head).target == target


def test_heads_suggest_unit_and_basis() -> None:
    assert suggest("Median TPOT (ms)").unit == "ms"
    assert suggest("Totaal tok/s/GPU").basis is Basis.DERIVED
    assert suggest("Totaal tok/s, geschat bij 1.400 W").basis is Basis.ESTIMATED


def test_a_unit_is_never_made_up() -> None:
    grid = read_tables("Run\tMedian TTFT\nA\t0.65")[0]
    assert any(
        "no unit in the cell or the column’s head" in one.replace("'", "’")
        for one in read_sheet(grid, Choices("s", "en")).problems
    )
    sheet = read_sheet(grid, Choices("s", "en", columns={1: Column("figure:ttft:median", "ms")}))
    assert sheet.problems == ()
    assert sheet.rows[0].figures["ttft:median"]["unit"] == "ms"


def test_a_raised_note_is_no_digit() -> None:
    grid = read_tables(
        "<table><tr><th>Run</th><th>Total tok/s</th></tr><tr><td>A</td><td>944<sup>1</sup></td></tr></table>"
    )[0]
    assert grid.rows[0][1] == "944^1"
    assert read_sheet(grid, Choices("s", "en")).problems


def test_cells_that_span_stand_in_every_place_they_cover() -> None:
    grid = read_tables(
        "<table><tr><th>Run</th><th>ISL</th><th>Total tok/s</th></tr>"
        '<tr><td rowspan="2">A</td><td>1024</td><td>10</td></tr><tr><td>2048</td><td>20</td></tr></table>'
    )[0]
    assert grid.rows == (("A", "1024", "10"), ("A", "2048", "20"))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Paiton, 6 GPUs × 800 W", {"runtime": "Paiton", "active_gpus": 6, "power_cap_w": 800}),
        ("ATOM, 8 GPUs, limiet onbekend", {"runtime": "ATOM", "active_gpus": 8, "power_cap_w": None}),
        ("vLLM, 8x H100, T=0.7", {"runtime": "vLLM", "active_gpus": 8, "accelerator": "H100", "temperature": 0.7}),
        ("Engine 4 GPUs, 1.2 kW", {"active_gpus": 4, "power_cap_w": 1200}),
        ("GPT 5 on 10.0 GPUs", {}),
    ],
)
def test_heads_of_rows(text: str, found: dict[str, object]) -> None:
    read = {key: None if value is None else value["value"] for key, value in read_head(text, "en").items()}
    assert read == found


@pytest.mark.parametrize(
    ("key", "text", "expected"),
    [
        ("isl", "8K", {"nominal": "8K"}),
        ("isl", "8192 (8K)", {"value": 8192, "nominal": "8K"}),
        ("prompts", "random (inferred)", {"value": "random", "state": "inferred"}),
        ("power_cap_w", "0.8 kW", {"value": 800}),
        ("prefix_caching", "uit", {"value": False}),
        ("active_gpu_indices", "2-4", {"value": [2, 3, 4]}),
        ("request_rate", "inf", {"nominal": "unlimited"}),
    ],
)
def test_settings_as_typed(key: str, text: str, expected: dict[str, object]) -> None:
    found = statement(key, text, "en", quote="q")
    assert found == {"quote": "q", **expected}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\t".join("x" * 10_000) + "\n" + "\t".join("1" * 10_000), "at most 60 columns"),
        ("\t".join("x" * 70) + "\n" + "\t".join("1" * 70), "at most 60 columns, saw 70"),
        ("<table>" + "<tr>" + "<td>1</td>" * 10_000 + "</tr></table>", "at most 60 columns"),
        ("a\tb\n" + "x\t1\n" * 200, "at most 100 rows"),
        ("x" * 600_000, "at most 500,000 characters"),
        ("", "expected a table, saw nothing"),
        ("hello", "cells run together"),
        ("a\tb\tc\nx\t1\t2\ny\t1", "row 3: expected 3 cells"),
        ("<table></table>", "a head and at least one row"),
    ],
)
def test_a_paste_beyond_its_bounds_is_refused_in_words(text: str, words: str) -> None:
    with pytest.raises(ReadError, match=words.replace("(", r"\(")):
        read_tables(text)


def test_what_is_chosen_wrongly_is_said() -> None:
    from runs.domain.units import DomainError

    for target, unit in (
        ("figure:nothing", ""),
        ("figure:ttft", "s"),
        ("setting:nothing", ""),
        ("figure:ttft:median", "W"),
        ("x", ""),
    ):
        with pytest.raises(DomainError):
            column_of(target, unit)


CELLS = st.text(alphabet="0123456789.,-–%ksmWGPU/T=€$ \t|;<>=\n", max_size=30) | st.text(max_size=20)


def tables_or_none(text: str) -> tuple[Grid, ...]:
    """The tables of a text; none where it is refused in words. Nothing else may be raised."""
    with contextlib.suppress(ReadError):
        return read_tables(text)
    return ()


ROWS = st.lists(st.lists(CELLS, min_size=1, max_size=6), min_size=1, max_size=6)


@given(rows=ROWS, form=st.sampled_from(list(pastes.FORMS)), locale=st.sampled_from([None, "en", "nl", "plain"]))
@settings(max_examples=300, deadline=None)
def test_whatever_is_pasted_is_read_or_refused_in_words(rows: list[list[str]], form: str, locale: None) -> None:
    choices = Choices("elio", locale, common={"isl": rows[0][0], "temperature": rows[-1][-1]})
    for grid in tables_or_none(pastes.FORMS[form](rows)):
        sheet = read_sheet(grid, choices, grid)
        if not sheet.problems:
            reading = published.read(Upload("paste.json", document(sheet, choices, (ELIO,))))
            assert len(reading.runs) == len(grid.rows)


@given(text=st.text(max_size=400))
@settings(max_examples=300, deadline=None)
def test_any_text_is_read_or_refused_in_words(text: str) -> None:
    for one in (text, f"<table>{text}", f"a|b\n-|-\n{text}"):
        for grid in tables_or_none(one):
            assert len(grid.rows) <= MAX_ROWS
            assert all(len(row) == len(grid.head) <= MAX_COLUMNS for row in grid.rows)


@given(number=st.decimals(min_value=0, max_value=10**9, places=2), locale=st.sampled_from(["en", "nl", "plain"]))
def test_a_number_printed_in_a_locale_is_read_back(number: Decimal, locale: str) -> None:
    text = f"{number:f}" if locale == "plain" else f"{number:,f}"
    if locale == "nl":
        text = text.translate(str.maketrans(",.", ".,"))
    (reading,) = read_cell(text, locale).readings  # type: ignore[arg-type]
    assert reading.value == number


@pytest.mark.parametrize(
    ("head", "symbol"),
    [
        ("Total (ktok/s)", "ktok/s"),
        ("Total throughput (k tok/s)", "ktok/s"),
        ("Total thousand tok/s", "ktok/s"),
        ("Total tok/s, node", "tok/s"),
        ("Totale doorvoer (tokens per seconde)", "tok/s"),
        ("Total throughput (tok/min)", ""),
        ("Total throughput (Mtok/h)", ""),
        ("Total tokens/s (x1000)", ""),
        ("Total ktok/s/GPU", ""),
        ("Total tok/s/GPU", "tok/s/GPU"),
    ],
)
def test_a_head_s_scale_and_time_are_never_passed_over(head: str, symbol: str) -> None:
    assert suggest(head).unit == symbol


def test_thousands_of_tokens_are_a_thousand_times_as_many() -> None:
    english = Choices("elio", "en", whose={"A": Whose("elio")})
    (run,) = records("Run\tTotal (ktok/s)\nA\t5.661\n", english).values()
    assert figures(run)["total_throughput"].value == 5661


@pytest.mark.parametrize("text", ["8 192", "8\u202f192", "16 / 32", "10 x 16", "10 × 16", "6/8"])
def test_a_second_number_behind_a_setting_is_not_dropped(text: str) -> None:
    with pytest.raises(DomainError, match="expected one number, saw another behind it"):
        statement("num_prompts", text, "en")


def test_what_stands_behind_a_setting_and_is_no_number_may_stay() -> None:
    said = [statement("active_gpus", text, "en") for text in ("6 of 8", "8 × MI355X", "8*")]
    assert [one["value"] for one in said if isinstance(one, dict)] == [6, 8, 8]


def test_a_break_in_a_markdown_cell_parts_its_numbers() -> None:
    (grid,) = read_tables("| Run | TTFT |\n|---|---|\n| A | 56<br>61 |\n| B | 944<sup>1</sup> |\n")
    assert [row[1] for row in grid.rows] == ["56 61", "944^1"]


def test_one_number_across_two_columns_is_of_neither_for_certain() -> None:
    head = "<table><tr><th>Run<th>Total tok/s<th>Output tok/s"
    (grid,) = read_tables(f"{head}<tr><td>A<td colspan=2>5,661<tr><td>B<td colspan=2>n/a</table>")
    sheet = read_sheet(grid, Choices("elio", "en"), None)
    told = [one for one in sheet.problems if "merged cell" in one]
    assert len(told) == 2 and all(one.startswith("row 1, ") for one in told)


@pytest.mark.parametrize("cell", ["-5", "0", "-5–7", "99999999999999999999"])
def test_a_figure_that_cannot_be_is_refused(cell: str) -> None:
    with pytest.raises(ReadError, match=r"above 0|beyond anything|upside down"):
        records(f"Run\tTotal tok/s\nA\t{cell}\n", Choices("elio", "en", whose={"A": Whose("elio")}))


def test_repeats_in_another_unit_are_none() -> None:
    choices = Choices("elio", "en", repeats={0: "5,673 ms; 5,648 ms"})
    sheet = read_sheet(read_tables("Run\tTotal tok/s\nA\t5,661\n")[0], choices, None)
    assert any("repeats are a number" in one for one in sheet.problems)
