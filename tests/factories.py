"""Rows: people, tokens, runs."""

import itertools

from runs import store
from runs.domain.records import RunRecord
from runs.models import Run, User
from runs.services import tokens
from tests.builders import record

_numbers = itertools.count(1)


def user(role: str = "analyst") -> User:
    number = next(_numbers)
    return User.objects.create_user(f"person{number}", password="a long passphrase", role=role)


def token(owner: User, *scopes: str) -> str:
    return tokens.issue(user=owner, name="test", scopes=scopes or tokens.scopes_for(owner)).token


def run(of: RunRecord | None = None, owner: User | None = None) -> Run:
    """A run of its own content, whatever its record says."""
    made = of if of is not None else record()
    return store.insert(store.Prepared.of(made, store.content_key(f"test-{next(_numbers)}", "")), owner=owner)
