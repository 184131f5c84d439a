"""Rows of runs cut anew after an import: what came in may be about runs that were here, and the other way round."""

from dataclasses import dataclass, field
from typing import Any

from django.db import models

from runs import store
from runs.models import AliasRow, ErratumRow, EvaluationCover, EvaluationRow, Run, SettingEdit


@dataclass
class Recut:
    """What an import touched: ids of runs and setups, keys of sources, edited and new runs; ``names``: all of them."""

    targets: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    evaluations: set[str] = field(default_factory=set)
    pks: set[int] = field(default_factory=set)
    made: set[int] = field(default_factory=set)
    names: bool = False

    def note(self, row: models.Model) -> None:
        """A row that came in."""
        if isinstance(row, Run):
            self.made.add(row.pk)
        elif isinstance(row, EvaluationCover):
            self.targets.add(row.target)
        elif isinstance(row, SettingEdit):
            self.pks.add(row.run_id)
        elif isinstance(row, AliasRow):
            self.names = True
        elif isinstance(row, ErratumRow):
            about: dict[str, set[str]] = {
                "run": self.targets, "source": self.sources, "evaluation": self.evaluations
            }  # fmt: skip
            about[row.target].add(row.target_key)

    def refresh(self) -> None:
        """Each run that was touched gets its next revision."""
        if self.names:
            store.refresh(Run.objects.values_list("pk", flat=True))
            return
        _status_of(self.evaluations)
        found = {*self.pks, *self.made, *store.runs_covered(self.targets | self._covered())}
        for source in self.sources:
            found.update(store.runs_on(source))
        store.refresh(found)

    def _covered(self) -> set[str]:
        stored = store.evaluations(self.evaluations).values()
        return {target for one in stored for target in one.original.covers}


def _status_of(keys: Any) -> None:
    """The status of evaluations that errata came in about."""
    for key, found in store.evaluations(keys).items():
        EvaluationRow.objects.filter(key=key).update(status=found.evaluation.status.value)
