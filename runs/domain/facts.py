"""Facts: a value is never alone. Bases, states, evidence, quantities and settings (design, sections 3 and 4)."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from math import isfinite

from runs.domain.units import DomainError, Interval, Number, NumberLocale, as_decimal, point, rounding_interval


class Basis(StrEnum):
    """How a number came to be, strongest first; ``derived`` is computed here from others."""

    MEASURED = "measured"
    CONFIGURED = "configured"
    ESTIMATED = "estimated"
    ASSUMED = "assumed"
    DERIVED = "derived"


STRENGTH = (Basis.MEASURED, Basis.CONFIGURED, Basis.ESTIMATED, Basis.ASSUMED)


def weakest(*bases: Basis) -> Basis:
    """The weakest of some system bases; ``derived`` itself says nothing and is passed over."""
    ranked = [STRENGTH.index(basis) for basis in bases if basis is not Basis.DERIVED]
    return STRENGTH[max(ranked)] if ranked else Basis.MEASURED


class Status(StrEnum):
    """Whether a figure still stands; everything but ``current`` passes on to what is derived from it."""

    CURRENT = "current"
    CORRECTED = "corrected"
    HISTORICAL = "historical"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"
    NOT_MEASURED = "not measured"
    NOT_STATED = "not stated"


_STATUS_ORDER = tuple(Status)


def inherited(*statuses: Status) -> Status:
    """The status of a figure derived from figures with these: the last of them in severity."""
    return max(statuses, key=_STATUS_ORDER.index, default=Status.CURRENT)


class State(StrEnum):
    """What is known of a setting. Absent is ``not stated``: never 0, never the default."""

    STATED = "stated"
    OBSERVED = "observed"
    INFERRED = "inferred"
    NOT_STATED = "not stated"
    NOT_APPLICABLE = "not applicable"
    DISPUTED = "disputed"


@dataclass(frozen=True)
class Evidence:
    """Where a fact comes from.

    ``kind`` is ``file`` (``ref`` is the SHA-256 of an artifact held here, ``place`` the path inside it), ``document``
    (``ref`` is the key of a source, ``quote`` the quoted cell or sentence), ``statement`` (somebody's word, given at
    upload or by mail) or ``rule`` (worked out here; ``place`` names the rule). ``via`` names the source a third
    party's figure was read in.
    """

    kind: str
    ref: str = ""
    place: str = ""
    quote: str = ""
    via: str = ""

    def __post_init__(self) -> None:
        if self.kind not in {"file", "document", "statement", "rule"}:
            raise DomainError(f"evidence is a file, document, statement or rule, not {self.kind!r}")


@dataclass(frozen=True)
class Party:
    """Who says so, and its relation to the thing measured."""

    name: str
    relation: str = "not stated"


@dataclass(frozen=True)
class Printed:
    """How a figure was printed: the original text, its number locale, and whether it was called approximate."""

    text: str
    locale: NumberLocale = "plain"
    circa: bool = False


@dataclass(frozen=True)
class Quantity:
    """A figure of a run with everything that belongs to it.

    ``metric`` is a key of the catalogue and ``stat`` which statistic of it ("" where there is only one). ``value`` is
    a Decimal with the printed digits where the figure was printed, a float64 where it was measured, None where the
    figure is known to be missing (``status`` says how) or is a range (``low``/``high``). The unit is the one printed
    or measured in. ``repeats`` None means not stated. ``definition`` names the timing definition where it is not the
    catalogue's.
    """

    metric: str
    unit: str
    basis: Basis
    stat: str = ""
    value: Decimal | float | None = None
    low: Decimal | float | None = None
    high: Decimal | float | None = None
    status: Status = Status.CURRENT
    party: Party | None = None
    evidence: tuple[Evidence, ...] = ()
    printed: Printed | None = None
    repeats: int | None = None
    repeat_values: tuple[Decimal | float, ...] = ()
    definition: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        for number in (self.value, self.low, self.high, *self.repeat_values):
            if number is not None and not isfinite(number):
                raise DomainError(f"{self.metric}: {number} is no figure; a missing one has a status that says why")
        if (self.low is None) != (self.high is None):
            raise DomainError(f"{self.metric}: a range has both ends")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise DomainError(f"{self.metric}: range upside down: {self.low} is above {self.high}")
        if self.repeats is not None and self.repeats < 1:
            raise DomainError(f"{self.metric}: repeats is at least 1, not {self.repeats}")

    @property
    def key(self) -> str:
        """``metric`` or ``metric:stat``: how the figure is named in tables, URLs and the API."""
        return f"{self.metric}:{self.stat}" if self.stat else self.metric

    @property
    def is_missing(self) -> bool:
        return self.value is None and self.low is None

    def interval(self) -> Interval | None:
        """The closed interval the figure stands for: its rounding interval, its range, or the point itself."""
        if self.low is not None and self.high is not None:
            return Interval(as_decimal(self.low), as_decimal(self.high))
        if self.value is None:
            return None
        if self.printed is not None and isinstance(self.value, Decimal):
            return rounding_interval(self.value, circa=self.printed.circa)
        return point(self.value)

    def number(self) -> Number | None:
        """The value, or the middle of a range."""
        if self.value is not None or self.low is None or self.high is None:
            return self.value
        return (as_decimal(self.low) + as_decimal(self.high)) / 2


SettingValue = str | int | float | bool | tuple[int, ...] | None


@dataclass(frozen=True)
class Setting:
    """What is known of one setting of a run.

    ``value`` is the exact value in the catalogue's unit; ``nominal`` what it was called ("128K") where the exact one
    is not stated or differs. A disputed setting keeps both claims in ``evidence`` and their values in ``claims``.
    ``canonical`` is the one name of a model, accelerator or runtime that goes by several, beside the one stated.
    """

    key: str
    state: State
    value: SettingValue = None
    nominal: str = ""
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[str, ...] = ()
    note: str = ""
    canonical: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.value, float) and not isfinite(self.value):
            raise DomainError(f"setting {self.key}: {self.value} is no value; an unlimited one is given by name")

    @property
    def is_known(self) -> bool:
        """Whether there is a value, exact or nominal, that is not in dispute."""
        state = self.state
        # By identity: a look into a set would hash a StrEnum, and a comparison asks this thousands of times.
        if state is State.NOT_STATED or state is State.DISPUTED:
            return False
        return self.value is not None or self.nominal != "" or state is State.NOT_APPLICABLE

    @property
    def is_firm(self) -> bool:
        """Known, and not merely inferred."""
        return self.is_known and self.state is not State.INFERRED
