"""``vllm bench serve``: values read off the sample files by eye, and every shape and fork."""

import json
import time
from typing import Any

import pytest

from runs.domain.facts import Basis, State
from runs.domain.records import LocalEnd, RunRecord
from runs.readers import ReadError, Reading, read
from tests.readers.samples import sample, upload

SUMMARY: dict[str, Any] = {
    "date": "20260812-150000", "endpoint_type": "openai", "backend": "openai", "label": None, "model_id": "a/b",
    "tokenizer_id": "a/b", "num_prompts": 10, "request_rate": "inf", "max_concurrency": 4, "duration": 20.0,
    "completed": 10, "failed": 0, "total_input_tokens": 1000, "total_output_tokens": 200, "output_throughput": 10.0,
    "total_token_throughput": 60.0, "median_ttft_ms": 250.0, "median_tpot_ms": 20.0,
}  # fmt: skip


def result(**changes: Any) -> str:
    return json.dumps({**SUMMARY, **changes})


def only(reading: Reading) -> RunRecord:
    assert len(reading.runs) == 1
    return reading.runs[0].record


def value(record: RunRecord, key: str) -> object:
    quantity = record.quantity(key)
    return None if quantity is None else quantity.value


def codes(record: RunRecord) -> set[str]:
    return {remark.code for remark in record.remarks}


def test_the_plain_result_of_0_33() -> None:
    file = sample("vllm_serve", "v0.33_plain_default_percentiles.json")
    record = only(read(file))
    ttft = record.quantity("ttft:median")
    assert ttft is not None
    assert ttft.value == pytest.approx(0.1992153941534949, rel=1e-15)
    assert (ttft.unit, ttft.basis, ttft.repeats) == ("s", Basis.MEASURED, 1)
    assert (ttft.evidence[0].ref, ttft.evidence[0].place) == (file.sha256, "document 1, median_ttft_ms")
    assert value(record, "itl:p99") == pytest.approx(0.021640992172169135, rel=1e-15)
    assert value(record, "tpot:std") == pytest.approx(0.00017363936554656356, rel=1e-15)
    assert value(record, "total_throughput") == 26496.353816217943
    assert value(record, "output_throughput") == 4722.011596899258
    assert value(record, "peak_output_throughput") == 5713.6
    assert value(record, "request_goodput") is None
    assert value(record, "e2el:median") is None
    assert (record.requests.attempted, record.requests.completed, record.requests.failed) == (100, 100, 0)
    assert (record.requests.input_tokens, record.requests.output_tokens) == (99174, 21507)
    assert record.local_end == LocalEnd("2026-08-12T15:00:00", 4.554626679469132)
    assert record.window is None


def test_its_settings_are_those_of_the_file_and_no_others() -> None:
    record = only(read(sample("vllm_serve", "v0.33_plain_default_percentiles.json")))
    assert record.setting("isl").value == 992  # 99174 / 100
    assert record.setting("osl").value == 215  # 21507 / 100
    assert record.setting("isl").note.startswith("mean of 100 completed requests")
    assert (record.setting("concurrency").value, record.setting("concurrency").nominal) == (None, "unlimited")
    assert record.setting("request_rate").value == 4.0
    assert record.setting("client").state is State.INFERRED
    for absent in ("active_gpus", "node_gpus", "tensor_parallel", "temperature", "accelerator", "runtime", "dataset"):
        assert record.setting(absent).state is State.NOT_STATED


def test_metadata_is_stated_where_its_meaning_is_beyond_doubt() -> None:
    record = only(read(sample("vllm_serve", "v0.33_metadata_pairs.json")))
    assert (record.setting("tensor_parallel").value, record.setting("tensor_parallel").state) == (8, State.STATED)
    assert record.setting("accelerator").value == "MI355X"
    assert record.setting("runtime_version").state is State.NOT_STATED
    assert any(remark.code == "metadata" and "version = 0.33.0" in remark.text for remark in record.remarks)
    assert record.local_end is None
    assert any(remark.code == "date" and "2026-08-12 run A" in remark.text for remark in record.remarks)


def test_secrets_in_metadata_are_not_kept() -> None:
    record = only(read(upload(result(api_key="sk-very-secret", note="sk-other-secret", gpu="0"))))
    assert [remark.code for remark in record.remarks] == ["metadata-secret", "metadata-secret", "metadata"]
    assert "very-secret" not in repr(record)
    assert "other-secret" not in repr(record)
    assert record.setting("accelerator").state is State.NOT_STATED


