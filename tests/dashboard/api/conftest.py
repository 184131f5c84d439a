import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from runs.models import User
from tests import factories
from tests.caches import forget

API = "/api/v1"


class Api:
    """A client with a token; answers are checked to be JSON."""

    def __init__(self, token: str = "") -> None:
        self.client = Client(headers={"Authorization": f"Token {token}"} if token else {})

    def get(self, path: str, **params: Any) -> Any:
        return self.client.get(API + path, params)

    def post(self, path: str, body: Any = None, **extra: Any) -> Any:
        return self.client.post(API + path, json.dumps(body), content_type="application/json", **extra)

    def upload(
        self, files: Mapping[str, bytes], meta: Any = None, path: str = "/uploads", dry_run: bool = False, **parts: str
    ) -> Any:
        data: dict[str, Any] = {"file": [SimpleUploadedFile(name, content) for name, content in files.items()], **parts}
        if meta is not None:
            data["meta"] = meta if isinstance(meta, str) else json.dumps(meta)
        return self.client.post(API + path + ("?dry_run=1" if dry_run else ""), data)


@pytest.fixture(autouse=True)
def _own_files(tmp_path: Path, settings: Any) -> None:
    """Artifacts of one test in a folder of its own; throttles start anew."""
    settings.STORAGES = {
        **settings.STORAGES,
        "artifacts": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": str(tmp_path / "artifacts")},
        },
    }
    forget()


@pytest.fixture
def analyst(db: None) -> User:
    return factories.user("analyst")


@pytest.fixture
def api(analyst: User) -> Api:
    return Api(factories.token(analyst))
