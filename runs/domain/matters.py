"""Which settings matter for which metrics, which belong to one factor, and when two settings are the same."""

import re
from dataclasses import dataclass
from functools import cache

from runs.domain.derived import Figures
from runs.domain.facts import Setting, State
from runs.domain.metrics import SETTINGS, setting_spec
from runs.domain.records import RunRecord

TOLERANCE = 0.02
"""ISL and OSL within 2 % are the same workload."""

_SERVING = frozenset(
    {
        "model", "precision", "runtime", "runtime_version", "node", "accelerator", "active_gpus", "power_cap_w",
        "cpu_offload", "tensor_parallel",
        "expert_parallel", "data_parallel", "context_parallel", "prefix_caching", "chunked_prefill_tokens",
        "speculative_method", "draft_model", "draft_count", "draft_acceptance", "temperature", "ignore_eos", "dataset",
        "prompts", "isl", "osl", "num_prompts", "concurrency", "request_rate", "client",
    }
)  # fmt: skip

MATTERS: dict[str, frozenset[str]] = {
    "throughput": _SERVING,
    "latency": _SERVING,
    "load": _SERVING,
    "power": _SERVING | {"power_scope"},
    "efficiency": _SERVING | {"power_scope"},
    "electricity": _SERVING | {"power_scope"},
    "rental": _SERVING | {"node_gpus"},
    "configuration": frozenset(),
    "quality": frozenset({"model", "precision", "runtime", "runtime_version", "temperature"}),
}

EVERY_MATTER: frozenset[str] = frozenset().union(*MATTERS.values())

FACTORS: dict[str, frozenset[str]] = {
    "gpus": frozenset(
        {"active_gpus", "active_gpu_indices", "node_gpus", "tensor_parallel", "expert_parallel", "data_parallel",
         "context_parallel"}
    ),
    "accelerator": frozenset({"accelerator"}),
    "power cap": frozenset({"power_cap_w"}),
    "runtime": frozenset({"runtime", "runtime_version"}),
    "precision": frozenset({"precision"}),
    "CPU offload": frozenset({"cpu_offload"}),
    "prefix caching": frozenset({"prefix_caching"}),
    "prefill chunk": frozenset({"chunked_prefill_tokens"}),
    "sequence length": frozenset({"max_sequence_length", "kv_pool_tokens"}),
    "speculation": frozenset({"speculative_method", "draft_model", "draft_count", "draft_acceptance"}),
    "temperature": frozenset({"temperature"}),
    "sampling": frozenset({"top_p", "top_k"}),
    "EOS": frozenset({"ignore_eos"}),
    "prompts": frozenset({"num_prompts", "dataset", "prompts"}),
}  # fmt: skip

WORKLOAD = ("isl", "osl", "concurrency", "request_rate", "prompts", "dataset")
REQUIRED = ("model", "isl", "osl", "concurrency")

_CLIENTS = (
    ("vllm bench serve", "vllm"),
    ("inferencex", "vllm"),
    ("benchmark_serving", "vllm"),
    ("atom", "vllm"),
    ("sglang", "sglang"),
    ("lmx", "lmx"),
)


@dataclass(frozen=True)
class Side:
    """One side of a comparison: a run, its figures, whether a valid evaluation covers it, what was said of it."""

    record: RunRecord
    figures: Figures
    validated: bool = False
    statements: tuple[str, ...] = ()


def rests_on_measured_power(key: str) -> bool:
    """Whether a metric of power comes from watts that were measured, not from a limit or an assumption."""
    name = key.partition(":")[0]
    return not name.endswith("_cap") and "assumed" not in name


def timing_of(client: str) -> str:
    """The family of clients that take their times alike; a client of its own where it is none of the known ones."""
    name = client.casefold()
    return next((family for prefix, family in _CLIENTS if prefix in name), name)


_NOMINAL = re.compile(r"(\d+(?:\.\d+)?)\s*([km]?)", re.IGNORECASE)


