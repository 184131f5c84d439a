"""What a comparison page shows, read from its address and written back into one: nothing is kept anywhere else."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from decimal import Decimal, InvalidOperation
from typing import Self
from urllib.parse import urlencode

from django.http import QueryDict

SCENARIO_FIELDS = ("price_per_kwh", "pue", "utilisation")
OFFER_PREFIX = "rate."


@dataclass(frozen=True)
class CompareState:
    """``runs`` in order, ``baseline`` (the first where empty), what the reader set of the scenario, as typed, the
    stored scenario it is set over (``key`` or ``key@version``; empty: the default), ``metrics`` (all where none)."""

    runs: tuple[str, ...] = ()
    baseline: str = ""
    only_differences: bool = False
    scenario: dict[str, str] = field(default_factory=dict)
    stored: str = ""
    metrics: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: QueryDict) -> Self:
        runs = picked_runs(query)
        scenario = {
            name: value.strip()
            for name, value in query.items()
            if isinstance(value, str) and value.strip() and (name in SCENARIO_FIELDS or name.startswith(OFFER_PREFIX))
        }
        baseline = query.get("baseline", "")
        differences, stored = query.get("only_differences") == "1", query.get("scenario", "").strip()[:80]
        metrics = picked(query, "metrics")
        return cls(runs, baseline if baseline in runs else "", differences, scenario, stored, metrics)

    @property
    def query(self) -> str:
        """The state as a query string; every part that is not the default."""
        return urlencode(list(self.pairs()), safe=",")

    def pairs(self, *, scenario: bool = True) -> Iterable[tuple[str, str]]:
        yield "runs", ",".join(self.runs)
        if self.baseline and self.baseline != self.runs[0]:
            yield "baseline", self.baseline
        if self.only_differences:
            yield "only_differences", "1"
        if self.stored:
            yield "scenario", self.stored
        if self.metrics:
            yield "metrics", ",".join(self.metrics)
        if scenario:
            yield from self.scenario.items()

    def with_baseline(self, key: str) -> Self:
        return replace(self, baseline=key)

    def without(self, key: str) -> Self:
        return replace(
            self,
            runs=tuple(one for one in self.runs if one != key),
            baseline="" if self.baseline == key else self.baseline,
        )

    def moved(self, key: str, step: int) -> Self:
        """The state with a run one place to the left (-1) or right (1); the baseline stays the same run."""
        order = list(self.runs)
        place = order.index(key)
        order.insert(max(0, place + step), order.pop(place))
        return replace(self, runs=tuple(order), baseline=self.baseline or self.runs[0])


def picked_runs(query: QueryDict) -> tuple[str, ...]:
    """The runs an address names, each once and in order, whether drawn together by commas or one by one."""
    return picked(query, "runs")


def picked(query: QueryDict, name: str) -> tuple[str, ...]:
    found = dict.fromkeys(key.strip() for text in query.getlist(name) for key in text.split(","))
    found.pop("", None)
    return tuple(found)


def typed_decimal(text: str) -> Decimal | None:
    """A number as a person types it into a form, with a point or a comma; None where it is none."""
    try:
        found = Decimal(text.replace(",", "."))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
