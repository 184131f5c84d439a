"""The keys of a task's results: ``exact_match,strict-match`` in v0.4, ``acc`` in v0.3."""

import math
from dataclasses import dataclass
from typing import Any

from runs.readers.base import clean_text

HEADLINE_FILTERS = ("strict-match", "custom-extract", "create_test", "none", "")
"""The filter whose score goes by the task's name alone, first that is there; GSM8K's strict match before the flexible
one."""

_NO_SCORES = ("alias", "name", "sample_len")


@dataclass(frozen=True)
class Score:
    """One metric under one filter; ``value`` None where the file has NaN or no number. ``note`` keeps the file's
    standard error."""

    key: str
    metric: str
    filter: str
    value: float | None
    note: str = ""

    @property
    def name(self) -> str:
        return f"{self.metric} ({self.filter})" if self.filter and self.filter != "none" else self.metric


def scores(entry: dict[str, Any]) -> list[Score]:
    """Every metric and filter of a task, in the file's order; standard errors go with their metric."""
    found = []
    for key, value in entry.items():
        metric, _comma, name = key.partition(",")
        if metric in _NO_SCORES or metric.endswith("_stderr") or isinstance(value, str | bool | list | dict):
            continue
        number = float(value) if isinstance(value, int | float) and math.isfinite(value) else None
        error = entry.get(f"{metric}_stderr,{name}" if name else f"{metric}_stderr")
        finite = isinstance(error, int | float) and not isinstance(error, bool) and math.isfinite(error)
        note = f"standard error in the file {error:.4g}" if finite else ""
        if number is None:
            note = "the file has no finite number"
        found.append(Score(clean_text(key, 120), clean_text(metric, 80), clean_text(name, 80), number, note))
    return found
