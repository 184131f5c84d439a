"""Caveats of a run against the baseline: what differs, and what a reader of the ratio must know."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from runs.domain.caveats import EVERY, POWERED, SPEED, Subject
from runs.domain.comparison import Caveat, Severity, params
from runs.domain.derived import quotient
from runs.domain.facts import Setting
from runs.domain.matters import FACTORS, same
from runs.domain.metrics import metric
from runs.domain.units import as_decimal


@dataclass(frozen=True)
class Pair:
    """A run and the baseline it is compared with."""

    run: Subject
    base: Subject

    def both(self, families: frozenset[str]) -> tuple[str, ...]:
        """The compared metrics of some families of which both have a figure."""
        return tuple(key for key in self.run.of(families) if key in self.base.side.figures)

    def settings(self, key: str) -> tuple[Setting, Setting]:
        return self.run.side.record.setting(key), self.base.side.record.setting(key)

    def differs(self, key: str) -> bool:
        return same(*self.settings(key)) is False

    def say(
        self,
        caveat_id: str,
        severity: Severity,
        metrics: tuple[str, ...],
        settings: tuple[str, ...] = (),
        **values: object,
    ) -> Caveat | None:
        if not metrics:
            return None
        return Caveat(caveat_id, severity, self.run.run, self.base.run, metrics, settings, params(values))


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
    values: dict[str, object] = {"mine": mine, "theirs": theirs}
    for name, key in (("node_ratio", "total_throughput"), ("gpu_ratio", "per_gpu_total")):
        left, right = pair.run.side.figures.get(key), pair.base.side.figures.get(key)
        if left and right and left.value is not None and right.value:
            values[name] = as_decimal(quotient(left.value, right.value)) * 100 - 100
    caveat_id = "gpu-count-differs" if "node_ratio" in values and "gpu_ratio" in values else "gpu-count-differs-plain"
    return pair.say(caveat_id, Severity.SERIOUS, pair.both(EVERY), ("active_gpus",), **values)


def _differs(key: str, caveat_id: str, severity: Severity, families: frozenset[str]) -> PairRule:
    def rule(pair: Pair) -> Caveat | None:
        if not pair.differs(key):
            return None
        mine, theirs = (shown(setting) for setting in pair.settings(key))
        return pair.say(caveat_id, severity, pair.both(families), (key,), mine=mine, theirs=theirs)

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


def latency_worse_throughput_better(pair: Pair) -> Caveat | None:
    """More tokens a second, but users wait longer for them (or the other way round)."""
    throughput = _relative(pair, "per_gpu_total") or _relative(pair, "total_throughput")
    if throughput is None or throughput == 1:
        return None
    worse = tuple(
        key
        for key in ("ttft:median", "tpot:median", "itl:median", "e2el:median")
        if key in pair.run.keys and (ratio := _relative(pair, key)) is not None and _opposed(throughput, ratio)
    )
    caveat_id = "latency-worse" if throughput > 1 else "latency-better"
    names = ", ".join(f"{key.split(':')[1]} {metric(key).name}" for key in worse)
    return pair.say(caveat_id, Severity.WARNING, worse, names=names) if worse else None


def _opposed(throughput: Decimal, latency: Decimal) -> bool:
    return latency > 1 if throughput > 1 else latency < 1


def _relative(pair: Pair, key: str) -> Decimal | None:
    left, right = pair.run.side.figures.get(key), pair.base.side.figures.get(key)
    if left is None or right is None or left.value is None or not right.value:
        return None
    return as_decimal(quotient(left.value, right.value))


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
    _differs("power_scope", "power-scope-differs", Severity.SERIOUS, POWERED),
    repeated_elsewhere,
    one_against_mean,
    latency_worse_throughput_better,
)
