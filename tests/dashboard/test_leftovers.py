"""Half uploads of a killed server: what is swept, and what somebody still holds."""

import os
import subprocess
import sys
import time
from pathlib import Path

from dashboard.leftovers import sweep
from tests.live import wait_for


def test_only_what_nobody_holds_is_swept(tmp_path: Path) -> None:
    names = ("tmpa.upload", "tmpb.upload.json", "tmpheld.upload.csv", "keep.txt")
    for name in names:
        (tmp_path / name).write_text("x", encoding="ascii")
    hold = "import sys, time; file = open(sys.argv[1]); print('held', flush=True); time.sleep(60)"
    holder = subprocess.Popen(
        [sys.executable, "-c", hold, str(tmp_path / "tmpheld.upload.csv")], stdout=subprocess.PIPE, text=True
    )
    try:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        assert sweep(tmp_path, spare_s=0) == ["tmpa.upload", "tmpb.upload.json"]
    finally:
        holder.kill()
        holder.communicate()
    wait_for(lambda: sweep(tmp_path, spare_s=0) == ["tmpheld.upload.csv"], "the killed holder's file to be let go")
    assert [path.name for path in tmp_path.iterdir()] == ["keep.txt"]


def test_a_young_one_is_spared(tmp_path: Path) -> None:
    young, old = tmp_path / "tmpyoung.upload", tmp_path / "tmpold.upload"
    for path in (young, old):
        path.write_text("x", encoding="ascii")
    os.utime(old, (time.time() - 3601, time.time() - 3601))
    assert sweep(tmp_path, spare_s=3600) == ["tmpold.upload"]
    assert young.exists()


def test_no_folder_is_no_fault(tmp_path: Path) -> None:
    assert sweep(tmp_path / "nothing", spare_s=0) == []
