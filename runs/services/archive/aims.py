"""Ids that another instance gave to runs and evaluations that are here under ids of their own, and what to aim anew."""

from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
from django.db import models

from runs import store
from runs.domain.evaluations import Evaluation
from runs.models import ComparisonVersion, ErratumRow, EvaluationCover, EvaluationRow, Run

_ID: dict[type[models.Model], str] = {Run: "public_id", EvaluationRow: "key"}
_evaluation = msgspec.json.Decoder(Evaluation)


@dataclass
class Aims:
    """``runs`` and ``evaluations``: the archive's id to the one here, where they differ."""

    runs: dict[str, str] = field(default_factory=dict)
    evaluations: dict[str, str] = field(default_factory=dict)

    def note(self, model: type[models.Model], values: dict[str, Any], here: models.Model | None) -> None:
        """Remembers the id that a row of the archive has here."""
        if here is None or model not in _ID:
            return
        theirs, ours = str(values[_ID[model]]), str(getattr(here, _ID[model]))
        if theirs != ours:
            (self.runs if model is Run else self.evaluations)[theirs] = ours

    def aimed(self, model: type[models.Model], values: dict[str, Any]) -> dict[str, Any]:
        """The columns of a row with the ids of this instance; the very same where nothing in it is known otherwise."""
        if not self.runs and not self.evaluations:
            return values
        if model is EvaluationRow:
            return self._evaluation(values)
        if model is EvaluationCover:
            return {**values, "target": self.runs.get(values["target"], values["target"])}
        if model is ErratumRow:
            return self._erratum(values)
        if model is ComparisonVersion:
            return {**values, "view": self._view(values["view"])}
        return values

    def _evaluation(self, values: dict[str, Any]) -> dict[str, Any]:
        found = _evaluation.decode(values["record"])
        key = self.evaluations.get(found.key, found.key)
        covers = tuple(self.runs.get(one, one) for one in found.covers)
        if (key, covers) == (found.key, found.covers):
            return values
        return {**values, "key": key, "record": msgspec.json.encode(replace(found, key=key, covers=covers))}

    def _erratum(self, values: dict[str, Any]) -> dict[str, Any]:
        known = {"run": self.runs, "evaluation": self.evaluations}.get(values["target"], {})
        found = store.decode_erratum(values["record"])
        key, successor = known.get(found.target_key, found.target_key), known.get(found.successor, found.successor)
        if (key, successor) == (found.target_key, found.successor):
            return values
        record = msgspec.json.encode(replace(found, target_key=key, successor=successor))
        return {**values, "target_key": key, "record": record}

    def _view(self, view: dict[str, Any]) -> dict[str, Any]:
        def aim(text: str) -> str:
            return ",".join(self.runs.get(one, one) for one in text.split(","))

        return {**view, **{name: aim(view[name]) for name in ("runs", "baseline") if isinstance(view.get(name), str)}}
