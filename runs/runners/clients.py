"""The argument list of each client, from a plan. Every value goes in as ``--name=value`` or in a place of its own:
what begins with a dash or holds quotes, spaces or newlines stays the value that it is."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from runs.runners.plans import PlanError, PlanSpec

VLLM_STARTS = ("Traffic request rate:", "Starting main benchmark run")
SERVING_ENDS = ("Serving Benchmark Result",)
PARAMETER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Command:
    """A command that a target declares: an argument list with ``{named}`` parameters, and the result files it writes.

    ``window_starts`` and ``window_ends`` are words of the lines between which it measures.
    """

    argv: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    window_starts: tuple[str, ...] = ()
    window_ends: tuple[str, ...] = ()


@dataclass(frozen=True)
class Invocation:
    """What will run, to the letter; ``results`` are the files to upload, by glob; marks find the window in its output.

    ``states_temperature`` False: this client takes none, so that the run's temperature stays not stated.
    """

    program: str
    argv: tuple[str, ...]
    results: tuple[str, ...] = ()
    window_starts: tuple[str, ...] = ()
    window_ends: tuple[str, ...] = ()
    states_temperature: bool = True


def invocation(
    spec: PlanSpec, programs: Mapping[str, str], commands: Mapping[str, Command], tokenizer: str = ""
) -> Invocation:
    """The argument list of one cell. Raises PlanError for what the client needs and the plan does not say."""
    if spec.client == "command":
        return _declared(spec, commands)
    if spec.client not in ("llama-bench", "lmx"):
        _need(spec, "temperature")
    return _CLIENTS[spec.client](spec, programs, tokenizer or spec.tokenizer)


def _need(spec: PlanSpec, *names: str) -> None:
    for name in names:
        if getattr(spec, name) in (None, ""):
            raise PlanError(name, f"a value: {spec.client} is always told one", "none")


def _plain(place: str, text: str, forbidden: str) -> str:
    """Text for a client that splits its own values: what it would split on is refused."""
    if any(char in text for char in forbidden) or text.startswith(("{", "[")):
        raise PlanError(place, f"text without any of {forbidden!r}, on which this client splits", text)
    return text


def _options(**options: object) -> list[str]:
    """``--name=value`` for every option that has a value."""
    return [f"--{name.replace('_', '-')}={_text(value)}" for name, value in options.items() if value not in (None, "")]


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _vllm(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    _need(spec, "endpoint", "model", "isl", "osl", "num_prompts")
    program = programs.get("vllm", "vllm")
    options = _options(
        backend="vllm", base_url=spec.endpoint.rstrip("/"), model=spec.model, tokenizer=tokenizer,
        dataset_name=spec.dataset, random_input_len=spec.isl, random_output_len=spec.osl,
        num_prompts=spec.num_prompts, max_concurrency=spec.concurrency, request_rate=spec.request_rate,
        temperature=spec.temperature, seed=spec.seed, percentile_metrics="ttft,tpot,itl,e2el",
        metric_percentiles="50,90,95,99", result_filename="result.json",
    )  # fmt: skip
    flags = ["--save-result", *(["--ignore-eos"] if spec.ignore_eos else [])]
    return Invocation(
        program, (program, "bench", "serve", *options, *flags), ("result.json",), VLLM_STARTS, SERVING_ENDS
    )


def _sglang(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    _need(spec, "endpoint", "model", "isl", "osl", "num_prompts")
    program = programs.get("sglang", "python3")
    body = json.dumps({"temperature": spec.temperature})
    options = _options(
        backend="sglang-oai", base_url=spec.endpoint.rstrip("/"), model=spec.model, tokenizer=tokenizer,
        dataset_name=spec.dataset, random_input_len=spec.isl, random_output_len=spec.osl, random_range_ratio=1,
        num_prompts=spec.num_prompts, max_concurrency=spec.concurrency, request_rate=spec.request_rate, seed=spec.seed,
        extra_request_body=body, output_file="result.jsonl",
    )  # fmt: skip
    flags = [] if spec.ignore_eos else ["--disable-ignore-eos"]
    argv = (program, "-m", "sglang.bench_serving", *options, *flags)
    return Invocation(program, argv, ("result.jsonl",), ("Starting main benchmark run",), SERVING_ENDS)


def _guidellm(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    _need(spec, "endpoint", "model", "isl", "osl", "num_prompts")
    program = programs.get("guidellm", "guidellm")
    kind, rate = ("constant", spec.request_rate) if spec.request_rate else ("concurrent", spec.concurrency or 1)
    extras = {"body": {"temperature": spec.temperature, "ignore_eos": spec.ignore_eos}}
    options = _options(
        target=spec.endpoint.rstrip("/"), model=spec.model, processor=tokenizer, rate_type=kind, rate=rate,
        max_requests=spec.num_prompts, data=json.dumps({"prompt_tokens": spec.isl, "output_tokens": spec.osl}),
        backend_kwargs=json.dumps({"extras": extras}), random_seed=spec.seed, output_path="benchmarks.json",
    )  # fmt: skip
    argv = (program, "benchmark", "run", *options, "--disable-console-interactive")
    return Invocation(program, argv, ("benchmarks.json",))


def _aiperf(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    _need(spec, "endpoint", "model", "isl", "osl", "num_prompts")
    program = programs.get("aiperf", "aiperf")
    extra = json.dumps({"temperature": spec.temperature, "ignore_eos": spec.ignore_eos})
    options = _options(
        model_names=_plain("model", spec.model, ","), url=spec.endpoint.rstrip("/"), endpoint_type="chat",
        tokenizer=tokenizer, concurrency=spec.concurrency, request_rate=spec.request_rate,
        request_count=spec.num_prompts, synthetic_input_tokens_mean=spec.isl, synthetic_input_tokens_stddev=0,
        output_tokens_mean=spec.osl, output_tokens_stddev=0, extra_inputs=extra, random_seed=spec.seed, ui="none",
        output_artifact_dir="aiperf", export_level="records",
    )  # fmt: skip
    argv = (program, "profile", *options, "--streaming")
    return Invocation(program, argv, ("aiperf/profile_export_aiperf.json",))


def _llama_bench(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    """It runs a model file itself, without sampling: there is no temperature to state."""
    _need(spec, "model", "isl", "osl")
    program = programs.get("llama-bench", "llama-bench")
    model = _plain("model", spec.model, ",;")
    argv = (program, "-m", model, "-p", str(spec.isl), "-n", str(spec.osl), "-r", "5", "-o", "json", "-oe", "md")
    return Invocation(program, argv, ("output.log",), states_temperature=False)


def _lm_eval(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    _need(spec, "endpoint", "model", "tasks")
    program = programs.get("lm-eval", programs.get("lm_eval", "lm_eval"))
    pairs = {"model": spec.model, "base_url": f"{spec.endpoint.rstrip('/')}/v1/completions", "tokenizer": tokenizer,
             "num_concurrent": str(spec.concurrency or 1)}  # fmt: skip
    arguments = ",".join(f"{key}={_plain(key, value, ',=')}" for key, value in pairs.items() if value)
    options = [f"--model_args={arguments}", f"--tasks={_plain('tasks', spec.tasks, ' ')}",
               f"--gen_kwargs=temperature={_text(spec.temperature)}", f"--seed={spec.seed}"]  # fmt: skip
    if spec.num_prompts:
        options.append(f"--limit={spec.num_prompts}")
    argv = (program, "--model=local-completions", *options, "--output_path=lm_eval")
    return Invocation(program, argv, ("lm_eval/**/results*.json", "lm_eval/results*.json"))


def _lmx(spec: PlanSpec, programs: Mapping[str, str], tokenizer: str) -> Invocation:
    """lmx 0.1 takes no temperature: it asks with its own, which it does not record."""
    _need(spec, "endpoint", "model", "isl", "osl")
    program = programs.get("lmx", "lmx")
    options = _options(
        hf_id=spec.model, quantization=spec.quantization or "not stated", bench_kind="serving",
        base_url=spec.endpoint.rstrip("/"), input_len=spec.isl, output_len=spec.osl, out="lmx.json",
    )  # fmt: skip
    argv = (program, "benchmark", "run", "vllm", *options)
    return Invocation(program, argv, ("lmx.json",), states_temperature=False)


def _declared(spec: PlanSpec, commands: Mapping[str, Command]) -> Invocation:
    """A declared command with its parameters filled in, each within the one argument where it stands."""
    command = commands.get(spec.command)
    if command is None:
        raise PlanError("command", f"one of the target's: {', '.join(sorted(commands)) or 'it declares none'}",
                        spec.command)  # fmt: skip
    given = {**{name: str(value) for name, value in _fields(spec).items()}, **spec.parameters}
    for name in spec.parameters:
        if name not in command.parameters:
            raise PlanError(f"parameters.{name}", f"one of: {', '.join(command.parameters) or 'it takes none'}", name)
    argv = [_filled(part, given, command) for part in command.argv]
    stated = any("{temperature}" in part for part in command.argv)
    marks = (command.window_starts, command.window_ends)
    return Invocation(argv[0], tuple(argv), command.results, *marks, states_temperature=stated)


def _fields(spec: PlanSpec) -> dict[str, object]:
    names = ("endpoint", "model", "temperature", "isl", "osl", "num_prompts", "concurrency", "request_rate", "seed")
    return {name: value for name in names if (value := getattr(spec, name)) not in (None, "")}


def _filled(part: str, given: Mapping[str, str], command: Command) -> str:
    whole = PARAMETER.fullmatch(part)
    if whole and given.get(whole[1], "").startswith("-"):
        raise PlanError(f"parameters.{whole[1]}", "no value that begins with a dash, as it stands by itself",
                        given[whole[1]])  # fmt: skip

    def value(found: re.Match[str]) -> str:
        if found[1] not in command.parameters or found[1] not in given:
            raise PlanError(f"parameters.{found[1]}", "a value", "none")
        return given[found[1]]

    return PARAMETER.sub(value, part)


_CLIENTS: dict[str, Callable[[PlanSpec, Mapping[str, str], str], Invocation]] = {
    "vllm": _vllm,
    "sglang": _sglang,
    "guidellm": _guidellm,
    "aiperf": _aiperf,
    "llama-bench": _llama_bench,
    "lm-eval": _lm_eval,
    "lmx": _lmx,
}
