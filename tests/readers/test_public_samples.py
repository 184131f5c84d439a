"""Every public sample is read, or refused in words: which, stands in the table below."""

import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from runs.readers import READERS, ReadError, read, unpack

LIMIT = 256 << 20


@dataclass(frozen=True)
class Refused:
    """A sample that must be refused with these words in the answer."""

    words: str


UNKNOWN = Refused("expected one of: vllm bench serve")

EXPECTED: dict[str, str | Refused] = {
    "aiperf/fixture_qwen_concurrency1.json": "aiperf",
    "aiperf/fixture_qwen_concurrency1.jsonl": UNKNOWN,
    "aiperf/v0.1_run1_11errors.csv": UNKNOWN,
    "aiperf/v0.1_run1_11errors.json": "aiperf",
    "aiperf/v0.1_run1_profile_export.jsonl": UNKNOWN,
    "aiperf_gpu_telemetry/qwen_concurrency1_gpu_telemetry_export.jsonl": UNKNOWN,
    "amdsmi_csv_real/mi355x_8gpu_watch_excerpt.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_1gpu.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_1gpu.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_1gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_8gpu.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_8gpu.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_8gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu_file.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu_file.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu_file.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu_stdout.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_1gpu_stdout.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu_file.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu_file.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu_file.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu_stdout.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_metric_p_w1_i3_8gpu_stdout.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_monitor_p_8gpu.csv": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_monitor_p_8gpu.json": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_monitor_p_w1_i3_8gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm6.3_static_l_1gpu.csv": "amdsmi_static",
    "amdsmi_derived/rocm6.3_static_l_1gpu.json": "amdsmi_static",
    "amdsmi_derived/rocm6.3_static_l_1gpu.txt": "amdsmi_static",
    "amdsmi_derived/rocm6.3_static_l_8gpu.csv": "amdsmi_static",
    "amdsmi_derived/rocm6.3_static_l_8gpu.json": "amdsmi_static",
    "amdsmi_derived/rocm6.3_static_l_8gpu.txt": "amdsmi_static",
    "amdsmi_derived/rocm7_metric_p_1gpu.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_1gpu.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_1gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_8gpu.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_8gpu.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_8gpu.txt": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_1gpu_file.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_1gpu_file.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_1gpu_stdout.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_1gpu_stdout.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_1gpu_stdout.txt": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_8gpu_file.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_8gpu_file.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_8gpu_stdout.csv": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_8gpu_stdout.json": "amdsmi_metric",
    "amdsmi_derived/rocm7_metric_p_w1_i3_8gpu_stdout.txt": "amdsmi_metric",
    "amdsmi_derived/rocm7_static_l_8gpu.csv": "amdsmi_static",
    "amdsmi_derived/rocm7_static_l_8gpu.json": "amdsmi_static",
    "amdsmi_derived/rocm7_static_l_8gpu.txt": "amdsmi_static",
    "amdsmi_energy_csv/mi355x_energy_end.csv": UNKNOWN,
    "amdsmi_energy_csv/mi355x_energy_start.csv": UNKNOWN,
    "amdsmi_static_json/mi355x_8gpu_static.json": "amdsmi_static",
    "custom_summary/dgxspark_custom_rate_sweep.json": UNKNOWN,
    "dcgm_derived/exporter_v3_ms_timestamp.prom": UNKNOWN,
    "dcgm_derived/prometheus_query_range.json": UNKNOWN,
    "dcgm_text/h100x8_dcgm_exporter_excerpt.prom": UNKNOWN,
    "genai_perf/2024_ns_units.csv": UNKNOWN,
    "genai_perf_derived/0.0.16_2gpu_genai_perf.csv": UNKNOWN,
    "genai_perf_derived/0.0.16_2gpu_genai_perf.json": UNKNOWN,
    "generic_power_csv/dgxspark_elapsed_s_telemetry.csv": UNKNOWN,
    "generic_power_csv/mi300x_rocmsmi_derived_ragged.csv": UNKNOWN,
    "generic_power_csv/mi300x_temp_ragged.csv": UNKNOWN,
    "generic_power_csv/noheader.csv": UNKNOWN,
    "guidellm/derived_parsed_results.json": UNKNOWN,
    "guidellm/report_v2_fixture.json": "guidellm",
    "guidellm/v0.2x_benchmarks_stripped.json": "guidellm",
    "inference_perf/llmd_fixture_lifecycle.yaml": UNKNOWN,
    "inference_perf/stage_0_lifecycle_metrics.json": UNKNOWN,
    "inference_perf/stage_0_prometheus_metrics.json": UNKNOWN,
    "inference_perf/summary_lifecycle_metrics.json": UNKNOWN,
    "inference_perf/summary_prometheus_metrics.json": UNKNOWN,
    "inferencex_agg/agg_kimik2.5_1k1k_conc4_mi355.json": UNKNOWN,
    "inferencex_raw/raw_ALLFAILED_minimax_8k1k_conc64.json": Refused("zero completed requests"),
    "inferencex_raw/raw_kimik2.5_1k1k_conc4_mi355.json": "vllm_serve",
    "inferencex_raw/raw_minimax_1k1k_conc64_mi355.json": "vllm_serve",
    "inferencex_raw/raw_unix_window_input_lens_atom_conc64_mi355.json": "vllm_serve",
    "inferencex_raw/raw_unix_window_sglang_dpa_conc32.json": "vllm_serve",
    "inferencex_token_position/glm5_conc4_seconds.json": "vllm_serve",
    "llama_bench/strixhalo_gptoss20b.jsonl": "llama_bench",
    "llmperf/anyscale_70b_summary.json": UNKNOWN,
    "llmperf/philschmid_llama3_8b_results.json": UNKNOWN,
    "llmperf/philschmid_llama3_8b_summary.json": UNKNOWN,
    "lm_eval/v0.4_ethics_multi.json": "lm_eval",
    "lm_eval/v0.4_gsm8k_llama3-8b_vllm.json": "lm_eval",
    "lm_eval/v0.4_gsm8k_llama3.1-70b_other_filter.json": "lm_eval",
    "lm_eval_derived/gsm8k_limit10_stderrNA_nan.json": "lm_eval",
    "lm_eval_derived/humaneval_results_2026-08-12T14-19-02.123456.json": "lm_eval",
    "lm_eval_derived/mmlu_pro_results_2026-08-12T15-01-02.123456.json": "lm_eval",
    "lmx/kvcache_sweep_no_metrics.json": Refused("a context sweep of 9 points"),
    "lmx_derived/batch_label_payload.json": "lmx",
    "lmx_derived/run_envelope.json": "lmx",
    "lmx_derived/run_plain.json": "lmx",
    "mlperf_loadgen_derived/accuracy_only.txt": UNKNOWN,
    "mlperf_loadgen_derived/server_summary.txt": UNKNOWN,
    "mlperf_power/v1.0_dell_a100_spl.txt": UNKNOWN,
    "nvidia_smi_capture/linux-x86_64__nvidia-h200__590.48.01.txt": UNKNOWN,
    "nvidia_smi_csv/boxstate_W0.csv": "nvidia_smi",
    "nvidia_smi_csv_derived/dmon_o_DT.txt": Refused("dmon"),
    "nvidia_smi_csv_derived/dst_fold_local.csv": "nvidia_smi",
    "nvidia_smi_csv_derived/na_and_errors.csv": "nvidia_smi",
    "nvidia_smi_csv_derived/noheader_nounits.csv": Refused("header line"),
    "nvidia_smi_csv_derived/semicolon_decimal_comma_excel.csv": "nvidia_smi",
    "nvidia_smi_csv_derived/utf16_bom_crlf_powershell.csv": "nvidia_smi",
    "rocm_smi_json/telegraf_mi100_rocm571.json": UNKNOWN,
    "rocm_smi_json/telegraf_mi100_rocm602.json": UNKNOWN,
    "rocm_smi_json/telegraf_rx6700xt_rocm612.json": UNKNOWN,
    "rocm_smi_json/telegraf_vega-10-XT.json": UNKNOWN,
    "sglang_serving_derived/sglang_1201_64_8192_1024.jsonl": "sglang",
    "trtllm_bench/throughput_W0a_kv090.json": UNKNOWN,
    "vllm_latency/latency_llama8B_tp1.json": UNKNOWN,
    "vllm_latency/mi300x_latency_bs1.json": UNKNOWN,
    "vllm_serve/atom_vllm-infqps-concurrency128-DeepSeek-V4-Pro-20260810-185240.json": "vllm_serve",
    "vllm_serve/dgxspark_07-office-baseline.json": "vllm_serve",
    "vllm_serve/dgxspark_102_of_300_failed.json": "vllm_serve",
    "vllm_serve/dgxspark_11-rate-sweep-0.1.json": "vllm_serve",
    "vllm_serve/llmd_a100_1p1d_2025-05.json": "vllm_serve",
    "vllm_serve/llmd_a100_vllm3.json": "vllm_serve",
    "vllm_serve/nightly_sharegpt_qps_1.json": "vllm_serve",
    "vllm_serve/nightly_stripped_no_throughput_qps_inf_2025-02.json": "vllm_serve",
    "vllm_serve_derived/hardcase_bom_crlf.json": "vllm_serve",
    "vllm_serve_derived/hardcase_nan_infinity_literals.json": "vllm_serve",
    "vllm_serve_derived/hardcase_truncated.json": Refused("cut off"),
    "vllm_serve_derived/v0.33_append_3runs.json": "vllm_serve",
    "vllm_serve_derived/v0.33_append_detailed_2runs.json": "vllm_serve",
    "vllm_serve_derived/v0.33_detailed_120req_2failed.json": "vllm_serve",
    "vllm_serve_derived/v0.33_embeddings.json": "vllm_serve",
    "vllm_serve_derived/v0.33_metadata_pairs.json": "vllm_serve",
    "vllm_serve_derived/v0.33_plain_default_percentiles.json": "vllm_serve",
    "vllm_serve_derived/v0.8.5_goodput_colon.json": "vllm_serve",
    "vllm_serve_log/vllm_bench_serve_conc64_specdecode_stdout.log": "vllm_serve_console",
    "vllm_sweep_derived/summary.json": "vllm_serve",
    "vllm_throughput/throughput_llama8B_tp1.json": UNKNOWN,
    "xpu_smi_derived/v1_doc_example.csv": UNKNOWN,
    "xpu_smi_derived/v1_midnight_rollover_2gpu_NA.csv": UNKNOWN,
    "xpu_smi_derived/v1_old_iso_Z.csv": UNKNOWN,
    "xpu_smi_derived/v2_date.csv": UNKNOWN,
    "xpu_smi_derived/v2_jsonl.jsonl": UNKNOWN,
}

