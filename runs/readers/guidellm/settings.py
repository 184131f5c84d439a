"""Settings of a guidellm benchmark in its three layouts. Addresses and keys of the back end stay out."""

from collections.abc import Mapping
from typing import Any

from runs.domain.records import Requests
from runs.readers.base import Findings, child, clean_text, finite, whole

UNLIMITED = "unlimited"
CLOSED = ("synchronous", "concurrent", "throughput")


def settle(document: Mapping[str, Any], benchmark: Mapping[str, Any], requests: Requests, found: Findings) -> None:
    version = child(document, "metadata").get("guidellm_version")
    found.setting("client", "guidellm", "the layout of the file")
    found.text("client_version", version, "metadata.guidellm_version")
    backend = child(benchmark, "config", "backend") or child(benchmark, "worker") or child(document, "args")
    found.model(backend.get("model") or backend.get("backend_model"), "backend, model")
    _load(benchmark, found)
    source = "{}_token_count.successful.total_sum / request_totals.successful"
    found.mean_length("isl", requests.input_tokens, requests.completed, source.format("prompt"))
    found.mean_length("osl", requests.output_tokens, requests.completed, source.format("output"))
    limit = whole(child(benchmark, "config", "constraints", "max_requests", "args").get("count"))
    limit = limit or whole(child(benchmark, "args").get("max_number")) or requests.attempted
    if limit:
        found.setting("num_prompts", limit, "max_requests, or request_totals.total")
    _sampling(child(backend, "extras"), found)
    if _synthetic(document, benchmark):
        found.setting("prompts", "synthetic text", "data", note="made by guidellm to the length asked for")


def _load(benchmark: Mapping[str, Any], found: Findings) -> None:
    place = "config.strategy" if child(benchmark, "config", "strategy") else "args.strategy"
    strategy = child(benchmark, *place.split("."))
    kind = clean_text(str(strategy.get("type_") or strategy.get("kind") or ""), 40)
    rate = finite(strategy.get("rate"))
    limit = whole(strategy.get("streams")) or whole(strategy.get("max_concurrency"))
    if kind == "synchronous":
        found.setting("concurrency", 1, place, note="synchronous: one request after the other")
    elif kind == "concurrent" and limit:
        found.setting("concurrency", limit, place, note="concurrent")
    elif kind and (chosen := whole(child(benchmark, "config", "profile").get("max_concurrency"))):
        found.setting("concurrency", chosen, "config.profile.max_concurrency", note=kind)
    elif kind:
        note = f"{kind}; its scheduler takes at most {limit}" if limit else kind
        found.setting("concurrency", None, place, nominal=UNLIMITED, note=note)
    if kind in CLOSED:
        found.setting("request_rate", None, place, nominal=UNLIMITED)
    elif rate is not None and rate > 0:
        found.setting("request_rate", rate, place, note=kind)


def _sampling(extras: Mapping[str, Any], found: Findings) -> None:
    """What the request's body was given beside its defaults; guidellm itself sends no temperature."""
    body = child(extras, "body") or extras
    temperature = finite(body.get("temperature"))
    if temperature is not None and temperature >= 0:
        found.setting("temperature", temperature, "backend.extras.body", note="sent with every request")
    top_p, top_k = finite(body.get("top_p")), whole(body.get("top_k"))
    if top_p:
        found.setting("top_p", top_p, "backend.extras.body", note="sent with every request")
    if top_k:
        found.setting("top_k", top_k, "backend.extras.body", note="sent with every request")
    if isinstance(body.get("ignore_eos"), bool):
        found.setting("ignore_eos", body["ignore_eos"], "backend.extras.body", note="sent with every request")


def _synthetic(document: Mapping[str, Any], benchmark: Mapping[str, Any]) -> bool:
    listed = child(document, "config", "spec").get("data") or child(document, "args").get("data")
    first = listed[0] if isinstance(listed, list) and listed else child(benchmark, "request_loader").get("data")
    if isinstance(first, dict):
        return "synthetic" in str(first.get("kind", "")) or "prompt_tokens" in first
    return isinstance(first, str) and "prompt_tokens" in first