def test_nan_and_infinity_are_no_figures() -> None:
    record = only(read(sample("vllm_serve", "hardcase_nan_infinity_literals.json")))
    assert value(record, "tpot:mean") is None
    assert value(record, "tpot:p99") is None
    assert value(record, "tpot:median") == pytest.approx(0.01653267037286702, rel=1e-15)
    assert record.setting("request_rate").nominal == "unlimited"
    said = [remark.text for remark in record.remarks if remark.code == "not-a-number"]
    assert any("mean_tpot_ms" in text for text in said)
    assert any("p99_tpot_ms" in text for text in said)


def test_bom_and_crlf() -> None:
    record = only(read(sample("vllm_serve", "hardcase_bom_crlf.json")))
    assert record.setting("isl").value == 998
    assert len(record.quantities) == 29


def test_a_lone_cut_object_is_refused_with_its_place() -> None:
    with pytest.raises(ReadError, match=r"line 1, column 2127.*cut off"):
        read(sample("vllm_serve", "hardcase_truncated.json"))


def test_appended_documents_are_runs_and_a_cut_last_one_is_said() -> None:
    file = sample("vllm_serve", "v0.33_append_3runs.json")
    whole = read(file)
    assert [run.place for run in whole.runs] == ["document 1", "document 2", "document 3"]
    assert [run.record.setting("concurrency").value for run in whole.runs] == [1, 8, 32]
    cut = read(upload(file.data[:-100]))
    assert [run.record.setting("concurrency").value for run in cut.runs] == [1, 8]
    assert any(remark.text.startswith("truncated after document 2") for remark in cut.remarks)


def test_a_sweep_is_an_array_of_runs_and_a_cut_one_keeps_its_whole_elements() -> None:
    file = sample("vllm_serve", "sweep_summary.json")
    whole = read(file)
    assert [run.place for run in whole.runs] == ["[0]", "[1]", "[2]"]
    assert [value(run.record, "total_throughput") for run in whole.runs] == [600.39, 586.09, 600.39]
    assert whole.runs[2].record.requests.failed == 2
    cut = read(upload(file.data[: file.data.index(b'"run_number": 2')]))
    assert [run.place for run in cut.runs] == ["[0]", "[1]"]
    assert "truncated" in {remark.code for remark in cut.remarks}


def test_goodput_with_its_colon() -> None:
    assert value(only(read(upload(result(**{"request_goodput:": 0.25})))), "request_goodput") == 0.25
    record = only(read(sample("vllm_serve", "v0.8.5_goodput_colon.json")))
    assert value(record, "request_goodput") is None
    assert value(record, "e2el:p99.9") == pytest.approx(4.446734425098011, rel=1e-15)
    assert not codes(record)


def test_embeddings_have_no_tokens_out() -> None:
    record = only(read(sample("vllm_serve", "v0.33_embeddings.json")))
    assert {quantity.metric for quantity in record.quantities} == {
        "total_throughput", "request_throughput", "duration", "e2el",
    }  # fmt: skip
    assert record.setting("isl").value == 1007  # 64416 / 64 = 1006.5, half away from zero
    assert record.setting("osl").state is State.NOT_STATED


def test_zero_completed_requests_are_refused_and_in_company_left_out() -> None:
    failed = result(completed=0, total_token_throughput=0.0, median_ttft_ms=0.0)
    with pytest.raises(ReadError, match="zero completed requests: zeros in the file are not measurements"):
        read(upload(failed))
    reading = read(upload(f"{failed}\n{result()}"))
    assert [run.place for run in reading.runs] == ["document 2"]
    assert any("document 1 was left out: zero completed" in remark.text for remark in reading.remarks)


def test_failed_requests_are_counted_by_key_or_by_difference() -> None:
    stated = only(read(upload(result(completed=7, failed=3))))
    older = json.loads(result(completed=7))
    del older["failed"]
    inferred = only(read(upload(json.dumps(older))))
    assert stated.requests.failed == inferred.requests.failed == 3
    assert "failed-requests" in codes(stated) & codes(inferred)


