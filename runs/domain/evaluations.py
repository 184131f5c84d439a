"""Evaluations of output quality: counts with a Wilson interval, and whether two of them differ beyond noise."""

import math
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal

from runs.domain.facts import Evidence, Party, Printed, Setting, Status
from runs.domain.units import DomainError

Z95 = 1.959963984540054
ALPHA = 0.05
MOST_ITEMS = 10**9
"""With more, scipy's exact test overflows and answers p = 1."""


@dataclass(frozen=True)
class Evaluation:
    """One score of one task for one configuration.

    Either ``correct`` of ``total`` items, or a ``score`` in ``unit`` (a KL divergence, an agreement). ``full_size`` is
    the size of the whole task where ``total`` is a subset of it; ``covers`` names the setups or runs whose very
    configuration it validates; ``counts`` what it was taken over (rows, positions). ``status`` says whether it still
    stands; a score that is known to be missing has none and says so there.
    """

    key: str
    task: str
    correct: int | None = None
    total: int | None = None
    score: Decimal | float | None = None
    unit: str = "correct/total"
    shots: int | None = None
    full_size: int | None = None
    context: str = ""
    settings: dict[str, Setting] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    covers: tuple[str, ...] = ()
    configuration: str = ""
    status: Status = Status.CURRENT
    partial: bool = False
    party: Party | None = None
    evidence: tuple[Evidence, ...] = ()
    printed: Printed | None = None
    date: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if (self.correct is None) != (self.total is None):
            raise DomainError(f"{self.task}: correct and total come together")
        if self.total is not None and self.correct is not None:
            if self.total < 1:
                raise DomainError(f"{self.task}: total is at least 1, not {self.total}")
            if not 0 <= self.correct <= self.total:
                raise DomainError(f"{self.task}: correct is from 0 to {self.total}, not {self.correct}")

    @property
    def is_missing(self) -> bool:
        return self.correct is None and self.score is None

    @property
    def is_subset(self) -> bool:
        """Whether it ran on a part of its task only."""
        return self.partial or (self.full_size is not None and self.total is not None and self.total < self.full_size)


def wilson(correct: int, total: int, z: float = Z95) -> tuple[float, float]:
    """The Wilson score interval of a share, as fractions of 1 (Wilson 1927; 95 % by default)."""
    if total < 1 or not 0 <= correct <= total:
        raise DomainError(f"a share is 0 to {total} of at least 1, not {correct}")
    share, spread = correct / total, z * z / total
    centre = (share + spread / 2) / (1 + spread)
    half = z * math.sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return max(0.0, centre - half), min(1.0, centre + half)


@dataclass(frozen=True)
class Difference:
    """Whether two scores differ beyond noise: the test by name, its p, and the words for it; never "equal"."""

    test: Literal["Fisher's exact test", "McNemar's exact test", "none"]
    p: float | None
    words: Literal["differ", "no difference detected", "not tested"]
    reason: str = ""


def difference(a: Evaluation, b: Evaluation, paired: tuple[int, int] | None = None) -> Difference:
    """Compare two evaluations of one task.

    ``paired`` are the items that only ``a`` and only ``b`` got right, where items are matched: then McNemar's exact
    test; else Fisher's, both from scipy. Other tasks, shots or contexts, scores without counts and withdrawn scores
    are not tested, with the reason. Raises DomainError where ``paired`` cannot be true of the two scores.
    """
    for one in (a, b):
        if one.status is Status.WITHDRAWN or one.is_missing:
            return Difference("none", None, "not tested", f"{one.task} has no valid score on one side")
    if (a.task, a.shots) != (b.task, b.shots):
        return Difference("none", None, "not tested", "other task or number of shots")
    if a.context != b.context:
        return Difference("none", None, "not tested", "other contexts")
    if a.correct is None or b.correct is None or a.total is None or b.total is None:
        return Difference("none", None, "not tested", "a score without counts has no known noise")
    if paired is not None:
        _check_pairs(a.task, (a.correct, a.total), (b.correct, b.total), *paired)
    elif max(a.total, b.total) > MOST_ITEMS:
        return Difference("none", None, "not tested", f"an exact test counts up to {MOST_ITEMS} items")
    from scipy import stats  # noqa: PLC0415 - takes a third of a second, and few pages need it

    if paired is not None:
        only_a, only_b = paired
        p = float(stats.binomtest(only_a, only_a + only_b).pvalue) if only_a + only_b else 1.0
        return Difference("McNemar's exact test", p, _words(p))
    table = [[a.correct, a.total - a.correct], [b.correct, b.total - b.correct]]
    p = float(stats.fisher_exact(table).pvalue)
    return Difference("Fisher's exact test", p, _words(p))


def _check_pairs(task: str, a: tuple[int, int], b: tuple[int, int], only_a: int, only_b: int) -> None:
    """Raises DomainError where items that only one side got right contradict the scores (correct, total)."""
    if a[1] != b[1]:
        raise DomainError(f"{task}: matched items are as many on both sides, not {a[1]} and {b[1]}")
    both = a[0] - only_a
    neither = a[1] - both - only_a - only_b
    if only_a < 0 or only_b < 0 or both < 0 or neither < 0 or both != b[0] - only_b:
        raise DomainError(
            f"{task}: {only_a} and {only_b} items right on one side only cannot be of {a[0]}/{a[1]} and {b[0]}/{b[1]}"
        )


def _words(p: float) -> Literal["differ", "no difference detected"]:
    return "differ" if p < ALPHA else "no difference detected"


def covers(evaluation: Evaluation, run_key: str, setup: str) -> bool:
    """Whether a valid evaluation covers this very run or the setup it declares."""
    valid = evaluation.status in (Status.CURRENT, Status.CORRECTED) and not evaluation.is_missing
    return valid and bool(({run_key, setup} - {""}) & set(evaluation.covers))
