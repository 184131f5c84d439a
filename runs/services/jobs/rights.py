"""Who may have benchmarks run, and who may say where."""

from runs.models import User
from runs.services.answers import Problem, RefusedError

OPERATORS = frozenset({User.Role.OPERATOR, User.Role.ADMIN})


class ForbiddenError(RefusedError):
    """The right is missing."""


def may_run(user: object) -> bool:
    return isinstance(user, User) and user.is_active and (user.is_superuser or user.role in OPERATORS)


def may_administer(user: object) -> bool:
    """Targets hold commands and paths that run on machines: for administrators only."""
    return isinstance(user, User) and user.is_active and (user.is_superuser or user.role == User.Role.ADMIN)


def need_operator(user: object) -> None:
    if not may_run(user):
        seen = Problem("", "role", "operator or administrator", str(getattr(user, "role", "none")))
        raise ForbiddenError("permission_denied", "Only operators and administrators may run benchmarks.", seen)


def need_admin(user: object) -> None:
    if not may_administer(user):
        seen = Problem("", "role", "administrator", str(getattr(user, "role", "none")))
        raise ForbiddenError("permission_denied", "Only administrators may change targets.", seen)
