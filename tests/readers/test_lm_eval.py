"""lm-evaluation-harness results: counts by hand, filters, parts of a task, NaN, v0.3."""

import json
from typing import Any

import pytest

from runs.domain.facts import Status
from runs.readers import ReadError, read
from tests.readers.samples import sample, upload


def document(**changes: Any) -> str:
    return json.dumps({
        "results": {"gsm8k": {"alias": "gsm8k", "exact_match,strict-match": 0.75,
                              "exact_match_stderr,strict-match": 0.01, "exact_match,flexible-extract": 0.8}},
        "n-shot": {"gsm8k": 5},
        "n-samples": {"gsm8k": {"original": 1319, "effective": 200}},
        "config": {"model": "vllm", "model_args": "", "limit": 200},
        "date": 1786543530.12,
        "model_name": "Qwen/Qwen3-8B",
        **changes,
    })  # fmt: skip


def test_a_share_of_items_is_counted_and_the_strict_match_is_the_headline() -> None:
    strict, flexible = read(upload(document())).evaluations
    # 0.75 x 200
    assert (strict.task, strict.correct, strict.total, strict.full_size) == ("gsm8k", 150, 200, 1319)
    assert (flexible.task, flexible.correct) == ("gsm8k, exact_match (flexible-extract)", 160)
    assert (strict.shots, strict.is_subset, strict.date) == (5, True, "2026-08-12")
    assert strict.settings["model"].value == "Qwen/Qwen3-8B"
    assert "standard error in the file 0.01" in strict.note


def test_a_share_that_is_no_whole_number_of_items_stays_a_score() -> None:
    results = {"wikitext": {"word_perplexity,none": 8.5, "acc,none": 0.33333}}
    perplexity, accuracy = read(upload(document(results=results))).evaluations
    assert (perplexity.score, perplexity.correct, perplexity.total) == (8.5, None, None)
    assert (accuracy.score, accuracy.correct) == (0.33333, None)


def test_a_limited_run_with_nan() -> None:
    reading = read(sample("lm_eval", "gsm8k_limit10_stderrNA_nan.json"))
    strict, flexible = reading.evaluations
    assert (strict.correct, strict.total, strict.partial) == (7, 10, True)
    assert (flexible.status, flexible.is_missing) == (Status.NOT_MEASURED, True)
    assert [one.code for one in reading.remarks] == ["partial"]


def test_a_group_counts_over_its_subtasks() -> None:
    found = {one.task: one for one in read(sample("lm_eval", "mmlu_pro.json")).evaluations}
    # 0.4413 of 14 x 700 is no whole number of items
    assert (found["mmlu_pro"].score, found["mmlu_pro"].counts) == (0.4413, {"items": 9800})
    # 0.3 x 700
    assert (found["mmlu_pro_biology"].correct, found["mmlu_pro_biology"].total) == (210, 700)


def test_v03_without_filters_and_counts() -> None:
    old = {"results": {"hellaswag": {"acc": 0.5, "acc_stderr": 0.02, "acc_norm": 0.6}}, "versions": {"hellaswag": 0},
           "config": {"model": "hf-causal", "num_fewshot": 10, "limit": None}}  # fmt: skip
    first, second = read(upload(json.dumps(old))).evaluations
    assert (first.score, first.shots, first.total, first.is_subset) == (0.5, 10, None, False)
    assert second.task == "hellaswag, acc_norm"


@pytest.mark.parametrize("results", [{}, {"gsm8k": {"alias": "gsm8k"}}, {"gsm8k": 1}, []])
def test_results_without_scores_are_refused(results: Any) -> None:
    with pytest.raises(ReadError, match="results"):
        read(upload(document(results=results)))
