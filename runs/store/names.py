"""Aliases into rows and back."""

from runs.domain.names import Aliases
from runs.models import AliasRow, User
from runs.store.codec import text


def aliases() -> Aliases:
    """Every alias, by kind and folded; one query."""
    found: dict[str, dict[str, str]] = {}
    for kind, folded, name in AliasRow.objects.values_list("kind", "folded", "canonical"):
        found.setdefault(kind, {})[folded] = name
    return found


def add_alias(kind: str, alias: str, folded: str, name: str, user: User | None) -> AliasRow:
    """Raises IntegrityError where the alias has come to be meanwhile."""
    return AliasRow.objects.create(
        kind=kind, alias=text(alias, 200), folded=text(folded, 200), canonical=text(name, 200), user=user
    )
