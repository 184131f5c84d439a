"""Runs by their ids into the one comparison object."""

from collections.abc import Sequence

from runs import store
from runs.domain.compare import MAX_RUNS
from runs.domain.compare import compare as compare_entries
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.records import RunRecord
from runs.domain.repeats import mean_record
from runs.domain.scenarios import Scenario
from runs.domain.units import DomainError
from runs.models import Run
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.purging import refuse_purged

GROUP = "group:"
"""Before a fingerprint: the mean of the runs of that configuration, in place of a run's id."""


def is_group(key: str) -> bool:
    """Whether a column is the mean of a configuration's runs, and no run with a page of its own."""
    return key.startswith(GROUP)


def compare(
    *, run_ids: Sequence[str], baseline: str = "", scenario: Scenario | None = None, metrics: Sequence[str] = ()
) -> Comparison:
    """The comparison of some runs, in their order, against a baseline (the first where it is empty).

    An id may be ``group:`` and a fingerprint: the mean of the runs of one configuration. Six queries, however many
    runs. Raises MissingError for ids that are no run's, PurgedError for one that was purged, and RefusedError where
    the domain refuses: too many runs, a run twice, a baseline that is not among them, an unknown metric.
    """
    if len(run_ids) > MAX_RUNS:
        seen = Problem("", "runs", f"at most {MAX_RUNS} runs", f"{len(run_ids)} runs")
        raise RefusedError("too_many_runs", f"A comparison holds at most {MAX_RUNS} runs.", seen)
    found = _entries(run_ids)
    sources = store.sources(store.source_keys([entry.record for entry in found]))
    try:
        return compare_entries(found, baseline=baseline, scenario=scenario, metrics=metrics, sources=sources)
    except DomainError as error:
        raise RefusedError("not_comparable", str(error), Problem("", "runs", "", str(error))) from None


def _entries(run_ids: Sequence[str]) -> list[RunEntry]:
    members = _members([one.removeprefix(GROUP) for one in run_ids if one.startswith(GROUP)])
    wanted = {one for one in run_ids if not one.startswith(GROUP)}.union(*members.values())
    runs = store.current(wanted)
    _refuse_missing(run_ids, runs, members)
    entries = []
    for run_id in run_ids:
        if run_id.startswith(GROUP):
            entries.append(_mean_entry(run_id, [runs[one] for one in members[run_id.removeprefix(GROUP)]]))
            continue
        run = runs[run_id]
        entries.append(RunEntry(run_id, run.record, run.errata, tuple(one.evaluation for one in run.evaluations)))
    return entries


def _members(fingerprints: Sequence[str]) -> dict[str, list[str]]:
    """Ids of the runs of each configuration, oldest first; one query where there are any."""
    found: dict[str, list[str]] = {}
    if fingerprints:
        rows = Run.objects.filter(fingerprint__in=[one for one in fingerprints if one]).order_by("pk")
        for fingerprint, public_id in rows.values_list("fingerprint", "public_id"):
            found.setdefault(fingerprint, []).append(public_id)
    return found


def _refuse_missing(run_ids: Sequence[str], runs: dict[str, store.CurrentRun], members: dict[str, list[str]]) -> None:
    missing = [
        one for one in run_ids if one not in runs and not (one.startswith(GROUP) and one.removeprefix(GROUP) in members)
    ]
    if missing:
        refuse_purged(missing)
        problems = [Problem("", "runs", "the id of a run", run_id) for run_id in missing]
        raise MissingError("run_not_found", f"There is no run {', '.join(missing)}.", *problems)


def _mean_entry(key: str, runs: Sequence[store.CurrentRun]) -> RunEntry:
    errata = list({id(one): one for run in runs for one in run.errata}.values())
    try:
        record = mean_record([run.effective for run in runs])
    except DomainError as error:
        raise RefusedError("not_a_group", f"{error}.", Problem("", "runs", "a group of runs", key)) from None
    # Only what covers the setup covers every run of it.
    evaluations = tuple(one.evaluation for one in runs[0].evaluations if record.setup in one.evaluation.covers)
    return RunEntry(key, record, tuple(errata), evaluations, applied=True)


def comparison_records(run_ids: Sequence[str]) -> tuple[RunRecord, ...]:
    """The records as they are stored, for what must be looked for in them (a name to be withheld)."""
    return tuple(store.load(run_ids).values())


def existing_runs(run_ids: Sequence[str]) -> set[str]:
    """Which of some runs are here; of a group only comparing can tell."""
    return set(store.load(run_ids)) | {one for one in run_ids if one.startswith(GROUP)}
