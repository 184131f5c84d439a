"""Random runs for property tests, and one run written out in full that the tables of cases change in one place."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from runs.domain.derived import figures
from runs.domain.facts import Basis, Evidence, Party, Printed, Quantity, Setting, SettingValue, State, Status
from runs.domain.matters import Side
from runs.domain.metrics import SETTINGS
from runs.domain.records import Provenance, Requests, RunRecord

HOUSE = Party("this house")
VALUES: Mapping[str, tuple[SettingValue, ...]] = {
    "text": ("none", "random", "real", "synthetic", "vllm bench serve", "lmx", "GPUs", "wall"),
    "int": (1, 4, 6, 8, 16, 1024, 8192),
    "float": (0, 1.0, 800, 1400),
    "bool": (True, False),
    "indices": ((0, 1), (2, 3)),
}

# Everything that matters is stated; a case changes what it is about.
FULL: Mapping[str, SettingValue] = {
    "model": "M", "precision": "fp4", "runtime": "R", "runtime_version": "1", "accelerator": "A", "node": "n1",
    "node_gpus": 8, "active_gpus": 8, "active_gpu_indices": (0, 1, 2, 3, 4, 5, 6, 7), "power_cap_w": 800,
    "power_scope": "node", "cpu_offload": "none", "tensor_parallel": 8, "expert_parallel": 1, "data_parallel": 1,
    "context_parallel": 1, "prefix_caching": False, "chunked_prefill_tokens": 8192, "speculative_method": "none",
    "temperature": 0.7, "ignore_eos": True, "dataset": "sharegpt", "prompts": "real", "isl": 1000, "osl": 100,
    "num_prompts": 64, "concurrency": 16, "request_rate": 10, "client": "vllm bench serve", "date": "2026-11-10",
}  # fmt: skip


def stated(key: str, value: SettingValue, state: State = State.STATED, **more: Any) -> Setting:
    return Setting(key, state, value, evidence=(Evidence("statement"),), **more)


def full(*quantities: Quantity, party: Party = HOUSE, requests: Requests = Requests(), **changes: Any) -> RunRecord:  # noqa: B008
    """A measured run that states everything. A change is a value, a Setting, or None for not stated."""
    settings = {}
    for key, value in {**FULL, **changes}.items():
        if value is not None:
            settings[key] = value if isinstance(value, Setting) else stated(key, value)
    return RunRecord("run", Provenance.MEASURED, party, settings, quantities or (quantity("total_throughput", 8000.0),),
                     requests)  # fmt: skip


def quantity(key: str, value: float | Decimal | None, unit: str = "", **more: Any) -> Quantity:
    """A figure measured once unless said otherwise."""
    name, _, stat = key.partition(":")
    units = {"ttft": "s", "tpot": "s", "itl": "s", "e2el": "s", "gpu_power": "W", "gpu_power_idle": "W", "energy": "J",
             "duration": "s", "request_throughput": "req/s", "gpu_power_assumed_per_gpu": "W",
             "per_gpu_total": "tok/s/GPU"}  # fmt: skip
    given = {"basis": Basis.MEASURED, "repeats": 1, **more}
    return Quantity(name, unit or units.get(name, "tok/s"), stat=stat, value=value, **given)


def printed(key: str, text: str, unit: str = "", *, circa: bool = False, **more: Any) -> Quantity:
    """A figure as an English text prints it."""
    return quantity(key, Decimal(text), unit, printed=Printed(text, "plain", circa), **more)


def side(record: RunRecord) -> Side:
    return Side(record, figures(record))


def variants(key: str, kind: str) -> list[Setting]:
    """A setting as another run may have it: another value, a nominal one, or none for one reason or another."""
    other = [stated(key, value) for value in VALUES[kind]]
    usual = [stated(key, FULL.get(key), state) for state in (State.OBSERVED, State.INFERRED)]
    names = [Setting(key, State.STATED, None, name) for name in ("1K", "unlimited")]
    disputed = Setting(key, State.DISPUTED, claims=("one", "other"))
    return [*other, *usual, *names, disputed, Setting(key, State.NOT_APPLICABLE), Setting(key, State.NOT_STATED)]


FIGURES = ("total_throughput", "output_throughput", "per_gpu_total", "ttft:median", "tpot:median", "e2el:mean",
           "gpu_power:mean", "gpu_power_idle", "gpu_power_assumed_per_gpu", "energy", "request_throughput")  # fmt: skip


def figure_variants(key: str) -> list[Quantity]:
    """A figure as it mostly is, and once in every way that it may be less."""
    usual = [quantity(key, value, repeats=n) for value in (0.5, 80.0, 8000.0) for n in (None, 1, 2)]
    text = [printed(key, text, repeats=n) for text in ("5661", "944", "0.5") for n in (None, 2)]
    weak = [quantity(key, 7.0, basis=basis) for basis in (Basis.CONFIGURED, Basis.ESTIMATED, Basis.ASSUMED)]
    gone = [quantity(key, None, status=status) for status in (Status.NOT_MEASURED, Status.WITHDRAWN)]
    stale = [quantity(key, 9.0, status=status) for status in (Status.HISTORICAL, Status.CORRECTED, Status.WITHDRAWN)]
    odd = [quantity(key, 7.0, definition=name) for name in ("per chunk", "unknown")]
    spread = quantity(key, None, low=1.0, high=Decimal(2))
    return [*usual, *text, *weak, *gone, *stale, *odd, spread, quantity(key, 0.0)]


CHANGES = [one for spec in SETTINGS for one in variants(spec.key, spec.kind)]
FACTORS = [stated(key, value) for key, value in (("temperature", 0), ("power_cap_w", 1000), ("precision", "fp8"),
                                                 ("runtime", "vLLM"), ("node", "n2"))]  # fmt: skip
QUANTITIES = [one for key in FIGURES for one in figure_variants(key)]


@st.composite
def records(draw: st.DrawFn) -> RunRecord:
    """A run with random settings in random states, mostly like one another so that every grade is reached."""
    changes = draw(st.lists(st.sampled_from(CHANGES), max_size=2) | st.lists(st.sampled_from(FACTORS), max_size=3))
    given = draw(st.lists(st.sampled_from(QUANTITIES), max_size=4, unique_by=lambda one: one.key))
    total = quantity("total_throughput", 8000.0)
    usual = () if any(one.key == total.key for one in given) else (total,)
    return RunRecord(
        label="run",
        provenance=draw(st.sampled_from(Provenance)),
        party=draw(st.sampled_from([HOUSE, Party("a vendor", "maker of the runtime")])),
        settings={key: stated(key, value) for key, value in FULL.items()} | {one.key: one for one in changes},
        quantities=(*given, *usual),
        requests=draw(st.sampled_from([Requests(), Requests(64, 64, 0, 64000, 6400), Requests(64, 61, 3, 1, 0)])),
        setup=draw(st.sampled_from(["", "", "one"])),
    )
