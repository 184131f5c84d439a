"""The runs behind a share: which of them are still here, and what their records call by name."""

from collections.abc import Sequence

from runs import store
from runs.domain.records import RunRecord

GROUP = "group:"
"""Before what stands for several runs: whether it is here, only comparing can tell."""


def stored_records(run_ids: Sequence[str]) -> tuple[RunRecord, ...]:
    """The records as they are stored, for what must be looked for in them (a name to be withheld)."""
    return tuple(store.load([one for one in run_ids if not one.startswith(GROUP)]).values())


def existing_runs(run_ids: Sequence[str]) -> set[str]:
    """Which of some runs are here."""
    return set(store.load(run_ids)) | {one for one in run_ids if one.startswith(GROUP)}
