"""Figures of a result document: float64 in canonical units, each with its place in the file."""

import math
from collections.abc import Iterator

from runs.domain.facts import Basis, Evidence, Quantity
from runs.domain.metrics import BY_KEY, LATENCY_STATS
from runs.domain.records import LONGEST_RUN_S, Remark
from runs.domain.units import convert
from runs.readers.base import clean_text
from runs.readers.vllm_serve.documents import Document, Scalar
from runs.readers.vllm_serve.keys import FIGURES, LATENCY, MAY_BE_ZERO

MAX_REMARKS = 100
LARGEST = 1e12
"""No rate, time or ratio of a benchmark comes near it."""


class Figures:
    """Collects the figures and remarks of one document; asked once, then dropped."""

    def __init__(self, document: Document, sha256: str) -> None:
        self.document, self.sha256 = document, sha256
        self.remarks: list[Remark] = []

    def read(self) -> tuple[Quantity, ...]:
        """Throughputs, duration, acceptance, then latencies in catalogue order of statistics."""
        found: dict[str, Quantity] = {}
        for key, metric in FIGURES.items():
            quantity = self._scalar(key, metric)
            if quantity is not None:
                found.setdefault(quantity.key, quantity)
        for quantity in self._latencies():
            found.setdefault(quantity.key, quantity)
        return tuple(found.values())

    def _scalar(self, key: str, metric: str) -> Quantity | None:
        value = self._number(key)
        if value is None:
            return None
        if value == 0 and metric not in MAY_BE_ZERO:
            self._remark("zero-figure", f"{key} is 0, which is no measurement: left out", key)
            return None
        return self._quantity(metric, "", value, key)

    def _latencies(self) -> Iterator[Quantity]:
        matches = [found for key in self.document.scalars if (found := LATENCY.fullmatch(key))]
        milliseconds = any(found.group(3) for found in matches)
        for metric in ("ttft", "tpot", "itl", "e2el"):
            stats = {
                found.group(1): found.group()
                for found in matches
                if found.group(2) == metric and bool(found.group(3)) is milliseconds
            }
            yield from self._statistics(metric, stats, "ms" if milliseconds else "s")

    def _statistics(self, metric: str, stats: dict[str, str], unit: str) -> Iterator[Quantity]:
        values = {stat: value for stat, key in stats.items() if (value := self._number(key)) is not None}
        zero = [stats[stat] for stat, value in values.items() if value == 0 and stat != "std"]
        if zero:
            self._remark("zero-figure", f"{', '.join(zero)}: 0 is no measurement of a latency: left out", zero[0])
        values = {stat: value for stat, value in values.items() if value != 0 or stat == "std"}
        if set(values) <= {"std"}:
            return
        if "median" not in values and "p50" in values:
            values["median"], stats = values["p50"], {**stats, "median": stats["p50"]}
        for stat in sorted(set(values) - set(LATENCY_STATS) - {"p50"}):
            self._remark("unknown-statistic", f"{stats[stat]}: the catalogue has no such statistic", stats[stat])
        for stat in LATENCY_STATS:
            if stat in values:
                yield self._quantity(metric, stat, float(convert(values[stat], unit, "s")), stats[stat])

    def _number(self, key: str) -> float | None:
        """The finite, not negative number of a key; a remark where there is something else than null."""
        value = self.document.scalars.get(key)
        if value is None:
            return None
        number = as_number(value)
        if number is None or not math.isfinite(number):
            self._remark("not-a-number", f"{key} is {str(value)[:40]!r}, no finite number: left out", key)
            return None
        if number > (LONGEST_RUN_S if key == "duration" else LARGEST):
            self._remark("not-plausible", f"{key} is {number!r}, beyond anything a benchmark measures: left out", key)
            return None
        if number < 0:
            self._remark("negative-figure", f"{key} is {number!r}: a negative value is no measurement, left out", key)
            return None
        return number

    def _quantity(self, metric: str, stat: str, value: float, key: str) -> Quantity:
        return Quantity(
            metric=metric, stat=stat, unit=BY_KEY[metric].unit, basis=Basis.MEASURED, value=value, repeats=1,
            evidence=(Evidence("file", self.sha256, f"{self.document.place}, {key}"),),
        )  # fmt: skip

    def _remark(self, code: str, text: str, key: str) -> None:
        if len(self.remarks) < MAX_REMARKS:
            self.remarks.append(Remark(code, clean_text(text), f"{self.document.place}, {clean_text(key, 60)}"))


def as_number(value: Scalar) -> float | None:
    """A JSON number as float (a huge integer as infinity); None for text, true, false and null."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def as_count(value: Scalar) -> int | None:
    """A whole number of something, not negative; None for anything else."""
    number = as_number(value)
    return int(number) if number is not None and 0 <= number < 1e15 and number == int(number) else None
