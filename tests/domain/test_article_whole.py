"""All 202 figures of the article against the product's data: value or range, printed text, unit, basis, status, party.

The throughput, power and cost tables are held more closely in ``test_article``; here every row of the list has its
place, so that none can be left out.
"""

from decimal import Decimal

import pytest

from runs.domain.comparison import RunEntry
from runs.domain.errata import applied
from runs.domain.facts import State, Status
from runs.domain.units import as_decimal, convert, rounding_interval
from tests.domain.article import Row, entries, evaluations, figure, reading, rows
from tests.domain.test_article import where

PAITON, PAITON_1M, COMMUNITY, PHASES = "paiton-8k1k-t0", "paiton-1m", "community-4gpu", "paiton-4gpu-phases"
PARTY_RUN = {"Paiton": PAITON, "ATOM": "atom-8k1k", "vLLM": "vllm-8k1k"}

SETTINGS = {
    "active GPUs": (None, "active_gpus"),
    "power cap per GPU": (None, "power_cap_w"),
    "sampling temperature": (None, "temperature"),
    "speculative decoding": (None, "speculative_method"),
    "GPUs of the node": (None, "node_gpus"),
    "active GPU indices, six": (None, "active_gpu_indices"),
    "active GPU indices, four": ("paiton-4gpu-t0", "active_gpu_indices"),
    "CPUs of the node": (None, "cpu"),
    "client": (None, "client"),
    "client image": (None, "client_image"),
    "number of prompts": (None, "num_prompts"),
    "maximum concurrency": (None, "concurrency"),
    "ISL, 8K/1K": (None, "isl"),
    "OSL, 8K/1K": (None, "osl"),
    "dataset": (None, "dataset"),
    "ignore EOS": (None, "ignore_eos"),
    "prefix caching": (None, "prefix_caching"),
    "prefill chunk": (None, "chunked_prefill_tokens"),
    "maximum sequence length, throughput tests": (None, "max_sequence_length"),
    "parallelism": (None, "tensor_parallel"),
    "input tokens": (PAITON_1M, "isl"),
    "output tokens": (PAITON_1M, "osl"),
    "maximum sequence length": (PAITON_1M, "max_sequence_length"),
    "KV pool": (PAITON_1M, "kv_pool_tokens"),
    "default maximum tokens": (COMMUNITY, "max_sequence_length"),
    "concurrent requests": (None, "concurrency"),
}
FIGURES = {
    "joint GPU power cap": "gpu_power_cap",
    "mean GPU power, 8K/1K, T=0": "gpu_power:mean",
    "mean per active GPU, 8K/1K, T=0": "gpu_power_per_gpu:mean",
    "mean GPU power": "gpu_power:mean",
    "cores per CPU": "cpu_cores",
    "RAM of the node": "host_ram",
    "power sampling interval": "power_sampling_interval",
    "model weights": "model_weights",
    "model parameters": "model_parameters",
    "HBM of two idle GPUs, as specified": "idle_hbm",
    "snapshot in the recording": "gpu_power_per_gpu:snapshot",
    "power per GPU near the supply's limit": "supply_limit_power",
}
FOUR = {
    "total tok/s, node": ("paiton-4gpu-{}", "total_throughput"),
    "total tok/s/GPU": ("paiton-4gpu-{}", "per_gpu_total"),
    "median TPOT, 16 at once": ("paiton-4gpu-{}", "tpot:median"),
    "TPOT, one request": ("paiton-4gpu-single-{}", "tpot:single"),
    "output tok/s, one request": ("paiton-4gpu-single-{}", "interactivity"),
}
PHASE = {
    "time per output token, one request": "tpot:single",
    "prefill": "prefill_throughput",
    "prefill, input tokens": "input_tokens",
    "prefill, time": "prefill_time",
    "whole 8K/1K request": "e2el:single",
    "host RAM, at least": "host_ram_least",
    "storage for weights": "weights_storage",
    "image size": "image_size",
}
SINGLE = {
    "median TPOT": "tpot:median",
    "output tok/s, approximation": "interactivity",
    "median TTFT": "ttft:median",
    "output tok/s on real text": "request_output_rate",
}
LMX = {
    "one request, canonical reasoning prompt": ("lmx-single", "request_output_rate"),
    "time to first token, one request": ("lmx-single", "ttft:single"),
    "one cold request, prefill at 8K": ("lmx-prefill-8k", "prefill_throughput"),
    "one cold request, prefill at 128K": ("lmx-prefill-128k", "prefill_throughput"),
    "one cold request, time at 128K": ("lmx-prefill-128k", "prefill_time"),
    "sustained decode, 16 requests, short prompts, total": ("lmx-decode-short", "output_throughput"),
    "sustained decode, 16 requests, short prompts, median per request": ("lmx-decode-short", "request_output_rate"),
    "sustained decode, 16 requests, 64K prompts, total": ("lmx-decode-64k", "output_throughput"),
    "sustained decode, 16 requests, 64K prompts, median per request": ("lmx-decode-64k", "request_output_rate"),
    "decode cell": ("lmx-decode-short", "decode_cell"),
}
ESTIMATE = {
    "Paiton 8K/1K, T=0": ("paiton-8k1k-t0", "estimate-8k1k-t0"),
    "Paiton 8K/1K, T=1.0": ("paiton-8k1k-t1", "estimate-8k1k-t1"),
    "Paiton 128K/100, T=0": ("paiton-128k-t0", "estimate-128k-t0"),
}
EVALUATED = {
    ("GSM8K, five-shot", "fixed, 2026-11-12"): "gsm8k-fixed",
    ("GSM8K, five-shot", "reported before, version with the fault"): "gsm8k-fault",
    ("HumanEval, pinned OpenAI set", "fixed, 2026-11-12"): "humaneval-fixed",
    ("HumanEval, pinned OpenAI set", "reported before, version with the fault"): "humaneval-fault",
    ("MMLU-Pro", "fixed, 2026-11-12"): "mmlu-pro-fixed",
    ("MMLU-Pro", "reported before, version with the fault"): "mmlu-pro-fault",
    ("text", "retrieved codes after the fix, at 31K, 120K, 228K"): "retrieval-fixed",
    ("text", "retrieved codes before the fix, at 120K, 228K"): "retrieval-fault",
    ("text", "KL divergence, prefill, used settings"): "kl-fixed",
    ("text", "top-1 agreement"): "top1-fixed",
    ("text", "KL divergence, old version"): "kl-fault",
    ("text", "KL divergence, stock vLLM"): "kl-vllm",
    ("text", "KL divergence reported before"): "kl-before",
    ("text", "KL divergence, decode path"): "kl-decode",
}


