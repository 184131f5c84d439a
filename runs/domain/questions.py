"""Questions to a publisher: what its runs leave unsaid, ready to be sent."""

from collections.abc import Iterable
from dataclasses import dataclass

from runs.domain.matters import MATTERS
from runs.domain.metrics import SETTINGS
from runs.domain.records import RunRecord


@dataclass(frozen=True)
class Question:
    """One setting that matters and is not firmly known, and the runs that leave it open."""

    setting: str
    name: str
    unit: str
    runs: tuple[str, ...]
    inferred: bool


def questions(records: Iterable[RunRecord]) -> tuple[Question, ...]:
    """What to ask about some runs of one publisher, in catalogue order: settings that matter for speed or power."""
    known = list(records)
    wanted = MATTERS["throughput"] | MATTERS["power"] | {"node_gpus", "runtime_version"}
    found = []
    for spec in SETTINGS:
        if spec.key not in wanted:
            continue
        settings = [(record.label, record.setting(spec.key)) for record in known]
        open_runs = tuple(label for label, setting in settings if not setting.is_firm)
        if open_runs:
            inferred = all(setting.is_known for label, setting in settings if label in open_runs)
            found.append(Question(spec.key, spec.name, spec.unit, open_runs, inferred))
    return tuple(found)
