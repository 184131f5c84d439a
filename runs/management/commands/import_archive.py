"""Takes in an archive that another instance wrote; what is here already stays as it is."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.services.archive import ArchiveError, import_archive


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = import_archive(source=options["source"])
        except ArchiveError as error:
            raise CommandError(str(error)) from None
        made = ", ".join(f"{count} {name}" for name, count in done.made.items() if count)
        known = sum(done.known.values())
        self.stdout.write(f"{made or 'nothing new'}; {known} rows were here already; {done.files} files")
