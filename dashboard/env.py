"""Typed readers of environment variables. A value that cannot be read stops the process and says which one and why."""

import json
import os
from collections.abc import Collection
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class EnvError(ImproperlyConfigured):
    def __init__(self, name: str, seen: str | None, expected: str) -> None:
        got = "it is not set" if seen is None else f"got {seen!r}"
        super().__init__(f"{name}: expected {expected}, {got}")


def text(name: str, default: str) -> str:
    # An empty variable is how compose files spell "not set".
    return os.environ.get(name, "").strip() or default


def required(name: str, expected: str) -> str:
    value = text(name, "")
    if not value:
        raise EnvError(name, None, expected)
    return value


def choice(name: str, default: str, allowed: Collection[str]) -> str:
    value = text(name, default)
    if value not in allowed:
        raise EnvError(name, value, "one of " + ", ".join(sorted(allowed)))
    return value


def boolean(name: str, default: bool) -> bool:
    value = text(name, "").lower()
    if not value:
        return default
    if value not in TRUE | FALSE:
        raise EnvError(name, value, "true or false")
    return value in TRUE


def integer(name: str, default: int, *, least: int, most: int) -> int:
    value = text(name, str(default))
    try:
        number = int(value)
    except ValueError:
        raise EnvError(name, value, "a whole number") from None
    if not least <= number <= most:
        raise EnvError(name, value, f"a whole number from {least} to {most}")
    return number


def words(name: str) -> list[str]:
    """A comma-separated list."""
    return [word for word in (part.strip() for part in text(name, "").split(",")) if word]


def origins(name: str) -> list[str]:
    found = words(name)
    for origin in found:
        if not origin.startswith(("http://", "https://")):
            raise EnvError(name, origin, "origins such as https://likewise.example")
    return found


def database(name: str) -> dict[str, Any] | None:
    """Django's settings for a database URL; None when the variable is not set. The password is never repeated."""
    url = text(name, "")
    if not url:
        return None
    scheme = url.partition("://")[0]
    if scheme not in {"postgres", "postgresql"}:
        raise EnvError(name, f"{scheme[:20]}://…", "postgres://user:password@host:port/name")
    try:
        parsed = dict(dj_database_url.parse(url))
    except ValueError as error:
        raise EnvError(name, f"{scheme}://…", f"a database URL ({error})") from None
    if not parsed.get("NAME"):
        raise EnvError(name, f"{scheme}://…", "a URL that ends in the database's name")
    return parsed


def redis(name: str) -> str | None:
    url = text(name, "")
    if not url:
        return None
    if not url.startswith(("redis://", "rediss://", "unix://")):
        raise EnvError(name, url.partition("://")[0][:20], "redis://host:port/number")
    return url


def folder(name: str, default: Path) -> Path:
    """A folder that can be written in, made where there is none."""
    path = Path(text(name, str(default))).resolve()
    try:
        path.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise EnvError(name, str(path), f"a folder that can be written in ({error.strerror})") from None
    return path


def json_object(name: str) -> dict[str, Any]:
    value = text(name, "{}")
    try:
        found = json.loads(value)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise EnvError(name, value, "a JSON object")
    return found
