"""The catalogue of metrics and of settings: keys, names, units, which way is better, what each one means."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from runs.domain.units import DomainError, Number

Better = Literal["higher", "lower", ""]


@dataclass(frozen=True)
class Metric:
    """One kind of figure.

    ``unit`` is the canonical one of stored, derived and exported values; ``shown`` the unit of tables; ``family`` the
    rules that apply to it (which settings matter, which clients time alike).
    """

    key: str
    name: str
    unit: str
    better: Better
    family: Literal[
        "throughput", "latency", "load", "power", "efficiency", "electricity", "rental", "quality", "configuration"
    ]
    definition: str
    shown: str = ""
    stats: tuple[str, ...] = ("",)

    @property
    def display_unit(self) -> str:
        return self.shown or self.unit


LATENCY_STATS = ("median", "single", "mean", "p75", "p90", "p95", "p99", "p99.9", "std", "min", "max")

METRICS: tuple[Metric, ...] = (
    Metric("total_throughput", "Total throughput, node", "tok/s", "higher", "throughput",
           "Input plus output tokens of successful requests over the benchmark duration, whole node."),
    Metric("per_gpu_total", "Total throughput per GPU", "tok/s/GPU", "higher", "throughput",
           "Total throughput over the active GPUs of the run, never over the GPUs of the node."),
    Metric("output_throughput", "Output throughput, node", "tok/s", "higher", "throughput",
           "Output tokens of successful requests over the benchmark duration, whole node."),
    Metric("per_gpu_output", "Output throughput per GPU", "tok/s/GPU", "higher", "throughput",
           "Output throughput over the active GPUs of the run."),
    Metric("request_throughput", "Request throughput", "req/s", "higher", "throughput",
           "Successful requests over the benchmark duration."),
    Metric("request_goodput", "Goodput", "req/s", "higher", "throughput",
           "Requests that met the stated latency goals over the benchmark duration."),
    Metric("peak_output_throughput", "Peak output throughput", "tok/s", "higher", "throughput",
           "Most output tokens in any one-second bucket of the run."),
    Metric("prefill_throughput", "Prefill throughput", "tok/s", "higher", "throughput",
           "Input tokens over the time to first token of one request."),
    Metric("request_output_rate", "Output rate per request", "tok/s", "higher", "throughput",
           "Median of 1 / inter-token latency of a request: not total throughput over concurrency."),
    Metric("ttft", "TTFT", "s", "lower", "latency",
           "Time to first token, from sending the request.", "s", LATENCY_STATS),
    Metric("tpot", "TPOT", "s", "lower", "latency",
           "Time per output token after the first: (end-to-end latency - TTFT) / (output tokens - 1), per request.",
           "ms", LATENCY_STATS),
    Metric("itl", "ITL", "s", "lower", "latency",
           "Inter-token latency: every gap between streamed chunks, pooled over requests.", "ms", LATENCY_STATS),
    Metric("e2el", "E2EL", "s", "lower", "latency", "End-to-end latency of a request.", "s", LATENCY_STATS),
    Metric("interactivity", "Interactivity", "tok/s/user", "higher", "latency", "1 / median TPOT."),
    Metric("duration", "Benchmark duration", "s", "", "load", "From the first request sent to the last answer."),
    Metric("gpu_power", "GPU power", "W", "lower", "power",
           "Power of the active GPUs: time-weighted mean over the benchmark window unless the statistic says so.",
           "kW", ("mean", "snapshot", "peak", "p50", "p95", "p99")),
    Metric("gpu_power_per_gpu", "GPU power per active GPU", "W", "lower", "power",
           "Power of the active GPUs over their number: the mean over the window, or one moment where it says so.", "W",
           ("mean", "snapshot")),
    Metric("gpu_power_idle", "Idle power of the active GPUs", "W", "lower", "power",
           "Power of the active GPUs while they serve nothing."),
    Metric("gpu_power_cap", "Joint GPU power cap", "W", "", "power",
           "Power cap per GPU times the active GPUs.", "kW"),
    Metric("gpu_power_assumed", "Assumed GPU power", "W", "", "power",
           "Assumed power per GPU times the active GPUs: an assumption, with its reason.", "kW"),
    Metric("gpu_power_assumed_per_gpu", "Assumed power per GPU", "W", "", "power",
           "Power per GPU that somebody assumes, with the reason: neither measured nor configured."),
    Metric("energy", "GPU energy", "J", "lower", "power",
           "Integral of the active GPUs' power over the benchmark window.", "kJ"),
    Metric("energy_per_token", "Energy per total token", "J/tok", "lower", "efficiency",
           "GPU energy over input plus output tokens of successful requests."),
    Metric("energy_per_output_token", "Energy per output token", "J/tok", "lower", "efficiency",
           "GPU energy over output tokens of successful requests."),
    Metric("tok_per_kw_cap", "Total tok/s per kW of power cap", "tok/s/kW", "higher", "efficiency",
           "Total throughput over the joint GPU power cap: a limit, not a consumption."),
    Metric("tok_per_kw_measured", "Total tok/s per measured kW", "tok/s/kW", "higher", "efficiency",
           "Total throughput over the measured mean power of the active GPUs."),
    Metric("tok_per_kw_assumed", "Total tok/s per assumed kW", "tok/s/kW", "", "efficiency",
           "Total throughput over an assumed power: says nothing about relative energy efficiency."),
    Metric("electricity_cap", "Electricity at the power cap", "$/Mtok", "lower", "electricity",
           "Electricity of the GPUs for a million total tokens if they drew their joint cap."),
    Metric("electricity_measured", "Electricity at measured power", "$/Mtok", "lower", "electricity",
           "Electricity of the GPUs for a million total tokens at their measured mean power."),
    Metric("electricity_assumed", "Electricity at assumed power", "$/Mtok", "", "electricity",
           "Electricity of the GPUs for a million total tokens at an assumed power: proves no saving."),
    Metric("electricity_output_cap", "Electricity at the power cap, per output token", "$/Mtok", "lower", "electricity",
           "Electricity of the GPUs for a million output tokens if they drew their joint cap."),
    Metric("electricity_output_measured", "Electricity at measured power, per output token", "$/Mtok", "lower",
           "electricity", "Electricity of the GPUs for a million output tokens at their measured mean power."),
    Metric("electricity_output_assumed", "Electricity at assumed power, per output token", "$/Mtok", "",
           "electricity", "Electricity of the GPUs for a million output tokens at an assumed power: proves no saving."),
    Metric("electricity_year_cap", "Electricity a year at the power cap", "$/year", "lower", "electricity",
           "Electricity of the GPUs over 8,760 hours at their joint cap."),
    Metric("electricity_year_measured", "Electricity a year at measured power", "$/year", "lower", "electricity",
           "Electricity of the GPUs over 8,760 hours at their measured mean power."),
    Metric("electricity_year_assumed", "Electricity a year at assumed power", "$/year", "", "electricity",
           "Electricity of the GPUs over 8,760 hours at an assumed power."),
    Metric("rental", "GPU rental", "$/Mtok", "lower", "rental",
           "Rental of the GPUs billed for a million total tokens; one statistic per offer."),
    Metric("rental_output", "GPU rental, per output token", "$/Mtok", "lower", "rental",
           "Rental of the GPUs billed for a million output tokens; one statistic per offer."),
    Metric("rental_year", "GPU rental a year", "$/year", "", "rental",
           "Rental of the GPUs billed for 8,760 hours, whatever they do; one statistic per offer."),
    Metric("input_tokens", "Input tokens of one request", "tokens", "", "load", "Input tokens of the request timed."),
    Metric("prefill_time", "Prefill time", "s", "lower", "latency", "Time that the prefill of one request took."),
    Metric("spec_acceptance", "Draft acceptance", "%", "", "load", "Drafted tokens that the model accepted."),
    Metric("spec_acceptance_length", "Acceptance length", "tokens", "", "load",
           "Tokens per verification step, the verified one included."),
    Metric("gpu_memory_used", "GPU memory used", "%", "", "load", "Share of the GPUs' memory in use."),
    Metric("model_parameters", "Model parameters", "parameters", "", "configuration", "Parameters of the model."),
    Metric("model_weights", "Model weights", "GB", "", "configuration", "Size of the model's weights.", "TB"),
    Metric("weights_storage", "Storage for weights", "GB", "", "configuration", "Storage the weights need.", "TB"),
    Metric("image_size", "Container image", "GB", "", "configuration", "Size of the container image."),
    Metric("host_ram_least", "Host RAM, at least", "GB", "", "configuration", "Least RAM of the host."),
    Metric("host_ram", "RAM of the node", "GB", "", "configuration", "RAM of the node.", "TB"),
    Metric("cpu_cores", "Cores per CPU", "cores", "", "configuration", "Cores of each CPU of the node."),
    Metric("idle_hbm", "HBM of the idle GPUs", "GB", "", "configuration",
           "Memory of the node's idle GPUs as specified."),
    Metric("power_sampling_interval", "Power sampling interval", "s", "", "configuration",
           "Time between two samples of the power log."),
    Metric("supply_limit_power", "Power per GPU near the supply's limit", "W", "", "configuration",
           "Power per GPU at which tests came near the limit of the node's supply."),
    Metric("decode_cell", "Decode cell", "s", "", "configuration", "Time over which sustained decode is counted."),
)  # fmt: skip

BY_KEY: dict[str, Metric] = {metric.key: metric for metric in METRICS}


@lru_cache(maxsize=4096)
def metric(key: str) -> Metric:
    """The metric of a key (``ttft`` or ``ttft:median``); raises DomainError that says what is known."""
    name, _, stat = key.partition(":")
    found = BY_KEY.get(name)
    if found is None:
        raise DomainError(f"unknown metric {name!r}; known: {', '.join(BY_KEY)}")
    if stat and found.family != "rental" and stat not in found.stats:
        raise DomainError(f"{name} has no statistic {stat!r}; known: {', '.join(found.stats)}")
    return found


LARGEST = 1e15
_FIGURES_OF_ZERO = frozenset({"request_goodput", "spec_acceptance", "gpu_memory_used", "idle_hbm"})


def why_impossible(key: str, value: Number) -> str:
    """Why a metric cannot have a value, in words: none is negative, and 0 is what people write for "unknown".

    Empty where it can; a spread, a share and a count of what met a goal may be 0.
    """
    name, may_be_zero = metric(key).name, key.endswith(":std") or key.partition(":")[0] in _FIGURES_OF_ZERO
    if value < 0 and may_be_zero:
        return f"{name} is 0 or more, not {value}"
    if value < 0 or (value == 0 and not may_be_zero):
        return f"{name} is above 0, not {value}"
    return f"{name} of {value:g} is beyond anything that is measured" if value > LARGEST else ""


@dataclass(frozen=True)
class SettingSpec:
    """One kind of setting: key, name, group of the settings table, unit and type of its value."""

    key: str
    name: str
    group: Literal["hardware", "serving", "speculation", "workload", "client"]
    kind: Literal["text", "int", "float", "bool", "indices"] = "text"
    unit: str = ""

    def means(self, value: object) -> bool:
        """Whether a value of the right type can be meant: no blank text, no cap of 0 W, no run of 0 GPUs or requests.

        0 is what people write for "unknown"; it would pass for a value ever after.
        """
        if isinstance(value, str):
            return bool(value.strip())
        return self.key in MAY_BE_ZERO or value != 0 or isinstance(value, bool)


MAY_BE_ZERO = frozenset({"temperature", "seed", "draft_count", "chunked_prefill_tokens", "expert_parallel"})

SETTINGS: tuple[SettingSpec, ...] = (
    SettingSpec("accelerator", "Accelerator", "hardware"),
    SettingSpec("node_gpus", "GPUs of the node", "hardware", "int", "GPUs"),
    SettingSpec("active_gpus", "Active GPUs", "hardware", "int", "GPUs"),
    SettingSpec("active_gpu_indices", "Active GPU indices", "hardware", "indices"),
    SettingSpec("power_cap_w", "Power cap per GPU", "hardware", "float", "W"),
    SettingSpec("power_scope", "What the power covers", "hardware"),
    SettingSpec("node", "Node", "hardware"),
    SettingSpec("cpu", "CPUs of the node", "hardware"),
    SettingSpec("ram", "RAM of the node", "hardware"),
    SettingSpec("model", "Model", "serving"),
    SettingSpec("precision", "Precision / quantisation", "serving"),
    SettingSpec("runtime", "Runtime", "serving"),
    SettingSpec("runtime_version", "Runtime version", "serving"),
    SettingSpec("image", "Image digest", "serving"),
    SettingSpec("tensor_parallel", "Tensor parallelism", "serving", "int"),
    SettingSpec("expert_parallel", "Expert parallelism", "serving", "int"),
    SettingSpec("data_parallel", "Data parallelism", "serving", "int"),
    SettingSpec("context_parallel", "Context parallelism", "serving", "int"),
    SettingSpec("cpu_offload", "CPU offload", "serving"),
    SettingSpec("prefix_caching", "Prefix caching", "serving", "bool"),
    SettingSpec("chunked_prefill_tokens", "Prefill chunk", "serving", "int", "tokens"),
    SettingSpec("max_sequence_length", "Maximum sequence length", "serving", "int", "tokens"),
    SettingSpec("kv_pool_tokens", "KV pool", "serving", "int", "tokens"),
    SettingSpec("speculative_method", "Speculative decoding", "speculation"),
    SettingSpec("draft_model", "Draft model", "speculation"),
    SettingSpec("draft_count", "Drafted tokens", "speculation", "int", "tokens"),
    SettingSpec("draft_acceptance", "Draft acceptance, real or synthetic", "speculation"),
    SettingSpec("temperature", "Sampling temperature", "workload", "float"),
    SettingSpec("top_p", "Nucleus sampling (top-p)", "workload", "float"),
    SettingSpec("top_k", "Sampling from the best k (top-k)", "workload", "int", "tokens"),
    SettingSpec("seed", "Random seed of the client", "workload", "int"),
    SettingSpec("dataset", "Dataset", "workload"),
    SettingSpec("prompts", "Prompts real or random", "workload"),
    SettingSpec("isl", "ISL", "workload", "int", "tokens"),
    SettingSpec("osl", "OSL", "workload", "int", "tokens"),
    SettingSpec("num_prompts", "Number of prompts", "workload", "int", "requests"),
    SettingSpec("concurrency", "Maximum concurrency", "workload", "int", "requests"),
    SettingSpec("request_rate", "Request rate", "workload", "float", "req/s"),
    SettingSpec("ignore_eos", "Ignore EOS", "workload", "bool"),
    SettingSpec("client", "Client", "client"),
    SettingSpec("client_version", "Client version", "client"),
    SettingSpec("client_image", "Client image", "client"),
    SettingSpec("date", "Date of the run", "client"),
)

SETTING_BY_KEY: dict[str, SettingSpec] = {spec.key: spec for spec in SETTINGS}


def setting_spec(key: str) -> SettingSpec:
    """The catalogue entry of a setting; raises DomainError that says what is known."""
    found = SETTING_BY_KEY.get(key)
    if found is None:
        raise DomainError(f"unknown setting {key!r}; known: {', '.join(SETTING_BY_KEY)}")
    return found
