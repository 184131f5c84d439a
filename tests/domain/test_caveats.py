"""Every caveat: one case in which it is given, with all it says, and one a step away in which it is not.

The runs are those of ``strategies.full``: everything stated, 8,000 tok/s on eight GPUs capped at 800 W, 1,000 tokens
in and 100 out, 16 at once. A case says only what it changes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Any

import pytest

from runs.domain.caveat_texts import TEXTS
from runs.domain.compare import compare
from runs.domain.comparison import Caveat, Grade, RunEntry, Severity
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Basis, Evidence, Party, Setting, State, Status
from runs.domain.records import PowerAnalysis, Provenance, Remark, Requests, RunRecord, Window
from runs.domain.scenarios import Offer, Scenario
from tests.domain.strategies import full, printed, quantity, stated

INFO, WARNING, SERIOUS = Severity
SPEED = ("total_throughput", "per_gpu_total")
CAP = ("gpu_power_cap", "tok_per_kw_cap")
OUT = ("total_throughput", "per_gpu_total", "tok_per_kw_cap")
MEASURED = ("gpu_power:mean", "gpu_power_per_gpu:mean", "tok_per_kw_measured")
LOGGED = ("gpu_power:mean", "gpu_power_per_gpu:mean", "energy", "tok_per_kw_measured")
VENDOR = Party("V", "maker of R")

total = quantity("total_throughput", 8000.0)
power = quantity("gpu_power:mean", 5000.0)
ten_seconds = (quantity("output_throughput", 100.0), quantity("duration", 10.0))
drafting: dict[str, Any] = {
    "speculative_method": "DSpark",
    "draft_model": "d",
    "draft_count": 5,
    "draft_acceptance": "real",
}


def other(**changes: Any) -> RunRecord:
    """A run with attributes of its record changed, not settings."""
    return replace(full(total), **changes)


def disputed(key: str) -> Setting:
    return Setting(key, State.DISPUTED, claims=("one", "other"))


def analysed(state: State = State.STATED, *, valid: bool = True, off: float = 0.0) -> RunRecord:
    """A run with a power log of ours: 5 kW over a minute."""
    reasons = () if valid else (Remark("gap", "a gap of 12 s"), Remark("short", "a window of 6 s"))
    analysis = PowerAnalysis(("0",), "GPUs", "amd-smi", Window(0, 60, state, off), 5000.0, 300000.0, None, None, None,
                             (), (), 1.0, 1.0, 1.0, bracketed=True, valid=valid, reasons=reasons)  # fmt: skip
    return other(power=analysis)


def scenario(**given: Any) -> Scenario:
    return Scenario("s", "S", **given)


@dataclass(frozen=True)
class Case:
    """A run for which a caveat is given against the baseline, and runs a step away for which it is not."""

    id: str
    severity: Severity
    metrics: tuple[str, ...]
    settings: tuple[str, ...]
    params: dict[str, object]
    run: RunRecord
    misses: Sequence[RunRecord]
    base: RunRecord = field(default_factory=full)
    scenario: Scenario | None = None
    missed_scenario: Scenario | None = None
    ceiling: Grade | None = None


LIMIT = Grade.INDICATIVE
PRICED = scenario(price_per_kwh=Decimal("0.1"))
HALF = replace(PRICED, utilisation=Decimal("0.5"))
PUE = replace(PRICED, pue=Decimal("1.5"))
RENTED = scenario(offers=(Offer("O", Decimal(3)),))

CASES = (
    # What one run does not say
    Case("cap-not-stated", SERIOUS, SPEED, ("power_cap_w",), {}, full(power_cap_w=None),
         [full(), full(power_cap_w=disputed("power_cap_w"))], ceiling=LIMIT),
    Case("temperature-not-stated", SERIOUS, SPEED + CAP, ("temperature",), {"value": ""}, full(temperature=None),
         [full(temperature=0), full(temperature=disputed("temperature"))], ceiling=LIMIT),
    Case("temperature-inferred", SERIOUS, SPEED + CAP, ("temperature",), {"value": 0},
         full(temperature=stated("temperature", 0, State.INFERRED)),
         [full(temperature=stated("temperature", 0, State.OBSERVED))], ceiling=LIMIT),
    Case("speculation-not-stated", WARNING, SPEED, ("speculative_method",), {}, full(speculative_method=None),
         [full(speculative_method="none")], ceiling=LIMIT),
    Case("draft-count-not-stated", INFO, SPEED, ("draft_count",), {}, full(**{**drafting, "draft_count": None}),
         [full(**drafting), full()], ceiling=LIMIT),
    Case("client-not-stated", WARNING, SPEED, ("client",), {}, full(client=None), [full()], ceiling=LIMIT),
    Case("prefix-caching-not-stated", INFO, SPEED, ("prefix_caching",), {}, full(prefix_caching=None),
         [full(prefix_caching=False)], ceiling=LIMIT),
    Case("eos-not-stated", INFO, SPEED, ("ignore_eos",), {}, full(ignore_eos=None), [full(ignore_eos=False)],
         ceiling=LIMIT),
    Case("precision-not-stated", INFO, SPEED, ("precision",), {}, full(precision=None),
         [full(precision=Setting("precision", State.STATED, None, "mixed"))], ceiling=LIMIT),
    Case("parallelism-not-stated", INFO, SPEED, ("tensor_parallel", "context_parallel"), {},
         full(tensor_parallel=None, context_parallel=None), [full()], ceiling=LIMIT),
    Case("nominal-lengths", INFO, SPEED, ("isl",), {"names": "1K"}, full(isl=Setting("isl", State.STATED, None, "1K")),
         [full(isl=Setting("isl", State.STATED, 1000, "1K"))]),
    Case("disputed", SERIOUS, SPEED + CAP, ("precision",), {}, full(precision=disputed("precision")),
         [full(precision=None)], ceiling=LIMIT),
    # What one run says
    Case("synthetic-acceptance", SERIOUS, SPEED, ("draft_acceptance",), {},
         full(**{**drafting, "draft_acceptance": "synthetic"}), [full(**drafting), full(draft_acceptance=None)]),
    Case("greedy-random-drafting", WARNING, SPEED, ("temperature", "prompts", "speculative_method"), {},
         full(**drafting, temperature=0, prompts="random"),
         [full(**drafting, temperature=0.1, prompts="random"), full(**drafting, temperature=0),
          full(temperature=0, prompts="random"), full(**drafting, temperature=None, prompts="random")]),
    Case("failed-requests", SERIOUS, SPEED + CAP, (), {"failed": 3, "attempted": 64},
         full(requests=Requests(completed=61, failed=3)), [full(requests=Requests(64, 64, 0)), full()]),
    *(Case(status.value, severity, OUT, (), {}, full(replace(total, status=status)),
           [full(total), full(replace(total, status=wrong))])
      for status, severity, wrong in ((Status.HISTORICAL, SERIOUS, Status.SUPERSEDED),
                                      (Status.SUPERSEDED, SERIOUS, Status.HISTORICAL),
                                      (Status.CORRECTED, WARNING, Status.WITHDRAWN),
                                      (Status.WITHDRAWN, SERIOUS, Status.CORRECTED))),
    Case("estimated", SERIOUS, OUT, (), {}, full(replace(total, basis=Basis.ESTIMATED)),
         [full(replace(total, basis=Basis.CONFIGURED))], ceiling=Grade.NOT_COMPARABLE),
    Case("assumed-power", SERIOUS, ("gpu_power_assumed", "gpu_power_assumed_per_gpu", "tok_per_kw_assumed"), (),
         {"watts": 1400, "reason": "board power"},
         full(total, printed("gpu_power_assumed_per_gpu", "1400", basis=Basis.ASSUMED, note="board power")),
         [full(total, power)], ceiling=Grade.NOT_COMPARABLE),
    Case("power-scope-gpus", WARNING, CAP, ("power_scope",), {}, full(power_scope="GPUs"),
         [full(power_scope="node"), full(power_scope=None)]),
    Case("pue-on-gpus-only", WARNING,
         ("electricity_cap", "electricity_measured", "electricity_year_cap", "electricity_year_measured"),
         ("power_scope",), {"pue": 1.5}, full(total, power, power_scope="GPUs"), [full(total, power)],
         scenario=PUE, missed_scenario=PRICED),
    Case("idle-power-not-stated", WARNING, ("electricity_cap", "electricity_year_cap"), (), {"utilisation": 0.5},
         full(), [full(total, quantity("gpu_power_idle", 900.0))], scenario=HALF),
    Case("power-not-checkable", INFO, MEASURED, (), {}, full(total, power), [analysed(), full(total)]),
    Case("power-not-valid", SERIOUS, LOGGED, (), {"reasons": "a gap of 12 s; a window of 6 s"},
         analysed(valid=False), [analysed()], ceiling=Grade.NOT_COMPARABLE),
    Case("power-window-inferred", WARNING, LOGGED, (), {"seconds": 2}, analysed(State.INFERRED, off=2.0),
         [analysed(State.OBSERVED, off=2.0)]),
    Case("idle-gpus-not-counted", WARNING, CAP, ("node_gpus", "active_gpus"), {"idle": 2, "node": 8},
         full(active_gpus=6), [full(), full(active_gpus=6, node_gpus=None)]),
    Case("node-not-splittable", WARNING,
         ("rental:O", "rental:O, whole node", "rental_year:O", "rental_year:O, whole node"),
         ("node_gpus", "active_gpus"),
         {"active": 6, "node": 8}, full(active_gpus=6), [full()], scenario=RENTED),
    Case("snapshot-no-mean", WARNING, ("gpu_power:snapshot",), (), {}, full(quantity("gpu_power:snapshot", 5000.0)),
         [full(quantity("gpu_power:peak", 5000.0))]),
    Case("repeats-not-stated", WARNING, SPEED, (), {}, full(replace(total, repeats=None)), [full(total)]),
    Case("house-by-document", INFO, SPEED + CAP, (), {"party": "V", "relation": "maker of R"},
         other(provenance=Provenance.HOUSE_DOCUMENT, party=VENDOR), [full(), other(provenance=Provenance.PUBLISHED)]),
    Case("published-by-document", INFO, SPEED + CAP, (), {"party": "V", "relation": "maker of R"},
         other(provenance=Provenance.PUBLISHED, party=VENDOR), [full(), other(provenance=Provenance.HOUSE_DOCUMENT)]),
    Case("simulated-run", SERIOUS, SPEED + CAP, (), {}, other(provenance=Provenance.SIMULATED),
         [full(), other(provenance=Provenance.PUBLISHED)], ceiling=Grade.NOT_COMPARABLE),
    Case("read-via", INFO, ("total_throughput",), (), {"via": "article"},
         full(replace(total, evidence=(Evidence("document", "table", via="article"),))),
         [full(replace(total, evidence=(Evidence("document", "table"),)))]),
    Case("noted", INFO, ("total_throughput",), (), {"text": "Unchanged by the fix."},
         full(replace(total, note="Unchanged by the fix.")), [full(total)]),
    # Whether its figures can all be true
    Case("cannot-follow", SERIOUS, ("per_gpu_total",), (),
         {"printed": "942", "computed": 943.5, "formula": "total_throughput / active_gpus"},
         full(printed("total_throughput", "5661"), printed("per_gpu_total", "942"), active_gpus=6),
         [full(printed("total_throughput", "5661"), printed("per_gpu_total", "943"), active_gpus=6)]),
    Case("agrees-within-rounding", INFO, ("per_gpu_total",), (),
         {"printed": "943", "computed": 943.5, "formula": "total_throughput / active_gpus"},
         full(printed("total_throughput", "5661"), printed("per_gpu_total", "943"), active_gpus=6),
         [full(printed("total_throughput", "5661"), printed("per_gpu_total", "944"), active_gpus=6),
          # Half to even would print 942 and call it another number.
          full(printed("total_throughput", "5655"), printed("per_gpu_total", "943"), active_gpus=6)]),
    Case("total-output-mismatch", SERIOUS, ("total_throughput", "output_throughput"), ("isl", "osl"),
         {"total": 8000, "expected": 6600},  # 600 x (1000 + 100) / 100
         full(printed("total_throughput", "8000"), printed("output_throughput", "600")),
         [full(printed("total_throughput", "8000"), printed("output_throughput", "727")),
          full(printed("total_throughput", "8000"), printed("output_throughput", "600"),
               isl=stated("isl", 1000, State.INFERRED))]),
    Case("above-concurrency", SERIOUS, ("request_throughput", "e2el:mean"), ("concurrency",),
         {"measured": 17, "limit": 16},
         full(quantity("request_throughput", 10.0), quantity("e2el:mean", 1.7)),
         # 16.8 is 1.05 x 16, the most that is not flagged; a drain lowers it honestly
         [full(quantity("request_throughput", 10.0), quantity("e2el:mean", 1.68)),
          full(quantity("request_throughput", 10.0), quantity("e2el:mean", 0.5)),
          full(quantity("request_throughput", 10.0), quantity("e2el:mean", 1.7), concurrency=None)]),
    Case("tokens-mismatch", SERIOUS, ("output_throughput",), (), {"throughput": 100, "expected": 102},
         full(*ten_seconds, requests=Requests(output_tokens=1020)),
         [full(*ten_seconds, requests=Requests(output_tokens=1009)), full(*ten_seconds)]),
    # What differs from the baseline
    Case("gpu-count-differs", SERIOUS, SPEED + CAP, ("active_gpus",),
         {"mine": 4, "theirs": 8, "gpu_ratio": 50, "node_ratio": -25},
         full(replace(total, value=6000.0), active_gpus=4), [full(), full(active_gpus=None)]),
    Case("gpu-count-differs-plain", SERIOUS, SPEED + CAP, ("active_gpus",), {"mine": 4, "theirs": 8},
         full(active_gpus=4, isl=2000), [full(active_gpus=4)]),
    Case("cap-differs", SERIOUS, SPEED + CAP, ("power_cap_w",), {"mine": 1000, "theirs": 800}, full(power_cap_w=1000),
         [full(), full(power_cap_w=None)]),
    Case("temperature-differs", SERIOUS, SPEED + CAP, ("temperature",), {"mine": 0, "theirs": 0.7}, full(temperature=0),
         [full(), full(temperature=None)]),
    Case("speculation-differs", WARNING, SPEED + CAP, ("draft_count",), {}, full(**{**drafting, "draft_count": 3}),
         [full(**drafting)], base=full(**drafting)),
    Case("client-differs", SERIOUS, SPEED, ("client",), {"mine": "lmx", "theirs": "vllm bench serve"},
         full(client="lmx"), [full(client="VLLM bench serve")]),
    Case("prefix-caching-differs", WARNING, SPEED, ("prefix_caching",), {"mine": "on", "theirs": "off"},
         full(prefix_caching=True), [full()]),
    Case("eos-differs", WARNING, SPEED, ("ignore_eos",), {"mine": "off", "theirs": "on"}, full(ignore_eos=False),
         [full()]),
    Case("precision-differs", WARNING, SPEED + CAP, ("precision",), {"mine": "fp8", "theirs": "fp4"},
         full(precision="fp8"), [full(precision="FP4")]),
    Case("parallelism-differs", WARNING, SPEED + CAP, ("expert_parallel", "tensor_parallel"), {},
         full(expert_parallel=8, tensor_parallel=1), [full(active_gpus=6)]),
    Case("node-differs", WARNING, SPEED + CAP, ("node",), {"mine": "n2", "theirs": "n1"}, full(node="n2"),
         [full(node=None)]),
    Case("date-differs", INFO, SPEED + CAP, ("date",), {"mine": "2026-11-11", "theirs": "2026-11-10"},
         full(date="2026-11-11"), [full()]),
    Case("accelerator-differs", WARNING, SPEED + CAP, ("accelerator",), {"mine": "B", "theirs": "A"},
         full(accelerator="B"), [full()]),
    Case("power-scope-differs", SERIOUS, CAP, ("power_scope",), {"mine": "wall", "theirs": "node"},
         full(power_scope="wall"), [full(power_scope=None)], ceiling=Grade.NOT_COMPARABLE),
    Case("definition-differs", SERIOUS, OUT, (), {}, full(replace(total, definition="failed ones too")), [full(total)],
         ceiling=Grade.NOT_COMPARABLE),
    Case("separate-nodes", INFO, SPEED + CAP, ("node",), {}, full(node=None, party=VENDOR),
         [full(node=None), full(node="n2", party=VENDOR), full(party=VENDOR)]),
    Case("one-against-mean", WARNING, SPEED, (), {"mine": 2, "theirs": 1}, full(replace(total, repeats=2)),
         [full(total), full(replace(total, repeats=None))]),
    Case("latency-worse", WARNING, ("per_gpu_total", "ttft:p99", "tpot:median", "interactivity"), (),
         {"names": "TTFT (p99), TPOT (median), Interactivity"},
         full(replace(total, value=9000.0), quantity("ttft:p99", 3.0), quantity("tpot:median", 0.03)),
         [full(replace(total, value=9000.0), quantity("ttft:p99", 2.0), quantity("tpot:median", 0.02)),
          full(replace(total, value=7000.0), quantity("ttft:p99", 3.0), quantity("tpot:median", 0.03)),
          # Another workload: what is faster and slower there says nothing
          full(replace(total, value=9000.0), quantity("ttft:p99", 3.0), quantity("tpot:median", 0.03), isl=2000)],
         base=full(total, quantity("ttft:p99", 2.0), quantity("tpot:median", 0.02))),
    Case("latency-better", WARNING, ("per_gpu_total", "ttft:median"), (), {"names": "TTFT (median)"},
         full(replace(total, value=7000.0), quantity("ttft:median", 1.0), quantity("ttft:std", 0.1)),
         [full(replace(total, value=7000.0), quantity("ttft:median", 3.0), quantity("ttft:std", 0.1))],
         base=full(total, quantity("ttft:median", 2.0), quantity("ttft:std", 0.2))),
)  # fmt: skip
ENTRY_CASES = {"accuracy-not-validated"}
"""Of what stands beside a record in its entry, and is tested below."""


def given(case: Case, run: RunRecord, under: Scenario | None) -> list[Caveat]:
    found = compare([RunEntry("base", case.base), RunEntry("run", run)], "base", under)
    return [caveat for caveat in found.caveats if caveat.id == case.id and caveat.run == 1]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_caveat_is_given_with_all_it_says(case: Case) -> None:
    (caveat,) = given(case, case.run, case.scenario)
    assert caveat.severity is case.severity
    assert caveat.metrics == case.metrics
    assert caveat.settings == case.settings
    assert caveat.params == case.params
    assert caveat.ceiling is case.ceiling
    assert caveat.other in (None, 0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_a_caveat_is_not_given_a_step_away(case: Case) -> None:
    assert case.misses
    for run in case.misses:
        assert given(case, run, case.missed_scenario or case.scenario) == []


def test_the_table_has_every_caveat_once() -> None:
    assert sorted([*(case.id for case in CASES), *ENTRY_CASES]) == sorted(TEXTS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_sentence_is_filled_by_what_the_rule_gives(case: Case) -> None:
    (caveat,) = given(case, case.run, case.scenario)
    for text in (TEXTS[case.id].en, TEXTS[case.id].nl):
        sentence = text.format_map({**caveat.params, "settings": ", ".join(caveat.settings)})
        assert "{" not in sentence
        assert sentence[-1] == "."


def test_a_run_alone_that_says_everything_has_only_what_no_run_can_be_rid_of() -> None:
    found = compare([RunEntry("run", full())])
    assert {caveat.id for caveat in found.caveats} == {"accuracy-not-validated"}


def ids(entry: RunEntry) -> dict[str, Caveat]:
    return {caveat.id: caveat for caveat in compare([entry]).caveats}


def test_accuracy_is_validated_by_a_valid_evaluation_of_this_very_run() -> None:
    valid = Evaluation("e", "GSM8K", 197, 200, covers=("run",))
    caveat = ids(RunEntry("run", full()))["accuracy-not-validated"]
    assert (caveat.severity, caveat.metrics) == (INFO, OUT)
    assert "accuracy-not-validated" not in ids(RunEntry("run", full(), evaluations=(valid,)))
    for useless in (replace(valid, covers=("another",)), replace(valid, status=Status.WITHDRAWN)):
        assert "accuracy-not-validated" in ids(RunEntry("run", full(), evaluations=(useless,)))


def test_a_statement_about_a_run_is_noted_with_its_speed() -> None:
    said = Erratum(ErratumKind.STATEMENT, "2026-11-12", "The speed is unchanged.", "the maker")
    caveat = ids(RunEntry("run", full(), errata=(said,)))["noted"]
    assert (caveat.params, caveat.metrics) == ({"text": "The speed is unchanged."}, SPEED)


def test_a_dispute_about_what_no_figure_minds_holds_nothing_up() -> None:
    caveat = ids(RunEntry("run", full(ram=disputed("ram"))))["disputed"]
    assert (caveat.ceiling, caveat.settings) == (None, ("ram",))


def test_both_figures_that_agree_only_by_rounding_are_named() -> None:
    """696 W against 4,180 / 6 = 696.67, and the repeats of 944."""
    run = full(
        printed("total_throughput", "5661", repeats=2, repeat_values=(Decimal(5673), Decimal(5648))),
        printed("per_gpu_total", "944", repeats=2),
        printed("gpu_power:mean", "4.18", "kW"),
        printed("gpu_power_per_gpu:mean", "696", "W", circa=True),
        active_gpus=6,
    )
    found = [one for one in compare([RunEntry("run", run)]).caveats if one.id == "agrees-within-rounding"]
    assert [(one.metrics, one.params["printed"], round(float(one.params["computed"]), 1)) for one in found] == [
        (("per_gpu_total",), "944", 943.4),
        (("gpu_power_per_gpu:mean",), "696", 696.7),
    ]


def test_caveats_are_narrowed_to_what_is_compared() -> None:
    found = compare([RunEntry("run", full(power_cap_w=None))], metrics=["per_gpu_total"])
    assert {caveat.metrics for caveat in found.caveats} == {("per_gpu_total",)}
