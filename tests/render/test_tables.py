"""The article's comparison as finished cells, checked by hand."""

from dataclasses import replace

import pytest

from dashboard.render.caveats import letter, marks
from dashboard.render.cells import evidence_text, origin
from dashboard.render.numbers import MINUS, NBSP, Locale
from dashboard.render.tables import ComparisonTables, MetricLine, comparison_tables
from dashboard.render.wording import gpus_text, index_ranges, metric_name, repeats_text, setting_value
from runs.domain.compare import compare
from runs.domain.comparison import Comparison
from runs.domain.facts import Evidence, Setting, State
from runs.domain.metrics import metric
from runs.domain.units import DomainError
from tests.render import article


@pytest.fixture
def comparison() -> Comparison:
    sources = (article.SOURCE, article.AMD_SOURCE)
    return compare(article.entries(), "atom-8k-1k", article.SCENARIO, sources=sources)


@pytest.fixture
def tables(comparison: Comparison) -> ComparisonTables:
    return comparison_tables(comparison, "en")


def line(tables: ComparisonTables, slug: str) -> MetricLine:
    groups = [group for section in tables.sections for group in (*section.groups, *section.folded)]
    return next(line for group in groups for line in group.lines if line.slug == slug)


def test_the_article_in_english_and_dutch(comparison: Comparison) -> None:
    shown: dict[Locale, list[str]] = {}
    for locale in ("en", "nl"):
        tables = comparison_tables(comparison, locale)
        shown[locale] = [cell.text for cell in line(tables, "total_throughput").cells]
        shown[locale] += [cell.text for cell in line(tables, "ttft:median").cells]
    assert shown["en"] == ["7,484", "5,661", "4,535", "6,015", "0.821", "0.65", "1.23", "1.875"]
    assert shown["nl"] == ["7.484", "5.661", "4.535", "6.015", "0,821", "0,65", "1,23", "1,875"]


def test_ratios_carry_grade_and_span(tables: ComparisonTables) -> None:
    cell = line(tables, "per_gpu_total").cells[1]
    assert (cell.text, cell.ratio) == ("944", f"+0.9{NBSP}%")
    assert cell.grade is not None
    assert cell.grade.text == "indicative"
    assert cell.why == "too close to name a winner"
    assert cell.repeats == f"n{NBSP}={NBSP}2"


def test_not_comparable_prints_no_ratio_but_the_reason(tables: ComparisonTables) -> None:
    cell = line(tables, "tok_per_kw_assumed").cells[3]
    assert (cell.text, cell.ratio, cell.span) == ("537", "", "")
    assert cell.why == "one side rests on an assumption"
    assert cell.basis is not None
    assert cell.basis.text == "derived from assumed"


def test_the_span_over_both_temperatures_comes_with_the_row(tables: ComparisonTables) -> None:
    wanted = f"{MINUS}19{NBSP}% to +1{NBSP}% over runs B, C at T = 0 and 1.0"
    assert line(tables, "per_gpu_total").spans == (wanted,)


def test_the_node_stands_right_under_the_gpu(tables: ComparisonTables) -> None:
    slugs = [one.slug for one in tables.sections[0].groups[0].lines]
    assert slugs[:4] == ["per_gpu_total", "total_throughput", "per_gpu_output", "output_throughput"]
    assert line(tables, "total_throughput").companion


def test_a_missing_figure_is_said_to_be_missing(tables: ComparisonTables) -> None:
    cell = line(tables, "gpu_power:mean").cells[0]
    assert (cell.text, cell.absent) == ("", "not stated")


def test_only_differences(comparison: Comparison) -> None:
    fewer = comparison_tables(comparison, "en", only_differences=True)
    names = [one.name for group in fewer.settings for one in group.lines]
    assert "Power cap per GPU" in names
    assert "Model" not in names
    assert len(names) == fewer.differing < fewer.total_settings


def test_every_mark_leads_to_a_note(tables: ComparisonTables) -> None:
    anchors = {note.anchor for note in tables.notes}
    lines = [one for section in tables.sections for group in section.groups for one in group.lines]
    used = {mark.anchor for one in lines for cell in one.cells for mark in cell.marks}
    assert used
    assert used <= anchors


def test_caveats_are_sentences_with_the_power_cap_first(tables: ComparisonTables) -> None:
    first = tables.notes[0]
    assert (first.name, first.title, first.letters) == ("1", "Power cap not stated", ("A", "D"))
    assert first.sentence.endswith(".")
    assert all("{" not in note.sentence for note in tables.notes)


