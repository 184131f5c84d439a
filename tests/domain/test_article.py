"""The article's figures against the product's: its throughput, power and cost tables, to the printed digit."""

from decimal import Decimal

import pytest

from runs.domain.comparison import Grade
from runs.domain.facts import State, Status
from runs.domain.units import as_decimal, round_half_away
from tests.domain.article import Row, comparison, entries, figure, in_unit, rows

RUNS_8K = {
    "Paiton 6x800W T=0": "paiton-8k1k-t0",
    "Paiton 6x800W T=1.0": "paiton-8k1k-t1",
    "ATOM 8 GPUs": "atom-8k1k",
    "vLLM 8 GPUs": "vllm-8k1k",
}
RUNS_128K = {
    "Paiton 6x800W T=0": "paiton-128k-t0",
    "Paiton 6x800W T=1.0": "paiton-128k-t1",
    "ATOM 8 GPUs": "atom-128k",
    "vLLM 8 GPUs": "vllm-128k",
}
THROUGHPUT = {
    "total tok/s, node": "total_throughput",
    "total tok/s/GPU": "per_gpu_total",
    "output tok/s, node": "output_throughput",
    "median TTFT": "ttft:median",
    "median TPOT": "tpot:median",
}
PER_KW = {
    "Paiton T=0, cap 4.8 kW": ("paiton-{}-t0", "cap"),
    "Paiton T=0, measured 4.18/4.58 kW": ("paiton-{}-t0", "measured"),
    "Paiton T=0, measured": ("paiton-{}-t0", "measured"),
    "ATOM, assumed 11.2 kW": ("atom-{}", "assumed"),
    "vLLM, assumed 11.2 kW": ("vllm-{}", "assumed"),
}
RENTAL = {
    "8K/1K Paiton 6x800W T=0": "paiton-8k1k-t0",
    "8K/1K Paiton 6x800W T=1.0": "paiton-8k1k-t1",
    "8K/1K ATOM 8 GPUs": "atom-8k1k",
    "8K/1K vLLM 8 GPUs": "vllm-8k1k",
    "128K/100 Paiton 6x800W T=0": "paiton-128k-t0",
    "128K/100 ATOM 8 GPUs": "atom-128k",
    "128K/100 vLLM 8 GPUs": "vllm-128k",
}
POWER = {
    "mean GPU power, 8K/1K, T=0": ("paiton-8k1k-t0", "gpu_power:mean"),
    "mean GPU power, 128K/100, T=0": ("paiton-128k-t0", "gpu_power:mean"),
    "joint cap": ("paiton-8k1k-t0", "gpu_power_cap"),
    "assumed power per GPU": ("atom-8k1k", "gpu_power_assumed_per_gpu"),
    "assumed joint power": ("atom-8k1k", "gpu_power_assumed"),
}
YEAR = {"per year at 4.8 kW": ("paiton-8k1k-t0", "cap"), "per year at 11.2 kW": ("atom-8k1k", "assumed")}


def where(row: Row) -> tuple[str, str] | None:
    """The run and the metric that show a row of the list; None where it is no figure of one run."""
    workload = {"8K/1K": "8k1k", "128K/100": "128k"}.get(row.column, "")
    match row.table:
        case "8K/1K" if row.row in RUNS_8K and row.column in THROUGHPUT:
            return RUNS_8K[row.row], THROUGHPUT[row.column]
        case "128K/100" if row.row in RUNS_128K:
            return RUNS_128K[row.row], THROUGHPUT[row.column]
        case "power" if row.column in POWER:
            return POWER[row.column]
        case "total tok/s per kW":
            run, kind = PER_KW[row.row]
            return run.format(workload), f"tok_per_kw_{kind}"
        case "electricity per million total tokens" if row.row in PER_KW:
            run, kind = PER_KW[row.row]
            return run.format(workload), f"electricity_{kind}"
        case "electricity per million total tokens" if row.column in YEAR:
            run, kind = YEAR[row.column]
            return run, f"electricity_year_{kind}"
        case "rental per million total tokens" if row.row in RENTAL:
            return RENTAL[row.row], f"rental:{row.column}"
    return None


