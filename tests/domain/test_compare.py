"""The comparison object: rows, ratios with their spans, refusals, and what holds for any runs."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.domain.compare import MAX_RUNS, compare, ratio_of
from runs.domain.comparison import Cell, Comparison, Grade, RunEntry
from runs.domain.facts import Basis, Setting, State, Status
from runs.domain.figures import figure_of
from runs.domain.metrics import METRICS
from runs.domain.records import RunRecord
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError, as_decimal, round_half_away
from tests.domain.strategies import full, printed, quantity, records, side

SCENARIO = Scenario("s", "S", price_per_kwh=Decimal("0.1"), offers=(Offer("O", Decimal(3)),))


def of(*runs: RunRecord, baseline: str = "", **given: Any) -> Comparison:
    return compare([RunEntry(f"r{index}", run) for index, run in enumerate(runs)], baseline, **given)


def cells(found: Comparison, key: str) -> tuple[Cell, ...]:
    row = found.row(key)
    assert row is not None, key
    return row.cells


def test_refusals_in_words() -> None:
    run = full()
    with pytest.raises(DomainError, match="at least one run"):
        compare([])
    with pytest.raises(DomainError, match="at most 24 runs, not 25"):
        of(*[run] * (MAX_RUNS + 1))
    with pytest.raises(DomainError, match="twice"):
        compare([RunEntry("a", run), RunEntry("a", run)])
    with pytest.raises(DomainError, match="baseline 'x' is none of the runs compared: r0, r1"):
        of(run, run, baseline="x")
    with pytest.raises(DomainError, match="unknown metric 'speed'"):
        of(run, metrics=["speed"])
    with pytest.raises(DomainError, match="no statistic 'p12'"):
        of(run, metrics=["ttft:p12"])


def test_a_ratio_with_the_span_that_rounding_leaves_it() -> None:
    found = of(full(printed("total_throughput", "5000")), full(printed("total_throughput", "6000")))
    base, run = cells(found, "total_throughput")
    assert (base.ratio, base.verdict) == (None, None)
    assert run.ratio is not None
    assert run.ratio.value == Decimal("1.2")
    assert round_half_away(run.ratio.low, 6) == Decimal("1.199780")  # 5999.5 / 5000.5
    assert round_half_away(run.ratio.high, 6) == Decimal("1.200220")  # 6000.5 / 4999.5


def test_repeats_widen_the_span() -> None:
    one = quantity("total_throughput", 100.0, repeats=2, repeat_values=(90.0, 110.0))
    found = ratio_of(figure_of(one), figure_of(quantity("total_throughput", 50.0)))
    assert found is not None
    assert (found.low, found.value, found.high) == (1.8, 2.0, 2.2)
    found = ratio_of(figure_of(quantity("total_throughput", 99.0)), figure_of(one))
    assert found is not None
    assert (found.low, found.high) == (0.9, 1.1)


def test_per_gpu_has_the_repeats_of_its_node() -> None:
    one = quantity("total_throughput", 800.0, repeats=2, repeat_values=(760.0, 840.0))
    _, run = cells(of(full(quantity("total_throughput", 400.0)), full(one)), "per_gpu_total")
    assert run.ratio is not None
    assert (run.ratio.low, run.ratio.high) == (1.9, 2.1)


@pytest.mark.parametrize(
    ("value", "mine", "theirs", "too_close"),
    [
        (102.9, 1, 5, True),
        (102.9, 5, 1, True),
        (97.1, None, 5, True),
        (102.9, 5, 5, False),  # repeated on both sides
        (103.0, 1, 1, True),  # the other way round it is 2.9 % less
        (103.1, 1, 1, False),
        (97.01, None, None, True),
        (97.0, None, None, False),  # 3 % is not under 3 %
        (100.0, 1, 1, True),
    ],
)
def test_no_winner_is_named(value: float, mine: int | None, theirs: int | None, too_close: bool) -> None:
    left, right = (quantity("total_throughput", n, repeats=r) for n, r in ((value, mine), (100.0, theirs)))
    found = ratio_of(figure_of(left), figure_of(right))
    assert found is not None
    assert found.too_close is too_close
    back = ratio_of(figure_of(right), figure_of(left))
    assert back is not None and back.too_close is too_close


@settings(max_examples=60)
@given(st.lists(records(), min_size=2, max_size=4), st.data())
def test_what_holds_for_any_runs(runs: list[RunRecord], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(runs) - 1))
    found = of(*runs, baseline=f"r{place}", scenario=SCENARIO)
    order = [metric.key for metric in METRICS]
    assert [order.index(row.metric) for row in found.rows] == sorted(order.index(row.metric) for row in found.rows)
    for row in found.rows:
        assert len(row.cells) == len(runs)
        for index, cell in enumerate(row.cells):
            check_cell(found, row.key, index, cell)
        for span in row.spans:
            inside = [row.cells[index].ratio for index in span.runs]
            assert all(one and span.low <= as_decimal(one.value) <= span.high for one in inside)
    for caveat in found.caveats:
        assert caveat.metrics
        assert {row.key for row in found.rows} >= set(caveat.metrics)


def check_cell(found: Comparison, key: str, index: int, cell: Cell) -> None:
    """No ratio without a grade that allows it, no empty cell without a word, every caveat with its cell."""
    assert (cell.figure is None or cell.figure.value is None) <= (cell.absent != "" or cell.figure is not None)
    if index == found.baseline:
        assert cell.ratio is None
        assert cell.verdict is None
    if cell.verdict is not None:
        assert (cell.ratio is None) == (cell.verdict.grade is Grade.NOT_COMPARABLE)
    else:
        assert cell.ratio is None
    if cell.ratio is not None:
        assert cell.ratio.low <= cell.ratio.value <= cell.ratio.high
    assert cell.caveats == tuple(
        number for number, one in enumerate(found.caveats) if one.run == index and key in one.metrics
    )


@settings(max_examples=60)
@given(records(), records())
def test_no_grade_is_above_what_a_caveat_allows(a: RunRecord, b: RunRecord) -> None:
    """A declared setup settles what neither states; otherwise the ceiling of either side's caveats holds."""
    if a.setup == b.setup != "":
        return
    found = of(a, b, scenario=SCENARIO)
    allowed = {Grade.NOT_COMPARABLE: {Grade.NOT_COMPARABLE}, Grade.INDICATIVE: {Grade.NOT_COMPARABLE, Grade.INDICATIVE}}
    for row in found.rows:
        verdict = row.cells[1].verdict
        for caveat in found.caveats:
            if verdict is not None and caveat.ceiling is not None and row.key in caveat.metrics:
                assert verdict.grade in allowed[caveat.ceiling], (caveat.id, row.key, verdict)


