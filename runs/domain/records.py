"""What a run is: its settings, its figures, its window and its power, as one frozen record."""

import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache
from typing import Literal

from runs.domain.facts import Evidence, Party, Quantity, Setting, State
from runs.domain.metrics import SETTINGS, setting_spec
from runs.domain.units import DomainError

RECORD_VERSION = 1


class Provenance(StrEnum):
    """Whose figure it is. ``measured``: this house's run with its files; ``published``: another party's, by document;
    ``house document``: this house's, but by document only; ``simulated``: of a stand-in, never a measurement."""

    MEASURED = "measured"
    PUBLISHED = "published"
    HOUSE_DOCUMENT = "house document"
    SIMULATED = "simulated"


@dataclass(frozen=True)
class Remark:
    """Something a reader of the run must know: a stable code, a sentence, and where in the file it was seen."""

    code: str
    text: str
    place: str = ""


LONGEST_RUN_S = 366 * 86400.0
"""A duration beyond it is no benchmark's, and an instant that far away may be none at all."""


@dataclass(frozen=True)
class Window:
    """The benchmark window in UTC epoch seconds, with how it is known and how far off it may be."""

    start: float
    end: float
    state: State
    uncertainty_s: float = 0.0
    evidence: tuple[Evidence, ...] = ()
    note: str = ""

    def __post_init__(self) -> None:
        if not self.end > self.start:
            raise DomainError(f"window ends at {self.end}, not after its start {self.start}")

    @property
    def duration_s(self) -> float:
        return self.end - self.start


@dataclass(frozen=True)
class LocalEnd:
    """The end of a run in local time without a zone (``2026-08-06T13:28:30``), and its duration in seconds."""

    end: str
    duration_s: float


@dataclass(frozen=True)
class Requests:
    """Counts of a run; None where the file does not say. Tokens are of successful requests only."""

    attempted: int | None = None
    completed: int | None = None
    failed: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None


@dataclass(frozen=True)
class GpuPower:
    """One GPU's part of a power analysis. ``missing`` counts samples in the window that carry no value."""

    gpu: str
    samples: int
    missing: int
    mean_w: float | None
    energy_j: float | None
    peak_w: float | None
    covered: float
    largest_gap_s: float | None
    cap_w: float | None = None
    above_cap: int | None = None


@dataclass(frozen=True)
class PowerAnalysis:
    """Power of a run's active GPUs over its window (design, section 7).

    ``mean_w`` is the time-weighted mean of the sum, ``energy_j`` its integral; None where the log cannot say. Shares
    are 0 to 1. ``valid`` is the verdict and ``reasons`` what speaks against it. ``mean_low_w`` to ``mean_high_w`` is
    where the mean lies when the window's edges move by their uncertainty; None where they have none.
    """

    gpus: tuple[str, ...]
    scope: str
    tool: str
    window: Window
    mean_w: float | None
    energy_j: float | None
    peak_w: float | None
    p50_w: float | None
    p95_w: float | None
    per_gpu: tuple[GpuPower, ...]
    idle: tuple[GpuPower, ...]
    interval_s: float | None
    largest_gap_s: float | None
    covered: float
    bracketed: bool
    valid: bool
    reasons: tuple[Remark, ...] = ()
    log_sha256: str = ""
    mean_low_w: float | None = None
    mean_high_w: float | None = None


@cache
def _not_stated(key: str) -> Setting:
    return Setting(setting_spec(key).key, State.NOT_STATED)


@dataclass(frozen=True)
class RunRecord:
    """A run as read or written down: everything the comparison draws on.

    ``setup`` names a declared profile: settings that are not stated are "the same by declaration" between two runs
    of one setup. ``remarks`` are warnings of the reading that stay with the run.
    """

    label: str
    provenance: Provenance
    party: Party
    settings: dict[str, Setting] = field(default_factory=dict)
    quantities: tuple[Quantity, ...] = ()
    requests: Requests = Requests()
    setup: str = ""
    window: Window | None = None
    local_end: LocalEnd | None = None
    power: PowerAnalysis | None = None
    remarks: tuple[Remark, ...] = ()
    notes: str = ""
    version: int = RECORD_VERSION

    def setting(self, key: str) -> Setting:
        """The setting, or ``not stated`` where nothing is known. Unknown keys raise DomainError."""
        found = self.settings.get(key)
        return found if found is not None else _not_stated(key)

    def quantity(self, key: str) -> Quantity | None:
        """The first figure of a key (``ttft:median``)."""
        return next((quantity for quantity in self.quantities if quantity.key == key), None)

    def with_settings(self, *changed: Setting) -> "RunRecord":
        """The record with some settings replaced."""
        for setting in changed:
            setting_spec(setting.key)
        return replace(self, settings={**self.settings, **{setting.key: setting for setting in changed}})

    def not_stated(self) -> tuple[str, ...]:
        """Keys of the catalogue of which nothing is known, in catalogue order."""
        return tuple(spec.key for spec in SETTINGS if self.setting(spec.key).state is State.NOT_STATED)


_ISO_DATE = re.compile(r"\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?)?", re.ASCII)
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True)
class Source:
    """A document that figures were read in. ``url`` empty means "URL not stated"; dates are ISO or empty
    (not stated).

    ``locale`` is how it prints numbers; where ``locale_stated`` is False nobody has said so yet, and ``locale`` means
    nothing.
    """

    key: str
    title: str
    publisher: str
    relation: str = "not stated"
    url: str = ""
    published: str = ""
    accessed: str = ""
    language: str = ""
    locale: Literal["en", "nl", "plain"] = "plain"
    archived_sha256: str = ""
    note: str = ""
    locale_stated: bool = True

    @property
    def known_locale(self) -> Literal["en", "nl", "plain"] | None:
        return self.locale if self.locale_stated else None

    def __post_init__(self) -> None:
        if self.url and not self.url.lower().startswith(("https://", "http://")):
            raise DomainError(f"source {self.key}: an address begins with https:// or http://, not {self.url[:40]!r}")
        for name, date in (("published", self.published), ("accessed", self.accessed)):
            if date and not _ISO_DATE.fullmatch(date):
                raise DomainError(f"source {self.key}: {name} is a date such as 2026-11-04 or 2026-11, not {date!r}")
        if self.archived_sha256 and not _SHA256.fullmatch(self.archived_sha256):
            raise DomainError(f"source {self.key}: a SHA-256 is 64 hexadecimal digits")
