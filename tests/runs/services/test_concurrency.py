"""Identical uploads at the same moment: one run, and an answer for each of them."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection, connections

from runs.models import Artifact, PowerLog, Run, RunPower
from runs.services.answers import Outcome, RefusedError
from runs.services.ingest import ingest
from runs.services.meta import Meta
from runs.services.power import PowerAnswer, attach_power
from runs.services.reading import Incoming
from tests.builders import nvidia_log, windowed_result

UPLOADS = 6


def _together(work: Any, barrier: Barrier) -> Any:
    try:
        barrier.wait(10)
        return work()
    finally:
        connections.close_all()


def together(work: Any) -> list[Any]:
    barrier = Barrier(UPLOADS)
    with ThreadPoolExecutor(UPLOADS) as pool:
        return [one.result(60) for one in [pool.submit(_together, work, barrier) for _number in range(UPLOADS)]]


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, settings: Any) -> None:
    folder = {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": str(tmp_path)}}
    settings.STORAGES = {**settings.STORAGES, "artifacts": folder}


@pytest.fixture
def _shared_database(transactional_db: None) -> None:
    if connection.vendor == "sqlite":
        pytest.skip("threads share no in-memory database; the real server's test covers SQLite")


@pytest.mark.usefixtures("_shared_database")
@pytest.mark.django_db(transaction=True)
def test_identical_uploads_at_once_make_one_run() -> None:
    meta = Meta(time_zone="UTC", active_gpus=("0",))
    result, log = windowed_result(), nvidia_log(gpus=1)

    def upload() -> Outcome:
        files = [Incoming("r.json", ContentFile(result)), Incoming("p.csv", ContentFile(log))]
        return ingest(files=files, meta=meta, user=None)

    outcomes = together(upload)
    assert {outcome.runs[0].id for outcome in outcomes} == {Run.objects.get().public_id}
    assert sum(outcome.runs[0].created for outcome in outcomes) == 1
    assert (Artifact.objects.count(), PowerLog.objects.count(), RunPower.objects.count()) == (2, 1, 1)
    root = Path(storages["artifacts"].path(""))
    kept = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert {str(artifact.file.name) for artifact in Artifact.objects.all()} == kept


@pytest.mark.usefixtures("_shared_database")
@pytest.mark.django_db(transaction=True)
def test_power_added_twice_at_once_is_added_once() -> None:
    run = ingest(files=[Incoming("r.json", ContentFile(windowed_result()))], meta=Meta(), user=None).runs[0]
    log, meta = nvidia_log(gpus=1), Meta(time_zone="UTC", active_gpus=("0",))

    def add() -> PowerAnswer | str:
        try:
            return attach_power(run_id=run.id, meta=meta, user=None, file=Incoming("p.csv", ContentFile(log)))
        except RefusedError as error:
            return error.code

    answers = together(add)
    assert sum(isinstance(answer, PowerAnswer) for answer in answers) == 1
    assert {answer for answer in answers if isinstance(answer, str)} == {"conflict"}
    assert Run.objects.get().revision == 2
