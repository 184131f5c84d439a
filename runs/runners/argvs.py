"""The argument list of each client, by the versions that docs/clients.md names."""

import json
from collections.abc import Callable, Mapping

from runs.runners.invocations import (
    Invocation,
    drawn,
    ignores_eos,
    need,
    one_at_a_time,
    options,
    plain,
    seed_of,
    text_of,
)
from runs.runners.plans import PlanSpec

VLLM_STARTS = ("Traffic request rate:", "Starting main benchmark run")
SERVING_ENDS = ("Serving Benchmark Result",)
SERVED = ("temperature", "endpoint", "model", "isl", "osl", "num_prompts")
Programs = Mapping[str, str]


def _vllm(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    need(spec, *SERVED)
    program = programs.get("vllm", "vllm")
    told = options(
        backend="vllm", base_url=spec.endpoint.rstrip("/"), model=spec.model, tokenizer=tokenizer,
        dataset_name=spec.dataset or "random", random_input_len=spec.isl, random_output_len=spec.osl,
        num_prompts=spec.num_prompts, max_concurrency=spec.concurrency, request_rate=spec.request_rate,
        **drawn(spec), seed=seed_of(spec), percentile_metrics="ttft,tpot,itl,e2el",
        metric_percentiles="50,90,95,99", result_filename="result.json",
    )  # fmt: skip
    flags = ["--save-result", *(["--ignore-eos"] if ignores_eos(spec) else [])]
    argv = (program, "bench", "serve", *told, *flags)
    return Invocation(program, argv, ("result.json",), VLLM_STARTS, SERVING_ENDS, _all(spec))


def _sglang(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    """Sampling goes in the request's body: older versions have no options for it. Its dataset ``random`` is cut from
    ShareGPT's texts, which it downloads; ``random-ids`` are random tokens, as in the other clients."""
    need(spec, *SERVED)
    program = programs.get("sglang", "python3")
    told = options(
        backend="sglang-oai", base_url=spec.endpoint.rstrip("/"), model=spec.model, tokenizer=tokenizer,
        dataset_name=spec.dataset or "random-ids", random_input_len=spec.isl, random_output_len=spec.osl,
        random_range_ratio=1, num_prompts=spec.num_prompts, max_concurrency=spec.concurrency,
        request_rate=spec.request_rate, seed=seed_of(spec), extra_request_body=json.dumps(drawn(spec)),
        output_file="result.jsonl",
    )  # fmt: skip
    flags = [] if ignores_eos(spec) else ["--disable-ignore-eos"]
    argv = (program, "-m", "sglang.bench_serving", *told, *flags)
    starts = ("Starting main benchmark run",)
    return Invocation(program, argv, ("result.jsonl",), starts, SERVING_ENDS, _all(spec))


def _guidellm(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    need(spec, *SERVED)
    program = programs.get("guidellm", "guidellm")
    body = {**drawn(spec), "ignore_eos": ignores_eos(spec)}
    rated = {"kind": "constant", "rate": spec.request_rate, "max_concurrency": spec.concurrency}
    profile = rated if spec.request_rate else {"kind": "concurrent", "streams": spec.concurrency or 1}
    told = {
        "backend": {"kind": "openai_http", "target": spec.endpoint.rstrip("/"), "model": spec.model,
                    "request_format": "/v1/completions", "extras": {"body": body}},
        "profile": {key: value for key, value in profile.items() if value is not None},
        "constraint": {"kind": "max_requests", "count": spec.num_prompts},
        "data": {"kind": "synthetic_text", "prompt_tokens": spec.isl, "output_tokens": spec.osl},
        "tokenizer": {"kind": "huggingface_auto", "model": tokenizer or spec.model},
        "seed": {"kind": "static", "value": seed_of(spec)},
        "output": {"kind": "json", "path": "benchmarks.json"},
    }  # fmt: skip
    argv = (program, "run", *(f"--{name}={json.dumps(value)}" for name, value in told.items()))
    return Invocation(program, (*argv, "--disable-console-interactive"), ("benchmarks.json",), sampling=_all(spec))


def _aiperf(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    need(spec, *SERVED)
    program = programs.get("aiperf", "aiperf")
    extra = json.dumps({**drawn(spec), "ignore_eos": ignores_eos(spec)})
    told = options(
        model_names=plain("model", spec.model, ","), url=spec.endpoint.rstrip("/"), endpoint_type="chat",
        tokenizer=tokenizer, concurrency=spec.concurrency, request_rate=spec.request_rate,
        request_count=spec.num_prompts, synthetic_input_tokens_mean=spec.isl, synthetic_input_tokens_stddev=0,
        output_tokens_mean=spec.osl, output_tokens_stddev=0, extra_inputs=extra, random_seed=seed_of(spec), ui="none",
        output_artifact_dir="aiperf", export_level="records",
    )  # fmt: skip
    argv = (program, "profile", *told, "--streaming")
    return Invocation(program, argv, ("aiperf/profile_export_aiperf.json",), sampling=_all(spec))


def _llama_bench(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    """It runs a model file itself, one sequence after the other, and samples nothing."""
    need(spec, "model", "isl", "osl")
    one_at_a_time(spec)
    program = programs.get("llama-bench", "llama-bench")
    model = plain("model", spec.model, ",;")
    repetitions = str(spec.num_prompts or 5)
    argv = (program, "-m", model, "-p", str(spec.isl), "-n", str(spec.osl), "-r", repetitions, "-o", "json")
    return Invocation(program, argv, ("llama-bench.json",), stdout="llama-bench.json")


def _lm_eval(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    need(spec, "endpoint", "model", "tasks", "temperature")
    program = programs.get("lm-eval", programs.get("lm_eval", "lm_eval"))
    pairs = {"model": spec.model, "base_url": f"{spec.endpoint.rstrip('/')}/v1/completions", "tokenizer": tokenizer,
             "num_concurrent": str(spec.concurrency or 1)}  # fmt: skip
    arguments = ",".join(f"{key}={plain(key, value, ',=')}" for key, value in pairs.items() if value)
    sampling = ",".join(f"{key}={text_of(value)}" for key, value in drawn(spec).items())
    told = [f"--model_args={arguments}", f"--tasks={plain('tasks', spec.tasks, ' ')}",
            f"--gen_kwargs={sampling}", f"--seed={seed_of(spec)}"]  # fmt: skip
    if spec.num_prompts:
        told.append(f"--limit={spec.num_prompts}")
    argv = (program, "--model=local-completions", *told, "--output_path=lm_eval")
    passed = {**drawn(spec), "seed": seed_of(spec)}
    return Invocation(program, argv, ("lm_eval/**/results*.json", "lm_eval/results*.json"), sampling=passed)


def _lmx(spec: PlanSpec, programs: Programs, tokenizer: str) -> Invocation:
    """It sends a few requests, one after the other, and reports their median. Without ``--submit`` nothing leaves."""
    need(spec, "endpoint", "model", "isl", "osl", "temperature")
    one_at_a_time(spec)
    program = programs.get("lmx", "lmx")
    told = options(
        mode="remote", base_url=spec.endpoint.rstrip("/"), hf_id=spec.model, served_model=spec.model,
        quantization=spec.quantization or "not stated", prompt_tokens=spec.isl, max_tokens=spec.osl,
        temperature=spec.temperature, iterations=spec.num_prompts, out="lmx.json",
    )  # fmt: skip
    argv = (program, "benchmark", "run", "vllm", *told)
    return Invocation(program, argv, ("lmx.json",), sampling=drawn(spec))


def _all(spec: PlanSpec) -> dict[str, float | bool]:
    return {**drawn(spec), "seed": seed_of(spec), "ignore_eos": ignores_eos(spec)}


CLIENTS: dict[str, Callable[[PlanSpec, Programs, str], Invocation]] = {
    "vllm": _vllm,
    "sglang": _sglang,
    "guidellm": _guidellm,
    "aiperf": _aiperf,
    "llama-bench": _llama_bench,
    "lm-eval": _lm_eval,
    "lmx": _lmx,
}

_SAMPLING = frozenset({"temperature", "top_p", "top_k", "seed"})
_LENGTHS = frozenset({"isl", "osl", "num_prompts"})
_LOAD = frozenset({"concurrency", "request_rate"})
_SERVING = _SAMPLING | _LENGTHS | _LOAD | {"ignore_eos", "tokenizer"}
WORKLOAD = _SERVING | {"dataset", "quantization", "tasks"}
"""What a plan says of the workload. Where a client is not told it, it would silently not be so."""

TAKEN: dict[str, frozenset[str]] = {
    "vllm": _SERVING | {"dataset"},
    "sglang": _SERVING | {"dataset"},
    "guidellm": _SERVING,
    "aiperf": _SERVING,
    "llama-bench": _LENGTHS | _LOAD,
    "lm-eval": _SAMPLING | {"num_prompts", "concurrency", "tasks", "tokenizer"},
    "lmx": _LENGTHS | _LOAD | {"temperature", "quantization"},
}
"""What each client is told; a concurrency of 1 is true of those that do one request at a time."""