def test_what_is_said_of_several_runs_is_said_once(tables: ComparisonTables, comparison: Comparison) -> None:
    assert len({note.sentence for note in tables.notes}) == len(tables.notes) < len(comparison.caveats)
    node = next(note for note in tables.notes if note.title == "Separate runs on separate nodes")
    assert node.letters == ("B", "C")


def test_a_column_says_its_conditions(tables: ComparisonTables) -> None:
    said = [tuple((one.text, one.known) for one in column.conditions) for column in tables.columns]
    assert said[0] == ((f"8{NBSP}GPUs", True), ("cap not stated", False), ("temperature not stated", False))
    assert said[1] == ((f"6 of 8{NBSP}GPUs", True), (f"cap 800{NBSP}W", True), (f"T{NBSP}={NBSP}0", True))


def test_marks_draw_runs_of_numbers_together() -> None:
    numbers = {place: place + 1 for place in range(8)}
    assert [mark.text for mark in marks((0, 1, 2, 4), numbers)] == ["1–3", "5"]
    assert [letter(0), letter(25), letter(26)] == ["A", "Z", "AA"]


def test_where_a_number_comes_from(comparison: Comparison) -> None:
    row = comparison.row("per_gpu_total")
    assert row is not None
    assert row.cells[1].figure is not None
    found = origin(row.cells[1].figure, "x", "nl", comparison.sources)
    names = [name for name, _text in found.lines]
    assert "Formule" in names
    assert [value for _name, value, _basis in found.inputs] == [f"5.661{NBSP}tok/s", f"6{NBSP}GPU’s"]


def test_settings_in_words() -> None:
    def shown(**setting: object) -> str:
        return setting_value(Setting(**setting), "en")  # type: ignore[arg-type]

    assert shown(key="power_cap_w", state=State.STATED, value=800.0) == f"800{NBSP}W"
    assert shown(key="temperature", state=State.STATED, value=1.0) == "1.0"
    assert shown(key="temperature", state=State.STATED, value=0.0) == "0"
    assert shown(key="prefix_caching", state=State.STATED, value=False) == "off"
    assert shown(key="isl", state=State.STATED, nominal="128K") == "128K (exact value not stated)"
    assert shown(key="isl", state=State.STATED, value=8192, nominal="8K") == f"8,192{NBSP}tokens (8K)"
    assert shown(key="power_cap_w", state=State.NOT_STATED) == "not stated"
    assert shown(key="isl", state=State.DISPUTED, claims=("8,192", "8,000")) == "8,192 or 8,000"
    assert index_ranges((2, 3, 4, 5, 6, 7)) == "2–7"
    assert index_ranges((0, 1, 3)) == "0–1, 3"


def test_gpus_of_the_node_in_words() -> None:
    active = Setting("active_gpus", State.STATED, 6)
    node = Setting("node_gpus", State.STATED, 8)
    chip = Setting("accelerator", State.STATED, "MI355X")
    silent = Setting("node_gpus", State.NOT_STATED)
    assert gpus_text(active, node, chip, "en") == "6 of 8 × MI355X"
    assert gpus_text(active, silent, chip, "en") == "6 × MI355X"
    assert repeats_text(None, "en") == "repeats not stated"
    assert repeats_text(2, "en") == "mean of 2 runs"


def test_names_say_the_statistic_once() -> None:
    assert metric_name(metric("ttft:median"), "median", "en") == "Median TTFT"
    assert metric_name(metric("gpu_power_per_gpu:mean"), "mean", "en") == "Mean GPU power per active GPU"
    assert metric_name(metric("ttft:p99"), "p99", "en") == "p99 TTFT"


def test_evidence_in_words() -> None:
    found = Evidence("document", "amd", "table 2", "831,6", via="article")
    text = evidence_text(found, "en", (article.SOURCE, article.AMD_SOURCE))
    assert text == f"document: {article.AMD_SOURCE.title}, read via {article.SOURCE.title}, table 2, “831,6”"


def test_a_link_that_is_no_web_address_makes_no_source() -> None:
    with pytest.raises(DomainError, match="begins with https"):
        replace(article.SOURCE, url="javascript:alert(1)")


def test_only_what_is_measured_again_says_how_often(tables: ComparisonTables) -> None:
    assumed = line(tables, "gpu_power_assumed_per_gpu").cells[0]
    assert (assumed.text, assumed.repeats, assumed.by) == ("1,400", "", "by ElioVP")
    assert line(tables, "total_throughput").cells[0].repeats == "n not stated"
    assert "runs: 5,673; 5,648" in line(tables, "total_throughput").cells[1].about
