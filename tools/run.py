"""`make run`: prepares the installation, then runs web server, worker and scheduler until Ctrl-C."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

from tools import serving
from tools.supervise import Child, Supervisor

ROOT = Path(__file__).resolve().parent.parent
HEADING = "Likewise"
SIMULATOR_PORT = 8791


def main() -> int:
    os.chdir(ROOT)
    host = os.environ.get("HOST") or "127.0.0.1"
    try:
        port = int(os.environ.get("PORT") or "8000")
    except ValueError:
        say(f"PORT: expected a number, got {os.environ['PORT']!r}.")
        return 1
    folder = serving.var_dir()
    refusal = serving.served_by_another(folder) or why_not(host, port)
    if refusal:
        say(refusal)
        return 1
    lock = serving.take(folder, port)
    if isinstance(lock, str):
        say(lock)
        return 1
    with lock:
        return run(host, port)


def run(host: str, port: int) -> int:
    os.environ["LIKEWISE_SIMULATOR_PORT"] = str(simulator_port(port))
    own_the_terminal()
    login = prepare()
    if login is None:
        say("Preparing failed; nothing was started.")
        return 1
    address = f"http://{'127.0.0.1' if host == '0.0.0.0' else host}:{port}/"  # noqa: S104
    supervisor = Supervisor(
        children=children(host, port),
        say=say,
        ready=lambda: answers(f"{address}readyz"),
        when_ready=lambda: say(f"{address}  log in as {login['username']} with password {login['password']}"),
    )
    code = supervisor.run()
    say("stopped.")
    return code


def say(text: str) -> None:
    print(f"{HEADING}: {text}", flush=True)


def why_not(host: str, port: int) -> str | None:
    """A reason not to start. Two servers can bind one port without a word, so it is tried beforehand."""
    if not 0 < port < 65536:
        return f"PORT: expected a number from 1 to 65535, got {port}."
    try:
        with socket.create_connection((host, port), timeout=1):
            pass
    except OSError:
        pass
    else:
        return (
            f"port {port} on {host} is taken by another program. Stop it, or choose another: PORT={port + 1} make run"
        )
    try:
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except (OSError, OverflowError) as error:
        return f"port {port} on {host} cannot be used: {error}"
    return None


def own_the_terminal() -> None:
    """Makes this the terminal's foreground group: otherwise make takes Ctrl-C too and ends with an error of its own."""
    if not sys.stdin.isatty() or os.getpgrp() != os.tcgetpgrp(sys.stdin.fileno()):
        return
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    signal.signal(signal.SIGTSTP, signal.SIG_IGN)  # the shell would never hear that this group had stopped
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)
    os.tcsetpgrp(sys.stdin.fileno(), os.getpgrp())


def prepare() -> dict[str, str] | None:
    with tempfile.TemporaryDirectory(prefix="likewise-") as folder:
        login = Path(folder) / "login.json"
        command = [sys.executable, "manage.py", "prepare", "--login-file", str(login)]
        if subprocess.run(command, check=False).returncode != 0:
            return None
        found: dict[str, str] = json.loads(login.read_text(encoding="utf-8"))
        return found


def children(host: str, port: int) -> list[Child]:
    return [
        Child("web server", web_command(host, port), {"LIKEWISE_PROCESS": "web"}),
        Child("worker", worker_command(), {"LIKEWISE_PROCESS": "worker"}),
        Child("simulator", simulator_command(), {}),
        Child("scheduler", [*CELERY, "beat", "--pidfile=", "--loglevel", "WARNING"], {"LIKEWISE_PROCESS": "beat"}),
    ]


def simulator_port(taken: int) -> int:
    """The demo's simulator has a port of its own: the one given, the usual one, or whatever is free."""
    given = os.environ.get("LIKEWISE_SIMULATOR_PORT", "")
    if given.isdigit():
        return int(given)
    if taken != SIMULATOR_PORT and why_not("127.0.0.1", SIMULATOR_PORT) is None:
        return SIMULATOR_PORT
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def simulator_command() -> list[str]:
    return [sys.executable, "-m", "runs.runners.simulator", "--port", os.environ["LIKEWISE_SIMULATOR_PORT"]]


CELERY = [sys.executable, "-m", "celery", "-A", "dashboard.celery", "--quiet", "--skip-checks"]


def worker_command() -> list[str]:
    concurrency = os.environ.get("LIKEWISE_WORKER_CONCURRENCY") or "2"
    # Nothing here listens to other workers; without these a start asks for them and waits.
    silent = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    queues = os.environ.get("LIKEWISE_QUEUES", "").strip()
    listening = ["--queues", queues] if queues else []
    return [*CELERY, "worker", "--concurrency", concurrency, "--loglevel", "WARNING", *silent, *listening]


def web_command(host: str, port: int) -> list[str]:
    options = {
        "--interface": "wsgi",
        "--host": host,
        "--port": str(port),
        "--workers": os.environ.get("LIKEWISE_WEB_WORKERS") or "1",
        "--blocking-threads": "8",
        "--workers-kill-timeout": "5",
        "--log-level": "error",
    }
    flags = [part for option in options.items() for part in option]
    return [sys.executable, "-m", "granian", *flags, "--respawn-failed-workers", "dashboard.wsgi:application"]


def answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2) as response:  # noqa: S310  an address of our own
            return bool(response.status == 200)
    except (urllib.error.URLError, OSError):
        return False


if __name__ == "__main__":
    sys.exit(main())
