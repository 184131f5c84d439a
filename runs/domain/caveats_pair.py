"""Caveats of a run against the baseline: what differs, and what a reader of the ratio must know."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from runs.domain.caveat_rule import EVERY, POWERED, SPEED, Subject
from runs.domain.comparison import Caveat, Grade, Severity, params
from runs.domain.derived import quotient
from runs.domain.facts import Setting
from runs.domain.grades import PairGrader
from runs.domain.matters import FACTORS, same
from runs.domain.metrics import metric
from runs.domain.units import as_decimal


@dataclass(frozen=True)
class Pair:
    """A run, the baseline it is compared with, and how far each metric of the two compares."""

    run: Subject
    base: Subject
    grader: PairGrader

    def both(self, families: frozenset[str]) -> tuple[str, ...]:
        """The compared metrics of some families of which both have a figure."""
        return tuple(key for key in self.run.of(families) if key in self.base.side.figures)

    def settings(self, key: str) -> tuple[Setting, Setting]:
        return self.run.side.record.setting(key), self.base.side.record.setting(key)

    def ratio(self, key: str) -> Decimal | None:
        """run / baseline of one metric; None where the grade allows no ratio."""
        left, right = self.run.side.figures.get(key), self.base.side.figures.get(key)
        if left is None or right is None or left.value is None or not right.value:
            return None
        if self.grader.grade(key).grade is Grade.NOT_COMPARABLE:
            return None
        return as_decimal(quotient(left.value, right.value))

    def differs(self, key: str) -> bool:
        return same(*self.settings(key)) is False

    def say(
        self,
        caveat_id: str,
        severity: Severity,
        metrics: tuple[str, ...],
        settings: tuple[str, ...] = (),
        ceiling: Grade | None = None,
        **values: object,
    ) -> Caveat | None:
        if not metrics:
            return None
        return Caveat(caveat_id, severity, self.run.run, self.base.run, metrics, settings, params(values), ceiling)


PairRule = Callable[[Pair], Caveat | None]


def shown(setting: Setting) -> str | int | float:
    """A setting's value for a sentence: exact where it is a plain value, else as it was called."""
    if isinstance(setting.value, bool):
        return "on" if setting.value else "off"
    if isinstance(setting.value, tuple):
        return ",".join(map(str, setting.value))
    return setting.value if setting.value is not None else setting.nominal or "not applicable"


def gpu_count_differs(pair: Pair) -> Caveat | None:
    """Always with the node ratio beside the per-GPU one, so that six of eight is not flattered."""
    if not pair.differs("active_gpus"):
        return None
    mine, theirs = (shown(setting) for setting in pair.settings("active_gpus"))
    node, each = pair.ratio("total_throughput"), pair.ratio("per_gpu_total")
    metrics, keys = pair.both(EVERY), ("active_gpus",)
    if node is None or each is None:
        return pair.say("gpu-count-differs-plain", Severity.SERIOUS, metrics, keys, mine=mine, theirs=theirs)
    ratios = {"node_ratio": node * 100 - 100, "gpu_ratio": each * 100 - 100}
    return pair.say("gpu-count-differs", Severity.SERIOUS, metrics, keys, None, mine=mine, theirs=theirs, **ratios)


def _differs(
    key: str, caveat_id: str, severity: Severity, families: frozenset[str], ceiling: Grade | None = None
) -> PairRule:
    def rule(pair: Pair) -> Caveat | None:
        if not pair.differs(key):
            return None
        mine, theirs = (shown(setting) for setting in pair.settings(key))
        return pair.say(caveat_id, severity, pair.both(families), (key,), ceiling, mine=mine, theirs=theirs)

    rule.__name__ = caveat_id.replace("-", "_")
    return rule


def _factor_differs(factor: str, caveat_id: str) -> PairRule:
    keys = tuple(
        key for key in sorted(FACTORS[factor]) if key not in {"active_gpus", "active_gpu_indices", "node_gpus"}
    )

    def rule(pair: Pair) -> Caveat | None:
        different = tuple(key for key in keys if pair.differs(key))
        if not different:
            return None
        return pair.say(caveat_id, Severity.WARNING, pair.both(SPEED | POWERED), different)

    rule.__name__ = caveat_id.replace("-", "_")
    return rule


