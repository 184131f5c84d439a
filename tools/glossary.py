"""Writes docs/glossary.md from the catalogues: ``python -m tools.glossary`` (``--check``: only whether it is so)."""

import sys
from collections.abc import Iterable, Sequence
from decimal import Decimal
from pathlib import Path

from dashboard.render.wording import BASIS, FAMILIES, GRADE, GROUPS, REASONS, STATE, STATUS
from runs.domain.caveat_texts import TEXTS
from runs.domain.compare import CLOSE
from runs.domain.comparison import Grade
from runs.domain.cost import costs
from runs.domain.derived import figures
from runs.domain.facts import Basis, Party, Quantity, Setting, State, Status
from runs.domain.matters import FACTORS, MATTERS
from runs.domain.metrics import METRICS, SETTINGS
from runs.domain.records import Provenance, Requests, RunRecord
from runs.domain.scenarios import Offer, Scenario

PATH = Path(__file__).resolve().parents[1] / "docs" / "glossary.md"

SETTING_MEANINGS = {
    "accelerator": "Kind of GPU, by its maker's name.",
    "node_gpus": "GPUs that the node has, whether they took part or not.",
    "active_gpus": "GPUs that took part. Every figure per GPU is over these, never over the GPUs of the node.",
    "active_gpu_indices": "Which of the node's GPUs took part.",
    "power_cap_w": "Limit set per GPU: a limit, not a consumption.",
    "power_scope": "What the watts cover: GPUs, board, node or wall. Watts of two scopes are never compared.",
    "node": "Which machine, by a name that is the same for every run on it.",
    "cpu": "CPUs of the node.",
    "ram": "Memory of the node.",
    "model": "The model served, by its full name.",
    "precision": "Precision or quantisation of the weights.",
    "runtime": "The serving software.",
    "runtime_version": "Its version or commit.",
    "image": "Digest of the container image. A caveat where it differs, no factor.",
    "tensor_parallel": "GPUs that share each layer.",
    "expert_parallel": "GPUs over which experts are spread.",
    "data_parallel": "Copies of the model side by side.",
    "context_parallel": "GPUs that share a sequence (decode context parallelism included).",
    "cpu_offload": "What runs on or lies with the CPU; none where nothing does.",
    "prefix_caching": "Whether the KV of a shared beginning is reused.",
    "chunked_prefill_tokens": "Most tokens of a prompt worked on in one step.",
    "max_sequence_length": "Most tokens of input and output that the server takes for a request.",
    "kv_pool_tokens": "Tokens whose KV fits at once.",
    "speculative_method": "How tokens are drafted ahead; none where they are not.",
    "draft_model": "The model that drafts.",
    "draft_count": "Tokens drafted per step.",
    "draft_acceptance": "real (earned by the draft model) or synthetic (set by hand).",
    "temperature": "Sampling temperature; 0 is greedy.",
    "top_p": "Tokens are drawn from the likeliest ones that hold this share of the probability together.",
    "top_k": "Tokens are drawn from this many likeliest ones.",
    "seed": "Seed of the client's prompts, arrivals or sampling: which of them depends on the client. No factor.",
    "dataset": "Where the prompts come from.",
    "prompts": "real or random.",
    "isl": "Input sequence length per request. Within 2 % it is the same workload.",
    "osl": "Output sequence length per request. Within 2 % it is the same workload.",
    "num_prompts": "Requests sent in the whole run.",
    "concurrency": "Most requests in flight at once.",
    "request_rate": "Requests sent per second; unlimited where all are sent as soon as the concurrency allows.",
    "ignore_eos": "Whether a request goes on to its full OSL past an end-of-sequence token.",
    "client": "The program that sent the requests and took the times.",
    "client_version": "Its version or commit.",
    "client_image": "Its container image.",
    "date": "When the run was. A caveat where it differs, no factor.",
}

STATUS_MEANINGS = {
    Status.CURRENT: "It stands.",
    Status.CORRECTED: "The number first given was wrong; the old one stays readable.",
    Status.HISTORICAL: "Measured before a change that matters.",
    Status.SUPERSEDED: "A newer build or run replaces it; it stays true of the old one.",
    Status.WITHDRAWN: "No longer valid, and in no ratio.",
    Status.NOT_MEASURED: "Nobody measured it.",
    Status.NOT_STATED: "Nobody gives it.",
}

CEILINGS = {
    **dict.fromkeys(
        (
            "cap-not-stated", "temperature-not-stated", "temperature-inferred", "speculation-not-stated",
            "draft-count-not-stated", "client-not-stated", "prefix-caching-not-stated", "eos-not-stated",
            "precision-not-stated", "parallelism-not-stated", "disputed",
        ),
        Grade.INDICATIVE,
    ),
    **dict.fromkeys(
        ("assumed-power", "estimated", "power-scope-differs", "definition-differs", "power-not-valid",
            "simulated-run"),
        Grade.NOT_COMPARABLE,
    ),
}  # fmt: skip
"""The highest grade that a caveat allows; those not named here allow every grade."""

