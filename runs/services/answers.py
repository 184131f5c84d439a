"""What services answer with: problems in words, refusals, and the outcome of an upload."""

from dataclasses import dataclass
from typing import Literal

from runs.domain.records import PowerAnalysis, Remark, Window
from runs.domain.units import DomainError


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong: which file or part, where in it, what was expected there and what was seen."""

    file: str = ""
    place: str = ""
    expected: str = ""
    seen: str = ""


class RefusedError(DomainError):
    """A request that a service refuses: a stable code, a sentence, and every problem found."""

    def __init__(self, code: str, message: str, *problems: Problem) -> None:
        self.code, self.message, self.problems = code, message, problems
        super().__init__(message)


class MissingError(RefusedError):
    """What was asked for is not here."""


@dataclass(frozen=True)
class Warned:
    """A warning of an upload: it went through, and this is what its reader must know."""

    code: str
    text: str
    file: str = ""
    place: str = ""
    expected: str = ""
    seen: str = ""


Verdict = Literal["read", "duplicate", "needs mapping", "refused"]


@dataclass(frozen=True)
class FileAnswer:
    """What one file was taken for. ``duplicate``: these very bytes were here already."""

    name: str
    sha256: str
    size: int
    verdict: Verdict
    format: str = ""
    holds: tuple[str, ...] = ()
    text: str = ""
    remarks: tuple[Remark, ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True)
class RunAnswer:
    """A run of an upload. ``id`` is empty in a dry run unless the run exists; ``created`` False says it does."""

    id: str
    label: str
    file: str
    place: str
    created: bool
    not_stated: tuple[str, ...] = ()
    remarks: tuple[Remark, ...] = ()
    window: Window | None = None
    power: PowerAnalysis | None = None


@dataclass(frozen=True)
class Outcome:
    """The answer to an upload: every file's verdict, the runs, and every warning."""

    accepted: bool
    dry_run: bool
    files: tuple[FileAnswer, ...]
    runs: tuple[RunAnswer, ...] = ()
    warnings: tuple[Warned, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        return tuple(answer.problem for answer in self.files if answer.problem is not None)

    @property
    def wrote(self) -> bool:
        """Whether anything new came to be."""
        fresh = any(run.created for run in self.runs) or any(file.verdict != "duplicate" for file in self.files)
        return self.accepted and not self.dry_run and fresh
