"""`make run` as a person has it: a real process on a free port, over a folder of its own."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import pytest

from tests.live import ROOT, free_port, processes_with, wait_for

SECOND_START_S = 60  # measured at 3 to 4 s; this only tells it from installing and loading all over again


def lines(output: IO[str], until: str) -> str:
    """What was printed, up to and with the line that has `until`."""
    seen = ""
    for line in output:
        seen += line
        if until in line:
            return seen
    raise AssertionError(f"ended without {until!r}:\n{seen}")


@contextmanager
def started(var_dir: Path, port: int, *command: str) -> Iterator[subprocess.Popen[str]]:
    inherited = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    process = subprocess.Popen(
        command or [sys.executable, "-m", "tools.run"],
        cwd=ROOT,
        env={
            **inherited,
            "DJANGO_SETTINGS_MODULE": "dashboard.settings",
            "LIKEWISE_VAR_DIR": str(var_dir),
            "PORT": str(port),
        },
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(30)
        for stream in (process.stdin, process.stdout):
            if stream:
                stream.close()


def get(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=60) as answer:
        body: bytes = answer.read()
        return body


def test_starts_serves_restarts_and_stops_without_a_trace(tmp_path: Path) -> None:
    port = free_port()
    with started(tmp_path, port) as process:
        assert process.stdout
        said = lines(process.stdout, "log in as admin")
        assert f"http://127.0.0.1:{port}/" in said
        assert get(port, "/healthz") == b"ok\n"
        assert b"<form" in get(port, "/login/")
        ours = processes_with("LIKEWISE_VAR_DIR", str(tmp_path))
        assert len(ours) >= 5  # supervisor, server and its worker, celery and its children, beat
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0
    assert processes_with("LIKEWISE_VAR_DIR", str(tmp_path)) == []

    began = time.monotonic()
    with started(tmp_path, port) as process:
        assert process.stdout
        again = lines(process.stdout, "log in as admin")
        assert time.monotonic() - began < SECOND_START_S
        password = re.compile(r"password (\S+)")
        assert password.findall(again) == password.findall(said)
        kill_the_web_server(tmp_path)
        assert "web server ended with code -9" in lines(process.stdout, "starting it again")
        wait_for(lambda: answers_again(port), "the web server to come back")
        process.terminate()
        assert process.wait(30) == 0
    assert processes_with("LIKEWISE_VAR_DIR", str(tmp_path)) == []


def kill_the_web_server(var_dir: Path) -> None:
    for number in processes_with("LIKEWISE_VAR_DIR", str(var_dir)):
        leads = os.getsid(number) == number  # its own worker it would start again by itself
        if leads and b"granian" in Path(f"/proc/{number}/cmdline").read_bytes():
            os.kill(number, signal.SIGKILL)
            return


def answers_again(port: int) -> bool:
    try:
        return get(port, "/healthz") == b"ok\n"
    except OSError:
        return False


def test_children_end_with_a_supervisor_that_was_killed(tmp_path: Path) -> None:
    with started(tmp_path, free_port()) as process:
        assert process.stdout
        lines(process.stdout, "log in as admin")
        process.kill()
        wait_for(lambda: not processes_with("LIKEWISE_VAR_DIR", str(tmp_path)), "the children to end")


def test_a_folder_is_served_once_and_a_killed_server_is_no_obstacle(tmp_path: Path) -> None:
    first, second = free_port(), free_port()
    half = tmp_path / "uploads" / "tmpleft.upload.json"
    with started(tmp_path, first) as process:
        assert process.stdout
        lines(process.stdout, "log in as admin")
        with started(tmp_path, second) as other:
            assert other.stdout
            said = other.stdout.read()
            assert other.wait(30) == 1
        assert f"{tmp_path} is served already, by process {process.pid} on port {first}" in said
        assert get(first, "/healthz") == b"ok\n"
        half.write_text("half an upload", encoding="ascii")
        process.kill()
        process.wait(30)
        wait_for(lambda: not processes_with("LIKEWISE_VAR_DIR", str(tmp_path)), "the children to end")
    assert half.exists()
    with started(tmp_path, second) as process:
        assert process.stdout
        lines(process.stdout, "log in as admin")
        assert get(second, "/healthz") == b"ok\n"
        assert not half.exists()


def test_a_taken_port_is_said_and_nothing_starts(tmp_path: Path) -> None:
    import socket

    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with started(tmp_path, port) as process:
            assert process.stdout
            said = process.stdout.read()
            assert process.wait(30) == 1
    assert f"port {port} on 127.0.0.1 is taken by another program" in said
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("port", ["many", "70000", "0", "-1"])
def test_a_senseless_port_is_refused(tmp_path: Path, port: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "tools.run"],
        cwd=ROOT,
        env={**os.environ, "PORT": port, "LIKEWISE_VAR_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "Traceback" not in ended.stderr
    assert "port" in ended.stdout.lower()


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("DATABASE_URL", "postgres://nobody:hidden@127.0.0.1:1/none", "DATABASE_URL: expected a database that answers"),
        ("DATABASE_URL", "mysql://somewhere", "DATABASE_URL: expected postgres://user:password@host:port/name"),
        ("REDIS_URL", "redis://127.0.0.1:1/0", "REDIS_URL: expected a Redis that answers"),
        ("LIKEWISE_VAR_DIR", "/proc/likewise", "LIKEWISE_VAR_DIR: expected a folder that can be written in"),
        ("LIKEWISE_VAR_DIR", "", "likewise.sqlite3: expected a database that answers, saw: file is not a database"),
    ],
)
def test_what_cannot_work_is_said_in_words_and_nothing_starts(tmp_path: Path, name: str, value: str, said: str) -> None:
    if not value:
        (tmp_path / "likewise.sqlite3").write_bytes(b"no database at all" * 100)
    ended = subprocess.run(
        [sys.executable, "manage.py", "prepare", "--skip-static", "--skip-demo"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "dashboard.settings",
            "LIKEWISE_VAR_DIR": str(tmp_path),
            **({name: value} if value else {}),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1 and said in ended.stderr
    assert "Traceback" not in ended.stderr and "hidden" not in ended.stderr


def test_ctrl_c_at_a_terminal_ends_make_itself_with_success(tmp_path: Path) -> None:
    spawn = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(['make', 'run'])))"
    with started(tmp_path, free_port(), sys.executable, "-c", spawn) as process:
        assert process.stdout
        assert process.stdin
        lines(process.stdout, "log in as admin")
        process.stdin.write("\x03")
        process.stdin.flush()
        rest = process.stdout.read()
        assert process.wait(30) == 0, rest
    assert "Error" not in rest
    assert processes_with("LIKEWISE_VAR_DIR", str(tmp_path)) == []
