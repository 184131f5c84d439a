"""The demo comparison: the driving article's runs, sources and scenario, through the same ingest as any upload."""

from io import BytesIO
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.management.base import BaseCommand, CommandError

from runs.services.ingest import ingest
from runs.services.meta import Meta
from runs.services.reading import Incoming

DEMO = Path(__file__).parents[2] / "data" / "demo.yaml"


class Command(BaseCommand):
    """Loads the demo; a second time it finds what the first made."""

    help = "Load the demo comparison (does nothing where it is loaded)."

    def handle(self, *args: Any, **options: Any) -> None:
        outcome = ingest(
            files=[Incoming(DEMO.name, File(BytesIO(DEMO.read_bytes()), DEMO.name))], meta=Meta(), user=None
        )
        if not outcome.accepted:
            raise CommandError("; ".join(answer.text for answer in outcome.files))
        made = sum(run.created for run in outcome.runs)
        self.stdout.write(f"Demo: {made} runs loaded, {len(outcome.runs) - made} already here.")
