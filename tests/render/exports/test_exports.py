"""Every export of the article's comparison: the numbers, and everything that must go with them."""

import csv
import io
import json
import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree as ET

import msgspec
import pytest
from PIL import Image

from dashboard.render.exports.csvs import COLUMNS, csv_text, safe
from dashboard.render.exports.document import FORMAT, VERSION, Export
from dashboard.render.exports.files import BY_EXTENSION, PICTURES
from dashboard.render.exports.html import html_text
from dashboard.render.exports.jsons import JsonExport, json_bytes, json_schema
from dashboard.render.exports.markdown import escape, markdown_text
from dashboard.render.exports.pictures import picture, picture_ids
from dashboard.render.numbers import NBSP, Locale
from runs.domain.compare import compare
from runs.domain.errata import Erratum, ErratumKind
from tests.render import article

ROOT = Path(__file__).resolve().parents[3]
ERRATUM = Erratum(
    ErratumKind.CORRECTED, "2026-12-01", "Read off the wrong line", "ann", "ttft:median", "0,65", "0,70", "nl"
)


@pytest.fixture
def export() -> Export:
    first, second, *others = article.entries()
    entries = [first, replace(second, errata=(ERRATUM,)), *others]
    found = compare(entries, "atom-8k-1k", article.SCENARIO, sources=(article.SOURCE, article.AMD_SOURCE))
    return Export(found, "The article", "2026-12-01T12:00:00+00:00")


def rows(export: Export) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(export).removeprefix("\ufeff"))))


def test_csv_numbers_are_plain_and_carry_what_belongs_to_them(export: Export) -> None:
    found = rows(replace(export, locale="nl"))
    (figure,) = [row for row in found if row["key"] == "per_gpu_total" and row["run"] == "B"]
    assert float(figure["value"]) == pytest.approx(5661 / 6)
    assert figure["unit"] == "tok/s/GPU"
    assert (figure["basis"], figure["system_basis"], figure["grade"]) == ("derived", "configured", "indicative")
    names = {row["name"]: row["text"] for row in found if row["record"] == "caveat"}
    assert figure["caveats"]
    assert set(figure["caveats"].split()) <= set(names)
    assert {row["record"] for row in found} >= {"about", "run", "notice", "scenario", "setting", "figure", "source"}
    (notice,) = [row for row in found if row["record"] == "notice"]
    assert notice["status"] == "corrected"
    assert "0,65 → 0,70" in notice["text"]


def test_what_a_figure_tells_is_in_the_language_of_the_file(export: Export) -> None:
    """At half utilisation with the idle power unknown there is no electricity cost, and the row says why."""
    scenario = replace(article.SCENARIO, utilisation=Decimal("0.5"))
    entries = article.entries()
    found = compare(entries, "atom-8k-1k", scenario, sources=(article.SOURCE, article.AMD_SOURCE))
    told = {row["text"] for row in rows(replace(export, comparison=found, locale="nl")) if row["record"] == "figure"}
    assert any("dat niet is vermeld: er wordt niet gegokt" in text for text in told)
    assert not any("not guessed" in text for text in told)


def test_csv_has_no_ratio_where_nothing_can_be_compared(export: Export) -> None:
    (cell,) = [row for row in rows(export) if row["key"] == "tok_per_kw_assumed" and row["run"] == "D"]
    assert (cell["grade"], cell["ratio"], cell["basis_words"]) == ("not comparable", "", "derived from assumed")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-cmd|' /C calc'!A0", "@SUM(A1)", "\tx", "\rx", "\n=x", " =1+1", "＝1"])
