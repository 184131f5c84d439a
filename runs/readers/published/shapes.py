"""The published-runs format as it is written down (docs/published-runs.md), key by key; unknown keys are refused."""

from typing import Literal

import msgspec

from runs.domain.errata import ErratumKind
from runs.domain.facts import Basis, State, Status
from runs.domain.records import Provenance
from runs.domain.units import NumberLocale


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class PartyIn(Strict):
    name: str
    relation: str = "not stated"


class SettingIn(Strict):
    value: str | int | float | bool | list[int] | None = None
    nominal: str = ""
    state: State = State.STATED
    quote: str = ""
    note: str = ""
    source: str = ""
    claims: list[str] = []


class FigureIn(Strict):
    printed: str | None = None
    low: str | None = None
    high: str | None = None
    unit: str = ""
    basis: Basis = Basis.MEASURED
    status: Status = Status.CURRENT
    circa: bool = False
    locale: NumberLocale | None = None
    repeats: int | Literal["not stated"] | None = None
    repeat_values: list[str] = []
    quote: str = ""
    source: str = ""
    party: PartyIn | None = None
    definition: str = ""
    note: str = ""


AnySetting = str | int | float | bool | list[int] | SettingIn | None


class RunIn(Strict):
    label: str
    source: str
    key: str = ""
    provenance: Provenance = Provenance.PUBLISHED
    party: PartyIn | None = None
    via: str = ""
    setup: str = ""
    repeats: int | None = None
    settings: dict[str, AnySetting] = {}
    figures: dict[str, str | FigureIn] = {}
    notes: str = ""


class SetupIn(Strict):
    settings: dict[str, AnySetting] = {}
    note: str = ""


class SourceIn(Strict):
    title: str
    publisher: str
    published: str
    relation: str = "not stated"
    url: str = ""
    accessed: str = ""
    language: str = ""
    locale: NumberLocale = "plain"
    archived_sha256: str = ""
    note: str = ""
    locale_stated: bool = True


class OfferIn(Strict):
    name: str
    rate_per_gpu_hour: str
    includes: str = ""
    unit_gpus: int | None = None
    source: str = ""
    checked: str = ""


class ScenarioIn(Strict):
    key: str
    name: str
    currency: str = "USD"
    price_per_kwh: str | None = None
    pue: str = "1"
    utilisation: str = "1"
    offers: list[OfferIn] = []
    note: str = ""


class EvaluationIn(Strict):
    """A score as written down: ``correct`` of ``total``, or ``score`` as printed."""

    key: str
    task: str
    source: str
    printed: str = ""
    correct: int | None = None
    total: int | None = None
    score: str | None = None
    unit: str = "correct/total"
    shots: int | None = None
    full_size: int | None = None
    context: str = ""
    configuration: str = ""
    settings: dict[str, AnySetting] = {}
    counts: dict[str, int] = {}
    covers: list[str] = []
    status: Status = Status.CURRENT
    date: str = ""
    note: str = ""


class ErratumIn(Strict):
    """What later turned out about a run, a figure of it, an evaluation or a source: exactly one of them."""

    kind: ErratumKind
    date: str
    reason: str
    who: str
    source: str
    run: str = ""
    evaluation: str = ""
    about_source: str = ""
    metric: str = ""
    old: str = ""
    new: str = ""
    successor: str = ""
    quote: str = ""


class FileIn(Strict):
    """The whole file."""

    likewise: Literal["published-runs/1"]
    sources: dict[str, SourceIn]
    setups: dict[str, SetupIn] = {}
    runs: list[RunIn] = []
    scenarios: list[ScenarioIn] = []
    evaluations: list[EvaluationIn] = []
    errata: list[ErratumIn] = []
