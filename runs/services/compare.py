"""Runs by their ids into the one comparison object."""

from collections.abc import Sequence

from runs import store
from runs.domain.compare import MAX_RUNS
from runs.domain.compare import compare as compare_entries
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.records import RunRecord
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError
from runs.services.answers import MissingError, Problem, RefusedError


def compare(
    *, run_ids: Sequence[str], baseline: str = "", scenario: Scenario | None = None, metrics: Sequence[str] = ()
) -> Comparison:
    """The comparison of some runs, in their order, against a baseline (the first where it is empty). Two queries.

    Raises MissingError for ids that are no run's, and RefusedError where the domain refuses: too many runs, a run
    twice, a baseline that is not among them, an unknown metric.
    """
    if len(run_ids) > MAX_RUNS:
        seen = Problem("", "runs", f"at most {MAX_RUNS} runs", f"{len(run_ids)} runs")
        raise RefusedError("too_many_runs", f"A comparison holds at most {MAX_RUNS} runs.", seen)
    records = store.load(run_ids)
    missing = [run_id for run_id in run_ids if run_id not in records]
    if missing:
        problems = [Problem("", "runs", "the id of a run", run_id) for run_id in missing]
        raise MissingError("run_not_found", f"There is no run {', '.join(missing)}.", *problems)
    entries = [RunEntry(run_id, records[run_id]) for run_id in run_ids]
    sources = store.sources(store.source_keys(list(records.values())))
    try:
        return compare_entries(entries, baseline=baseline, scenario=scenario, metrics=metrics, sources=sources)
    except DomainError as error:
        raise RefusedError("not_comparable", str(error), Problem("", "runs", "", str(error))) from None


def comparison_records(run_ids: Sequence[str]) -> tuple[RunRecord, ...]:
    """The records as they are stored, for what must be looked for in them (a name to be withheld)."""
    return tuple(store.load(run_ids).values())


def existing_runs(run_ids: Sequence[str]) -> set[str]:
    """Which of some runs are here."""
    return set(store.load(run_ids))
