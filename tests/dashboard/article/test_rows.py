"""Rows of the list that are no figures of a run: settings, evaluations, scenarios, repeats, ratios of the text."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import pytest

from runs.domain.metrics import setting_spec
from runs.domain.units import round_half_away
from tests.dashboard.article.surfaces import PARTIES, Surfaces, cells_of, markdown, page
from tests.dashboard.article.test_figures import MISSING, STATED
from tests.domain.article import Row, rows
from tests.domain.test_article_whole import (
    COUNT_ROWS,
    EVALUATED,
    EVALUATION_ROWS,
    REPEAT_ROWS,
    SCENARIO_ROWS,
    SETTING_ROWS,
    TEXT_ROWS,
    TOOL_ROWS,
    name,
    setting_place,
)

pytestmark = pytest.mark.django_db

SAID = {"2-7": "2–7", "2-5": "2–5", "true": "on", "DSpark, 5 drafts": "DSpark", "TP8, DCP8": "8", "0; 1.0": "0"}
# A row of the list that is two settings of the product, or one setting of two runs.
ALSO = {
    "DSpark, 5 drafts": ("draft_count", "", 5, "5"),
    "TP8, DCP8": ("context_parallel", "", 8, "8"),
    "0; 1.0": ("temperature", "paiton-8k1k-t1", 1.0, "1.0"),
}
VALUES: dict[str, Any] = {"2-7": [2, 3, 4, 5, 6, 7], "2-5": [2, 3, 4, 5], "true": True, "off": False}


def settings_of(row: Row) -> list[tuple[str, str, Any, str]]:
    """Run, key, value and what a page says, of everything that a row of the list states."""
    found = setting_place(row)
    assert found is not None
    run, key = found
    if row.status == "not stated":
        return [(run, key, None, "not stated")]
    text = SAID.get(row.value, row.value)
    number = text.isdigit()
    value = VALUES.get(row.value, int(text) if number else text)
    listed = [(run, key, value, f"{int(text):,}" if number else text)]
    if row.value in ALSO:
        also, other, worth, said = ALSO[row.value]
        listed.append((other or run, also, worth, said))
    return listed


@pytest.mark.parametrize("row", SETTING_ROWS, ids=name)
def test_a_setting_is_returned_exported_and_shown(surfaces: Surfaces, row: Row) -> None:
    for run, key, value, text in settings_of(row):
        compared = surfaces.of(run)
        state = "not stated" if value is None else "stated"
        given = surfaces.runs[run]["settings"][key]
        assert (given["state"], given["value"]) == (state, value)
        quotes = [one["quote"] for one in given["evidence"] if one["quote"]]
        for found in (compared.api, compared.json):
            (line,) = [one for one in found["settings"] if one["key"] == key]
            cell = line["cells"][compared.place(run)]
            assert (cell["state"], cell["value"]) == (state, value)
        csv_line = compared.csv_line("setting", key, run)
        assert (csv_line["status"], csv_line["text"].startswith(text)) == (state, True)
        title = setting_spec(key).name
        for shown in (compared.markdown, compared.html, compared.page):
            cells = shown.row(title)
            assert cells is not None
            said = cells[1 + compared.place(run)]
            assert said.startswith(text)
            assert state in said
            assert all(quote in said for quote in quotes[:1])
        if value is None:
            assert title in surfaces.run_pages[run].text
        else:
            assert surfaces.run_pages[run].facts[title].startswith(text)
        assert all(quote in csv_line["sources"] and quote in surfaces.run_pages[run].text for quote in quotes)


def evaluation_line(row: Row, surfaces: Surfaces) -> tuple[str, dict[str, Any]]:
    key = EVALUATED[row.row, row.column]
    return key, surfaces.evaluations[key]


def score_words(row: Row) -> str:
    """``197 / 200``, ``0.0078``, ``96.4``: the score as an English page says it; its status where there is none."""
    if "/" in row.value:
        correct, total = row.value.split("/")
        return f"{int(correct):,} / {int(total):,}"
    return row.printed.replace(",", ".").removesuffix("%") if row.value else row.status


@pytest.mark.parametrize("row", EVALUATION_ROWS, ids=name)
def test_an_evaluation_is_returned_exported_and_shown(surfaces: Surfaces, row: Row) -> None:
    key, given = evaluation_line(row, surfaces)
    (exported,) = [
        one["evaluation"]
        for one in json.loads(surfaces.evaluation_files["json"])["evaluations"]
        if one["evaluation"]["key"] == key
    ]
    for found in (given, exported):
        assert (found["status"], found["unit"], found["printed"]["text"]) == (row.status, row.unit, row.printed)
        assert found["party"]["name"] == PARTIES[row.party]
        if "/" in row.value:
            assert f"{found['correct']}/{found['total']}" == row.value
        else:
            assert (found["score"] is None) is (row.value == "")
            assert row.value == "" or Decimal(str(found["score"])) == Decimal(row.value)
    assert_evaluation_csv(row, key, surfaces)
    tables = [
        surfaces.evaluation_page.tables[0],
        markdown(surfaces.evaluation_files["md"]).tables[0],
        page(surfaces.evaluation_files["html"]).tables[0],
    ]
    for table in tables:
        (cells,) = [" | ".join(cells) for cells in table.rows if f"“{row.printed}”" in " ".join(cells)]
        assert score_words(row) in cells
        assert PARTIES[row.party] in cells
        assert row.status == "current" or row.status in cells


def assert_evaluation_csv(row: Row, key: str, surfaces: Surfaces) -> None:
    file = io.StringIO(surfaces.evaluation_files["csv"].removeprefix("\ufeff"))
    (line,) = [one for one in csv.DictReader(file) if one["key"] == key]
    assert (line["status"], line["unit"], line["printed"]) == (row.status, row.unit, row.printed)
    assert line["party"] == PARTIES[row.party]
    numbers = f"{line['correct']}/{line['total']}" if "/" in row.value else line["score"]
    assert numbers == row.value or Decimal(numbers) == Decimal(row.value)


@pytest.mark.parametrize("row", COUNT_ROWS, ids=name)
def test_what_a_divergence_was_taken_over_is_given_everywhere(surfaces: Surfaces, row: Row) -> None:
    assert surfaces.evaluations["kl-fixed"]["counts"][row.unit] == int(row.value)
    assert f'"{row.unit}": {row.value}' in surfaces.evaluation_files["json"]
    assert f"{row.unit}={row.value}" in surfaces.evaluation_files["csv"]
    said = f"{row.unit}: {int(row.value):,}"
    for text in (surfaces.evaluation_page.text, surfaces.evaluation_files["md"], surfaces.evaluation_files["html"]):
        assert said in text


@pytest.mark.parametrize("row", SCENARIO_ROWS, ids=name)
def test_what_the_costs_assume_is_given_everywhere(surfaces: Surfaces, row: Row) -> None:
    key = "price_per_kwh" if row.column == "price" else "offer"
    for scenario in (
        surfaces.scenario,
        *surfaces.scenarios,
        surfaces.eight.api["scenario"],
        surfaces.eight.json["scenario"],
    ):
        offers = {offer["name"]: offer for offer in scenario["offers"]}
        value = scenario[key] if key != "offer" else offers[row.column]["rate_per_gpu_hour"]
        assert Decimal(str(value)) == Decimal(row.value)
        assert key != "offer" or (offers[row.column]["checked"], offers[row.column]["unit_gpus"]) == (
            "2026-11-11",
            None,
        )
    (line,) = [
        one
        for one in surfaces.eight.csv
        if one["record"] == "scenario" and one["key"] == key and (key != "offer" or one["name"] == row.column)
    ]
    assert (Decimal(line["value"]), line["unit"], line["basis"]) == (Decimal(row.value), row.unit, row.basis)
    title, said = ("Electricity", f"${row.value} / kWh") if key != "offer" else (row.column, f"${row.value} / GPU / h")
    for shown in (surfaces.eight.markdown, surfaces.eight.html):
        assert shown.facts[title].startswith(said)
        assert "Assumptions of the reader's" in shown.text
    label, typed = surfaces.eight.page.fields[key if key != "offer" else f"rate.{row.column}"]
    assert (typed, label.startswith(title)) == (row.value, True)
    stored = surfaces.scenario_page.text
    assert (f"{row.value} USD/kWh" if key != "offer" else f"{row.column} {row.value}") in stored


@pytest.mark.parametrize("row", REPEAT_ROWS, ids=name)
def test_the_repeats_behind_the_mean_are_given_everywhere(surfaces: Surfaces, row: Row) -> None:
    run, key = "paiton-8k1k-t0", "total_throughput"
    compared = surfaces.eight
    figures = [surfaces.runs[run]["figures"][key]]
    figures += [list(cells_of(found, key))[compared.place(run)]["figure"] for found in (compared.api, compared.json)]
    for figure in figures:
        assert Decimal(row.value) in [Decimal(str(one)) for one in figure["repeat_values"]]
        assert (figure["unit"], figure["basis"], figure["status"]) == (row.unit, row.basis, row.status)
    assert row.value in compared.csv_line("figure", key, run)["repeat_values"].split()
    said = f"{int(row.value):,}"
    for shown in (compared.markdown, compared.html):
        cells = shown.row("Total throughput, node, tok/s")
        assert cells is not None
        assert said in cells[1 + compared.place(run)].partition("runs: ")[2]
    cells = surfaces.run_pages[run].row("Total throughput, node")
    assert cells is not None
    assert said in cells[3].partition("runs: ")[2]


@pytest.mark.parametrize("row", TOOL_ROWS, ids=name)
def test_the_power_tool_is_named_everywhere(surfaces: Surfaces, row: Row) -> None:
    run, key = "paiton-8k1k-t0", "power_sampling_interval"
    compared = surfaces.eight
    assert surfaces.runs[run]["figures"][key]["note"] == row.value
    for found in (compared.api, compared.json):
        assert list(cells_of(found, key))[compared.place(run)]["figure"]["note"] == row.value
    assert compared.csv_line("figure", key, run)["text"] == row.value
    for shown in (compared.markdown, compared.html):
        cells = shown.row("Power sampling interval, s")
        assert cells is not None
        assert row.value in cells[1 + compared.place(run)]
    cells = surfaces.run_pages[run].row("Power sampling interval")
    assert cells is not None
    assert row.value in cells[3]


@pytest.mark.parametrize("row", TEXT_ROWS, ids=name)
def test_the_ratios_of_the_text_are_given_everywhere(surfaces: Surfaces, row: Row) -> None:
    compared = surfaces.long if "ATOM" in row.column else surfaces.against_vllm
    run, key = "paiton-128k-t0", "per_gpu_total"
    for found in (compared.api, compared.json):
        cell = list(cells_of(found, key))[compared.place(run)]
        assert round_half_away((Decimal(str(cell["ratio"]["value"])) - 1) * 100, 1) == Decimal(row.value)
        assert cell["verdict"]["grade"] == "indicative"
    line = compared.csv_line("figure", key, run)
    assert round_half_away((Decimal(line["ratio"]) - 1) * 100, 1) == Decimal(row.value)
    said = f"{Decimal(row.value):+} %".replace("-", "−")
    for shown in (compared.markdown, compared.html, compared.page):
        cells = shown.row("Total throughput per GPU, tok/s/GPU") or shown.row("Total throughput per GPU tok/s/GPU")
        assert cells is not None
        text = cells[1 + compared.place(run)]
        assert said in text
        assert "indicative" in text


def test_no_row_of_the_list_is_left_out() -> None:
    walked = [*STATED, *MISSING, *SETTING_ROWS, *EVALUATION_ROWS, *COUNT_ROWS, *SCENARIO_ROWS, *REPEAT_ROWS]
    assert {*walked, *TEXT_ROWS, *TOOL_ROWS} == set(rows())
    assert len(walked) + len(TEXT_ROWS) + len(TOOL_ROWS) == 202
