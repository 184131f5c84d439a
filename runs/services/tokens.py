"""API tokens: issued once in full, kept as a digest, narrowed by scopes, revoked by their owner."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth import authenticate
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest

from runs.models import ApiToken, User
from runs.services import audit, rights
from runs.services.answers import MissingError, Problem, RefusedError

SCOPES = rights.SCOPES
DEFAULT_SCOPES = ("read", "write")
"""Jobs, shares and administration are asked for by name."""
MAX_TOKENS = 50
MAX_DAYS = 366


@dataclass(frozen=True)
class TokenItem:
    """A token as its owner sees it later: never its text."""

    id: str
    name: str
    scopes: tuple[str, ...]
    created: dt.datetime
    expires: dt.datetime | None
    last_used: dt.datetime | None


@dataclass(frozen=True)
class IssuedToken:
    """A token just made. ``token`` is shown this once."""

    token: str
    item: TokenItem


def login(
    *,
    request: HttpRequest,
    username: str,
    password: str,
    name: str = "",
    scopes: Sequence[str] = DEFAULT_SCOPES,
    days: int | None = None,
) -> IssuedToken:
    """A token for a name and password. Raises RefusedError (``login_failed``, ``locked_out``, ``too_many_tokens``)."""
    user = authenticate(request=request, username=username, password=password)
    if not isinstance(user, User):
        if getattr(request, "axes_locked_out", False):
            raise RefusedError("locked_out", "Too many failed logins; try again later.")
        raise RefusedError("login_failed", "That name and password do not belong together.")
    with audit.acting(user, "API"):
        return issue(user=user, name=name, scopes=scopes, days=days)


@transaction.atomic
def issue(
    *, user: User, name: str = "", scopes: Sequence[str] = DEFAULT_SCOPES, days: int | None = None
) -> IssuedToken:
    """A new token, good for so many days (None: the installation's own term). Raises RefusedError."""
    unknown = [scope for scope in scopes if scope not in SCOPES]
    if unknown or not scopes or (days is not None and not 1 <= days <= MAX_DAYS):
        raise RefusedError("invalid_token", f"A token has scopes of {', '.join(SCOPES)} and 1 to {MAX_DAYS} days.")
    if set(scopes) - set(scopes_for(user)):
        problem = Problem("", "scopes", f"scopes of {', '.join(scopes_for(user))}", ", ".join(scopes))
        raise RefusedError("permission_denied", "Only an administrator has a token to administer with.", problem)
    if ApiToken.objects.filter(user=user).count() >= MAX_TOKENS:
        raise RefusedError("too_many_tokens", f"There are {MAX_TOKENS} tokens already; revoke one first.")
    term = {} if days is None else {"expiry": dt.timedelta(days=days)}
    row, text = ApiToken.objects.create(user=user, name=name or "token", scopes=list(scopes), **term)
    return IssuedToken(text, _item(row))


def scopes_for(user: AbstractBaseUser | AnonymousUser) -> tuple[str, ...]:
    """The scopes that a user may have a token with. Any but ``admin`` may be asked for: it gives no more than the role
    has, and grows with it."""
    admin = rights.may(user, rights.Right.ADMIN)
    return tuple(scope for scope in SCOPES if admin or scope != rights.Right.ADMIN)


def list_tokens(*, user: User) -> tuple[TokenItem, ...]:
    return tuple(_item(row) for row in ApiToken.objects.filter(user=user).order_by("-created"))


def revoke(*, user: User, token_id: str) -> None:
    """Ends a token. Raises MissingError where the user has none of that id."""
    for row in ApiToken.objects.filter(user=user):
        if _item(row).id == token_id:
            row.delete()
            return
    seen = Problem("", "token", "the id of a token of yours", token_id)
    raise MissingError("token_not_found", "There is no such token.", seen)


def revoke_current(*, token: object) -> None:
    """Ends the token that a request came with."""
    if isinstance(token, ApiToken):
        token.delete()


def may_write(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether a user may change what is here: the right to edit."""
    return rights.may(user, rights.Right.EDIT)


def may_purge(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Whether a user may take away what was uploaded by mistake and merge names: administrators."""
    return rights.may(user, rights.Right.ADMIN)


def writer(user: User | None) -> None:
    """Raises RefusedError (``permission_denied``) for a person who may only read; None is the command line."""
    if user is not None and not may_write(user):
        raise RefusedError("permission_denied", "This role reads only.")


def _item(row: ApiToken) -> TokenItem:
    return TokenItem(row.digest[:16], row.name, tuple(row.scopes), row.created, row.expiry, row.last_used)
