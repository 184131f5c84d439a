"""The keys of a result document: which are figures, which are settings, which are known and say nothing more."""

import re

# key of the document -> metric of the catalogue
FIGURES = {
    "total_token_throughput": "total_throughput",
    "output_throughput": "output_throughput",
    "request_throughput": "request_throughput",
    "request_goodput": "request_goodput",
    "request_goodput:": "request_goodput",  # the key's colon was a slip of vLLM 0.7 to 0.8.5 that forks keep
    "max_output_tokens_per_s": "peak_output_throughput",
    "duration": "duration",
    "spec_decode_acceptance_rate": "spec_acceptance",  # percent
    "spec_decode_acceptance_length": "spec_acceptance_length",
}
MAY_BE_ZERO = frozenset({"request_goodput", "spec_acceptance"})

LATENCY = re.compile(r"(mean|median|std|min|max|p\d+(?:\.\d+)?)_(ttft|tpot|itl|e2el)(_ms)?")

# what the tool itself writes; everything else at the top level came from --metadata or from a sweep
KNOWN = frozenset({
    "date", "endpoint_type", "backend", "label", "model_id", "tokenizer_id", "best_of", "use_beam_search",
    "num_prompts", "request_rate", "burstiness", "max_concurrency", "ramp_up_strategy", "ramp_up_start_rps",
    "ramp_up_end_rps", "completed", "failed", "total_input_tokens", "total_output_tokens", "total_input_sequences",
    "input_sequence_throughput", "input_throughput", "good_completed", "max_concurrent_requests", "rtfx",
    "benchmark_start_time_unix", "benchmark_end_time_unix", "run_number", "concurrency", "accept_length",
    "acceptance_rate", "goodput",
})  # fmt: skip
KNOWN_PATTERN = re.compile(r"spec_decode_.*|diffusion_.*|probe_.*|.*_ms|.*_throughput|.*_lens|.*_times")

# metadata whose meaning is beyond doubt -> (setting, kind); "version" is not: of the client or of the server?
METADATA = {
    "tensor_parallel_size": ("tensor_parallel", "int"),
    "tensor_parallel": ("tensor_parallel", "int"),
    "data_parallel_size": ("data_parallel", "int"),
    "gpu": ("accelerator", "name"),
    "gpu_name": ("accelerator", "name"),
    "accelerator": ("accelerator", "name"),
    "quantization": ("precision", "text"),
    "precision": ("precision", "text"),
    "temperature": ("temperature", "float"),
    "max_model_len": ("max_sequence_length", "int"),
    "dataset_name": ("dataset", "text"),
    "runtime": ("runtime", "text"),
    "runtime_version": ("runtime_version", "text"),
    "image_digest": ("image", "text"),
}
SECRET = re.compile(r"api.?key|token$|secret|passw|credential|authorization", re.IGNORECASE)
SECRET_VALUE = re.compile(r"^(sk-|hf_|Bearer |ghp_)")


def is_known(key: str) -> bool:
    """Whether the tool itself writes this key."""
    return key in KNOWN or key in FIGURES or bool(KNOWN_PATTERN.fullmatch(key) or LATENCY.fullmatch(key))
