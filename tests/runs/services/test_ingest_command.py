"""``manage.py ingest``: the API's answer as text, and an exit code."""

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from runs import store
from runs.models import Run
from tests.builders import NOON, nvidia_log, windowed_result

pytestmark = pytest.mark.django_db


def ingest(*paths: Path, **options: Any) -> str:
    out = StringIO()
    call_command("ingest", *map(str, paths), stdout=out, stderr=out, **options)
    return out.getvalue()


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    path.write_bytes(windowed_result())
    return path


def test_files_become_a_run(result: Path, tmp_path: Path) -> None:
    log = tmp_path / "power.csv"
    log.write_bytes(nvidia_log())
    said = ingest(
        result, log, time_zone="UTC", active_gpus="0,1", label="From the shell", set=["temperature=0", "node=n1"]
    )
    run = Run.objects.get()
    assert f"run {run.public_id}: From the shell (new; result.json" in said
    # two GPUs at 700 W
    assert "power: mean 1400.0 W of GPU 0, 1, valid" in said
    record = store.load([run.public_id])[run.public_id]
    assert (record.setting("temperature").value, record.setting("node").value) == (0.0, "n1")
    assert record.window is not None
    assert record.window.start == NOON


def test_a_dry_run_writes_nothing(result: Path) -> None:
    assert "Dry run: nothing was written." in ingest(result, dry_run=True)
    assert Run.objects.count() == 0


def test_a_refusal_says_why_and_fails(tmp_path: Path, result: Path) -> None:
    empty = tmp_path / "empty.json"
    empty.touch()
    with pytest.raises(CommandError) as error:
        ingest(result, empty)
    assert error.value.returncode == 2
    with pytest.raises(CommandError, match="meta part cannot be taken"):
        ingest(result, set=["temprature=0"])
    with pytest.raises(CommandError, match="No such file"):
        ingest(tmp_path / "missing.json")
    assert Run.objects.count() == 0
