"""An installation for fault tests: real PostgreSQL, Redis, sshd, workers, schedulers, started and ended here."""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from tests import live
from tools.run import CELERY, worker_command
from tools.services import _postgres_programs, free_port
from tools.supervise import Child, stop

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CLIENT, STANDINS = HERE / "client.py", HERE / "standins"
FAST = {
    "LIKEWISE_JOB_POLL_MS": "100", "LIKEWISE_JOB_SLICE_S": "1", "LIKEWISE_JOB_LEASE_S": "3", "LIKEWISE_JOB_LOST_S": "6",
    "LIKEWISE_JOB_SWEEP_S": "1", "LIKEWISE_JOB_GRACE_S": "1", "LIKEWISE_JOB_SAMPLE_MS": "500",
    "LIKEWISE_JOB_CONNECT_S": "3", "LIKEWISE_JOB_OUTPUT_BYTES": "1000000",
}  # fmt: skip
CONSOLE = """
import sys, json, django
django.setup()
from django.db import close_old_connections, connections
from runs.models import *
from runs.services.jobs import queue, targets, plans, schedules, sweep, held
names = dict(globals())
for line in sys.stdin:
    try:
        connections.close_all()
        exec(json.loads(line), names)
        told = {"ok": names.pop("result", None)}
    except Exception as error:
        told = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(told, default=str), flush=True)
"""


class Console:
    """A process with Django set up on the installation's database; asked by code, it answers with ``result``."""

    def __init__(self, installation: live.Installation) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", CONSOLE], cwd=ROOT, env={**os.environ, **installation.environment}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip

    def __call__(self, code: str) -> Any:
        stdin, stdout = _pipe(self.process.stdin), _pipe(self.process.stdout)
        stdin.write(json.dumps(code) + "\n")
        stdin.flush()
        told = json.loads(stdout.readline())
        if "error" in told:
            raise RuntimeError(told["error"])
        return told["ok"]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        _pipe(self.process.stdin).close()
        _pipe(self.process.stdout).close()


def _pipe(stream: Any) -> TextIO:
    assert stream is not None
    return stream  # type: ignore[no-any-return]


