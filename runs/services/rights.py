"""Who may do what: the one table of roles and rights. A token narrows the rights of its owner by its scopes."""

from enum import StrEnum

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser

from runs.models import ApiToken, User


class Right(StrEnum):
    """What can be done here. Each is also the scope of a token."""

    READ = "read"
    UPLOAD = "upload"
    EDIT = "edit"
    SHARE = "share"
    JOBS = "jobs"
    ADMIN = "admin"


WRITE = "write"
"""The scope of a token for everything but jobs and shares that changes something: ``upload`` and ``edit`` together."""

SCOPES = ("read", "write", "upload", "edit", "jobs", "share", "admin")
"""``admin``, to purge runs and merge names, is asked for by name, and given to administrators only."""

_READER = frozenset({Right.READ})
_ANALYST = _READER | {Right.UPLOAD, Right.EDIT, Right.SHARE}
_OPERATOR = _ANALYST | {Right.JOBS}
RIGHTS: dict[str, frozenset[Right]] = {
    User.Role.VIEWER: _READER,
    User.Role.ANALYST: _ANALYST,
    User.Role.OPERATOR: _OPERATOR,
    User.Role.ADMIN: frozenset(Right),
}


def rights_of(user: AbstractBaseUser | AnonymousUser) -> frozenset[Right]:
    """Everything a user may do; a superuser is an administrator whatever the role says."""
    if not isinstance(user, User) or not user.is_active:
        return frozenset()
    return RIGHTS[User.Role.ADMIN] if user.is_superuser else RIGHTS[user.role]


def may(user: AbstractBaseUser | AnonymousUser, right: Right, token: object = None) -> bool:
    """Whether a user may, with a token (its scopes count) or without one (a session has them all)."""
    if isinstance(token, ApiToken) and right not in _scope_rights(token.scopes):
        return False
    return right in rights_of(user)


def why_not(user: AbstractBaseUser | AnonymousUser, right: Right, token: object = None) -> str:
    """What is missing for a right, in a sentence that names it; empty for whoever may."""
    if may(user, right, token):
        return ""
    role = user.role if isinstance(user, User) else "nobody"
    return scope_missing(token, right) or f"This needs the right {right}, which the role {role} does not have."


def scope_missing(token: object, right: Right) -> str:
    """What a token lacks, in a sentence; empty where it carries the scope, and for a session, which has every one."""
    if not isinstance(token, ApiToken) or right in _scope_rights(token.scopes):
        return ""
    return f"This needs a token with the scope {right}; this one has {', '.join(token.scopes) or 'none'}."


def _scope_rights(scopes: list[str]) -> frozenset[str]:
    wide = {Right.UPLOAD.value, Right.EDIT.value} if WRITE in scopes else set()
    return frozenset(set(scopes) | wide)
