"""Runs as they stand: the record as it came, with the edits, errata and names since; and the row cut from that."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.db.models import QuerySet

from runs.domain.errata import Erratum, after, applied
from runs.domain.evaluations import Evaluation
from runs.domain.names import Aliases, with_canonical
from runs.domain.records import RunRecord
from runs.domain.settling import SettingEdit, edited
from runs.models import Run, RunBody
from runs.store.codec import columns, decode_record
from runs.store.evaluations import StoredEvaluation, covering
from runs.store.history import About, edits_of, errata_about
from runs.store.names import aliases
from runs.store.references import source_keys

BATCH = 500
Found = Mapping[About, tuple[Erratum, ...]]


@dataclass(frozen=True)
class CurrentRun:
    """A run as it stands.

    ``stored`` is the record as it came; ``record`` has the settings edited since and its names known, and its figures
    still as they came; ``errata`` are those about the run, about a source it rests on and about an evaluation that
    covers it, oldest first; ``evaluations`` those that cover it, as they stand.
    """

    pk: int
    revision: int
    stored: RunRecord
    record: RunRecord
    errata: tuple[Erratum, ...] = ()
    edits: tuple[SettingEdit, ...] = ()
    evaluations: tuple[StoredEvaluation, ...] = ()

    @cached_property
    def effective(self) -> RunRecord:
        """The record with its errata worked in."""
        return applied(self.record, self.errata) if self.errata else self.record


def current(public_ids: Collection[str]) -> dict[str, CurrentRun]:
    """Runs by public id, in five queries however many; ids that are no run's are left out."""
    return _current(RunBody.objects.filter(run__public_id__in=public_ids), aliases())


def effective(public_ids: Collection[str]) -> dict[str, RunRecord]:
    """Records as they stand, errata worked in, by public id."""
    return {public_id: run.effective for public_id, run in current(public_ids).items()}


def _current(bodies: QuerySet[RunBody], names: Aliases) -> dict[str, CurrentRun]:
    rows = list(bodies.values_list("run_id", "run__public_id", "run__revision", "version", "record"))
    stored = {public_id: decode_record(version, bytes(blob)) for _pk, public_id, _rev, version, blob in rows}
    edits = edits_of([row[0] for row in rows])
    rests = {public_id: source_keys([record]) for public_id, record in stored.items()}
    covers = covering({*stored, *(record.setup for record in stored.values())})
    about: set[About] = {("run", public_id) for public_id in stored}
    about |= {("source", key) for keys in rests.values() for key in keys}
    about |= {("evaluation", one.key) for some in covers.values() for one, _revision in some}
    errata = errata_about(sorted(about))
    found = {}
    for pk, public_id, revision, _version, _blob in rows:
        mine = _evaluations(public_id, stored[public_id].setup, covers, errata)
        found[public_id] = CurrentRun(
            pk=pk,
            revision=revision,
            stored=stored[public_id],
            record=with_canonical(edited(stored[public_id], edits.get(pk, ())), names),
            errata=_of(public_id, sorted(rests[public_id]), mine, errata),
            edits=edits.get(pk, ()),
            evaluations=mine,
        )
    return found


def _evaluations(
    public_id: str, setup: str, covers: Mapping[str, tuple[tuple[Evaluation, int], ...]], errata: Found
) -> tuple[StoredEvaluation, ...]:
    """The evaluations that cover a run, by itself or by its setup, each once and as it stands."""
    each = {one.key: (one, revision) for key in (public_id, setup) for one, revision in covers.get(key, ())}
    known = {key: errata.get(("evaluation", key), ()) for key in each}
    return tuple(
        StoredEvaluation(after(one, known[key]), one, known[key], revision) for key, (one, revision) in each.items()
    )


def _of(
    public_id: str, sources: Sequence[str], evaluations: Sequence[StoredEvaluation], errata: Found
) -> tuple[Erratum, ...]:
    about: list[About] = [("run", public_id), *(("source", key) for key in sources)]
    found = [erratum for one in about for erratum in errata.get(one, ())]
    found += [erratum for one in evaluations for erratum in one.errata]
    return tuple(sorted(found, key=lambda erratum: erratum.date))


def refresh(run_pks: Collection[int], *, bump: bool = True) -> None:
    """The rows of some runs cut anew from the runs as they stand; ``bump``: each gets its next revision."""
    names = aliases()
    wanted = sorted(set(run_pks))
    for start in range(0, len(wanted), BATCH):
        batch = wanted[start : start + BATCH]
        found = {run.pk: run for run in _current(RunBody.objects.filter(run_id__in=batch), names).values()}
        rows = list(Run.objects.filter(pk__in=batch))
        names_cut: set[str] = set()
        for row in rows:
            run = found[row.pk]
            cut = columns(run.effective, len(run.errata))
            names_cut.update(cut)
            for name, value in cut.items():
                setattr(row, name, value)
            row.revision += bump
        if rows:
            Run.objects.bulk_update(rows, [*sorted(names_cut), "revision"], batch_size=50)


def runs_on(source: str) -> list[int]:
    """Runs that rest on a source."""
    return list(Run.objects.filter(run_sources__key=source).values_list("pk", flat=True))


def runs_covered(targets: Collection[str]) -> list[int]:
    """Runs that some targets of an evaluation name: by their ids and by their setups."""
    by_id = Run.objects.filter(public_id__in=targets).values_list("pk", flat=True)
    return sorted({*by_id, *Run.objects.filter(setup__in=[one for one in targets if one]).values_list("pk", flat=True)})