def test_zero_and_negative_figures_are_left_out() -> None:
    record = only(read(upload(result(median_ttft_ms=0.0, median_tpot_ms=-1, output_throughput="fast"))))
    assert [quantity.key for quantity in record.quantities] == ["total_throughput", "duration"]
    assert codes(record) == {"zero-figure", "negative-figure", "not-a-number"}


def test_a_value_that_is_none_of_its_kind_is_left_out_and_said() -> None:
    bad = {"max_concurrency": -4, "model_id": 7, "request_rate": "soon", "failed": 0.5, "duration": 1e308}
    record = only(read(upload(result(**bad))))
    said = {remark.place.split(", ")[1]: remark.text for remark in record.remarks if remark.code == "value-left-out"}
    assert said["max_concurrency"] == (
        "max_concurrency is '-4', expected a whole number above 0, or null for no limit: left out"
    )
    assert set(said) == {"max_concurrency", "model_id", "request_rate", "failed"}
    assert [remark.text for remark in record.remarks if remark.code == "not-plausible"] == [
        "duration is 1e+308, beyond anything a benchmark measures: left out"
    ]
    assert (value(record, "duration"), record.local_end) == (None, None)


def test_a_key_given_twice_is_said() -> None:
    twice = result().removesuffix("}") + ', "total_token_throughput": 1.0}'
    reading = read(upload(twice))
    assert value(only(reading), "total_throughput") == 1.0
    assert [remark.text for remark in only(reading).remarks if remark.code == "repeated-key"] == [
        "total_token_throughput stands more than once in one object: its last value was taken"
    ]
    assert all("repeated-key" not in codes(run.record) for run in read(upload(f"{result()}\n{result()}")).runs)


def test_p50_stands_in_for_an_absent_median_only() -> None:
    changed = json.loads(result(p50_ttft_ms=999.0, p50_e2el_ms=4000.0))
    record = only(read(upload(json.dumps(changed))))
    assert value(record, "ttft:median") == 0.25
    assert value(record, "e2el:median") == 4.0


def test_the_window_of_the_inferencex_fork() -> None:
    times = {"benchmark_start_time_unix": 1786022594.990249, "benchmark_end_time_unix": 1786022910.2384567}
    record = only(read(upload(result(**times, input_lens=[90, 100, 110], output_lens=[20, 20, 0]))))
    assert record.window is not None
    assert (record.window.start, record.window.end) == (1786022594.990249, 1786022910.2384567)
    assert record.window.state is State.OBSERVED
    assert record.setting("client").value == "InferenceX benchmark_serving"
    assert record.setting("isl").note.endswith("from 90 to 110")
    assert "from" not in record.setting("osl").note  # the 0 is a failed request's, the others are alike
    upside_down = only(read(upload(result(benchmark_start_time_unix=2e9, benchmark_end_time_unix=1e9))))
    assert upside_down.window is None
    assert "window" in codes(upside_down)


def test_the_fork_in_seconds() -> None:
    fork = {key: value for key, value in SUMMARY.items() if not key.endswith("_ms")}
    record = only(read(upload(json.dumps({**fork, "good_completed": None, "median_ttft": 0.265, "p99_tpot": 0.0267}))))
    assert value(record, "ttft:median") == 0.265
    assert value(record, "tpot:p99") == 0.0267


def test_prompts_answers_and_errors_never_enter_the_record() -> None:
    detail = {"generated_texts": ["<b>private</b>"] * 10, "errors": ["Traceback private"], "input_lens": [100] * 10}
    record = only(read(upload(result(**detail))))
    assert "private" not in repr(record)
    said = next(remark.text for remark in record.remarks if remark.code == "detail-not-kept")
    assert "3 arrays of 10 requests" in said


def test_a_label_comes_from_the_file_its_name_or_the_load() -> None:
    assert only(read(upload(result(label="T=0 \x00<i>"), "x.json"))).label == "T=0  <i>"
    assert only(read(upload(result(), "C:\\runs\\conc4 night.json"))).label == "conc4 night"
    assert only(read(upload(result(), "result.json"))).label == "b @ 4"
    assert only(read(upload(result(max_concurrency=None), "result.json"))).label == "b @ unlimited"