FIGURES = [row for row in rows() if where(row) is not None]


def test_the_list_has_the_rows_expected() -> None:
    assert len(rows()) == 202
    assert len(FIGURES) == 20 + 12 + 5 + 8 + 8 + 2 + 21


@pytest.mark.parametrize("row", FIGURES, ids=lambda row: f"{row.table}|{row.row}|{row.column}")
def test_every_figure_to_the_printed_digit_with_its_basis(row: Row) -> None:
    place = where(row)
    assert place is not None
    found = figure(*place)
    printed = Decimal(row.value)
    places = -int(printed.as_tuple().exponent)
    assert round_half_away(in_unit(found, row.unit), places) == printed
    assert found.basis.value == row.basis
    assert found.status.value == row.status
    if "assumed" in row.how and row.basis == "derived":
        assert found.system_basis.value == "assumed"
    elif row.basis == "derived":
        assert found.system_basis.value in ("measured", "configured")


def test_mean_of_the_two_runs_is_kept_beneath_the_printed_figure() -> None:
    found = figure("paiton-8k1k-t0", "per_gpu_total")
    assert found.value == Decimal(944)
    recomputed, repeats = found.checks
    assert (recomputed.kind, recomputed.value, recomputed.agrees) == ("recomputed", Decimal("943.5"), True)
    assert repeats.kind == "repeats"
    assert round_half_away(repeats.value, 1) == Decimal("943.4")
    # 5,660.5 / 6 is the low end of [5660.5, 5661.5] / 6, the interval of the printed total: they agree.
    assert repeats.agrees is True
    assert figure("paiton-8k1k-t0", "total_throughput").repeat_values == (Decimal(5673), Decimal(5648))


def test_696_and_697_agree_within_rounding() -> None:
    found = figure("paiton-8k1k-t0", "gpu_power_per_gpu:mean")
    assert found.value == Decimal(696)
    assert found.checks[0].agrees is True
    ids = {caveat.id for caveat in comparison("paiton-8k1k-t0").caveats}
    assert "agrees-within-rounding" in ids
    assert "cannot-follow" not in ids


@pytest.mark.parametrize(("baseline", "percent"), [("atom-128k", "22"), ("vllm-128k", "-4")])
def test_ratios_named_in_the_text(baseline: str, percent: str) -> None:
    found = comparison(baseline, "paiton-128k-t0").row("per_gpu_total")
    assert found is not None
    ratio = found.cells[1].ratio
    assert ratio is not None
    assert round_half_away((as_decimal(ratio.value) - 1) * 100) == Decimal(percent)


@pytest.mark.parametrize(("baseline", "low", "high"), [("atom-8k1k", "-19", "1"), ("vllm-8k1k", "1", "26")])
def test_the_span_over_temperatures_comes_with_the_row(baseline: str, low: str, high: str) -> None:
    found = comparison(baseline, "paiton-8k1k-t0", "paiton-8k1k-t1").row("per_gpu_total")
    assert found is not None
    (span,) = found.spans
    assert (span.setting, span.runs) == ("temperature", (1, 2))
    assert round_half_away((as_decimal(span.low) - 1) * 100) == Decimal(low)
    assert round_half_away((as_decimal(span.high) - 1) * 100) == Decimal(high)