MEASURED: dict[str, list[tuple[str, float]]] = {
    # 46 requests of 11,827 + 5,888 tokens in 29.9972 s: its own "tokens per second" says 992.
    "guidellm/v0.2x_benchmarks_stripped.json": [
        ("total_throughput", 17715 / 29.997201442718506), ("output_throughput", 5888 / 29.997201442718506),
        ("request_throughput", 46 / 29.997201442718506), ("tpot:median", 0.0049241227), ("e2el:p99", 0.6891846657),
    ],
    "guidellm/report_v2_fixture.json": [
        ("total_throughput", (143 + 16) / 5.01964807510376), ("ttft:median", 0.0112760067),
    ],
    "llama_bench/strixhalo_gptoss20b.jsonl": [("prefill_throughput", 512 / 0.347823052)],
}  # fmt: skip
"""Figures of the first run of a sample, worked out by hand from what the file counts."""


def _folder() -> Path:
    here = Path(__file__).resolve().parents[2]
    return Path(os.environ.get("LIKEWISE_SHARED", here.parent / "shared")) / "formats" / "samples"


FOLDER = _folder()
needs_samples = pytest.mark.skipif(
    not FOLDER.is_dir(), reason=f"NOT RUN: the public samples are not at {FOLDER}; set LIKEWISE_SHARED to their folder"
)