@settings(max_examples=40)
@given(records(), records(), records())
def test_a_third_run_changes_nothing_between_two(a: RunRecord, b: RunRecord, c: RunRecord) -> None:
    two, three = of(a, b), of(a, b, c)
    for row in two.rows:
        one, other = row.cells[1], cells(three, row.key)[1]
        assert (one.figure, one.verdict, one.ratio) == (other.figure, other.verdict, other.ratio)


@settings(max_examples=40)
@given(records(), records())
def test_swapped_ratios_are_one_anothers_inverse(a: RunRecord, b: RunRecord) -> None:
    there, back = of(a, b, baseline="r0"), of(a, b, baseline="r1")
    for row in there.rows:
        one, other = row.cells[1].ratio, cells(back, row.key)[0].ratio
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert float(one.value) * float(other.value) == pytest.approx(1)
            assert float(one.low) * float(other.high) == pytest.approx(1)


def at(temperature: object, setup: str = "one", **changes: Any) -> RunRecord:
    return replace(full(quantity("total_throughput", changes.pop("total", 8000.0)), temperature=temperature, **changes),
                   setup=setup)  # fmt: skip


def test_the_span_over_what_the_baseline_does_not_state() -> None:
    silent = full(quantity("total_throughput", 8000.0), temperature=None)
    found = of(silent, at(0, total=10000.0), at(1.0, total=6000.0))
    row = found.row("total_throughput")
    assert row is not None
    (span,) = row.spans
    assert (span.setting, span.runs, span.low, span.high) == ("temperature", (1, 2), Decimal("0.75"), Decimal("1.25"))


