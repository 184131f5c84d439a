"""Many runs at once, as the store would have written them."""

import random

from runs import store
from runs.domain.records import RECORD_VERSION
from runs.models import Run, RunBody
from runs.store.codec import columns
from tests.builders import record


def seed(count: int) -> None:
    dice = random.Random(1)
    for start in range(0, count, 1000):
        rows, blobs = [], []
        for number in range(start, min(start + 1000, count)):
            made = record(
                f"run {number}",
                throughput=dice.uniform(1000, 9000),
                runtime=dice.choice(("vLLM", "SGLang", "ATOM")),
                isl=dice.choice((1024, 8192)),
                power_cap_w=1000.0,
            )
            prepared = store.Prepared.of(made, store.content_key(f"seed-{number}", ""))
            rows.append(Run(content_key=prepared.content_key, **columns(made)))
            blobs.append(prepared.blob)
        Run.objects.bulk_create(rows)
        RunBody.objects.bulk_create(
            [RunBody(run=row, version=RECORD_VERSION, record=blob) for row, blob in zip(rows, blobs, strict=True)]
        )