def figure_place(row: Row) -> tuple[str, str] | None:
    """The run and the metric of a row that is a figure."""
    temperature = "t0" if row.row.endswith("T=0") else "t1"
    match row.table:
        case "conditions" if row.column in FIGURES:
            return PARTY_RUN[row.row], FIGURES[row.column]
        case "power" if row.column in FIGURES:
            return PAITON, FIGURES[row.column]
        case "8K/1K" if "run" in row.column:
            return None
        case "single request 8K/1K" if row.column in SINGLE:
            run = "paiton-real-text" if row.row == "Paiton 6x800W" else f"paiton-single-{temperature}"
            return run, SINGLE[row.column]
        case "one million tokens" if row.column in ("TTFT", "TPOT", "GPU memory used"):
            return PAITON_1M, {"TTFT": "ttft:single", "TPOT": "tpot:single"}.get(row.column, "gpu_memory_used")
        case "four GPUs, 8K/1K":
            run, key = FOUR[row.column]
            return run.format(temperature), key
        case "community version, four GPUs, T=0" if row.column in PHASE:
            return (COMMUNITY if row.row == "community version" else PHASES), PHASE[row.column]
        case "lmx 0.1.60, 6x800W":
            return LMX[row.column]
        case "estimate at 1400 W":
            measured, estimated = ESTIMATE[row.row]
            return (measured if row.column == "at 800 W/GPU" else estimated), "per_gpu_total"
    return where(row)


def setting_place(row: Row) -> tuple[str, str] | None:
    """The run and the setting of a row that is a setting."""
    if row.column not in SETTINGS or row.table not in (
        "conditions",
        "one million tokens",
        "community version, four GPUs, T=0",
    ):
        return None
    run, key = SETTINGS[row.column]
    if row.column == "concurrent requests":
        run = COMMUNITY if row.row == "community version" else PHASES
    return run or PARTY_RUN[row.row], key


FIGURE_ROWS = [row for row in rows() if figure_place(row)]
SETTING_ROWS = [row for row in rows() if not figure_place(row) and setting_place(row)]
EVALUATION_ROWS = [row for row in rows() if row.table == "accuracy" and (row.row, row.column) in EVALUATED]
COUNT_ROWS = [row for row in rows() if row.table == "accuracy" and row.column in ("held-out rows", "positions")]
SCENARIO_ROWS = [row for row in rows() if row.row == "offer" or (row.row, row.column) == ("scenario", "price")]
REPEAT_ROWS = [row for row in rows() if row.column.endswith(("first run", "second run"))]
TEXT_ROWS = [row for row in rows() if row.table == "128K/100" and row.row == "text"]
TOOL_ROWS = [row for row in rows() if row.column == "power tool"]


def test_every_row_of_the_list_has_its_place() -> None:
    placed = [*FIGURE_ROWS, *SETTING_ROWS, *EVALUATION_ROWS, *COUNT_ROWS, *SCENARIO_ROWS, *REPEAT_ROWS]
    placed += [*TEXT_ROWS, *TOOL_ROWS]
    assert len(placed) == len(set(placed)) == 202


