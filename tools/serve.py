"""One process of a container: `web`, `worker` or `beat`; `probe URL` and `running NAME` are their health checks."""

import os
import subprocess
import sys
from pathlib import Path

from tools.run import CELERY, answers, web_command, worker_command


def main(arguments: list[str]) -> int:
    match arguments:
        case ["web"]:
            return web()
        case ["worker"]:
            return become("worker", worker_command())
        case ["beat"]:
            return become("beat", [*CELERY, "beat", "--pidfile=", "--loglevel", "INFO"])
        case ["probe", url]:
            return int(not answers(url))
        case ["running", name]:
            return int(not running(name))
        case _:
            print(__doc__, file=sys.stderr)
            return 2


def web() -> int:
    prepare = [sys.executable, "manage.py", "prepare", "--skip-static"]
    if os.environ.get("LIKEWISE_DEMO") != "1":
        prepare.append("--skip-demo")
    if subprocess.run(prepare, check=False).returncode != 0:
        return 1
    return become("web", web_command("0.0.0.0", 8000))  # noqa: S104  the container's own network


def become(process: str, command: list[str]) -> int:
    """Replaces this process, so that the container's stop signal reaches the program itself."""
    os.environ["LIKEWISE_PROCESS"] = process
    os.execv(command[0], command)  # noqa: S606


def running(name: str) -> bool:
    """Whether a Celery process of that kind lives in this container."""
    wanted = {b"dashboard.celery", name.encode()}
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if wanted <= set(entry.read_bytes().split(b"\0")):
                return True
        except OSError:
            continue
    return False


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