@dataclass
class Rig:
    installation: live.Installation
    ask: Console
    folder: Path
    children: list[Child] = field(default_factory=list)

    def start(self, process: str, command: list[str]) -> Child:
        child = Child(process, command, {**self.installation.environment, "LIKEWISE_PROCESS": process})
        child.start(time.monotonic())
        self.children.append(child)
        return child

    def worker(self, count: int = 1) -> Child:
        """As many workers as asked for: those that are there, and new ones for those that are not."""
        found = self.workers()
        while len(found) < count:
            found.append(self.start("worker", worker_command()))
        return found[-1]

    def workers(self) -> list[Child]:
        return [child for child in self.children if child.name == "worker" and child.running]

    def halt(self) -> None:
        for child in self.workers():
            self.kill(child)

    def beat(self) -> Child:
        return self.start("beat", [*CELERY, "beat", "--pidfile=", "--loglevel", "WARNING"])

    def kill(self, child: Child) -> None:
        """SIGKILL for the whole of it, at once."""
        child.signal_group(signal.SIGKILL)
        assert child.process is not None
        child.process.wait()
        self.children.remove(child)

    def stop(self, child: Child) -> None:
        stop([child])
        self.children.remove(child)

    def target(self, name: str, **more: Any) -> int:
        """A target with the test client among its commands."""
        work = self.folder / f"work-{name}"
        command = {
            "argv": [sys.executable, str(CLIENT), "{mode}", "{seconds}"], "parameters": ["mode", "seconds"],
            "results": ["result.json"],
            "window_starts": ["Traffic request rate"], "window_ends": ["Serving Benchmark Result"],
        }  # fmt: skip
        given = {"connection": "local", "working_directory": str(work), "commands": {"client": command}, **more}
        return int(self.ask(f"t = Target.objects.create(name={name!r}, **{given!r})\nresult = t.pk"))

    def job(self, target: int, mode: str = "ok", seconds: float = 0.5, **spec: Any) -> int:
        """One job of the test client."""
        full = {"client": "command", "command": "client", "parameters": {"mode": mode, "seconds": str(seconds)}, **spec}
        return int(
            self.ask(
                f"p = Plan.objects.create(name='plan {mode} {time.time_ns()}', spec={full!r})\n"
                f"u = User.objects.get(username='admin')\n"
                f"result = queue.start(plan=p, target=Target.objects.get(pk={target}), user=u)[0].pk"
            )
        )

    def look(self, job: int) -> dict[str, Any]:
        names = (
            "('state','reason','problems','tail','agent','argv','times','key','simulated','output_bytes','remote_open')"
        )
        return dict(self.ask(f"result = Job.objects.filter(pk={job}).values(*{names}).get()"))

    def state(self, job: int) -> str:
        return str(self.ask(f"result = Job.objects.values_list('state', flat=True).get(pk={job})"))

    def cancel(self, job: int) -> None:
        self.ask(f"queue.cancel(job_id={job}, user=User.objects.get(username='admin'))")

    def until(self, job: int, *states: str, seconds: float = 60) -> str:
        """Waits for a state; which one it was."""
        deadline = time.monotonic() + seconds
        while (now := self.state(job)) not in states:
            ended = now in ("done", "failed", "cancelled", "lost")
            assert not ended, f"job {job} ended as {now}, not {states}: {self.look(job)}"
            assert time.monotonic() < deadline, f"job {job} is {now}, not {states}: {self.look(job)}"
            time.sleep(0.05)
        return now

    def ended(self, job: int, seconds: float = 60) -> str:
        return self.until(job, "done", "failed", "cancelled", "lost", seconds=seconds)

    def files(self, job: int) -> dict[str, int]:
        return dict(
            self.ask(f"result = dict(JobArtifact.objects.filter(job={job}).values_list('name','artifact__size'))")
        )

    def runs(self, job: int) -> list[str]:
        return list(
            self.ask(f"result = list(JobRun.objects.filter(job={job}).values_list('run__public_id', flat=True))")
        )

    def alive(self, job: int) -> list[int]:
        """Processes that still carry the job's mark."""
        return live.processes_with("LIKEWISE_JOB", self.look(job)["key"])

    def answers(self, job: int, seconds: float = 60) -> None:
        """Waits until the database answers again; what it said last is told where it does not."""
        said, deadline = "", time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                self.state(job)
            except RuntimeError as error:
                said = str(error)
                time.sleep(0.1)
            else:
                return
        raise TimeoutError(f"after {seconds:g} s the database still says: {said}")

    def free(self, target: int) -> None:
        """The target takes its next job, and that one goes well."""
        assert self.ended(self.job(target, seconds=0.1)) == "done"


@contextmanager
def rig(folder: Path, environment: Mapping[str, str], more: Mapping[str, str] | None = None) -> Iterator[Rig]:
    folder.mkdir(parents=True, exist_ok=True)
    full = {
        "DJANGO_SETTINGS_MODULE": "dashboard.settings", "LIKEWISE_VAR_DIR": str(folder / "var"),
        "LIKEWISE_NAMESPACE": f"rig-{folder.name}", "DATABASE_URL": "", "REDIS_URL": "",
        "LIKEWISE_LOG_LEVEL": "WARNING",
        "LIKEWISE_STATIC_ROOT": str(ROOT / "var" / "static"), **FAST, **environment, **(more or {}),
    }  # fmt: skip
    bare = live.Installation(folder / "var", full)
    bare.manage("prepare", "--skip-static", "--skip-demo")
    console = Console(bare)
    made = Rig(bare, console, folder)
    try:
        yield made
    finally:
        stop(made.children)
        for key in console("result = list(Job.objects.values_list('key', flat=True))"):
            for pid in live.processes_with("LIKEWISE_JOB", key):
                os.kill(pid, signal.SIGKILL)
        console.close()