def _nominal_values(nominal: str) -> tuple[float, ...]:
    """What a nominal length may mean: "8K" is 8,000 or 8,192."""
    match = _NOMINAL.fullmatch(nominal.strip())
    if match is None:
        return ()
    number, suffix = float(match[1]), match[2].casefold()
    return {"": (number,), "k": (number * 1000, number * 1024), "m": (number * 1e6, number * 1024 * 1024)}[suffix]


def _close(left: float, right: float) -> bool:
    return abs(left - right) <= TOLERANCE * max(abs(left), abs(right))


def same(a: Setting, b: Setting) -> bool | None:
    """Whether two settings are the same; None where one side is not known."""
    if not (a.is_known and b.is_known):
        return None
    if State.NOT_APPLICABLE in (a.state, b.state):
        return a.state is b.state
    if a.canonical or b.canonical:
        return _name(a).casefold() == _name(b).casefold()
    if a.value is not None and b.value is not None:
        return _same_value(a, b)
    if a.value is None and b.value is None:
        return _same_name(a.nominal, b.nominal)
    exact, named = (a, b) if a.value is not None else (b, a)
    if isinstance(exact.value, int | float) and not isinstance(exact.value, bool):
        values = _nominal_values(named.nominal)
        return any(_close(float(exact.value), value) for value in values)
    return str(exact.value).casefold() == named.nominal.casefold()


def _name(setting: Setting) -> str:
    return (setting.canonical or (setting.nominal if setting.value is None else str(setting.value))).strip()


def _same_name(a: str, b: str) -> bool:
    """8K and 8k; 1K and 1024, which both may mean 1,024."""
    if a.strip().casefold() == b.strip().casefold():
        return True
    return any(_close(left, right) for left in _nominal_values(a) for right in _nominal_values(b))


def _same_value(a: Setting, b: Setting) -> bool:
    if isinstance(a.value, str) and isinstance(b.value, str):
        return a.value.strip().casefold() == b.value.strip().casefold()
    if a.key in ("isl", "osl") and isinstance(a.value, int | float) and isinstance(b.value, int | float):
        return _close(float(a.value), float(b.value))
    return a.value == b.value


def declared_same(a: RunRecord, b: RunRecord) -> bool:
    """Whether a source or upload declares both runs one setup."""
    return bool(a.setup) and a.setup == b.setup


NO_SPECULATION = frozenset({"none", "off", "no", "false", "disabled"})
_DRAFTING = frozenset({"draft_model", "draft_count", "draft_acceptance"})


def speculates(record: RunRecord) -> bool | None:
    """Whether a run drafted tokens; None where that is not known."""
    method = record.setting("speculative_method")
    if not method.is_known:
        return None
    named = str(method.value if method.value is not None else method.nominal)
    return method.state is not State.NOT_APPLICABLE and named.strip().casefold() not in NO_SPECULATION


def unknown_on_a_side(a: RunRecord, b: RunRecord, keys: frozenset[str]) -> tuple[str, ...]:
    """Settings that are inferred, disputed or not stated on a side, in catalogue order."""
    return tuple(key for key in _ordered(keys) if not (_is_firm(a, key) and _is_firm(b, key)))


def _is_firm(record: RunRecord, key: str) -> bool:
    """Without speculative decoding nobody states how much was drafted: nothing is to be stated. A dispute stays one."""
    setting = record.setting(key)
    moot = key in _DRAFTING and speculates(record) is False and setting.state is not State.DISPUTED
    return setting.is_firm or moot


def differing_factors(a: RunRecord, b: RunRecord) -> tuple[str, ...]:
    """Names of the factors in which two runs are known to differ."""
    return tuple(
        name for name, keys in FACTORS.items() if any(same(a.setting(key), b.setting(key)) is False for key in keys)
    )


@cache
def _ordered(keys: frozenset[str]) -> tuple[str, ...]:
    return tuple(spec.key for spec in SETTINGS if spec.key in keys)


for _keys in (*MATTERS.values(), *FACTORS.values()):
    for _key in _keys:
        setting_spec(_key)
