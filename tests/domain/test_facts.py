"""A value with its basis, status and state: what is weakest, what passes on, what is known."""

from decimal import Decimal
from itertools import permutations

import pytest

from runs.domain.facts import Basis, Evidence, Printed, Quantity, Setting, State, Status, inherited, weakest
from runs.domain.records import Source
from runs.domain.units import DomainError, Interval

M, C, E, A, D = Basis.MEASURED, Basis.CONFIGURED, Basis.ESTIMATED, Basis.ASSUMED, Basis.DERIVED


@pytest.mark.parametrize(
    ("bases", "result"),
    [((M, C), C), ((C, E), E), ((M, A), A), ((E, A), A), ((M, D), M), ((D, A), A), ((D,), M), ((), M)],
)
def test_the_weakest_basis(bases: tuple[Basis, ...], result: Basis) -> None:
    for order in permutations(bases):
        assert weakest(*order) is result


def test_status_passes_on_and_the_graver_wins() -> None:
    assert inherited() is Status.CURRENT
    assert inherited(Status.CURRENT, Status.HISTORICAL) is Status.HISTORICAL
    assert inherited(Status.WITHDRAWN, Status.CORRECTED, Status.SUPERSEDED) is Status.WITHDRAWN
    assert inherited(Status.SUPERSEDED, Status.HISTORICAL) is Status.SUPERSEDED


@pytest.mark.parametrize(
    ("setting", "known", "firm"),
    [
        (Setting("isl", State.STATED, 8192), True, True),
        (Setting("isl", State.OBSERVED, 8192), True, True),
        (Setting("isl", State.STATED, None, "8K"), True, True),
        (Setting("isl", State.INFERRED, 8192), True, False),
        (Setting("isl", State.NOT_APPLICABLE), True, True),
        (Setting("isl", State.STATED), False, False),
        (Setting("isl", State.NOT_STATED), False, False),
        (Setting("isl", State.DISPUTED, 8192, claims=("8192", "8000")), False, False),
        (Setting("temperature", State.STATED, 0), True, True),
        (Setting("prefix_caching", State.STATED, value=False), True, True),
    ],
)
def test_what_is_known_and_what_is_firm(setting: Setting, known: bool, firm: bool) -> None:
    assert (setting.is_known, setting.is_firm) == (known, firm)


def test_the_interval_of_a_quantity() -> None:
    value = Decimal("4.18")
    assert Quantity("gpu_power", "kW", M, "mean", value, printed=Printed("4,18", "nl")).interval() == Interval(
        Decimal("4.175"), Decimal("4.185")
    )
    assert Quantity("gpu_power", "kW", M, "mean", value).interval() == Interval(value, value)
    assert Quantity("ttft", "s", M, "median", low=1, high=Decimal("1.5")).interval() == Interval(
        Decimal(1), Decimal("1.5")
    )
    assert Quantity("ttft", "s", M, "median", status=Status.NOT_MEASURED).interval() is None


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"low": 1}, "a range has both ends"),
        ({"low": 2, "high": 1}, "upside down"),
        ({"value": 1, "repeats": 0}, "at least 1"),
        ({"value": float("nan")}, "nan is no figure"),
        ({"value": Decimal("Infinity")}, "Infinity is no figure"),
        ({"value": 1, "repeat_values": (1.0, float("inf"))}, "inf is no figure"),
    ],
)
def test_a_quantity_refuses(given: dict[str, object], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Quantity("ttft", "s", M, "median", **given)  # type: ignore[arg-type]


def test_settings_and_evidence_refuse() -> None:
    with pytest.raises(DomainError, match="request_rate: inf is no value"):
        Setting("request_rate", State.STATED, float("inf"))
    with pytest.raises(DomainError, match="file, document, statement or rule"):
        Evidence("rumour")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"url": "javascript:alert(1)"}, "begins with https"),
        ({"published": "4 November 2026"}, "published is a date"),
        ({"accessed": "2026-13-01"}, "accessed is a date"),
        ({"archived_sha256": "abc"}, "64 hexadecimal"),
    ],
)
def test_a_source_refuses(given: dict[str, str], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Source("key", "A title", "A publisher", **given)  # type: ignore[arg-type]
    Source("key", "A title", "A publisher", url="https://example.org", published="2026-11", accessed="2026-11-04")