HEAD = """# Glossary

Written by `python -m tools.glossary` from the catalogues in `runs/domain`; edit those, not this file.

Every figure carries its value or range, unit, basis, status, party, evidence, its printed text if it was printed, and
how many repeats stand behind it. A printed figure stands for its closed rounding interval: 4.18 kW is 4.175 to 4.185
kW; "circa" widens it to half of the last digit that is not 0. Display rounds half away from zero: the mean of 5673 and
5648 shows as 5661."""


CLOSENESS = (
    f"Beside a ratio stands the range that rounding of printed figures and the spread of repeats leave it. Two "
    f"figures less than {CLOSE:.0%} of the larger apart, one of them from a single repeat or from an unknown number, "
    f"are too close to name a winner."
)
STRENGTH = """Order of strength: measured, configured, estimated, assumed. A derived figure shows the weakest basis of
what it comes from; a reader's scenario does not weaken it."""


def document() -> str:
    """The whole glossary, as Markdown."""
    parts = [HEAD, "## Metrics"]
    for family, name in FAMILIES.items():
        rows = metric_rows(family)
        if rows:
            parts += [f"### {name}", table(("Key", "Name", "Unit", "Better", "Definition", "Formula"), rows)]
    parts.append("## Settings")
    for group, name in GROUPS.items():
        settings = [
            (f"`{spec.key}`", spec.name, spec.unit, spec.kind, SETTING_MEANINGS[spec.key], matters_for(spec.key))
            for spec in SETTINGS
            if spec.group == group
        ]
        parts += [f"### {name}", table(("Key", "Name", "Unit", "Kind", "Meaning", "Matters for"), settings)]
    parts += [
        "What differs together counts as one factor: " + "; ".join(factors()) + ".",
        "## Basis: how a number came to be",
        STRENGTH,
        table(("Basis", "Meaning"), BASIS.values()),
        "## Status: whether it still stands",
        "A figure derived from others inherits the gravest status among them.",
        table(("Status", "Meaning"), [(STATUS[status], meaning) for status, meaning in STATUS_MEANINGS.items()]),
        "## State: what is known of a setting",
        table(("State", "Meaning"), STATE.values()),
        "## Grade: how far a ratio can be trusted",
        "The first that applies, and the same with both runs swapped.",
        CLOSENESS,
        table(("Grade", "Meaning"), GRADE.values()),
        "What may decide it:",
        table(("Reason", "In words"), [(f"`{key}`", words) for key, words in REASONS.items()]),
        "## Caveats",
        table(("Caveat", "English", "Dutch", "Allows at most"), caveat_rows()),
    ]
    return "\n\n".join(parts) + "\n"


def metric_rows(family: str) -> list[tuple[str, ...]]:
    known = formulas()
    rows: list[tuple[str, ...]] = []
    for one in METRICS:
        if one.family == family:
            stats = f" ({', '.join(one.stats)})" if one.stats != ("",) else ""
            unit = one.unit if one.display_unit == one.unit else f"{one.unit}, shown in {one.display_unit}"
            formula = known.get(one.key, "")
            rows.append((f"`{one.key}`", one.name, unit, one.better or "-", one.definition + stats, formula))
    return rows


def formulas() -> dict[str, str]:
    """The formula of every metric that is worked out here, as the code gives it for a run that has everything."""
    figure = [
        Quantity(name, unit, Basis.MEASURED, stat, 1.0)
        for name, unit, stat in (
            ("total_throughput", "tok/s", ""), ("output_throughput", "tok/s", ""), ("tpot", "s", "median"),
            ("gpu_power", "W", "mean"), ("energy", "J", ""), ("gpu_power_assumed_per_gpu", "W", ""),
            ("input_tokens", "tokens", ""), ("prefill_time", "s", ""),
        )
    ]  # fmt: skip
    settings = {key: Setting(key, State.STATED, 1) for key in ("active_gpus", "node_gpus", "power_cap_w")}
    record = RunRecord("", Provenance.MEASURED, Party(""), settings, tuple(figure), Requests(1, 1, 0, 1, 1))
    found = figures(record)
    scenario = Scenario("", "", price_per_kwh=Decimal(1), offers=(Offer("offer", Decimal(1)),))
    found |= costs(record, found, scenario)
    return {one.metric: f"`{one.formula}`" for one in found.values() if one.formula}


def matters_for(key: str) -> str:
    families = [family for family, keys in MATTERS.items() if key in keys]
    if set(families) >= set(MATTERS) - {"quality", "configuration"}:
        return "every result"
    return ", ".join(families) or "-"


def factors() -> Iterable[str]:
    return (f"{name} ({', '.join(sorted(keys))})" for name, keys in FACTORS.items() if len(keys) > 1)


def caveat_rows() -> Iterable[tuple[str, ...]]:
    for key, text in sorted(TEXTS.items()):
        ceiling = CEILINGS.get(key)
        yield (f"`{key}`", f"**{text.title_en}.** {text.en}", f"**{text.title_nl}.** {text.nl}", ceiling or "-")


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def main(arguments: Sequence[str]) -> int:
    if "--check" in arguments:
        fresh = PATH.exists() and PATH.read_text(encoding="utf-8") == document()
        print("docs/glossary.md is up to date" if fresh else "docs/glossary.md is stale: python -m tools.glossary")
        return 0 if fresh else 1
    PATH.write_text(document(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
