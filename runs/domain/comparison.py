"""The comparison object: the one thing that every page, API, export, chart and share draws on."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Party, Setting
from runs.domain.figures import Figure
from runs.domain.records import Provenance, Remark, RunRecord, Source
from runs.domain.scenarios import Scenario
from runs.domain.units import Number

COMPARISON_VERSION = 1

Param = str | float | int
"""What fills a caveat's sentence: words, or a number that the edge prints in the reader's locale."""


def params(values: dict[str, object]) -> dict[str, Param]:
    """Numbers as int or float, everything else as text."""
    return {name: _param(value) for name, value in values.items()}


def _param(value: object) -> Param:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value if isinstance(value, str | float | int) else str(value)


class Grade(StrEnum):
    """How far a ratio can be trusted, strictest first (design, section 5)."""

    NOT_COMPARABLE = "not comparable"
    INDICATIVE = "indicative"
    REPEAT = "repeat"
    CONTROLLED = "controlled"
    STATED = "stated"


class Severity(StrEnum):
    INFO = "info"
    WARNING = "warning"
    SERIOUS = "serious"


@dataclass(frozen=True)
class Caveat:
    """One caveat of a run, or of a run against the baseline.

    ``params`` fill the sentence of ``id`` (wording is done at the edge, in the reader's language); ``metrics`` are the
    keys it concerns, ``settings`` the settings that caused it, ``ceiling`` the highest grade it allows.
    """

    id: str
    severity: Severity
    run: int
    other: int | None = None
    metrics: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    params: dict[str, Param] = field(default_factory=dict)
    ceiling: Grade | None = None


@dataclass(frozen=True)
class Verdict:
    """The grade of (run, baseline, metric) with the reason: a code, and the settings that decided it."""

    grade: Grade
    reason: str
    settings: tuple[str, ...] = ()
    declared: bool = False


@dataclass(frozen=True)
class Ratio:
    """run / baseline, and the span it has by rounding or repeats. ``too_close``: no winner may be named."""

    value: Number
    low: Number
    high: Number
    too_close: bool = False


@dataclass(frozen=True)
class Cell:
    """One run's figure in one row. ``absent`` says why there is none ("not stated", "not measured", a refusal)."""

    figure: Figure | None
    absent: str = ""
    verdict: Verdict | None = None
    ratio: Ratio | None = None
    caveats: tuple[int, ...] = ()


@dataclass(frozen=True)
class Span:
    """The ratios of several runs that differ in a setting which the baseline does not state."""

    setting: str
    runs: tuple[int, ...]
    low: Number
    high: Number


@dataclass(frozen=True)
class Row:
    """One metric over all runs, in the order of the runs."""

    metric: str
    stat: str
    unit: str
    cells: tuple[Cell, ...]
    spans: tuple[Span, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.metric}:{self.stat}" if self.stat else self.metric


@dataclass(frozen=True)
class SettingRow:
    """One setting over all runs; ``differs`` where two runs are not known to have the same value."""

    key: str
    cells: tuple[Setting, ...]
    differs: bool


@dataclass(frozen=True)
class RunEntry:
    """A run that enters a comparison: its key (the run's public id), its record as it was stored, the errata since
    (oldest first), and the evaluations that may cover it. ``applied``: the errata are worked into the record already,
    as they are where it is the mean of several runs."""

    key: str
    record: RunRecord
    errata: tuple[Erratum, ...] = ()
    evaluations: tuple[Evaluation, ...] = ()
    applied: bool = False


@dataclass(frozen=True)
class Notice:
    """An erratum that touches a run of the comparison: what a reader of the table must be told."""

    run: int
    erratum: Erratum


@dataclass(frozen=True)
class RunHead:
    """What a comparison says of a run at the head of its column."""

    key: str
    label: str
    provenance: Provenance
    party: Party
    setup: str = ""
    notes: str = ""
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Comparison:
    """An ordered set of runs against a baseline, with every caveat."""

    runs: tuple[RunHead, ...]
    baseline: int
    settings: tuple[SettingRow, ...]
    rows: tuple[Row, ...]
    caveats: tuple[Caveat, ...]
    scenario: Scenario | None = None
    sources: tuple[Source, ...] = ()
    notices: tuple[Notice, ...] = ()
    version: int = COMPARISON_VERSION

    def row(self, key: str) -> Row | None:
        return next((row for row in self.rows if row.key == key), None)
