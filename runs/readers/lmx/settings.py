"""Settings of an ``lmx`` payload: flat as the tool writes them, or nested as its site gives them back."""

from collections.abc import Mapping
from typing import Any

from runs.domain.facts import State
from runs.readers.base import Findings, child, clean_text, finite, whole

RUNTIMES = {"vllm": "vLLM", "sglang": "SGLang", "llama.cpp": "llama.cpp", "ollama": "Ollama"}


def settle(payload: Mapping[str, Any], found: Findings) -> None:
    """Puts what the payload states. The command line in it stays out: it can hold paths and keys."""
    found.setting("client", "lmx", "tokSOut", note=clean_text(str(payload.get("timingSource") or ""), 60))
    found.model(payload.get("hfId") or child(payload, "model").get("hfId"), "hfId")
    engine = child(payload, "engine") or payload
    name = engine.get("engineName")
    found.text("runtime", RUNTIMES.get(name.lower(), name) if isinstance(name, str) else None, "engineName")
    found.text("runtime_version", engine.get("engineVersion"), "engineVersion")
    quantization = engine.get("quantization") or payload.get("quantization")
    if isinstance(quantization, str) and quantization.casefold() not in ("", "not stated", "unknown"):
        found.text("precision", quantization, "quantization")
    _hardware(child(payload, "hardware"), found)
    for key, setting in (("promptTokens", "isl"), ("outputTokens", "osl"), ("contextLength", "max_sequence_length")):
        if count := whole(payload.get(key)):
            found.setting(setting, count, key)
    flags = child(payload, "engineFlags")
    if count := whole(flags.get("tensorParallel")):
        found.setting("tensor_parallel", count, "engineFlags.tensorParallel")
    if count := whole(flags.get("concurrency")):
        found.setting("concurrency", count, "engineFlags.concurrency", state=State.STATED)
    temperature = finite(flags.get("temperature"))
    if temperature is not None and temperature >= 0:
        found.setting("temperature", temperature, "engineFlags.temperature", state=State.STATED)
    found.text("date", payload.get("createdAt"), "createdAt")


def _hardware(hardware: Mapping[str, Any], found: Findings) -> None:
    """``gpuCount`` counts the GPUs of the machine; how many of them the run used it does not say."""
    found.text("accelerator", hardware.get("gpuName"), "hardware.gpuName")
    if count := whole(hardware.get("gpuCount")):
        found.setting("node_gpus", count, "hardware.gpuCount")
