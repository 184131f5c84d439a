import base64
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dashboard import settings
from dashboard.staticfiles import PLOTLY_FOLDER

PRODUCTION = {
    "LIKEWISE_ENV": "production",
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "LIKEWISE_ALLOWED_HOSTS": "likewise.example",
}


def check(tmp_path: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "REDIS_URL"}}
    return subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=settings.BASE_DIR,
        env={
            **inherited,
            "DJANGO_SETTINGS_MODULE": "dashboard.settings",
            "LIKEWISE_VAR_DIR": str(tmp_path),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def test_production_passes_the_deployment_check(tmp_path: Path) -> None:
    ended = check(tmp_path, PRODUCTION)
    assert ended.returncode == 0, ended.stderr
    assert "no issues" in ended.stdout
    assert not (tmp_path / "secret_key").exists()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"SECRET_KEY": ""}, "SECRET_KEY: expected"),
        ({"SECRET_KEY": "k" * 49}, "SECRET_KEY: expected a secret of 50 characters or more"),
        ({"LIKEWISE_ALLOWED_HOSTS": ""}, "LIKEWISE_ALLOWED_HOSTS: expected"),
        ({"LIKEWISE_DEBUG": "true"}, "LIKEWISE_DEBUG: must not be true"),
        ({"LIKEWISE_ENV": "prod"}, "LIKEWISE_ENV: expected one of local, production"),
    ],
)
def test_production_refuses_to_start_half_configured(tmp_path: Path, change: dict[str, str], said: str) -> None:
    ended = check(tmp_path, {**PRODUCTION, **change})
    assert ended.returncode != 0
    assert said in ended.stderr


def test_local_secret_is_made_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    check(tmp_path, {})
    secret = tmp_path / "secret_key"
    first = secret.read_text()
    assert secret.stat().st_mode & 0o777 == 0o600
    assert len(first) > 60
    check(tmp_path, {})
    assert secret.read_text() == first


def test_only_web_processes_pool_their_connections(tmp_path: Path) -> None:
    for process, pooled in (("web", True), ("worker", False), ("command", False)):
        ended = subprocess.run(
            [sys.executable, "-c", "from dashboard.settings import DATABASES as d; print(d['default'])"],
            cwd=settings.BASE_DIR,
            env={
                **os.environ,
                "LIKEWISE_VAR_DIR": str(tmp_path),
                "LIKEWISE_PROCESS": process,
                "DATABASE_URL": "postgres://me@db.example/likewise",
            },
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("'pool'" in ended.stdout) is pooled
        assert "'CONN_MAX_AGE': 0" in ended.stdout


def test_the_policy_allows_exactly_the_style_that_plotly_inserts() -> None:
    script = (PLOTLY_FOLDER / "plotly.min.js").read_text(encoding="utf-8")
    inserted = re.findall(r"""createElement\("style"\);e\.id="[0-9a-f]{64}",e\.textContent='([^'\\]*)'""", script)
    assert len(inserted) == 1
    digest = base64.b64encode(hashlib.sha256(inserted[0].encode()).digest()).decode()
    assert f"'sha256-{digest}'" == settings.PLOTLY_MAP_STYLE
