"""Fills the setup and the fingerprint of runs that were stored before 0006 brought these columns."""

import json
from typing import Any

from django.db import migrations

BATCH = 200


def _fingerprint(version: int, blob: bytes) -> str:
    """What the code of the day makes of a record; "" where it reads such a record no more: then the run is grouped
    with none until its row is cut anew."""
    try:
        from runs.domain.repeats import fingerprint
        from runs.store.codec import decode_record

        return fingerprint(decode_record(version, blob))
    except Exception:  # noqa: BLE001  whatever the code of a later day raises
        return ""


def _setup(blob: bytes) -> str:
    try:
        content = json.loads(blob)
    except ValueError:
        return ""
    setup = content.get("setup", "") if isinstance(content, dict) else ""
    return setup[:200] if isinstance(setup, str) else ""


def fill(apps: Any, schema_editor: Any) -> None:
    """Rows that have neither, by their key, a batch at a time."""
    run, body = apps.get_model("runs", "Run"), apps.get_model("runs", "RunBody")
    last = 0
    while True:
        empty = body.objects.filter(run_id__gt=last, run__setup="", run__fingerprint="").order_by("run_id")
        batch = list(empty.values_list("run_id", "version", "record")[:BATCH])
        if not batch:
            return
        last = batch[-1][0]
        rows = [
            run(pk=pk, setup=_setup(bytes(blob)), fingerprint=_fingerprint(version, bytes(blob)))
            for pk, version, blob in batch
        ]
        run.objects.bulk_update([row for row in rows if row.setup or row.fingerprint], ["setup", "fingerprint"])


class Migration(migrations.Migration):
    dependencies = [("runs", "0006_errata")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop, elidable=True)]