PINNED = [
    ("paiton-8k1k-t0", "atom-8k1k", "per_gpu_total", Grade.INDICATIVE),
    ("paiton-8k1k-t0", "vllm-8k1k", "per_gpu_total", Grade.INDICATIVE),
    ("paiton-8k1k-t1", "atom-8k1k", "ttft:median", Grade.INDICATIVE),
    ("paiton-8k1k-t1", "vllm-8k1k", "tpot:median", Grade.INDICATIVE),
    ("paiton-128k-t0", "atom-128k", "per_gpu_total", Grade.INDICATIVE),
    ("paiton-8k1k-t0", "atom-8k1k", "tok_per_kw_measured", Grade.NOT_COMPARABLE),
    ("paiton-8k1k-t0", "atom-8k1k", "tok_per_kw_cap", Grade.NOT_COMPARABLE),
    ("paiton-8k1k-t0", "vllm-8k1k", "electricity_measured", Grade.NOT_COMPARABLE),
    ("vllm-8k1k", "atom-8k1k", "electricity_assumed", Grade.NOT_COMPARABLE),
    ("paiton-8k1k-t0", "paiton-8k1k-t1", "per_gpu_total", Grade.CONTROLLED),
    ("paiton-8k1k-t0", "paiton-128k-t0", "per_gpu_total", Grade.NOT_COMPARABLE),
    ("paiton-8k1k-t0", "atom-8k1k", "rental:TensorWave", Grade.INDICATIVE),
]


@pytest.mark.parametrize(("run", "baseline", "key", "grade"), PINNED)
def test_pinned_grades_both_ways(run: str, baseline: str, key: str, grade: Grade) -> None:
    for one, other in ((run, baseline), (baseline, run)):
        row = comparison(other, one).row(key)
        assert row is not None
        cell = row.cells[1]
        # A run without the figure has an empty cell and no ratio; the one that has it says why there is none.
        if cell.figure is None:
            assert cell.ratio is None
            continue
        assert cell.verdict is not None
        assert cell.verdict.grade is grade
        assert (cell.ratio is None) == (grade is Grade.NOT_COMPARABLE)


def test_controlled_pair_keeps_its_caveats() -> None:
    ids = {caveat.id for caveat in comparison("paiton-8k1k-t1", "paiton-8k1k-t0").caveats}
    assert {"one-against-mean", "greedy-random-drafting", "temperature-differs"} <= ids


def test_rental_of_the_whole_node_flips_the_ranking() -> None:
    paiton, atom = "paiton-8k1k-t0", "atom-8k1k"
    assert round_half_away(in_unit(figure(paiton, "rental:TensorWave"), "$/Mtok"), 2) == Decimal("0.87")
    assert round_half_away(in_unit(figure(paiton, "rental:TensorWave, whole node"), "$/Mtok"), 2) == Decimal("1.16")
    assert round_half_away(in_unit(figure(atom, "rental:TensorWave, whole node"), "$/Mtok"), 2) == Decimal("0.88")


CONDITIONS = {
    "active GPUs": "active_gpus",
    "power cap per GPU": "power_cap_w",
    "GPUs of the node": "node_gpus",
    "number of prompts": "num_prompts",
    "maximum concurrency": "concurrency",
    "ISL, 8K/1K": "isl",
    "OSL, 8K/1K": "osl",
    "dataset": "dataset",
    "client": "client",
    "client image": "client_image",
    "prefill chunk": "chunked_prefill_tokens",
    "maximum sequence length, throughput tests": "max_sequence_length",
    "CPUs of the node": "cpu",
}


@pytest.mark.parametrize(
    "row",
    [row for row in rows() if row.table == "conditions" and row.column in CONDITIONS],
    ids=lambda r: f"{r.row}|{r.column}",
)
def test_conditions_are_settings_with_their_states(row: Row) -> None:
    record = entries()[{"Paiton": "paiton-8k1k-t0", "ATOM": "atom-8k1k", "vLLM": "vllm-8k1k"}[row.row]].record
    setting = record.setting(CONDITIONS[row.column])
    if row.status == Status.NOT_STATED:
        assert setting.state is State.NOT_STATED
        assert setting.value is None
    else:
        assert setting.state is State.STATED
        assert str(setting.value) == row.value


@pytest.mark.parametrize(("run", "missing"), [("atom-8k1k", True), ("vllm-8k1k", True), ("paiton-8k1k-t0", False)])
def test_temperature_and_measured_power_are_absent_where_not_published(run: str, missing: bool) -> None:
    record = entries()[run].record
    assert (record.setting("temperature").state is State.NOT_STATED) is missing
    assert (record.quantity("gpu_power:mean") is None) is missing
