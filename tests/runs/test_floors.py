"""The lowest floors need no framework: they import where none can be found."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCKED = ("django", "rest_framework", "celery", "kombu", "knox", "sqlite3", "psycopg")

IMPORTS_EVERYTHING = """
import importlib, pkgutil, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(f"{{name}} is blocked")

sys.meta_path.insert(0, Blocker())
package = importlib.import_module({package!r})
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    importlib.import_module(module.name)
print("imported", package.__name__)
"""


@pytest.mark.parametrize("package", ["runs.domain", "runs.readers", "runs.runners", "dashboard.render"])
def test_imports_without_a_framework(package: str) -> None:
    code = IMPORTS_EVERYTHING.format(blocked=BLOCKED, package=package)
    ended = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert ended.stdout == f"imported {package}\n", ended.stderr