def name(row: Row) -> str:
    return f"{row.table}|{row.row}|{row.column}"


def effective(run: str) -> RunEntry:
    entry = entries()[run]
    return RunEntry(entry.key, applied(entry.record, entry.errata))


@pytest.mark.parametrize("row", FIGURE_ROWS, ids=name)
def test_a_figure_is_held_with_all_that_belongs_to_it(row: Row) -> None:
    place = figure_place(row)
    assert place is not None
    run, key = place
    if row.status == Status.NOT_STATED:
        assert effective(run).record.quantity(key) is None
        return
    found = figure(run, key)
    # tok/s of one user is the article's "output tok/s" of one request.
    unit = {"tok/s/user": "tok/s"}.get(found.unit, found.unit)
    if row.low:
        assert found.low is not None
        assert found.high is not None
        assert as_decimal(convert(found.low, unit, row.unit)) == Decimal(row.low)
        assert as_decimal(convert(found.high, unit, row.unit)) == Decimal(row.high)
    else:
        assert found.value is not None
        value = as_decimal(found.value) if unit == row.unit else as_decimal(convert(found.value, unit, row.unit))
        assert value in rounding_interval(Decimal(row.value))
    assert found.basis.value == row.basis
    assert found.status.value == row.status
    quantity = effective(run).record.quantity(key)
    if quantity is not None and quantity.printed is not None:
        number = row.printed.split()[0] if row.table != "power" else ""
        assert number in ("", "circa", "Circa", "ongeveer", "elke") or number.strip("$") in quantity.printed.text
        circa = row.printed.casefold().startswith(("circa", "ongeveer", "rond"))
        assert quantity.printed.circa is circa


@pytest.mark.parametrize("row", SETTING_ROWS, ids=name)
def test_a_setting_is_held_with_its_state(row: Row) -> None:
    place = setting_place(row)
    assert place is not None
    run, key = place
    setting = entries()[run].record.setting(key)
    if row.status == Status.NOT_STATED:
        assert (setting.state, setting.value) == (State.NOT_STATED, None)
        return
    assert setting.state is State.STATED
    expected = {
        "DSpark, 5 drafts": "DSpark",
        "TP8, DCP8": "8",
        "2-7": "(2, 3, 4, 5, 6, 7)",
        "2-5": "(2, 3, 4, 5)",
        "true": "True",
        "off": "False",
        "0; 1.0": "0",
    }.get(row.value, row.value)
    assert str(setting.value) == expected
    if row.value == "0; 1.0":
        assert entries()["paiton-8k1k-t1"].record.setting(key).value == 1.0
    if row.value == "DSpark, 5 drafts":
        assert entries()[run].record.setting("draft_count").value == 5
    if row.value == "TP8, DCP8":
        assert entries()[run].record.setting("context_parallel").value == 8


@pytest.mark.parametrize("row", EVALUATION_ROWS, ids=name)
def test_an_evaluation_is_held_with_its_status(row: Row) -> None:
    found = evaluations()[EVALUATED[row.row, row.column]]
    assert found.status.value == row.status
    assert found.printed is not None
    assert found.printed.text == row.printed
    assert found.unit == row.unit
    if "/" in row.value:
        assert (found.correct, found.total) == tuple(map(int, row.value.split("/")))
    elif row.value:
        assert found.score == Decimal(row.value)
    else:
        assert found.is_missing


@pytest.mark.parametrize("row", COUNT_ROWS, ids=name)
def test_counts_behind_the_divergence(row: Row) -> None:
    assert evaluations()["kl-fixed"].counts[row.unit] == int(row.value)


@pytest.mark.parametrize("row", SCENARIO_ROWS, ids=name)
def test_scenario_inputs(row: Row) -> None:
    scenario = reading().scenarios[0]
    if row.column == "price":
        assert scenario.price_per_kwh == Decimal(row.value)
        return
    (offer,) = (one for one in scenario.offers if one.name == row.column)
    assert offer.rate_per_gpu_hour == Decimal(row.value)
    assert (offer.unit_gpus, offer.checked) == (None, "2026-11-11")


def test_the_repeats_behind_the_mean() -> None:
    values = figure(PAITON, "total_throughput").repeat_values
    assert values == tuple(Decimal(row.value) for row in REPEAT_ROWS)


def test_the_power_tool_is_named() -> None:
    assert figure(PAITON, "power_sampling_interval").note == TOOL_ROWS[0].value


def test_subset_and_coverage_of_evaluations() -> None:
    assert evaluations()["gsm8k-fixed"].is_subset
    assert evaluations()["gsm8k-fixed"].covers == ("paiton-6x800w-1m",)
