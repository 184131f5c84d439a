"""The published-runs format as it is written down (docs/published-runs.md), key by key; unknown keys are refused."""

import re
from enum import StrEnum
from typing import Annotated, Literal

import msgspec

from runs.domain.errata import ErratumKind
from runs.domain.facts import Basis, State, Status
from runs.domain.records import Provenance
from runs.domain.units import NumberLocale

Short = Annotated[str, msgspec.Meta(max_length=200)]
Key = Annotated[str, msgspec.Meta(max_length=60)]
Long = Annotated[str, msgspec.Meta(max_length=5000)]


class Strict(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    pass


class PartyIn(Strict):
    name: Short
    relation: Short = "not stated"


class SettingIn(Strict):
    value: Short | int | float | bool | list[int] | None = None
    nominal: Short = ""
    state: State = State.STATED
    quote: Long = ""
    note: Long = ""
    source: Short = ""
    claims: list[str] = []


class FigureIn(Strict):
    printed: Long | None = None
    low: Short | None = None
    high: Short | None = None
    unit: Short = ""
    basis: Basis = Basis.MEASURED
    status: Status = Status.CURRENT
    circa: bool = False
    locale: NumberLocale | None = None
    repeats: int | Literal["not stated"] | None = None
    repeat_values: list[str] = []
    quote: Long = ""
    source: Short = ""
    party: PartyIn | None = None
    definition: Long = ""
    note: Long = ""


AnySetting = Short | int | float | bool | list[int] | SettingIn | None


class RunIn(Strict):
    label: Short
    source: Short
    key: Key = ""
    provenance: Provenance = Provenance.PUBLISHED
    party: PartyIn | None = None
    via: Short = ""
    setup: Short = ""
    repeats: int | None = None
    settings: dict[str, AnySetting] = {}
    figures: dict[str, str | FigureIn] = {}
    notes: Long = ""


class SetupIn(Strict):
    settings: dict[str, AnySetting] = {}
    note: Long = ""


class SourceIn(Strict):
    title: Annotated[str, msgspec.Meta(max_length=300)]
    publisher: Short
    published: Short
    relation: Short = "not stated"
    url: Annotated[str, msgspec.Meta(max_length=1000)] = ""
    accessed: Short = ""
    language: Short = ""
    locale: NumberLocale = "plain"
    archived_sha256: Short = ""
    note: Long = ""
    locale_stated: bool = True


class OfferIn(Strict):
    name: Short
    rate_per_gpu_hour: Short
    includes: Long = ""
    unit_gpus: int | None = None
    source: Short = ""
    checked: Short = ""


class ScenarioIn(Strict):
    key: Key
    name: Annotated[str, msgspec.Meta(max_length=120)]
    currency: Short = "USD"
    price_per_kwh: Short | None = None
    pue: Short = "1"
    utilisation: Short = "1"
    offers: list[OfferIn] = []
    note: Long = ""


class EvaluationIn(Strict):
    """A score as written down: ``correct`` of ``total``, or ``score`` as printed."""

    key: Key
    task: Short
    source: Short
    printed: Long = ""
    correct: int | None = None
    total: int | None = None
    score: Short | None = None
    unit: Short = "correct/total"
    shots: int | None = None
    full_size: int | None = None
    context: Short = ""
    configuration: Short = ""
    settings: dict[str, AnySetting] = {}
    counts: dict[str, int] = {}
    covers: list[str] = []
    status: Status = Status.CURRENT
    date: Short = ""
    note: Long = ""


class ErratumIn(Strict):
    """What later turned out about a run, a figure of it, an evaluation or a source: exactly one of them."""

    kind: ErratumKind
    date: Short
    reason: Long
    who: Short
    source: Short
    run: Short = ""
    evaluation: Short = ""
    about_source: Short = ""
    metric: Short = ""
    old: Short = ""
    new: Short = ""
    successor: Short = ""
    quote: Long = ""


class FileIn(Strict):
    """The whole file."""

    likewise: Literal["published-runs/1"]
    sources: dict[str, SourceIn]
    setups: dict[str, SetupIn] = {}
    runs: list[RunIn] = []
    scenarios: list[ScenarioIn] = []
    evaluations: list[EvaluationIn] = []
    errata: list[ErratumIn] = []


_TYPES = {
    "str": "text (a printed number stands in quotes)",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "null": "nothing",
    "array": "a list",
    "object": "keys with values",
}
_CHOICES: dict[str, type[StrEnum]] = {
    "basis": Basis,
    "status": Status,
    "state": State,
    "provenance": Provenance,
    "kind": ErratumKind,
}
_TYPE_ERROR = re.compile(r"Expected `([^`]*)`(.*), got `([^`]*)`")
_NAMED = re.compile(r"`([^`]*)`")


def explained(message: str, place: str) -> tuple[str, str]:
    """What msgspec expected and what it saw, in the words of somebody who writes the file by hand."""
    wrong = _TYPE_ERROR.fullmatch(message)
    if wrong is not None:
        types = " or ".join(_TYPES.get(name, name) for name in wrong[1].split(" | "))
        return f"{types}{wrong[2]}", _TYPES.get(wrong[3], wrong[3]).partition(" (")[0]
    named = _NAMED.search(message)
    if message.startswith("Object missing required field") and named:
        return f"the key {named[1]}", "none"
    if message.startswith("Object contains unknown field") and named:
        return "only keys of the format, version 1", f"the key {named[1]}"
    choices = _CHOICES.get(place.strip("`").rpartition(".")[2])
    if message.startswith("Invalid enum value") and choices is not None:
        return f"one of {', '.join(choices)}", message.removeprefix("Invalid enum value ")
    return "the published-runs format, version 1", message
