"""Writes everything (runs with their files, sources, scenarios, saved comparisons) into one archive."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from runs.services.archive import export_archive


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="a new file, such as likewise.zip")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            done = export_archive(target=options["target"])
        except OSError as error:
            raise CommandError(str(error)) from None
        rows = ", ".join(f"{count} {name}" for name, count in done.rows.items() if count)
        self.stdout.write(f"{options['target']}: {rows or 'nothing'}; {done.files} files; {done.bytes} bytes")