def test_a_ramp_is_no_rate() -> None:
    ramp = {"ramp_up_strategy": "linear", "ramp_up_start_rps": 1, "ramp_up_end_rps": 10}
    rate = only(read(upload(result(**ramp)))).setting("request_rate")
    assert (rate.value, rate.nominal) == (None, "linear ramp, 1 to 10 req/s")


def test_a_path_as_model_is_remarked() -> None:
    assert "model-path" in codes(only(read(upload(result(model_id="/mnt/models/x")))))
    assert "model-path" not in codes(only(read(upload(result()))))


CONSOLE = """Namespace(backend='openai', header={'Authorization': 'Bearer private'}, model='a/b', temperature=0.0,
ignored=1)
Namespace(model='a/b', dataset_name='custom', temperature=0.0, ignore_eos=True, extra_body=None)
============ Serving Benchmark Result ============
Successful requests:                     200
Failed requests:                         1
Maximum request concurrency:             64
Benchmark duration (s):                  13.49
Total input tokens:                      98504
Total generated tokens:                  51200
Total token throughput (tok/s):          11095.36
Mean TTFT (ms):                          382.33
P99 ITL (ms):                            108.90
==================================================
"""


def test_the_console_block_keeps_its_rounding() -> None:
    record = only(read(upload(CONSOLE, "run.log")))
    ttft, total = record.quantity("ttft:mean"), record.quantity("total_throughput")
    assert ttft is not None
    assert total is not None
    low_high = ttft.interval()
    assert low_high is not None
    assert (str(ttft.value), str(low_high.low), str(low_high.high)) == ("0.38233", "0.382325", "0.382335")
    assert total.printed is not None
    assert total.printed.text == "11095.36"
    assert (record.setting("isl").value, record.setting("osl").value) == (493, 256)  # 98504 / 200 = 492.52
    assert record.setting("temperature").value == 0.0
    assert (record.requests.attempted, record.requests.failed) == (201, 1)
    assert "private" not in repr(record)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("Failed requests", "Backend:   sglang\nFailed requests", "SGLang"),
        ("requests:                     200", "requests:                     0", "zero completed"),
        ("=" * 50 + "\n", "", "cut off"),
    ],
)
def test_a_console_block_that_is_refused(old: str, new: str, words: str) -> None:
    with pytest.raises(ReadError, match=words):
        read(upload(CONSOLE.replace(old, new), "run.log"))


def test_a_console_log_of_blank_lines_takes_no_time() -> None:
    padded = CONSOLE.replace("Failed requests", "\n" * 200_000 + "Failed requests")
    started = time.perf_counter()
    assert only(read(upload(padded, "run.log"))).requests.failed == 1
    assert time.perf_counter() - started < 5  # a pattern that backtracks over the blank lines takes minutes


def test_no_file_makes_remarks_without_end() -> None:
    odd = {f"p{index / 1000}_ttft_ms": 1.0 for index in range(3000)}
    pairs = {f"key{index}": "value" for index in range(3000)}
    assert len(only(read(upload(result(**odd, **pairs)))).remarks) < 200


def test_a_file_that_0_34_wrote_of_the_simulator() -> None:
    """By the very argument list of a plan; of the sampling that was passed it records nothing."""
    found = only(read(sample("vllm_serve", "v0.34_simulator_c2.json")))
    # 197 + 48 tokens in 0.3702 s.
    total = found.quantity("total_throughput")
    assert total is not None
    assert total.value == pytest.approx(245 / 0.37021519300014916)
    assert {"ttft:p90", "tpot:p95", "itl:p99", "e2el:median"} <= {quantity.key for quantity in found.quantities}
    assert (found.requests.completed, found.requests.failed) == (6, 0)
    for key in ("temperature", "top_p", "top_k", "seed", "ignore_eos"):
        assert found.setting(key).state is State.NOT_STATED


@pytest.mark.parametrize("shape", ["{}", "{}\n{}", "[{}]"])
def test_a_file_in_latin_1_is_read_and_says_what_became_of_its_bytes(shape: str) -> None:
    text = shape.replace("{}", json.dumps({**SUMMARY, "model_id": "caf\xe9"}, ensure_ascii=False))
    reading = read(upload(text.encode("latin-1"), "latin.json"))
    assert reading.runs[0].record.setting("model").value == "caf\ufffd"
    assert value(reading.runs[0].record, "total_throughput") == 60.0
    assert "replaced-bytes" in codes(reading.runs[0].record)
