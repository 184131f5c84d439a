"""Documents that figures were read in: written down, kept as a copy, and the runs that a person enters from them."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from runs import store
from runs.domain.records import Source
from runs.domain.sourcecheck import NOT_STATED, source_problems
from runs.domain.units import DomainError
from runs.models import Artifact, User
from runs.readers.pasted import slug
from runs.services.answers import MissingError, Outcome, Problem, RefusedError
from runs.services.ingest import ingest
from runs.services.meta import Meta
from runs.services.reading import Incoming, safe_name

if TYPE_CHECKING:
    from django.core.files.base import File

COPY_FORMAT = "archived copy"


def find_source(*, key: str) -> Source:
    """Raises MissingError."""
    found = next(iter(store.sources([key])), None)
    if found is None:
        raise MissingError("source_not_found", f"There is no source {key}.", Problem("", "source", "a source", key))
    return found


def make_source(*, given: Mapping[str, Any]) -> Source:
    """A source of fields as given, dates "not stated" where nobody knows them. Raises RefusedError for each that is
    wrong or missing."""
    problems = [Problem("", field, expected, told) for field, expected, told in source_problems(given)]
    if problems:
        raise RefusedError("invalid_source", "The source cannot be taken as it is.", *problems)
    dates = {name: "" if given.get(name) == NOT_STATED else given.get(name, "") for name in ("published", "accessed")}
    try:
        return Source(**{**given, **dates})
    except DomainError as error:
        raise RefusedError("invalid_source", str(error), Problem("", "", "", str(error))) from None


def fingerprint(*, source: Source) -> str:
    """What tells whether a source was changed since somebody read it."""
    return hashlib.sha256(repr(source).encode("utf-8", errors="replace")).hexdigest()[:16]


def slug_of(given: Mapping[str, Any]) -> str:
    """The key that a source would have by its publisher and date."""
    return slug(" ".join(str(given.get(name, "")) for name in ("publisher", "published")))


@transaction.atomic
def save_source(*, source: Source, seen: Source | None = None) -> Source:
    """A new source, or with ``seen`` a change of it.

    A new key that is taken, or a source that is no longer as it was ``seen``, is a conflict (RefusedError).
    """
    there = next(iter(store.sources([source.key])), None)
    if there != seen:
        told = "a source of that key that is here already" if seen is None else "one that was changed meanwhile"
        expected = "a key that is free" if seen is None else "the source as it was when you opened it"
        problem = Problem("", "key", expected, told)
        raise RefusedError("conflict", "Somebody saved this source before you; nothing was changed.", problem)
    store.save_source(source)
    return source


def free_key(*, wanted: str) -> str:
    """A key that no source has, like the one wanted."""
    key, number = wanted or "source", 2
    while store.sources([key]):
        key, number = f"{wanted or 'source'}-{number}", number + 1
    return key


def archive_copy(*, key: str, name: str, content: "File[bytes]", user: User | None) -> Source:
    """A copy of the document as it was read, kept whole under its SHA-256 and never shown in place."""
    source = find_source(key=key)
    if content.size > settings.LIKEWISE_MAX_FILE_BYTES:
        seen = Problem(safe_name(name), "copy", f"at most {settings.LIKEWISE_MAX_FILE_BYTES} bytes", f"{content.size}")
        raise RefusedError("too_large", "The copy is too large.", seen)
    content.seek(0)
    digest = hashlib.sha256()
    for chunk in content.chunks():
        digest.update(chunk)
    sha256 = digest.hexdigest()
    if sha256 not in store.known([sha256]):
        content.seek(0)
        stored = store.write(sha256, content)
        with transaction.atomic():
            store.register(
                stored,
                name=safe_name(name),
                size=content.size,
                format_name=COPY_FORMAT,
                status=Artifact.Status.READ,
                owner=user,
            )
    kept = replace(source, archived_sha256=sha256)
    store.save_source(kept)
    return kept


def add_runs(*, document: bytes, name: str, user: User | None, dry_run: bool = False) -> Outcome:
    """The runs of a published-runs document, by the door that uploads take.

    Raises RefusedError with every problem where the document is refused.
    """
    file = Incoming(safe_name(f"{name}.json"), ContentFile(document))
    outcome = ingest(files=[file], meta=Meta(), user=user, dry_run=dry_run)
    if not outcome.accepted or not outcome.runs:
        raise RefusedError("refused", "The runs cannot be taken as they are.", *outcome.problems)
    return outcome
