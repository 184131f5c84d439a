"""Figures of an aiperf result: float64 in canonical units, each with its place in the file."""

from collections.abc import Iterator, Mapping
from typing import Any

from runs.domain.facts import Basis, Evidence, Quantity
from runs.domain.metrics import BY_KEY
from runs.domain.records import LONGEST_RUN_S, Remark
from runs.domain.units import DomainError, convert
from runs.readers.base import clean_text, finite

SCALARS = {
    "total_token_throughput": "total_throughput",
    "output_token_throughput": "output_throughput",
    "request_throughput": "request_throughput",
    "goodput": "request_goodput",
    "benchmark_duration": "duration",
}
# Its inter-token latency is a mean per request, (latency - TTFT) / (output tokens - 1): the catalogue's TPOT. The gaps
# between chunks, pooled over requests, are its inter-chunk latency: the catalogue's ITL.
LATENCIES = {
    "time_to_first_token": "ttft",
    "ttft": "ttft",
    "inter_token_latency": "tpot",
    "inter_chunk_latency": "itl",
    "request_latency": "e2el",
}
STATS = {"p50": "median", "avg": "mean", "p75": "p75", "p90": "p90", "p95": "p95", "p99": "p99", "std": "std",
         "min": "min", "max": "max"}  # fmt: skip
UNITS = {"requests/sec": "req/s", "tokens/sec": "tok/s", "sec": "s", "ms": "ms", "s": "s", "us": "us", "ns": "ns"}
SECONDS = {"us": 1e-6, "ns": 1e-9}


class Figures:
    """Collects the figures and remarks of one document; asked once, then dropped."""

    def __init__(self, metrics: Mapping[str, Any], prefix: str, sha256: str) -> None:
        self.metrics, self.prefix, self.sha256 = metrics, prefix, sha256
        self.remarks: list[Remark] = []

    def read(self) -> tuple[Quantity, ...]:
        found: dict[str, Quantity] = {}
        for key, metric in SCALARS.items():
            for quantity in self._of(key, metric, {"avg": ""}):
                found.setdefault(quantity.key, quantity)
        for key, metric in LATENCIES.items():
            for quantity in self._of(key, metric, STATS):
                found.setdefault(quantity.key, quantity)
        if "total_throughput" not in found and (total := self._total()) is not None:
            found["total_throughput"] = total
        return tuple(found.values())

    def _total(self) -> Quantity | None:
        """Versions before 0.13 print the tokens and the duration only."""
        tokens, seconds = [self.count("total_isl"), self.count("total_osl")], self.number("benchmark_duration")
        if None in tokens or not seconds or seconds < 0:
            return None
        place = self.place("(total_isl + total_osl) / benchmark_duration")
        return self._quantity("total_throughput", "", sum(one or 0 for one in tokens) / seconds, place)

    def number(self, key: str) -> float | None:
        """The average of a metric, which is its value where it has one only."""
        entry = self.metrics.get(key)
        value = entry.get("avg") if isinstance(entry, dict) else None
        return finite(value)

    def count(self, key: str) -> int | None:
        value = self.number(key)
        return int(value) if value is not None and 0 <= value < 1e15 and value == int(value) else None

    def _of(self, key: str, metric: str, stats: Mapping[str, str]) -> Iterator[Quantity]:
        entry = self.metrics.get(key)
        if not isinstance(entry, dict):
            return
        unit = UNITS.get(str(entry.get("unit")))
        for name, stat in stats.items():
            value = finite(entry.get(name))
            if value is None:
                continue
            implausible = metric == "duration" and value * SECONDS.get(str(unit), 1.0) > LONGEST_RUN_S
            if unit is None or implausible or value < 0 or (value == 0 and name != "std"):
                said = f"{key}, {name}: {value:g} {clean_text(str(entry.get('unit')), 30)} is no measurement: left out"
                self.remarks.append(Remark("figure-left-out", said, self.place(key)))
                continue
            yield self._quantity(metric, stat, _canonical(value, unit, metric), f"{self.place(key)}.{name}")

    def place(self, key: str) -> str:
        return f"{self.prefix}{key}"

    def _quantity(self, metric: str, stat: str, value: float, place: str) -> Quantity:
        return Quantity(
            metric=metric, stat=stat, unit=BY_KEY[metric].unit, basis=Basis.MEASURED, value=value, repeats=1,
            evidence=(Evidence("file", self.sha256, place),),
        )  # fmt: skip


def _canonical(value: float, unit: str, metric: str) -> float:
    if unit in SECONDS:
        return value * SECONDS[unit]
    try:
        return float(convert(value, unit, BY_KEY[metric].unit))
    except DomainError:
        return value
