"""The demo comparison: the driving article's runs, sources and scenario, through the same ingest as any upload."""

from io import BytesIO
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.management.base import BaseCommand, CommandError

from runs.domain.names import folded
from runs.services.demo import offer_comparisons
from runs.services.ingest import ingest
from runs.services.meta import Meta
from runs.services.naming import aliases, merge_names
from runs.services.reading import Incoming

NAMES = (
    ("accelerator", "MI355X", "AMD Instinct MI355X"),
    ("accelerator", "AMD MI355X", "AMD Instinct MI355X"),
    ("model", "moonshotai/Kimi-K3.1-Pro", "Kimi-K3.1-Pro"),
)
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
        self._names()
        offer_comparisons({run.label: run.id for run in outcome.runs})
        made = sum(run.created for run in outcome.runs)
        self.stdout.write(f"Demo: {made} runs loaded, {len(outcome.runs) - made} already here.")

    def _names(self) -> None:
        """Names that the demo's models and accelerators also go by; those merged before stay as they are."""
        known = {(one.kind, folded(one.alias)) for one in aliases()}
        for kind, alias, name in NAMES:
            if (kind, folded(alias)) not in known:
                merge_names(kind=kind, alias=alias, name=name, user=None)
