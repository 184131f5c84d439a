"""Makes .venv and installs pinned requirements. Standard library only: it runs before anything is installed."""

import fcntl
import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST = (3, 11)


def main(requirements: str) -> int:
    if sys.version_info[:2] < OLDEST:
        print(f"Likewise needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is {sys.version.split()[0]}.")
        return 1
    with (ROOT / "Makefile").open() as lock:
        # Two commands at once would install into each other's half-made environment.
        fcntl.flock(lock, fcntl.LOCK_EX)
        return 0 if _installed(requirements) else _install(requirements)


def _stamp() -> Path:
    return VENV / "installed"


def _wanted(requirements: str) -> str:
    """A line per requirement file, with its digest; tools include the runtime's."""
    digest = hashlib.sha256(sys.version.encode())
    names = ["requirements.txt"] if requirements == "requirements.txt" else ["requirements.txt", requirements]
    for name in names:
        digest.update((ROOT / name).read_bytes())
    return f"{requirements} {digest.hexdigest()}"


def _installed(requirements: str) -> bool:
    stamp = _stamp()
    return stamp.is_file() and _wanted(requirements) in stamp.read_text(encoding="ascii").splitlines()


def _install(requirements: str) -> int:
    python = VENV / "bin" / "python"
    log = ROOT / "var" / "log" / "install.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"Installing {requirements} into .venv (about a minute the first time) ...", flush=True)
    with log.open("w", encoding="utf-8") as output:
        # --clear would cost a second installation when only the tools are added.
        made = _run([sys.executable, "-m", "venv", *([] if python.exists() else ["--clear"]), str(VENV)], output)
        pip = [str(python), "-m", "pip", "install", "--disable-pip-version-check", "--no-input", "-r", requirements]
        if made != 0 or _run(pip, output) != 0:
            output.flush()
            tail = log.read_text(encoding="utf-8").splitlines()[-25:]
            print("\n".join([*tail, f"Installing failed; all of it is in {log.relative_to(ROOT)}"]), file=sys.stderr)
            return 1
    done = [_wanted("requirements.txt")]
    if requirements != "requirements.txt":
        done.append(_wanted(requirements))
    _stamp().write_text("\n".join(done) + "\n", encoding="ascii")
    return 0


def _run(command: list[str], output: TextIO) -> int:
    environment = {key: value for key, value in os.environ.items() if key not in {"PYTHONHOME", "PYTHONPATH"}}
    ended = subprocess.run(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT, env=environment, check=False)
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
