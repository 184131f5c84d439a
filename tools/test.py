"""`make test` after its checks: every test on SQLite, then those marked `services` on PostgreSQL and Redis."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from tools import services

ROOT = Path(__file__).resolve().parent.parent
NO_TEST_FOUND = 5


def main(arguments: list[str]) -> int:
    os.chdir(ROOT)
    print("=== every test, on SQLite and the file-backed broker", flush=True)
    first = run_pytest(arguments, {})
    print("=== tests that touch the database or the broker, on PostgreSQL and Redis", flush=True)
    return max(first, on_services(arguments))


def on_services(arguments: list[str]) -> int:
    with ExitStack() as stack:
        try:
            database = stack.enter_context(services.postgres())
            broker = stack.enter_context(services.redis_server())
        except services.NotInstalled as missing:
            print(f"!!! NOT RUN: the tests on PostgreSQL and Redis: {missing}", flush=True)
            return 1 if os.environ.get("LIKEWISE_REQUIRE_SERVICES") == "1" else 0
        # Several runs may share one server: each has databases of its own name.
        own = urlunsplit(urlsplit(database)._replace(path=f"/likewise_{os.getpid()}"))
        return run_pytest(["-m", "services", *arguments], {"DATABASE_URL": own, "REDIS_URL": broker})


def run_pytest(arguments: list[str], environment: dict[str, str]) -> int:
    inherited = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *arguments]
    code = subprocess.run(command, env={**inherited, **environment}, check=False).returncode
    if code == NO_TEST_FOUND:
        print("!!! No test was found.", flush=True)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
