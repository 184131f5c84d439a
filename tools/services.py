"""PostgreSQL and Redis for tests: those that answer on this machine, or private ones of installed programs."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import redis

ANSWERING_POSTGRES = "postgres://postgres@127.0.0.1:5432/postgres"
ANSWERING_REDIS = "redis://127.0.0.1:6379/0"


class NotInstalled(Exception):  # noqa: N818  a finding, said to the person, not a fault
    """Neither answers nor can be started; the text says what to install."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of a server where databases can be made, ending in the maintenance database."""
    url = os.environ.get("LIKEWISE_TEST_DATABASE_URL") or ANSWERING_POSTGRES
    if _may_create_databases(url):
        yield url
        return
    programs = _postgres_programs()
    if programs is None:
        raise NotInstalled("PostgreSQL does not answer on 127.0.0.1:5432 and is not installed (apt install postgresql)")
    temporary = tempfile.TemporaryDirectory(prefix="likewise-pg-", ignore_cleanup_errors=True)
    with temporary as folder, _private_postgres(programs, Path(folder)) as private:
        yield private


def _may_create_databases(url: str) -> bool:
    try:
        with psycopg.connect(url, connect_timeout=2) as connection:
            row = connection.execute("SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user")
            return bool((row.fetchone() or [False])[0])
    except psycopg.Error:
        return False


def _postgres_programs() -> Path | None:
    """Debian keeps initdb and pg_ctl off the PATH, in a folder a version."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("pg_ctl")
    if found:
        return found[-1].parent
    return Path(on_path).resolve().parent if on_path else None


@contextmanager
def _private_postgres(programs: Path, folder: Path) -> Iterator[str]:
    user = _not_root(folder)
    data, port = folder / "data", free_port()
    _run([programs / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C"], user)
    # Nothing here outlives the tests, so nothing waits for the disk.
    quick = "-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} {quick}"
    _run([programs / "pg_ctl", "-D", data, "-l", folder / "log", "-w", "-o", options, "start"], user)
    try:
        yield f"postgres://postgres@127.0.0.1:{port}/postgres"
    finally:
        _run([programs / "pg_ctl", "-D", data, "-m", "fast", "-w", "stop"], user)


def _not_root(folder: Path) -> str | None:
    """PostgreSQL refuses to run as root: the account that then owns the folder and runs it."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, user)
    return user


def _run(command: list[str | Path], user: str | None) -> None:
    ended = subprocess.run(
        [str(part) for part in command],
        cwd="/",
        user=user,
        # A server that keeps this pipe open would hold pg_ctl's caller up: it logs to a file instead.
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        timeout=120,
    )
    if ended.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with code {ended.returncode}")


@contextmanager
def redis_server() -> Iterator[str]:
    url = os.environ.get("LIKEWISE_TEST_REDIS_URL") or ANSWERING_REDIS
    if _redis_answers(url):
        yield url
        return
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        raise NotInstalled("Redis does not answer on 127.0.0.1:6379 and is not installed (apt install redis-server)")
    port = free_port()
    with tempfile.TemporaryDirectory(prefix="likewise-redis-", ignore_cleanup_errors=True) as folder:
        options = ["--bind", "127.0.0.1", "--port", str(port), "--save", "", "--appendonly", "no", "--dir", folder]
        process = subprocess.Popen([program, *options], stdout=subprocess.DEVNULL)
        try:
            private = f"redis://127.0.0.1:{port}/0"
            deadline = time.monotonic() + 20
            while not _redis_answers(private):
                if time.monotonic() > deadline:
                    raise RuntimeError(f"{program} did not answer within 20 s")
                time.sleep(0.05)
            yield private
        finally:
            process.terminate()
            process.wait(20)


def _redis_answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_connect_timeout=2, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
