"""The real aiperf for tests: installed once into ``var/clients`` of this checkout, and used from there ever after."""

import fcntl
import subprocess
import sys
import tempfile
from pathlib import Path

from runs.runners import install
from tests.conftest import not_run
from tests.jobs.rig import ROOT

AIPERF = "0.13.0"
FOLDER = ROOT / "var" / "clients"


def installed_aiperf() -> Path:
    """The folder it is in. Where PyPI cannot be reached this says so loudly; a failing installation is a failure."""
    FOLDER.parent.mkdir(parents=True, exist_ok=True)
    with (FOLDER.parent / "clients.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _is_there():
            _ask_for_the_package()
        made = subprocess.run(
            [sys.executable, install.__file__, str(FOLDER), AIPERF], capture_output=True, text=True, check=False,
            timeout=1500,
        )  # fmt: skip
        assert made.returncode == 0, made.stdout[-2000:] + made.stderr[-2000:]
    return FOLDER


def _is_there() -> bool:
    done = FOLDER / "aiperf.done"
    return done.is_file() and done.read_text(encoding="ascii") == AIPERF


def _ask_for_the_package() -> None:
    with tempfile.TemporaryDirectory(prefix="likewise-aiperf-") as folder:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-input", "--dest", folder]
        asked = subprocess.run(
            [*command, f"aiperf=={AIPERF}"], capture_output=True, text=True, check=False, timeout=300
        )
    if asked.returncode != 0:
        not_run(f"aiperf {AIPERF} cannot be had from PyPI, so the demo with the real client was not run")
