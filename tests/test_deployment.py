"""The container files, read as data: there is no engine in most places where tests run."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
OWN = ("web", "worker", "beat")
SECRET_NAME = re.compile("SECRET|PASSWORD|TOKEN|KEY")


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    read: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))
    return read


def test_the_set_is_complete(compose: dict[str, Any]) -> None:
    assert set(compose["services"]) == {*OWN, "postgres", "redis"}
    for name, service in compose["services"].items():
        assert service["healthcheck"]["test"], name
        assert service["restart"] == "unless-stopped", name


def test_data_live_in_named_volumes(compose: dict[str, Any]) -> None:
    used = {volume.split(":")[0] for service in compose["services"].values() for volume in service["volumes"]}
    assert used == set(compose["volumes"])


def test_nothing_starts_before_what_it_needs(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["web"]["depends_on"] == {name: {"condition": "service_healthy"} for name in ("postgres", "redis")}
    # The web container migrates; the others wait for it.
    for name in ("worker", "beat"):
        assert services[name]["depends_on"] == {"web": {"condition": "service_healthy"}}


def test_secrets_come_from_outside_and_must_be_given(compose: dict[str, Any]) -> None:
    for name, service in compose["services"].items():
        for key, value in service.get("environment", {}).items():
            if SECRET_NAME.search(key):
                # Mail is optional, so that its password may be left out; it has no other default.
                given = r"\$\{\w+:-\}" if key == "LIKEWISE_MAIL_PASSWORD" else r"\$\{\w+:\?.+\}"
                assert re.fullmatch(given, value), f"{name}: {key}"
            if "://" in str(value):
                assert "@" not in value or re.search(r":\$\{\w+:\?[^}]+\}@", value), f"{name}: {key}"


def test_the_published_port_is_local_unless_chosen(compose: dict[str, Any]) -> None:
    assert compose["services"]["web"]["ports"] == ["${LIKEWISE_BIND:-127.0.0.1:8000}:8000"]
    for name in ("postgres", "redis"):
        assert "ports" not in compose["services"][name]


def test_the_example_environment_names_what_must_be_given_and_no_value() -> None:
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    required = set(re.findall(r"\$\{(\w+):\?", text))
    example = dict(re.findall(r"^(\w+)=(.*)$", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE))
    assert required <= set(example)
    assert all(example[name] == "" for name in required)
    mail = {name for name in set(re.findall(r"\$\{(\w+):-", text)) if name.startswith("LIKEWISE_MAIL_")}
    assert mail == {f"LIKEWISE_MAIL_{part}" for part in ("HOST", "PORT", "USER", "PASSWORD", "TLS", "FROM")}
    assert mail <= set(example)


def test_the_image_is_slim_staged_and_not_root() -> None:
    lines = (ROOT / "Dockerfile").read_text(encoding="utf-8").splitlines()
    stages = [line for line in lines if line.startswith("FROM ")]
    assert len(stages) == 2
    assert all("-slim" in stage for stage in stages)
    last_user = [line for line in lines if line.startswith("USER ")][-1]
    assert last_user != "USER root"
    assert lines.index(last_user) < next(n for n, line in enumerate(lines) if line.startswith("CMD "))
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").split()
    assert {".env", "var", ".git", ".venv"} <= set(ignored)


def test_compose_itself_accepts_the_file() -> None:
    docker = shutil.which("docker")
    if not docker or subprocess.run([docker, "compose", "version"], capture_output=True, check=False).returncode != 0:
        pytest.skip("docker compose does not answer here")
    given = {"SECRET_KEY": "x", "POSTGRES_PASSWORD": "x", "LIKEWISE_ALLOWED_HOSTS": "likewise.example"}
    command = [docker, "compose", "config", "--quiet"]
    ended = subprocess.run(command, cwd=ROOT, env={**os.environ, **given}, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
