"""Grades: the list of the design in its order, both ways round, for random runs and for runs made by hand."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.comparison import Grade, Verdict
from runs.domain.derived import figures
from runs.domain.energy import analyse
from runs.domain.facts import Basis, Setting, State, Status
from runs.domain.grades import grade
from runs.domain.matters import MATTERS, Side
from runs.domain.metrics import metric
from runs.domain.records import PowerAnalysis, RunRecord, Window
from tests.domain.power import steady, trace, window
from tests.domain.strategies import full, quantity, records, side, stated

NO, INDICATIVE, REPEAT, CONTROLLED, STATED = Grade
KEY = "total_throughput"


def verdict(a: RunRecord, b: RunRecord, key: str = KEY) -> Verdict:
    """The verdict, which has no direction."""
    one, other = grade(side(a), side(b), key), grade(side(b), side(a), key)
    assert one == other
    return one


def graded(a: dict[str, Any], b: dict[str, Any] | None = None, key: str = KEY) -> tuple[Grade, str, tuple[str, ...]]:
    found = verdict(full(**a), full(**(b or {})), key)
    return found.grade, found.reason, found.settings


NOT_STATED = stated("temperature", None, State.NOT_STATED)


@pytest.mark.parametrize(
    ("changes", "result"),
    [
        ({}, (REPEAT, "nothing-differs", ())),
        ({"date": "2026-11-11"}, (REPEAT, "nothing-differs", ())),
        ({"image": "sha256:2"}, (REPEAT, "nothing-differs", ())),
        ({"temperature": 0}, (CONTROLLED, "one-factor", ("temperature",))),
        ({"active_gpus": 6, "active_gpu_indices": (0, 1, 2, 3, 4, 5), "tensor_parallel": 6},
         (CONTROLLED, "one-factor", ("gpus",))),
        ({"speculative_method": "DSpark", "draft_model": "d", "draft_count": 5, "draft_acceptance": "real"},
         (CONTROLLED, "one-factor", ("speculation",))),
        ({"temperature": 0, "power_cap_w": 1000}, (STATED, "factors-differ", ("power cap", "temperature"))),
        ({"temperature": 0, "node": "n2"}, (STATED, "factors-differ", ("temperature", "node"))),
        ({"node": "n2"}, (STATED, "factors-differ", ("node",))),
        ({"client": "InferenceX"}, (STATED, "factors-differ", ("client",))),
        ({"temperature": None}, (INDICATIVE, "settings-not-firm", ("temperature",))),
        ({"temperature": NOT_STATED, "node": None, "power_cap_w": 1000},
         (INDICATIVE, "settings-not-firm", ("node", "temperature"))),
        ({"temperature": stated("temperature", 0.7, State.INFERRED)},
         (INDICATIVE, "settings-not-firm", ("temperature",))),
        ({"temperature": Setting("temperature", State.DISPUTED, claims=("0", "1"))},
         (INDICATIVE, "settings-not-firm", ("temperature",))),
        ({"runtime_version": None}, (INDICATIVE, "settings-not-firm", ("runtime_version",))),
        ({"cpu": None, "ram": None, "date": None}, (REPEAT, "nothing-differs", ())),
        ({"model": "N"}, (NO, "model-differs", ("model",))),
        ({"isl": 1021}, (NO, "workload-differs", ("isl",))),  # 2.06 % more
        ({"isl": 1020}, (REPEAT, "nothing-differs", ())),  # 1.96 % more
        ({"osl": 103}, (NO, "workload-differs", ("osl",))),
        ({"concurrency": 17}, (NO, "workload-differs", ("concurrency",))),
        ({"request_rate": 11}, (NO, "workload-differs", ("request_rate",))),
        ({"prompts": "random"}, (NO, "workload-differs", ("prompts",))),
        ({"model": None}, (NO, "workload-unknown", ("model",))),
        ({"isl": None, "concurrency": None}, (NO, "workload-unknown", ("isl", "concurrency"))),
        ({"osl": Setting("osl", State.DISPUTED, claims=("100", "200"))}, (NO, "workload-unknown", ("osl",))),
        ({"client": "lmx"}, (NO, "client-times-differently", ("client",))),
        ({"client": None}, (INDICATIVE, "settings-not-firm", ("client",))),
    ],
)  # fmt: skip
def test_first_that_applies(changes: dict[str, Any], result: tuple[Grade, str, tuple[str, ...]]) -> None:
    assert graded(changes) == result


def test_a_blocking_rule_comes_before_what_is_not_known_and_that_before_what_differs() -> None:
    assert graded({"temperature": None, "model": "N"})[0] is NO
    assert graded({"temperature": None, "power_cap_w": 1000, "precision": "fp8"})[0] is INDICATIVE


@pytest.mark.parametrize(
    ("one", "other", "result"),
    [
        ("real", "synthetic", (NO, "draft-acceptance-differs", ("draft_acceptance",))),
        ("synthetic", "synthetic", (REPEAT, "nothing-differs", ())),
        ("real", None, (INDICATIVE, "settings-not-firm", ("draft_acceptance",))),
        ("synthetic", None, (INDICATIVE, "settings-not-firm", ("draft_acceptance",))),
        (
            "synthetic",
            Setting("draft_acceptance", State.NOT_APPLICABLE),
            (NO, "draft-acceptance-differs", ("draft_acceptance",)),
        ),
        # No acceptance where nothing was drafted is no synthetic one: it is the factor itself.
        ("real", Setting("draft_acceptance", State.NOT_APPLICABLE), (CONTROLLED, "one-factor", ("speculation",))),
    ],
)
def test_draft_acceptance(one: Any, other: Any, result: tuple[Grade, str, tuple[str, ...]]) -> None:
    drafting = {"speculative_method": "DSpark", "draft_model": "d", "draft_count": 5}
    assert graded({**drafting, "draft_acceptance": one}, {**drafting, "draft_acceptance": other}) == result


@pytest.mark.parametrize(
    ("key", "result"),
    [
        ("total_throughput", (REPEAT, "nothing-differs", ())),
        ("gpu_power:mean", (NO, "power-scope-differs", ("power_scope",))),
        ("tok_per_kw_measured", (NO, "power-scope-differs", ("power_scope",))),
    ],
)
def test_watts_of_another_scope_never_mix(key: str, result: tuple[Grade, str, tuple[str, ...]]) -> None:
    given = (quantity(KEY, 8000.0), quantity("gpu_power:mean", 5000.0))
    found = verdict(full(*given, power_scope="GPUs"), full(*given, power_scope="wall"), key)
    assert (found.grade, found.reason, found.settings) == result


def test_a_power_log_with_objections_is_in_no_ratio_but_the_speed_is() -> None:
    given = (quantity(KEY, 8000.0), quantity("gpu_power:mean", 5000.0))
    doubtful = PowerAnalysis(("0",), "node", "amd-smi", Window(0, 60, State.STATED), 5000.0, 3e5, None, None, None,
                             (), (), 1.0, 1.0, 1.0, bracketed=True, valid=False)  # fmt: skip
    run = replace(full(*given), power=doubtful)
    assert verdict(run, full(*given), "tok_per_kw_measured").reason == "power-not-valid"
    assert verdict(run, full(*given), "gpu_power:mean").grade is NO
    assert verdict(run, full(*given), "tok_per_kw_cap").grade is REPEAT
    assert verdict(run, full(*given)).grade is REPEAT


def test_a_setting_holds_up_only_the_metrics_it_matters_for() -> None:
    given = (quantity(KEY, 8000.0), quantity("gpu_power:mean", 5000.0))
    silent, said = full(*given, power_scope=None), full(*given)
    assert verdict(silent, said).grade is REPEAT
    assert verdict(silent, said, "gpu_power:mean").settings == ("power_scope",)


def test_a_power_log_with_objections_blocks_what_rests_on_its_watts_and_nothing_else() -> None:
    def run(watts: float, through: float, *more: Any) -> RunRecord:
        rows = steady("0", 0, through, watts)
        return replace(full(quantity(KEY, 8000.0), *more), power=analyse(trace(rows), window(0, 60)))

    good, short = run(500, 60), run(700, 50)
    assert good.power is not None and good.power.valid and short.power is not None and not short.power.valid
    assert verdict(good, run(600, 60), "gpu_power:mean").grade is REPEAT
    for left, right in ((good, short), (short, good)):
        for key in ("gpu_power:mean", "tok_per_kw_measured"):
            found = verdict(left, right, key)
            assert (found.grade, found.reason) == (NO, "power-not-valid")
        assert verdict(left, right).grade is REPEAT
        assert verdict(left, right, "tok_per_kw_cap").reason != "power-not-valid"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"status": Status.WITHDRAWN}, "withdrawn"),
        ({"status": Status.WITHDRAWN, "value": None}, "withdrawn"),
        ({"basis": Basis.ESTIMATED}, "estimate"),
        ({"basis": Basis.ASSUMED}, "assumed-input"),
        ({"definition": "unknown"}, "definition-unknown"),
        ({"definition": "failed ones too"}, "definition-differs"),
        ({"value": None, "status": Status.NOT_MEASURED}, "figure-absent"),
        ({"value": None, "low": 1.0, "high": 2.0}, "no-single-value"),
        ({"value": 0.0}, "not-above-zero"),
    ],
)
def test_figures_that_block(change: dict[str, Any], reason: str) -> None:
    odd = replace(quantity(KEY, 8000.0), **change)
    found = verdict(full(odd), full())
    assert (found.grade, found.reason) == (NO, reason)


def test_an_absent_figure_says_whether_all_there_is_instead_is_an_assumption() -> None:
    assumed = full(quantity(KEY, 8000.0), quantity("gpu_power_assumed_per_gpu", 1400.0, basis=Basis.ASSUMED))
    measured = full(quantity(KEY, 8000.0), quantity("gpu_power:mean", 5000.0))
    assert verdict(assumed, measured, "tok_per_kw_measured").reason == "only-assumed"
    assert verdict(full(), measured, "tok_per_kw_measured").reason == "figure-absent"
    assert verdict(full(), full(quantity("ttft:median", 1.0)), "ttft:median").reason == "figure-absent"


def declared(**changes: Any) -> RunRecord:
    return replace(full(**changes), setup="one")


def test_one_declared_setup_is_the_same_where_neither_says() -> None:
    found = verdict(declared(precision=None, node=None), declared(precision=None, node=None, temperature=0))
    assert (found.grade, found.settings, found.declared) == (CONTROLLED, ("temperature",), True)
    other = replace(declared(precision=None), setup="other")
    assert verdict(declared(precision=None), other).grade is INDICATIVE
    assert verdict(full(precision=None), full(precision=None)).grade is INDICATIVE


def test_a_declaration_does_not_cover_what_one_alone_states_nor_a_dispute_nor_the_workload() -> None:
    found = verdict(declared(temperature=0), declared(temperature=None))
    assert (found.grade, found.settings) == (INDICATIVE, ("temperature",))
    dispute = Setting("precision", State.DISPUTED, claims=("fp4", "fp8"))
    assert verdict(declared(precision=dispute), declared(precision=dispute)).grade is INDICATIVE
    # One setup runs at 8K and at 128K: it says nothing of the length.
    assert verdict(declared(isl=None), declared(isl=None)).reason == "workload-unknown"


def test_what_is_inferred_is_settled_by_a_declaration_but_a_difference_stays_one() -> None:
    inferred = stated("cpu_offload", "none", State.INFERRED)
    assert verdict(declared(cpu_offload=inferred), declared(cpu_offload=inferred)).grade is REPEAT
    found = verdict(declared(cpu_offload=inferred), declared(cpu_offload="experts"))
    assert (found.grade, found.settings) == (CONTROLLED, ("CPU offload",))


@settings(max_examples=200)
@given(records(), records())
def test_swapping_changes_neither_grade_nor_reason(a: RunRecord, b: RunRecord) -> None:
    left, right = side(a), side(b)
    for key in {**left.figures, **right.figures}:
        assert grade(left, right, key) == grade(right, left, key)


@settings(max_examples=150)
@given(records(), records())
def test_no_assumption_or_estimate_is_ever_compared(a: RunRecord, b: RunRecord) -> None:
    left, right = side(a), side(b)
    weak = (Basis.ASSUMED, Basis.ESTIMATED)
    for key in left.figures.keys() & right.figures.keys():
        if any({one.figures[key].basis, one.figures[key].system_basis} & set(weak) for one in (left, right)):
            assert grade(left, right, key).grade is NO


def without(one: Side, key: str) -> Side:
    """The same with one setting not stated; what is computed from it stays, so that only the knowledge is less."""
    kept = {name: setting for name, setting in one.record.settings.items() if name != key}
    return replace(one, record=replace(one.record, settings=kept))


RANK = {NO: 0, INDICATIVE: 1, REPEAT: 2, CONTROLLED: 2, STATED: 2}
CLAIMS = sorted(frozenset().union(*MATTERS.values()))
BLOCKING = frozenset({"model", "isl", "osl", "concurrency", "request_rate", "prompts", "dataset", "client",
                      "draft_acceptance", "power_scope"})  # fmt: skip


@settings(max_examples=150)
@given(records(), records(), st.sampled_from(CLAIMS))
def test_knowing_less_never_raises_a_grade(a: RunRecord, b: RunRecord, key: str) -> None:
    """Save that a known difference that blocks becomes an unknown one, which can be no more than indicative."""
    left, right = side(a), side(b)
    for name in left.figures.keys() & right.figures.keys():
        if key not in MATTERS[metric(name).family]:
            continue
        before, after = grade(left, right, name).grade, grade(without(left, key), right, name).grade
        if key in BLOCKING or a.setup == b.setup != "":
            assert RANK[after] <= max(RANK[before], RANK[INDICATIVE])
        else:
            assert RANK[after] <= RANK[before]
        if key in ("model", "isl", "osl", "concurrency"):
            assert after is NO


@given(records(), records())
def test_every_grade_has_its_ground(a: RunRecord, b: RunRecord) -> None:
    """What a verdict says is so."""
    left, right = side(a), side(b)
    for key in left.figures.keys() & right.figures.keys():
        found = grade(left, right, key)
        if found.grade is REPEAT:
            assert found.settings == ()
        if found.grade is CONTROLLED:
            assert len(found.settings) == 1
        if found.grade is INDICATIVE:
            for name in found.settings:
                assert not (a.setting(name).is_firm and b.setting(name).is_firm)
        if found.grade in (REPEAT, CONTROLLED, STATED) and not found.declared:
            matter = MATTERS[metric(key).family] - {"draft_model", "draft_count", "draft_acceptance"}
            assert all(one.setting(name).is_firm for one in (a, b) for name in matter)


def test_the_random_runs_reach_every_grade() -> None:
    """Otherwise the properties above would hold of little."""
    seen: set[Grade] = set()

    @settings(max_examples=400, database=None, derandomize=True)
    @given(records(), records())
    def look(a: RunRecord, b: RunRecord) -> None:
        seen.update(grade(side(a), side(b), key).grade for key in figures(a))

    look()
    assert seen == set(Grade)
