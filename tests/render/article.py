"""The driving article's four runs at 8K/1K as records, by hand: what the render tests print."""

from decimal import Decimal

from runs.domain.comparison import RunEntry
from runs.domain.facts import Basis, Evidence, Party, Printed, Quantity, Setting, SettingValue, State
from runs.domain.records import Provenance, RunRecord, Source
from runs.domain.scenarios import Offer, Scenario

HOUSE = Party("ElioVP", "maker of Paiton (the article's authors)")
AMD = Party("AMD", "maker of the accelerator")
SOURCE = Source(
    "article",
    "Kimi-K3.1-Pro op 6 MI355X GPUs bij 800 W met Paiton",
    "ElioVP",
    relation="maker of the runtime",
    published="2026-11-11",
    accessed="2026-11-12",
    language="nl",
    locale="nl",
)
AMD_SOURCE = Source(
    "amd", "Throughput of Kimi-K3.1-Pro on MI355X", "AMD", "maker of the accelerator", published="2026-11-04"
)
SCENARIO = Scenario(
    "article",
    "As in the article",
    price_per_kwh=Decimal("0.10"),
    offers=(
        Offer("TensorWave", Decimal("2.95"), source="TensorWave", checked="2026-11-11"),
        Offer("Daytona", Decimal("5.99"), "CPU, RAM and storage priced apart", checked="2026-11-11"),
        Offer("Oracle", Decimal("8.60"), "bare metal", checked="2026-11-11"),
    ),
)


def printed(  # noqa: PLR0913
    key: str, text: str, unit: str, party: Party = HOUSE, *, circa: bool = False, repeats: int | None = None,
    repeat_values: tuple[str, ...] = (), basis: Basis = Basis.MEASURED, via: str = "",
) -> Quantity:  # fmt: skip
    """A figure as the Dutch article prints it."""
    name, _, stat = key.partition(":")
    value = Decimal(text.replace(".", "").replace(",", "."))
    evidence = (Evidence("document", "amd" if via else "article", "table 8K/1K", text, via),)
    return Quantity(
        name, unit, basis, stat, value, party=party, evidence=evidence, printed=Printed(text, "nl", circa),
        repeats=repeats, repeat_values=tuple(Decimal(one) for one in repeat_values),
    )  # fmt: skip


def setting(
    key: str, value: SettingValue = None, state: State = State.STATED, *, nominal: str = "", quote: str = ""
) -> Setting:
    evidence = (Evidence("document", "article", "", quote),) if quote else ()
    return Setting(key, state, value, nominal, evidence)


def settings(*found: Setting) -> dict[str, Setting]:
    return {one.key: one for one in found}


WORKLOAD = (
    setting("model", "Kimi-K3.1-Pro"),
    setting("accelerator", "MI355X"),
    setting("node_gpus", 8),
    setting("isl", 8192, nominal="8K"),
    setting("osl", 1024, nominal="1K"),
    setting("num_prompts", 64),
    setting("concurrency", 16, quote="64 verzoeken en maximaal 16 gelijktijdige verzoeken"),
    setting("dataset", "random"),
    setting("prompts", "random"),
)


def paiton(temperature: float) -> RunRecord:
    t0 = temperature == 0
    speed = (
        printed("total_throughput", "5.661", "tok/s", repeats=2, repeat_values=("5673", "5648"))
        if t0
        else printed("total_throughput", "4.535", "tok/s", repeats=1),
        printed("output_throughput", "629" if t0 else "504", "tok/s"),
        printed("ttft:median", "0,65" if t0 else "1,23", "s"),
        printed("tpot:median", "20,4" if t0 else "30,6", "ms"),
    )
    power = (
        (printed("gpu_power:mean", "4,18", "kW"), printed("gpu_power_per_gpu:mean", "696", "W", circa=True))
        if t0
        else ()
    )
    return RunRecord(
        label=f"Paiton, 6 GPUs × 800 W, T = {'0' if t0 else '1.0'}",
        provenance=Provenance.HOUSE_DOCUMENT,
        party=HOUSE,
        settings=settings(
            *WORKLOAD,
            setting("active_gpus", 6),
            setting("active_gpu_indices", (2, 3, 4, 5, 6, 7), quote="Tests met zes GPUs gebruikten GPUs 2-7"),
            setting("power_cap_w", 800.0, quote="een vermogenslimiet van 800 W"),
            setting("power_scope", "GPUs"),
            setting("runtime", "Paiton"),
            setting("temperature", temperature, quote="T=0-verzoeken stelden expliciet --temperature 0 in"),
            setting("speculative_method", "DSpark"),
            setting("draft_model", "Inferact"),
            setting("prefix_caching", False),
            setting("ignore_eos", True),
            setting("chunked_prefill_tokens", 8192),
            setting("max_sequence_length", 140000),
            setting("client", "vllm bench serve"),
        ),
        quantities=(*speed, *power),
        setup="Paiton, six GPUs at 800 W",
    )


def published(label: str, runtime: str, figures: tuple[str, str, str, str], *more: Setting) -> RunRecord:
    keys = (("total_throughput", "tok/s"), ("output_throughput", "tok/s"), ("ttft:median", "s"), ("tpot:median", "ms"))
    quantities = [printed(key, text, unit, AMD, via="article") for (key, unit), text in zip(keys, figures, strict=True)]
    assumed = Quantity(
        "gpu_power_assumed_per_gpu", "W", Basis.ASSUMED, value=Decimal(1400), party=HOUSE,
        printed=Printed("1.400", "nl"),
        evidence=(Evidence("document", "article", quote="nemen we 1.400 W per GPU aan"),),
        note="typical board power as specified; does not prove that the runs were at it",
    )  # fmt: skip
    return RunRecord(
        label=label,
        provenance=Provenance.PUBLISHED,
        party=AMD,
        settings=settings(
            *WORKLOAD,
            setting("active_gpus", 8),
            setting("runtime", runtime),
            setting("client", "vllm bench serve", State.INFERRED, quote="volgens de workloadopzet die AMD publiceert"),
            setting("tensor_parallel", 8),
            setting("context_parallel", 8),
            *more,
        ),
        quantities=(*quantities, assumed),
    )


def records() -> dict[str, RunRecord]:
    return {
        "atom-8k-1k": published(
            "ATOM, 8 GPUs", "ATOM", ("7.484", "831,6", "0,821", "16,36"),
            setting("speculative_method", "DSpark"), setting("draft_count", 5, quote="DSpark, vijf drafts"),
        ),
        "paiton-t0-8k-1k": paiton(0),
        "paiton-t1-8k-1k": paiton(1.0),
        "vllm-8k-1k": published("vLLM, 8 GPUs", "vLLM", ("6.015", "668,4", "1,875", "22,06")),
    }  # fmt: skip


def entries() -> tuple[RunEntry, ...]:
    return tuple(RunEntry(key, record) for key, record in records().items())
