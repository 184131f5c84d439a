"""One installation on real PostgreSQL and Redis for all fault tests, with a scheduler and workers to kill."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import not_run
from tests.jobs.rig import PostgresServer, RedisServer, Rig, SshServer, rig, services
from tools.services import _postgres_programs


@pytest.fixture(scope="session")
def backends() -> Iterator[tuple[PostgresServer, RedisServer]]:
    if _postgres_programs() is None:
        not_run("no PostgreSQL programs: install postgresql")
    if not (shutil.which("redis-server") or shutil.which("valkey-server")):
        not_run("no redis-server: install redis-server")
    with tempfile.TemporaryDirectory(prefix="likewise-jobs-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with services(Path(folder)) as made:
            yield made


@pytest.fixture(scope="session")
def shared_rig(backends: tuple[PostgresServer, RedisServer], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rig]:
    database, broker = backends
    with rig(tmp_path_factory.mktemp("rig"), {"DATABASE_URL": database.url, "REDIS_URL": broker.url}) as made:
        made.beat()
        yield made


@pytest.fixture
def faulty(shared_rig: Rig) -> Iterator[Rig]:
    """The rig; whatever a test left in the queue or running is ended after it."""
    yield shared_rig
    shared_rig.ask(
        "Job.objects.exclude(state__in=Job.ENDED).update(state='cancelled')\nJob.objects.update(remote_open=False)"
    )


@pytest.fixture(scope="session")
def sshd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SshServer]:
    if not Path("/usr/sbin/sshd").exists():
        not_run("no sshd: install openssh-server")
    home = Path.home() / ".likewise"
    fresh = not home.exists()
    server = SshServer(tmp_path_factory.mktemp("sshd"))
    server.prepare()
    server.start()
    yield server
    server.kill()
    if fresh:
        shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def unique(request: pytest.FixtureRequest) -> str:
    return f"{request.node.name[:40]}-{os.getpid()}"


@pytest.fixture
def slow_endpoint() -> Iterator[str]:
    """A server that takes two seconds to say which models it serves."""
    import json
    import threading
    import time
    from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            time.sleep(2)
            data = json.dumps({"data": [{"id": "m"}]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *arguments: object) -> None:
            """Quiet."""

        def handle(self) -> None:
            try:
                super().handle()
            except OSError:
                return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 80 MB, so that it is full soon but passes the preflight."""
    import subprocess

    path = tmp_path / "disk"
    path.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=80m", "tmpfs", str(path)], check=False, capture_output=True
    )
    if mounted.returncode != 0:
        not_run("no right to mount a small file system: run as root")
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)