def one_against_mean(pair: Pair) -> Caveat | None:
    """A single run against a mean of several."""
    metrics = []
    counts: tuple[int, int] | None = None
    for key in pair.both(SPEED):
        mine, theirs = pair.run.side.figures[key].repeats, pair.base.side.figures[key].repeats
        if mine is not None and theirs is not None and mine != theirs and 1 in (mine, theirs):
            metrics.append(key)
            counts = counts or (mine, theirs)
    if counts is None:
        return None
    return pair.say("one-against-mean", Severity.WARNING, tuple(metrics), mine=counts[0], theirs=counts[1])


_FASTER = ("per_gpu_total", "per_gpu_output", "total_throughput", "output_throughput", "request_throughput")


def latency_worse_throughput_better(pair: Pair) -> Caveat | None:
    """More tokens a second, but users wait longer for them by any measure (or the other way round)."""
    key, speed = next(((key, ratio) for key in _FASTER if (ratio := pair.ratio(key)) is not None), ("", Decimal(1)))
    if speed == 1:
        return None
    opposed = tuple(key for key in pair.both(frozenset({"latency"})) if _opposed(speed, key, pair.ratio(key)))
    caveat_id = "latency-worse" if speed > 1 else "latency-better"
    shown_too = (key,) if key in pair.run.keys else ()
    return pair.say(caveat_id, Severity.WARNING, (*shown_too, *opposed), names=_names(opposed)) if opposed else None


def _opposed(speed: Decimal, key: str, ratio: Decimal | None) -> bool:
    """Whether a latency moved against the throughput. A spread is no wait."""
    if ratio is None or ratio == 1 or key.endswith(":std"):
        return False
    better = (ratio > 1) == (metric(key).better == "higher")
    return better != (speed > 1)


def _names(keys: tuple[str, ...]) -> str:
    """TTFT (median, p99), TPOT (median)."""
    stats: dict[str, list[str]] = {}
    for key in keys:
        stats.setdefault(metric(key).name, []).append(key.partition(":")[2])
    return ", ".join(f"{name} ({', '.join(found)})" if all(found) else name for name, found in stats.items())


def definition_differs(pair: Pair) -> Caveat | None:
    """One name for two quantities, another timing definition for example."""
    metrics = tuple(
        key
        for key in pair.both(EVERY)
        if pair.run.side.figures[key].definition != pair.base.side.figures[key].definition
    )
    return pair.say("definition-differs", Severity.SERIOUS, metrics, (), Grade.NOT_COMPARABLE)


def repeated_elsewhere(pair: Pair) -> Caveat | None:
    """Two separate runs on nodes that are not known to be one: no controlled comparison of software."""
    if same(*pair.settings("node")) is not None or pair.run.side.record.party == pair.base.side.record.party:
        return None
    return pair.say("separate-nodes", Severity.INFO, pair.both(SPEED | POWERED), ("node",))


PAIR_RULES: tuple[PairRule, ...] = (
    gpu_count_differs,
    _differs("power_cap_w", "cap-differs", Severity.SERIOUS, SPEED | POWERED),
    _differs("temperature", "temperature-differs", Severity.SERIOUS, SPEED | POWERED),
    _factor_differs("speculation", "speculation-differs"),
    _differs("client", "client-differs", Severity.SERIOUS, SPEED),
    _differs("prefix_caching", "prefix-caching-differs", Severity.WARNING, SPEED),
    _differs("ignore_eos", "eos-differs", Severity.WARNING, SPEED),
    _differs("precision", "precision-differs", Severity.WARNING, SPEED | POWERED),
    _factor_differs("gpus", "parallelism-differs"),
    _differs("node", "node-differs", Severity.WARNING, SPEED | POWERED),
    _differs("date", "date-differs", Severity.INFO, SPEED | POWERED),
    _differs("accelerator", "accelerator-differs", Severity.WARNING, SPEED | POWERED),
    _differs("power_scope", "power-scope-differs", Severity.SERIOUS, POWERED, Grade.NOT_COMPARABLE),
    definition_differs,
    repeated_elsewhere,
    one_against_mean,
    latency_worse_throughput_better,
)
