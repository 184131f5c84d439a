"""Real processes for tests: an installation in a folder of its own, its web server, its worker."""

import json
import os
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
import redis
from psycopg import sql

from tools.run import answers, web_command, worker_command
from tools.supervise import Child, stop

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Installation:
    """A database, a broker and a var folder that nobody else uses, with an administrator."""

    var_dir: Path
    environment: Mapping[str, str]
    admin_username: str = "admin"
    admin_password: str = ""

    def manage(self, *arguments: str) -> str:
        """Runs a management command; its standard output. Fails the test when it fails."""
        return self.python("manage.py", *arguments)

    def python(self, *arguments: str) -> str:
        ended = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        assert ended.returncode == 0, f"{arguments}: {ended.stdout}\n{ended.stderr}"
        return ended.stdout

    def shell(self, code: str) -> str:
        """Runs code with Django set up, in a process of its own; what it prints."""
        return self.python("-c", f"import django\ndjango.setup()\n{code}")


@dataclass(frozen=True)
class Server(Installation):
    url: str = field(default="")  # no slash at the end


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], object], what: str, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"after {seconds:g} s still waiting for {what}"
        time.sleep(0.05)


@contextmanager
def installed(folder: Path, *, demo: bool = True) -> Iterator[Installation]:
    namespace = f"likewise-test-{uuid.uuid4().hex[:12]}"
    environment = {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings",
        "LIKEWISE_VAR_DIR": str(folder),
        "LIKEWISE_NAMESPACE": namespace,
        # Tests ask faster than people do.
        "LIKEWISE_THROTTLE_USER": "100000/minute",
        "LIKEWISE_THROTTLE_ANONYMOUS": "100000/minute",
    }
    with own_database() as database, own_keys(namespace):
        bare = Installation(folder, {**environment, **database})
        login_file = folder / "login.json"
        bare.manage("prepare", "--login-file", str(login_file), *([] if demo else ["--skip-demo"]))
        login = json.loads(login_file.read_text(encoding="utf-8"))
        yield Installation(folder, bare.environment, login["username"], login["password"])


@contextmanager
def own_database() -> Iterator[dict[str, str]]:
    """A PostgreSQL database of its own where DATABASE_URL names a server; else SQLite in the var folder."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        yield {}
        return
    parts = urlsplit(url)
    name = f"likewise_live_{uuid.uuid4().hex[:12]}"
    maintenance = urlunsplit(parts._replace(path="/postgres"))
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        try:
            yield {"DATABASE_URL": urlunsplit(parts._replace(path=f"/{name}"))}
        finally:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


@contextmanager
def own_keys(namespace: str) -> Iterator[None]:
    """Takes what was left under the namespace out of Redis, which others may use too."""
    try:
        yield
    finally:
        url = os.environ.get("REDIS_URL", "")
        if url:
            with redis.Redis.from_url(url) as client:
                for key in client.scan_iter(match=f"{namespace}*"):
                    client.delete(key)


@contextmanager
def serving(installation: Installation) -> Iterator[Server]:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with running("web", web_command("127.0.0.1", port), installation):
        wait_for(lambda: answers(f"{url}/readyz"), "the web server to answer")
        yield Server(
            installation.var_dir,
            installation.environment,
            installation.admin_username,
            installation.admin_password,
            url,
        )


@contextmanager
def working(installation: Installation) -> Iterator[Child]:
    with running("worker", worker_command(), installation) as child:
        yield child


@contextmanager
def running(process: str, command: list[str], installation: Installation) -> Iterator[Child]:
    child = Child(process, command, {**installation.environment, "LIKEWISE_PROCESS": process})
    child.start(time.monotonic())
    try:
        yield child
    finally:
        stop([child])


def processes_with(variable: str, value: str) -> list[int]:
    """Process ids that carry an environment variable: a stopped supervisor must leave none."""
    wanted = f"{variable}={value}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and wanted in (entry / "environ").read_bytes().split(b"\0"):
                found.append(int(entry.name))
        except OSError:
            continue
    return found
