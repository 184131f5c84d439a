"""Settings of a ``bench_serving`` line. Of the server's own report only named keys are taken: it can hold a key."""

import math
from collections.abc import Mapping
from typing import Any

from runs.domain.facts import State
from runs.domain.records import Requests
from runs.readers.base import Findings, child, clean_text, finite, whole

CLIENT = "SGLang bench_serving"
UNLIMITED = "unlimited"
TEXTS = {"quantization": "precision", "version": "runtime_version",
         "speculative_draft_model_path": "draft_model"}  # fmt: skip
COUNTS = {"tp_size": "tensor_parallel", "dp_size": "data_parallel", "ep_size": "expert_parallel",
          "context_length": "max_sequence_length", "max_total_num_tokens": "kv_pool_tokens",
          "speculative_num_draft_tokens": "draft_count"}  # fmt: skip


def settle(document: Mapping[str, Any], found: Findings, requests: Requests) -> None:
    """Puts every setting that a line states or lets infer."""
    note = "inferred from the layout of the line: the file does not name its client"
    found.setting("client", CLIENT, "backend, total_throughput", state=State.INFERRED, note=note)
    _load(document, found)
    found.text("dataset", document.get("dataset_name"), "dataset_name")
    found.mean_length("isl", requests.input_tokens, requests.completed, "total_input_tokens / completed")
    found.mean_length("osl", requests.output_tokens, requests.completed, "total_output_tokens / completed")
    if requests.attempted:
        found.setting("num_prompts", requests.attempted, "errors", note="one entry for every request")
    said = "unless told otherwise bench_serving sends temperature 0.0 and ignore_eos; it records neither: not stated"
    found.remark("sampling-not-recorded", said, "backend")
    if isinstance(document.get("server_info"), dict):
        _server(child(document, "server_info"), found)
    if finite(document.get("accept_length")) and "speculative_method" not in found.settings:
        said = "the file counts accepted drafts, so drafting was on; with which method it does not say"
        nominal = "on, method not stated"
        found.setting("speculative_method", None, "accept_length", state=State.INFERRED, nominal=nominal, note=said)


def _load(document: Mapping[str, Any], found: Findings) -> None:
    limit = whole(document.get("max_concurrency"))
    if limit:
        found.setting("concurrency", limit, "max_concurrency")
    elif "max_concurrency" in document and document["max_concurrency"] is None:
        found.setting("concurrency", None, "max_concurrency", nominal=UNLIMITED)
    rate = document.get("request_rate")
    if rate in (math.inf, "inf"):
        found.setting("request_rate", None, "request_rate", nominal=UNLIMITED)
    elif isinstance(rate, str) and rate.strip():
        found.setting("request_rate", None, "request_rate", nominal=clean_text(rate, 40))
    elif (number := finite(rate)) is not None and number > 0:
        found.setting("request_rate", number, "request_rate")


def _server(info: Mapping[str, Any], found: Findings) -> None:
    """What the server says of itself. Only these keys: the rest of some 290 says nothing here, and one is a secret."""
    if any(isinstance(info.get(side), dict | list) for side in ("prefill", "decode")):
        said = "prefill and decode run on servers of their own: their settings are not taken from the file"
        found.remark("disaggregated", said, "server_info")
        return
    found.model(info.get("model_path"), "server_info.model_path")
    for key, setting in TEXTS.items():
        found.text(setting, info.get(key), f"server_info.{key}")
    for key, setting in COUNTS.items():
        if count := whole(info.get(key)):
            found.setting(setting, count, f"server_info.{key}")
    if "version" in info or "tp_size" in info:
        found.setting("runtime", "SGLang", "server_info")
    if isinstance(info.get("disable_radix_cache"), bool):
        found.setting("prefix_caching", not info["disable_radix_cache"], "server_info.disable_radix_cache")
    chunk = finite(info.get("chunked_prefill_size"))
    if chunk is not None and chunk == int(chunk) and -1 <= chunk < 1e12 and chunk:
        note = "-1 in the file: off" if chunk < 0 else ""
        found.setting("chunked_prefill_tokens", max(0, int(chunk)), "server_info.chunked_prefill_size", note=note)
    if "speculative_algorithm" in info:
        method = info["speculative_algorithm"]
        if method is None:
            found.setting("speculative_method", "none", "server_info.speculative_algorithm")
        found.text("speculative_method", method, "server_info.speculative_algorithm")
