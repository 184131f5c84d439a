"""Migrations of data, from the state before them."""

from collections.abc import Iterator
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from runs.models import Run, RunBody
from tests import factories
from tests.builders import record

pytestmark = pytest.mark.django_db(transaction=True)


def migrate(name: str) -> None:
    executor = MigrationExecutor(connection)
    leaf = [node for node in executor.loader.graph.leaf_nodes() if node[0] == "runs"]
    executor.migrate([("runs", name)] if name else leaf)


@pytest.fixture
def before_0007(transactional_db: None) -> Iterator[None]:
    migrate("0006_errata")
    yield
    migrate("")


def test_runs_of_before_get_their_setup_and_fingerprint(before_0007: None, monkeypatch: pytest.MonkeyPatch) -> None:
    migration: Any = import_module("runs.migrations.0007_setups_and_fingerprints")
    monkeypatch.setattr(migration, "BATCH", 2)
    runs = [factories.run(replace(record(f"Run {number}"), setup="six GPUs")) for number in range(5)]
    known = {run.pk: (run.setup, run.fingerprint) for run in runs}
    assert {setup for setup, _print in known.values()} == {"six GPUs"}
    assert len({mark for _setup, mark in known.values()} - {""}) == 1
    alone = factories.run(record("Without a setup"))
    later = factories.run(replace(record("Refreshed since"), setup="eight GPUs"))
    unreadable = factories.run(replace(record("Of a later version"), setup="six GPUs"))
    Run.objects.exclude(pk=later.pk).update(setup="", fingerprint="")
    RunBody.objects.filter(run=unreadable).update(version=99)
    broken = factories.run(replace(record("Not even a record"), setup="six GPUs"))
    RunBody.objects.filter(run=broken).update(record=b'{"setup": 5}')
    Run.objects.filter(pk=broken.pk).update(setup="", fingerprint="")

    migrate("0007_setups_and_fingerprints")
    found = {pk: (setup, mark) for pk, setup, mark in Run.objects.values_list("pk", "setup", "fingerprint")}
    assert {pk: found[pk] for pk in known} == known
    assert found[alone.pk] == (alone.setup, alone.fingerprint)
    assert found[later.pk] == (later.setup, later.fingerprint)
    assert found[unreadable.pk] == ("six GPUs", "")
    assert found[broken.pk] == ("", "")
    # Back and forth changes nothing.
    migrate("0006_errata")
    migrate("0007_setups_and_fingerprints")
    assert {pk: (s, f) for pk, s, f in Run.objects.values_list("pk", "setup", "fingerprint")} == found
