"""The grade of (run, baseline, metric): first that applies, the same with both swapped (design, section 5)."""

from functools import cached_property

from runs.domain.comparison import Grade, Verdict
from runs.domain.facts import Basis, Setting, State, Status
from runs.domain.figures import Figure
from runs.domain.matters import (
    EVERY_MATTER,
    MATTERS,
    REQUIRED,
    WORKLOAD,
    Side,
    declared_same,
    differing_factors,
    rests_on_measured_power,
    same,
    timing_of,
    unknown_on_a_side,
)
from runs.domain.metrics import metric
from runs.domain.records import Provenance, RunRecord

SCOPED = frozenset(family for family, keys in MATTERS.items() if "power_scope" in keys)
"""Families of metrics whose watts must cover the same things."""


class PairGrader:
    """Grades of two runs, metric by metric; what does not depend on the metric is worked out once."""

    def __init__(self, a: Side, b: Side) -> None:
        self._a, self._b = a, b
        self._by_family: dict[str, Verdict] = {}

    @cached_property
    def _block(self) -> Verdict | None:
        return runs_block(self._a.record, self._b.record)

    @cached_property
    def _not_settled(self) -> tuple[str, ...]:
        return not_settled(self._a.record, self._b.record)

    @cached_property
    def _differences(self) -> Verdict:
        return differences(self._a.record, self._b.record)

    def _grade_settings(self, family: str) -> Verdict:
        unknown = tuple(key for key in self._not_settled if key in MATTERS[family])
        return Verdict(Grade.INDICATIVE, "settings-not-firm", unknown) if unknown else self._differences

    @cached_property
    def _power_not_valid(self) -> bool:
        analyses = (self._a.record.power, self._b.record.power)
        return any(analysis is not None and not analysis.valid for analysis in analyses)

    def grade(self, key: str) -> Verdict:
        """How far the ratio of the two runs' figures of one metric can be trusted, and what decided it."""
        left, right = self._a.figures.get(key), self._b.figures.get(key)
        blocked = _figures_block(self._a, self._b, key, left, right) or self._block
        if blocked is not None:
            return blocked
        family = metric(key).family
        if family in SCOPED and rests_on_measured_power(key) and self._power_not_valid:
            return _no("power-not-valid")
        if family in SCOPED and same(*(side.record.setting("power_scope") for side in (self._a, self._b))) is False:
            return _no("power-scope-differs", "power_scope")
        if family not in self._by_family:
            self._by_family[family] = self._grade_settings(family)
        return self._by_family[family]


def grade(a: Side, b: Side, key: str) -> Verdict:
    """The grade of one metric of two runs; see :class:`PairGrader`."""
    return PairGrader(a, b).grade(key)


def not_settled(a: RunRecord, b: RunRecord) -> tuple[str, ...]:
    """Settings that matter for some metric and are neither firmly known on both sides nor the same by declaration."""
    unknown = unknown_on_a_side(a, b, EVERY_MATTER)
    if not declared_same(a, b):
        return unknown
    return tuple(key for key in unknown if not _same_by_declaration(a.setting(key), b.setting(key)))


def differences(a: RunRecord, b: RunRecord) -> Verdict:
    """The grade of two comparable runs of which everything that matters is known."""
    declared = declared_same(a, b)
    factors = differing_factors(a, b)
    same_node = _same_or_declared(a, b, "node", declared)
    same_client = _same_or_declared(a, b, "client", declared)
    if not factors and same_node and same_client:
        return Verdict(Grade.REPEAT, "nothing-differs", declared=declared)
    if len(factors) == 1 and same_node and same_client:
        return Verdict(Grade.CONTROLLED, "one-factor", factors, declared)
    others = tuple(key for key, alike in (("node", same_node), ("client", same_client)) if not alike)
    return Verdict(Grade.STATED, "factors-differ", (*factors, *others), declared)


def _same_by_declaration(one: Setting, other: Setting) -> bool:
    """One setup covers what neither states, and what is only inferred; a dispute, or what one alone states, it does
    not: a run may leave open what its sister varies."""
    return State.DISPUTED not in (one.state, other.state) and one.is_known == other.is_known


def _same_or_declared(a: RunRecord, b: RunRecord, key: str, declared: bool) -> bool | None:
    answer = same(a.setting(key), b.setting(key))
    return True if answer is None and declared else answer


def _no(reason: str, *settings: str) -> Verdict:
    return Verdict(Grade.NOT_COMPARABLE, reason, settings)


def _figures_block(a: Side, b: Side, key: str, left: Figure | None, right: Figure | None) -> Verdict | None:
    """A blocking rule on the figures themselves."""
    if metric(key).family == "configuration" or key.startswith("rental_year:"):
        return _no("no-ratio")
    if left is None or right is None:
        return _absent(a, b, key)
    if Status.WITHDRAWN in (left.status, right.status):
        return _no("withdrawn")
    if Basis.ESTIMATED in (left.basis, right.basis, left.system_basis, right.system_basis):
        return _no("estimate")
    if left.rests_on_assumption or right.rests_on_assumption:
        return _no("assumed-input")
    if "unknown" in (left.definition, right.definition):
        return _no("definition-unknown")
    if left.definition != right.definition:
        return _no("definition-differs")
    return _no_ratio(left, right)


def _no_ratio(left: Figure, right: Figure) -> Verdict | None:
    """A ratio needs one value above 0 on both sides, whichever is the baseline."""
    for one in (left, right):
        if one.value is None and not one.is_range:
            return _no("figure-absent")
    if left.value is None or right.value is None:
        return _no("no-single-value")
    return _no("not-above-zero") if left.value <= 0 or right.value <= 0 else None


def _absent(a: Side, b: Side, key: str) -> Verdict:
    """One side has no such figure: say so, and whether all it has instead rests on an assumption."""
    stem = key.rpartition("_")[0]
    if metric(key).family in ("efficiency", "electricity") and any(f"{stem}_assumed" in s.figures for s in (a, b)):
        return _no("only-assumed")
    return _no("figure-absent")


def runs_block(a: RunRecord, b: RunRecord) -> Verdict | None:
    """A blocking rule on two runs, whatever the metric; None where they may be compared."""
    if Provenance.SIMULATED in (a.provenance, b.provenance):
        return _no("simulated")
    clients = (a.setting("client"), b.setting("client"))
    if all(one.is_known for one in clients):
        names = [str(one.value or one.nominal) for one in clients]
        if timing_of(names[0]) != timing_of(names[1]):
            return _no("client-times-differently", "client")
    if _synthetic_against_other(a, b):
        return _no("draft-acceptance-differs", "draft_acceptance")
    if same(a.setting("model"), b.setting("model")) is False:
        return _no("model-differs", "model")
    other = tuple(key for key in WORKLOAD if same(a.setting(key), b.setting(key)) is False)
    if other:
        return _no("workload-differs", *other)
    missing = tuple(key for key in REQUIRED if not (a.setting(key).is_known and b.setting(key).is_known))
    return _no("workload-unknown", *missing) if missing else None


def _synthetic_against_other(a: RunRecord, b: RunRecord) -> bool:
    """Draft acceptance set by hand on one side only. Where the other ran without drafts, that is the one factor."""
    one, other = (a.setting("draft_acceptance"), b.setting("draft_acceptance"))
    return same(one, other) is False and any(str(side.value).casefold() == "synthetic" for side in (one, other))