@dataclass
class RedisServer:
    """A private Redis that can be stopped and started on its port. It keeps nothing: what was queued is gone."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = shutil.which("redis-server") or shutil.which("valkey-server")
        assert program
        options = ["--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen([program, *options, "--dir", str(self.folder)], stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"


@dataclass
class PostgresServer:
    """A private PostgreSQL that can be restarted."""

    folder: Path
    port: int = field(default_factory=free_port)

    def start(self) -> None:
        programs, user = _postgres_programs(), self._user()
        assert programs
        self.folder.mkdir(parents=True)
        for parent in (self.folder, *self.folder.parents[:3]):
            parent.chmod(parent.stat().st_mode | 0o011)
        if user:
            shutil.chown(self.folder, user)
        self._run(programs / "initdb", "-D", self.data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C")
        self.control("start")

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def control(self, verb: str) -> None:
        programs = _postgres_programs()
        assert programs
        # Not synchronous_commit=off: an immediate stop would lose what was committed in the last half second.
        quick = "-c fsync=off -c full_page_writes=off"
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self.folder} {quick}"
        start = ["-o", options, "-l", self.folder / "log"] if verb != "stop" else []
        self._run(programs / "pg_ctl", "-D", self.data, "-m", "immediate", "-w", *start, verb)

    def _user(self) -> str | None:
        if os.geteuid() != 0:
            return None
        return "postgres" if "postgres" in {entry.pw_name for entry in pwd.getpwall()} else "nobody"

    def _run(self, *command: object) -> None:
        subprocess.run(
            [str(part) for part in command], cwd="/", user=self._user(), stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=True, timeout=120,
        )  # fmt: skip


@dataclass
class SshServer:
    """A real sshd on loopback with keys made for it. Killing it cuts every connection; jobs it started live on."""

    folder: Path
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def key_file(self) -> Path:
        return self.folder / "client"

    @property
    def user(self) -> str:
        return pwd.getpwuid(os.geteuid()).pw_name

    def prepare(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        for name in ("host", "client"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.folder / name)], check=True)
        (self.folder / "authorized_keys").write_bytes((self.folder / "client.pub").read_bytes())
        lines = [
            f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {self.folder}/host",
            f"AuthorizedKeysFile {self.folder}/authorized_keys", "StrictModes no", "UsePAM no", "PidFile none",
            "PasswordAuthentication no", "KbdInteractiveAuthentication no", "PermitRootLogin yes",
            "Subsystem sftp internal-sftp", "MaxStartups 100",
        ]  # fmt: skip
        (self.folder / "config").write_text("\n".join(lines) + "\n", encoding="ascii")
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)

    def start(self) -> None:
        command = ["/usr/sbin/sshd", "-D", "-e", "-f", str(self.folder / "config")]
        log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        log.close()
        live.wait_for(self._answers, "sshd")

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return True
        except OSError:
            return False

    def kill(self) -> None:
        """The listener and the process of every open connection; not what those had started."""
        if self.process is None:
            return
        mine = [self.process.pid]
        for entry in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, rest = entry.read_text(errors="replace").split("(", 1)[1].rsplit(")", 1)
            except (OSError, IndexError):
                continue
            if name.startswith("sshd") and int(rest.split()[1]) in mine:
                mine.append(int(entry.parent.name))
        for pid in reversed(mine):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        self.process.wait()
        self.process = None

    def target(self, rig: Rig, name: str, *, accept: bool = True, **more: Any) -> int:
        made = rig.target(
            name,
            connection="ssh",
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            key_file=str(self.key_file),
            **more,
        )
        if accept:
            rig.ask(
                f"t = Target.objects.get(pk={made}); u = User.objects.get(username='admin')\n"
                f"targets.test_connection(target=t, user=u)\n"
                f"targets.accept_host_key(target=t, fingerprint=HostKey.objects.get(target=t).fingerprint, user=u)"
            )
        return made


@contextmanager
def services(folder: Path) -> Iterator[tuple[PostgresServer, RedisServer]]:
    database, broker = PostgresServer(folder / "pg"), RedisServer(folder)
    with ExitStack() as stack:
        database.start()
        stack.callback(database.control, "stop")
        broker.start()
        stack.callback(broker.stop)
        yield database, broker