@needs_samples
def test_the_table_names_every_sample() -> None:
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert there == set(EXPECTED)


@needs_samples
@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_a_sample_is_read_or_refused_as_the_table_says(name: str) -> None:
    expected = EXPECTED[name]
    upload = unpack(Path(name).name, (FOLDER / name).read_bytes(), LIMIT)
    claiming = [reader.format for reader in READERS if reader.claims(upload)]
    if isinstance(expected, Refused):
        with pytest.raises(ReadError) as refusal:
            read(upload)
        assert expected.words in str(refusal.value)
        assert len(claiming) == (0 if expected is UNKNOWN else 1)
        return
    reading = read(upload)
    assert (reading.format, claiming) == (expected, [expected])
    assert reading.runs or reading.trace is not None or reading.caps or reading.evaluations


@needs_samples
@pytest.mark.parametrize("name", sorted(MEASURED))
def test_the_first_run_of_a_sample_has_the_figures_worked_out_by_hand(name: str) -> None:
    record = read(unpack(Path(name).name, (FOLDER / name).read_bytes(), LIMIT)).runs[0].record
    figures = {quantity.key: quantity.value for quantity in record.quantities}
    for key, value in MEASURED[name]:
        assert figures[key] == pytest.approx(value, rel=1e-6), key


@needs_samples
def test_guidellm_counts_a_mean_once_a_token_from_0_4_on_and_says_so() -> None:
    old, new = (
        read(unpack(name, (FOLDER / "guidellm" / name).read_bytes(), LIMIT)).runs[0].record
        for name in ("v0.2x_benchmarks_stripped.json", "report_v2_fixture.json")
    )
    definitions = [record.quantity("tpot:median") for record in (old, new)]
    assert [quantity.definition if quantity else None for quantity in definitions] == [
        "", "mean per request, weighted by its output tokens",
    ]  # fmt: skip
    assert (old.setting("concurrency").value, new.setting("concurrency").nominal) == (1, "unlimited")
    assert (old.setting("request_rate").nominal, new.setting("request_rate").value) == ("unlimited", 2.0)
    assert old.window is not None
    assert old.window.duration_s == pytest.approx(29.9972014)
