"""What a file holds beside runs: evaluations and errata, each added once however often the file comes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from runs import store
from runs.domain.errata import after, applied
from runs.domain.evaluations import Evaluation
from runs.domain.units import DomainError
from runs.models import User
from runs.readers import Reading
from runs.services.answers import Problem


@dataclass(frozen=True)
class Companions:
    """The evaluations and errata of one file, by its hash, and the ids that its runs have by their places."""

    sha256: str
    reading: Reading
    runs: Mapping[str, str]
    setup: str = ""

    def save(self, *, user: User | None) -> set[int]:
        """Adds what is not here yet. Gives the rows of the runs that stand otherwise by it."""
        if not self.reading.evaluations and not self.reading.errata:
            return set()
        evaluations = self._evaluations()
        added = store.add_evaluations(evaluations.values(), owner=user)
        keys = store.evaluation_keys([one.content_key for one in evaluations.values()])
        names = {name: keys[one.content_key] for name, one in evaluations.items()}
        new = []
        for read in self.reading.errata:
            known = {"run": self.runs, "evaluation": names, "source": {read.key: read.key}}[read.target]
            if read.key in known:
                new.append(store.NewErratum.of_file(read.erratum, read.target, known[read.key], self.sha256))
        if not store.add_errata(new, user=user) + added:
            return set()
        covered = {target for one in evaluations.values() for target in one.evaluation.covers}
        touched = {*store.runs_covered({*covered, *self.runs.values()})}
        return touched.union(*(store.runs_on(one.target_key) for one in new if one.target == "source"))

    def _evaluations(self) -> dict[str, store.NewEvaluation]:
        """By the key in the file. A key that another file's evaluation has gets this file's hash behind it."""
        content = {one.key: store.content_key(self.sha256, f"evaluation {one.key}") for one in self.reading.evaluations}
        here = store.evaluation_keys(content.values())
        taken = store.taken_keys(content) - set(here.values())
        found = {}
        for one in self.reading.evaluations:
            key = f"{one.key}-{self.sha256[:8]}" if one.key in taken else one.key
            named = replace(one, key=key[:100], covers=self._covers(one))
            found[one.key] = store.NewEvaluation(named, content[one.key], self.sha256)
        return found

    def _covers(self, evaluation: Evaluation) -> tuple[str, ...]:
        """Setups as they are named, runs of the file by their ids; the setup declared at upload where the file names
        none."""
        ids = {place.partition(" ")[2]: run_id for place, run_id in self.runs.items()}
        stated = evaluation.covers or ((self.setup,) if self.setup else ())
        return tuple(dict.fromkeys(ids.get(one, one) for one in stated))


def companion_problems(reading: Reading, *, file: str) -> list[Problem]:
    """Errata of a file that do not fit what they are about."""
    problems = []
    records = {run.place: run.record for run in reading.runs}
    evaluations = {one.key: one for one in reading.evaluations}
    for read in reading.errata:
        try:
            if read.target == "run" and read.key in records:
                applied(records[read.key], [read.erratum])
            elif read.target == "evaluation" and read.key in evaluations:
                after(evaluations[read.key], [read.erratum])
        except DomainError as error:
            problems.append(Problem(file, f"erratum about {read.key}", "an erratum that fits", str(error)))
    return problems
