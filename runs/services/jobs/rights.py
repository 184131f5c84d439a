"""Who may have benchmarks run, and who may say where."""

from runs.models import User
from runs.services import rights
from runs.services.answers import Problem, RefusedError


class ForbiddenError(RefusedError):
    """The right is missing."""


def may_run(user: object) -> bool:
    return isinstance(user, User) and rights.may(user, rights.Right.JOBS)


def may_administer(user: object) -> bool:
    """Targets hold commands and paths that run on machines: for administrators only."""
    return isinstance(user, User) and rights.may(user, rights.Right.ADMIN)


def need_operator(user: object) -> None:
    if not may_run(user):
        seen = Problem("", "role", "operator or administrator", str(getattr(user, "role", "none")))
        raise ForbiddenError("permission_denied", "Only operators and administrators may run benchmarks.", seen)


def need_admin(user: object) -> None:
    if not may_administer(user):
        seen = Problem("", "role", "administrator", str(getattr(user, "role", "none")))
        raise ForbiddenError("permission_denied", "Only administrators may change targets.", seen)
