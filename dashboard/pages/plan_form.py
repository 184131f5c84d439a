"""The form of a plan: its fields in groups, what is wrong beside each, and what it would run on a target."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy as _

from dashboard.pages.plan_typed import MATRIX
from runs.services.answers import Problem, RefusedError
from runs.services.jobs import plans, reads, targets

CLIENTS = (
    ("vllm", "vllm bench serve"), ("sglang", "SGLang bench_serving"), ("guidellm", "guidellm"), ("aiperf", "aiperf"),
    ("llama-bench", "llama-bench"), ("lm-eval", "lm-evaluation-harness"), ("lmx", "lmx"),
    ("command", _("a command of the target")),
)  # fmt: skip
IGNORE_EOS = (("", _("the client's default")), ("yes", _("yes")), ("no", _("no")))
NEW: dict[str, Any] = {
    "client": "vllm", "endpoint": "http://127.0.0.1:8000", "temperature": 0.0, "isl": 8192, "osl": 1024,
    "num_prompts": 640, "matrix": {"concurrency": [1, 4, 16]}, "repeats": 1, "timeout_s": 3600,
}  # fmt: skip


@dataclass(frozen=True)
class PlanField:
    """One field: ``kind`` is text, number, choice, lines or names; ``values`` are the chosen ones of names."""

    name: str
    label: Any
    kind: str = "text"
    help: Any = ""
    unit: str = ""
    choices: Sequence[tuple[str, Any]] = ()
    value: str = ""
    values: tuple[str, ...] = ()
    errors: tuple[Problem, ...] = ()

    @property
    def id(self) -> str:
        return self.name.replace(".", "-")


GROUPS: tuple[tuple[Any, tuple[PlanField, ...]], ...] = (
    (_("What runs"), (
        PlanField("client", _("Client"), "choice", choices=CLIENTS),
        PlanField("endpoint", _("Endpoint"), help=_("As the target reaches it: http://127.0.0.1:8000")),
        PlanField("model", _("Model"), help=_("As the endpoint serves it; for llama-bench the file.")),
        PlanField("tokenizer", _("Tokenizer"), help=_("Empty: the target's, else the model's own.")),
    )),
    (_("Workload"), (
        PlanField("isl", _("ISL"), "number", unit="tokens"),
        PlanField("osl", _("OSL"), "number", unit="tokens"),
        PlanField("num_prompts", _("Number of prompts"), "number", help=_("llama-bench: repetitions; lmx: requests.")),
        PlanField("concurrency", _("Maximum concurrency"), "number"),
        PlanField("request_rate", _("Request rate"), "number", unit="req/s", help=_("Empty: unlimited.")),
        PlanField("dataset", _("Dataset"), help=_("Empty: random tokens.")),
        PlanField("tasks", _("Tasks"), help=_("For lm-eval, such as gsm8k.")),
        PlanField("quantization", _("Precision / quantisation"), help=_("For lmx, which is told it.")),
    )),
    (_("Sampling"), (
        PlanField("temperature", _("Sampling temperature"), "number", help=_("Always passed; no default.")),
        PlanField("top_p", _("Nucleus sampling (top-p)"), "number"),
        PlanField("top_k", _("Sampling from the best k (top-k)"), "number"),
        PlanField("seed", _("Random seed of the client"), "number", help=_("Empty: 1, where the client takes one.")),
        PlanField("ignore_eos", _("Ignore EOS"), "choice", choices=IGNORE_EOS),
    )),
    (_("Several values: a job for every combination"), tuple(
        PlanField(f"matrix.{key}", label, help=help_)
        for key, label, help_ in zip(MATRIX, (
            _("Maximum concurrency, values"), _("Sampling temperature, values"), _("ISL, values"), _("OSL, values"),
            _("Number of prompts, values"), _("Request rate, values"),
        ), (_("With commas: 1, 4, 16"), "", "", "", "", ""), strict=True)
    )),
    (_("Runs and limits"), (
        PlanField("repeats", _("Repeats"), "number"),
        PlanField("timeout_s", _("Time limit"), "number", unit="s"),
        PlanField("active_gpus", _("Active GPUs"), help=_("Indices, such as 0-5. Empty: those seen at work.")),
        PlanField("power_cap_w", _("Power cap per GPU"), "number", unit="W", help=_("Checked before the start.")),
        PlanField("setup", _("Setup"), help=_("Runs of one setup are the same by declaration.")),
    )),
    (_("Commands of the target"), (
        PlanField("command", _("Command"), help=_("For the client “a command of the target”.")),
        PlanField("parameters", _("Its parameters"), "lines", help=_("A line each: name = value")),
        PlanField("pre", _("Before the run"), "names"),
        PlanField("post", _("After the run"), "names"),
    )),
    (_("Said of the runs"), (
        PlanField("settings", _("Settings stated"), "lines", help=_("A line each, such as tensor_parallel = 8")),
    )),
)  # fmt: skip


def groups(typed: dict[str, Any], problems: Sequence[Problem]) -> list[tuple[Any, list[PlanField]]]:
    """Every field with its text and what is wrong with it."""
    found = []
    for title, fields in GROUPS:
        found.append((title, [_filled(field, typed, problems) for field in fields]))
    return found


def _filled(field: PlanField, typed: dict[str, Any], problems: Sequence[Problem]) -> PlanField:
    value = typed.get(field.name, "")
    errors = tuple(one for one in problems if _is_of(one.place, field.name))
    shown = {name: getattr(field, name) for name in ("name", "label", "kind", "help", "unit", "choices")}
    if field.kind == "names":
        named = tuple((name, name) for name in dict.fromkeys((*_plain_commands(), *value)))
        return PlanField(**{**shown, "choices": named}, values=tuple(value), errors=errors)
    return PlanField(**shown, value=str(value), errors=errors)


def _is_of(place: str, name: str) -> bool:
    """Whether a problem belongs to a field: ``parameters.x`` to parameters, ``pre, post`` to both."""
    return any(part == name or (part.startswith(f"{name}.") and name != "matrix") for part in place.split(", "))


def elsewhere(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Problems that stand beside no field."""
    names = [field.name for _title, fields in GROUPS for field in fields] + ["name"]
    return tuple(one for one in problems if not any(_is_of(one.place, name) for name in names))


def _plain_commands() -> list[str]:
    """Names of the targets' commands that take no parameters: only such may stand before and after a run."""
    listed = [target.commands.items() for target in reads.targets()]
    return sorted({name for commands in listed for name, command in commands if not command.get("parameters")})


def command_names() -> list[str]:
    return sorted({name for target in reads.targets() for name in target.commands})


@dataclass(frozen=True)
class Preview:
    """What a plan would run on a target, to the letter; or what is wrong with it."""

    cells: Sequence[plans.PlanCell] = ()
    problems: Sequence[Problem] = ()


def preview(spec: dict[str, Any], problems: Sequence[Problem], target: int) -> Preview:
    if problems:
        return Preview(problems=problems)
    try:
        return Preview(plans.preview(spec=spec, target=targets.target_of(target)))
    except RefusedError as error:
        return Preview(problems=error.problems or (Problem("plan", "", str(error), ""),))


def as_json(spec: dict[str, Any]) -> str:
    return json.dumps(spec, indent=2, ensure_ascii=False)
