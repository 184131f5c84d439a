"""Evaluations into rows and back."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import msgspec

from runs.domain.errata import Erratum, after
from runs.domain.evaluations import Evaluation
from runs.models import EvaluationCover, EvaluationRow, User
from runs.store.codec import text
from runs.store.history import errata_about

_evaluation = msgspec.json.Decoder(Evaluation)


@dataclass(frozen=True)
class NewEvaluation:
    """An evaluation for its row. ``content_key`` makes the same file add it once; ``sha256`` is that file's."""

    evaluation: Evaluation
    content_key: str
    sha256: str = ""


@dataclass(frozen=True)
class StoredEvaluation:
    """An evaluation as it stands, with its errata, and as it came. ``revision`` grows with each erratum."""

    evaluation: Evaluation
    original: Evaluation
    errata: tuple[Erratum, ...] = ()
    revision: int = 1


def add_evaluations(new: Iterable[NewEvaluation], *, owner: User | None) -> int:
    """New rows with what they cover, in three queries; what is here already by its content stays as it is. How many."""
    wanted = {one.content_key: one for one in new}
    here = set(EvaluationRow.objects.filter(content_key__in=wanted).values_list("content_key", flat=True))
    rows = [_row(one, owner) for key, one in wanted.items() if key not in here]
    EvaluationRow.objects.bulk_create(rows)
    covers = [
        EvaluationCover(evaluation=row, target=text(target, 200))
        for row in rows
        for target in dict.fromkeys(wanted[row.content_key].evaluation.covers)
    ]
    EvaluationCover.objects.bulk_create(covers)
    return len(rows)


def _row(new: NewEvaluation, owner: User | None) -> EvaluationRow:
    evaluation = new.evaluation
    return EvaluationRow(
        key=evaluation.key,
        content_key=new.content_key,
        task=text(evaluation.task, 200),
        status=evaluation.status.value,
        sha256=new.sha256,
        record=msgspec.json.encode(evaluation),
        owner=owner,
    )


def evaluation_keys(content_keys: Collection[str]) -> dict[str, str]:
    """Keys of the evaluations that some contents have become already, by content key."""
    return dict(EvaluationRow.objects.filter(content_key__in=content_keys).values_list("content_key", "key"))


def taken_keys(keys: Collection[str]) -> set[str]:
    return set(EvaluationRow.objects.filter(key__in=keys).values_list("key", flat=True))


def evaluations(keys: Collection[str]) -> dict[str, StoredEvaluation]:
    """Evaluations by key, as they stand after their errata; two queries."""
    rows = EvaluationRow.objects.filter(key__in=keys).order_by("pk").values_list("key", "revision", "record")
    originals = {key: (revision, _evaluation.decode(bytes(blob))) for key, revision, blob in rows}
    errata = errata_about([("evaluation", key) for key in originals])
    found = {}
    for key, (revision, original) in originals.items():
        mine = errata.get(("evaluation", key), ())
        found[key] = StoredEvaluation(after(original, mine), original, mine, revision)
    return found


def covering(targets: Collection[str]) -> Mapping[str, tuple[tuple[Evaluation, int], ...]]:
    """Evaluations as they came, with their revisions, by the run or setup that they cover; one query."""
    pairs = EvaluationCover.objects.filter(target__in=[one for one in targets if one])
    rows = pairs.order_by("evaluation__task", "evaluation_id")
    found: dict[str, list[tuple[Evaluation, int]]] = defaultdict(list)
    for target, revision, record in rows.values_list("target", "evaluation__revision", "evaluation__record"):
        found[target].append((_evaluation.decode(bytes(record)), revision))
    return {target: tuple(some) for target, some in found.items()}