@pytest.mark.parametrize(
    "runs",
    [
        (full(), at(0), at(1.0)),  # the baseline states it
        (full(temperature=None), at(0), at(0)),  # one value only
        (full(temperature=None), at(0), at(1.0, setup="other")),  # two setups
        (full(temperature=None), at(0), at(1.0, isl=9999)),  # not comparable
        (full(temperature=None), at(0), at(None)),  # one of them says nothing
        (full(temperature=None), at(0, setup=""), at(1.0, setup="")),
    ],
)
def test_no_span(runs: tuple[RunRecord, ...]) -> None:
    assert [row.spans for row in of(*runs).rows if row.spans] == []


def test_absent_is_said_and_never_zero() -> None:
    gone = quantity("ttft:median", None, status=Status.NOT_MEASURED)
    found = of(full(quantity("ttft:median", 1.0)), full(gone), full())
    one, other, third = cells(found, "ttft:median")
    assert one.absent == ""
    assert (other.absent, other.ratio) == ("not measured", None)
    assert (third.figure, third.absent) == (None, "not stated")


def test_bare_metrics_take_every_statistic_in_the_catalogues_order() -> None:
    run = full(*(quantity(f"ttft:{stat}", 1.0) for stat in ("p99", "mean", "median")), quantity("tpot:median", 0.02))
    assert [row.key for row in of(run, metrics=["ttft"]).rows] == ["ttft:median", "ttft:mean", "ttft:p99"]
    assert [row.key for row in of(run, metrics=["tpot:median"]).rows] == ["tpot:median"]


def test_settings_that_are_not_known_to_be_the_same_differ() -> None:
    found = of(full(), full(temperature=None, ram=None, precision="fp8"))
    differs = {row.key: row.differs for row in found.settings}
    assert (differs["temperature"], differs["precision"], differs["model"], differs["ram"]) == (
        True,
        True,
        False,
        False,
    )
    assert not any(row.differs for row in of(full()).settings)


def test_a_refused_cost_is_an_empty_cell_with_its_caveat() -> None:
    half = replace(SCENARIO, utilisation=Decimal("0.5"))
    run = full(quantity("total_throughput", 8000.0), quantity("gpu_power:mean", 5000.0))
    found = of(run, run, scenario=half)
    _, cell = cells(found, "electricity_measured")
    assert (cell.absent, cell.ratio) == ("not stated", None)
    assert "idle-power-not-stated" in {found.caveats[number].id for number in cell.caveats}


def test_six_of_eight_is_never_flattered() -> None:
    """The per-GPU ratio always comes with that of the node, and neither with a pair that is not comparable."""
    six, eight = full(quantity("total_throughput", 5661.0), active_gpus=6), full(quantity("total_throughput", 7484.0))
    (caveat,) = [one for one in of(eight, six).caveats if one.id.startswith("gpu-count")]
    assert caveat.id == "gpu-count-differs"
    assert round_half_away(caveat.params["gpu_ratio"], 1) == Decimal("0.9")  # type: ignore[arg-type]
    assert round_half_away(caveat.params["node_ratio"], 1) == Decimal("-24.4")  # type: ignore[arg-type]
    longer = replace(six, settings={**six.settings, "isl": Setting("isl", State.STATED, 131072)})
    (caveat,) = [one for one in of(eight, longer).caveats if one.id.startswith("gpu-count")]
    assert (caveat.id, caveat.params) == ("gpu-count-differs-plain", {"mine": 6, "theirs": 8})


def test_a_figure_of_weaker_basis_does_not_hide_behind_a_check() -> None:
    run = full(quantity("total_throughput", 8000.0), printed("per_gpu_total", "1000", basis=Basis.ESTIMATED))
    _, cell = cells(of(full(), run), "per_gpu_total")
    assert cell.verdict is not None
    assert (cell.verdict.reason, cell.ratio) == ("estimate", None)
    assert side(run).figures["per_gpu_total"].system_basis is Basis.ESTIMATED
