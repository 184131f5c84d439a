"""``manage.py ingest PATH…``: what ``POST /api/v1/uploads`` does, from the shell, by the same service."""

import json
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.management.base import BaseCommand, CommandError

from runs.models import User
from runs.services.answers import Outcome, Problem, RefusedError, RunAnswer
from runs.services.ingest import ingest
from runs.services.meta import Meta, meta_of, read_meta
from runs.services.reading import Incoming


class Command(BaseCommand):
    help = "Reads result files, power logs and power caps into runs, all or nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", metavar="PATH", type=Path)
        parser.add_argument("--meta", metavar="FILE", help="JSON as the API's meta part takes it; - is standard input")
        parser.add_argument("--label")
        parser.add_argument("--notes")
        parser.add_argument("--setup")
        parser.add_argument("--time-zone", metavar="ZONE", help="of local times in the files: Europe/Amsterdam")
        parser.add_argument("--window", nargs=2, metavar=("START", "END"), help="ISO 8601 with offset")
        parser.add_argument("--active-gpus", metavar="0,1,2", help="indices or labels, with commas")
        parser.add_argument(
            "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; VALUE is JSON or text"
        )
        parser.add_argument("--user", help="the name of the user whose upload it is")
        parser.add_argument("--dry-run", action="store_true", help="say the same and write nothing")

    def handle(self, *_args: Any, **options: Any) -> None:
        user = self._user(options["user"])
        try:
            meta = self._meta(options, user.get_username() if user else "command line")
            outcome = self._ingest(options["paths"], meta, user, dry_run=options["dry_run"])
        except RefusedError as error:
            self._problems(error.problems)
            raise CommandError(error.message, returncode=2) from None
        self._tell(outcome)
        if not outcome.accepted:
            raise CommandError("A file was refused, so nothing was written.", returncode=2)
        if all(file.verdict == "needs mapping" for file in outcome.files):
            raise CommandError("No reader knows these files.", returncode=2)

    def _user(self, name: str | None) -> User | None:
        if name is None:
            return None
        found = User.objects.filter(username=name).first()
        if found is None:
            raise CommandError(f"There is no user {name}.")
        return found

    def _meta(self, options: dict[str, Any], uploader: str) -> Meta:
        given: dict[str, Any] = {}
        if options["meta"]:
            text = sys.stdin.read() if options["meta"] == "-" else Path(options["meta"]).read_text(encoding="utf-8")
            read_meta(text, uploader=uploader)
            given = json.loads(text or "{}")
        for key in ("label", "notes", "setup", "time_zone"):
            if options[key] is not None:
                given[key] = options[key]
        if options["window"]:
            given["window"] = dict(zip(("start", "end"), options["window"], strict=True))
        if options["active_gpus"]:
            given["active_gpus"] = [part.strip() for part in options["active_gpus"].split(",")]
        for pair in options["set"]:
            key, _equals, value = pair.partition("=")
            given.setdefault("settings", {})[key] = _json_or_text(value)
        return meta_of(given, uploader=uploader)

    def _ingest(self, paths: list[Path], meta: Meta, user: User | None, *, dry_run: bool) -> Outcome:
        with ExitStack() as stack:
            files = []
            for path in paths:
                try:
                    handle = stack.enter_context(path.open("rb"))
                except OSError as error:
                    raise CommandError(f"{path}: {error.strerror}") from None
                files.append(Incoming(path.name, File(handle, name=path.name)))
            return ingest(files=files, meta=meta, user=user, dry_run=dry_run)

    def _tell(self, outcome: Outcome) -> None:
        for file in outcome.files:
            held = f": {file.format}, {', '.join(file.holds)}" if file.format else ""
            self.stdout.write(f"{file.name}: {file.verdict}{held}")
            if file.text:
                self.stdout.write(f"  {file.text}")
        for run in outcome.runs:
            self._run(run)
        for warning in outcome.warnings:
            self.stdout.write(f"warning: {warning.text}")
        if outcome.dry_run:
            self.stdout.write("Dry run: nothing was written.")

    def _run(self, run: RunAnswer) -> None:
        state = "new" if run.created else "here already"
        self.stdout.write(f"run {run.id or '(no id in a dry run)'}: {run.label} ({state}; {run.file}, {run.place})")
        for remark in run.remarks:
            self.stdout.write(f"  remark: {remark.text}")
        if run.power is not None and run.power.mean_w is not None:
            verdict = "valid" if run.power.valid else "not valid: " + "; ".join(one.text for one in run.power.reasons)
            self.stdout.write(f"  power: mean {run.power.mean_w:.1f} W of GPU {', '.join(run.power.gpus)}, {verdict}")
        if run.not_stated:
            self.stdout.write(f"  not stated: {', '.join(run.not_stated)}")

    def _problems(self, problems: tuple[Problem, ...]) -> None:
        for one in problems:
            where = ": ".join(filter(None, (one.file, one.place)))
            self.stderr.write(f"{where}: expected {one.expected}, saw {one.seen}")


def _json_or_text(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value
