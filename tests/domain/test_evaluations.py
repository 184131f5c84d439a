"""Which test two scores get, with p worked out by hand; pairs that cannot be of the two scores are refused."""

import math

import pytest

from runs.domain.evaluations import MOST_ITEMS, Evaluation, difference
from runs.domain.units import DomainError


def counted(correct: int, total: int = 200) -> Evaluation:
    return Evaluation(f"e{correct}", "gsm8k", correct, total)


def test_matched_items_get_mcnemar_s_test_and_others_fisher_s() -> None:
    one, other = counted(197), counted(185)
    paired = difference(one, other, (12, 0))
    assert (paired.test, paired.p, paired.words) == ("McNemar's exact test", 2 * 0.5**12, "differ")
    exact = difference(one, other)
    assert (exact.test, round(exact.p or 0, 4), exact.words) == ("Fisher's exact test", 0.0063, "differ")
    assert difference(counted(190), counted(190), (0, 0)).p == 1.0


@pytest.mark.parametrize(
    "pairs", [(0, 0), (12, 1), (500, 488), (-1, -13), (16, 4)], ids=["none", "uneven", "too many", "below 0", "no room"]
)
def test_pairs_that_cannot_be_of_the_two_scores_are_refused(pairs: tuple[int, int]) -> None:
    with pytest.raises(DomainError, match="right on one side only cannot be of 197/200 and 185/200"):
        difference(counted(197), counted(185), pairs)


def test_matched_items_are_as_many_on_both_sides() -> None:
    with pytest.raises(DomainError, match="not 200 and 199"):
        difference(counted(190), counted(190, 199), (0, 0))


def test_more_items_than_the_exact_test_counts_are_not_tested() -> None:
    half = MOST_ITEMS // 2
    apart = int(5 * math.sqrt(half))
    told = difference(counted(half, MOST_ITEMS), counted(half + apart, MOST_ITEMS))
    assert (told.words, round(told.p or 0, 7)) == ("differ", 6e-7)
    beyond = difference(counted(half, MOST_ITEMS + 1), counted(half + apart, MOST_ITEMS))
    assert (beyond.test, beyond.p, beyond.words) == ("none", None, "not tested")
