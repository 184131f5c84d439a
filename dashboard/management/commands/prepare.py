"""Brings an installation up to date: schema, static files, administrator, demo data. Safe to repeat."""

import json
import secrets
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection

from dashboard import leftovers, stamps
from dashboard.health import ask_broker, ask_database
from runs.services import accounts
from runs.services.jobs import demo

ADMIN = "admin"


class Command(BaseCommand):
    help = __doc__

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--skip-static", action="store_true", help="static files are already collected")
        parser.add_argument("--skip-demo", action="store_true", help="load no demo data")
        parser.add_argument("--login-file", type=Path, help="write the administrator's login there as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        check_services()
        call_command("migrate", interactive=False, verbosity=0)
        # Where several containers share the folder, another one's upload of just now cannot be seen to be held.
        leftovers.sweep(Path(settings.FILE_UPLOAD_TEMP_DIR), spare_s=3600 if settings.PRODUCTION else 0)
        if not options["skip_static"]:
            collect_static()
        login = ensure_admin()
        if options["login_file"]:
            options["login_file"].write_text(json.dumps(login), encoding="utf-8")
        if not options["skip_demo"]:
            demo.offer()
            if "load_demo" in get_commands():
                call_command("load_demo")


def check_services() -> None:
    """One line in words, instead of a traceback or of a server that never gets ready."""
    try:
        ask_database()
    except DatabaseError as error:
        where = "DATABASE_URL" if connection.vendor != "sqlite" else str(settings.DATABASES["default"]["NAME"])
        said = " ".join(str(error).split())
        raise CommandError(f"{where}: expected a database that answers, saw: {said}") from None
    if settings.REDIS_URL:
        try:
            ask_broker()
        except Exception as error:  # noqa: BLE001  whatever the client raises: it did not answer
            raise CommandError(f"REDIS_URL: expected a Redis that answers, saw: {error}") from None


def collect_static() -> None:
    """Skipped when nothing that goes into the collected files has changed: compressing them takes long."""
    root = Path(settings.STATIC_ROOT)
    with stamps.locked(root.with_name(root.name + ".lock")):
        sources = stamps.fingerprint([settings.BASE_DIR / "static", settings.BASE_DIR / "requirements.txt"])
        stamp = root / ".stamp"
        if stamps.matches(stamp, sources):
            return
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write_text(sources, encoding="ascii")


def ensure_admin() -> dict[str, str]:
    path = Path(settings.VAR_DIR) / "admin_password"
    password = stamps.written_once(path, secrets.token_urlsafe(15))
    if not password:
        raise CommandError(f"{path} is empty: remove it, and the administrator's account, to have a new one made")
    valid = accounts.ensure_admin(username=ADMIN, password=password)
    return {"username": ADMIN, "password": password if valid else "(changed since the first start)"}
