"""What a viewer may see of sources and scenarios. Everyone logged in sees all of them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from runs import store
from runs.domain.questions import Question, questions
from runs.domain.records import RunRecord, Source
from runs.domain.scenarios import Scenario
from runs.models import Artifact


@dataclass(frozen=True)
class SourceItem:
    """A source as a list shows it."""

    source: Source
    runs: int


@dataclass(frozen=True)
class SourceDetail:
    """A source with the runs that rest on it, by public id in the order they came. ``own`` are the runs whose figures
    are its own; the others were only read in it."""

    source: Source
    runs: dict[str, RunRecord]
    copy_name: str = ""
    copy_size: int = 0

    @property
    def own(self) -> dict[str, RunRecord]:
        return {run_id: record for run_id, record in self.runs.items() if speaks(self.source.key, record)}

    @property
    def questions(self) -> tuple[Question, ...]:
        return questions(self.own.values())


def speaks(source_key: str, record: RunRecord) -> bool:
    """Whether a run's figures, or the settings of one without figures, are said by a source and not only read in it."""
    said = [fact.evidence for fact in record.quantities] or [fact.evidence for fact in record.settings.values()]
    return any(one.kind == "document" and one.ref == source_key for evidence in said for one in evidence)


def list_sources() -> tuple[SourceItem, ...]:
    return tuple(SourceItem(source, runs) for source, runs in store.all_sources())


def find_source(key: str) -> Source | None:
    return next(iter(store.sources([key])), None)


def sources_of(run_ids: Sequence[str]) -> tuple[Source, ...]:
    """The sources that some runs rest on, in one query."""
    return store.sources_of(run_ids)


def source_detail(key: str) -> SourceDetail | None:
    """A source with its runs, in four queries; None where there is no such source."""
    source = find_source(key)
    if source is None:
        return None
    order = store.runs_of(key)
    records = store.effective(order)
    runs = {run_id: records[run_id] for run_id in order if run_id in records}
    copy = Artifact.objects.filter(sha256=source.archived_sha256).first() if source.archived_sha256 else None
    return SourceDetail(source, runs, copy.name if copy else "", copy.size if copy else 0)


def source_copy(key: str) -> Artifact | None:
    """The archived copy of a source, to download; None where it is not here."""
    source = find_source(key)
    if source is None or not source.archived_sha256:
        return None
    return Artifact.objects.filter(sha256=source.archived_sha256).first()


@dataclass(frozen=True)
class ScenarioVersion:
    version: int
    name: str
    created: dt.datetime


def list_scenarios() -> tuple[Scenario, ...]:
    """Every scenario in its latest version."""
    return store.scenarios()


def scenario_versions(key: str) -> tuple[ScenarioVersion, ...]:
    return tuple(ScenarioVersion(*row) for row in store.scenario_versions(key))