def test_formulas_are_defused(text: str) -> None:
    assert safe(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-19.0", "12", "-1e-05", "0.65", "", "a=b", "6 × 800 W"])
def test_numbers_and_words_stay(text: str) -> None:
    assert safe(text) == text


def test_a_hostile_label_stays_one_cell(export: Export) -> None:
    head = replace(export.comparison.runs[0], label='=HYPERLINK("http://evil.example")\n,"x"')
    hostile = replace(export, comparison=replace(export.comparison, runs=(head, *export.comparison.runs[1:])))
    assert all(row["run_label"].startswith("'=") for row in rows(hostile) if row["run"] == "A")
    assert all(set(row) == set(COLUMNS) for row in rows(hostile))


def test_json_keeps_the_comparison_and_its_digits(export: Export) -> None:
    data = json_bytes(export)
    loaded = json.loads(data)
    assert (loaded["format"], loaded["version"]) == (FORMAT, VERSION)
    assert msgspec.json.decode(data, type=JsonExport).comparison.runs == export.comparison.runs
    row = next(row for row in loaded["comparison"]["rows"] if row["metric"] == "total_throughput")
    assert row["cells"][1]["figure"]["value"] == 5661
    assert len(loaded["caveats_in_words"]) == len(export.comparison.caveats)
    assert len(loaded["notices_in_words"]) == 1


def test_the_documented_schema_is_the_one_written() -> None:
    kept = json.loads((ROOT / "docs" / "export.schema.json").read_text(encoding="utf-8"))
    assert kept == json.loads(json.dumps(json_schema()))


def test_the_documented_columns_are_the_ones_written() -> None:
    text = (ROOT / "docs" / "exports.md").read_text(encoding="utf-8")
    documented = re.findall(r"^\| `([a-z_]+)`", text, re.MULTILINE)
    assert tuple(documented) == COLUMNS


def test_markdown_and_html_in_dutch(export: Export) -> None:
    dutch = replace(export, locale="nl")
    for text in (markdown_text(dutch), html_text(dutch)):
        assert "5.661" in text
        assert f"+0,9{NBSP}%" in text
        assert "0,821" in text
        assert "Vermogenslimiet niet vermeld" in text
        assert "AMD" in text
    assert "| --- |" in markdown_text(dutch)


def test_markup_in_texts_stays_text(export: Export) -> None:
    head = replace(export.comparison.runs[0], label="<script>alert(1)</script> | ![x](http://evil.example)\n# x")
    hostile = replace(export, comparison=replace(export.comparison, runs=(head, *export.comparison.runs[1:])))
    assert "<script" not in html_text(hostile)
    text = markdown_text(hostile)
    assert "<script" not in text.replace("\\<", "")
    assert "![" not in text.replace("\\!", "")
    assert escape("a|b\nc") == "a\\|b c"
    widths = {line.replace("\\|", "").count("|") for line in text.splitlines() if line.startswith("| ")}
    assert widths == {len(export.comparison.runs) + 2}


def test_pictures_carry_their_caveats(export: Export) -> None:
    assert picture_ids(export) == ("throughput", "latency", "kilowatt")
    drawn = picture(replace(export, locale="nl"), "kilowatt", "svg")
    assert drawn is not None
    root = ET.fromstring(drawn)  # drawn here
    words = " ".join(text.strip() for text in root.itertext())
    for wanted in ("Vermogenslimiet niet vermeld", "kW", "1.179", "ATOM", "The article"):
        assert wanted in words
    assert "pattern" in drawn.decode()
    assert b"<script" not in drawn
    assert picture(export, "latency", "png")[:8] == b"\x89PNG\r\n\x1a\n"  # type: ignore[index]
    assert picture(export, "nothing", "svg") is None


def words_of(export: Export, extension: str) -> str:
    """What a reader finds in the file; of pictures (here of throughput and of kW), what is drawn in the SVG and what
    stands in the PNG's description."""
    if extension not in PICTURES:
        return BY_EXTENSION[extension].make(export).decode()
    found = []
    for chart in ("throughput", "kilowatt"):
        drawn = picture(export, chart, "svg" if extension == "svg" else "png") or b""
        if extension == "svg":
            found.append(" ".join(" ".join(ET.fromstring(drawn).itertext()).split()))  # drawn here
        else:
            found.append(str(Image.open(io.BytesIO(drawn)).text["Description"]))  # type: ignore[attr-defined]
    return " ".join(found)


GRADES = {"en": ("indicative", "not comparable"), "nl": ("indicatief", "niet vergelijkbaar")}
CARRIED = {
    "en": ("Power cap not stated", "AMD", "0,65 → 0,70", "Read off the wrong line"),
    "nl": ("Vermogenslimiet niet vermeld", "AMD", "0,65 → 0,70", "Read off the wrong line"),
}


@pytest.mark.parametrize("extension", [*BY_EXTENSION, *PICTURES])
@pytest.mark.parametrize("language", ["en", "nl"])
def test_each_of_the_six_forms_carries_grade_caveat_source_and_correction(
    export: Export, extension: str, language: Locale
) -> None:
    """Grades are keys of the documented schema in CSV and JSON, words of the reader's in the others."""
    text = words_of(replace(export, locale=language), extension)
    for wanted in (*GRADES["en" if extension in ("csv", "json") else language], *CARRIED[language]):
        assert wanted in text, wanted


@pytest.mark.parametrize("extension", ["csv", "json", "md", "html", "svg"])
def test_each_form_says_which_kw_and_which_basis(export: Export, extension: str) -> None:
    text = words_of(export, extension)
    for wanted in ("assumed", "measured", "668"):
        assert wanted in text, wanted


def test_pictures_carry_grades_and_sources(export: Export) -> None:
    drawn = (picture(export, "throughput", "svg") or b"").decode()
    grades = {cell.verdict.grade.value for cell in export.comparison.row("per_gpu_total").cells if cell.verdict}  # type: ignore[union-attr]
    assert grades
    words = " ".join(re.sub(r"<[^>]+>", " ", drawn).split())
    for grade in grades:
        assert grade in words
    assert "Sources:" in words
    for source in export.comparison.sources:
        assert source.publisher in words


def test_a_picture_of_a_corrected_figure_says_so(export: Export) -> None:
    drawn = (picture(export, "latency", "svg") or b"").decode()
    assert "Corrected on 2026-12-01" in drawn


def test_hostile_labels_in_a_picture_are_text(export: Export) -> None:
    head = replace(export.comparison.runs[0], label="$\\frac{1}{2}$ </text><script>x</script>")
    hostile = replace(export, comparison=replace(export.comparison, runs=(head, *export.comparison.runs[1:])))
    drawn = picture(hostile, "throughput", "svg") or b""
    assert b"<script" not in drawn
    ET.fromstring(drawn)  # drawn here
