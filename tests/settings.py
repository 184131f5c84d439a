"""The application's own settings over a temporary folder. DATABASE_URL and REDIS_URL count; other variables do not."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

KEPT = {"LIKEWISE_CHROMIUM", "LIKEWISE_REQUIRE_SERVICES", "LIKEWISE_SHARED"}
ROOT = Path(__file__).resolve().parent.parent

for name in [name for name in os.environ if name.startswith("LIKEWISE_") and name not in KEPT]:
    del os.environ[name]
os.environ.pop("SECRET_KEY", None)

FOLDER = tempfile.mkdtemp(prefix="likewise-test-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
os.environ["LIKEWISE_VAR_DIR"] = FOLDER
os.environ["LIKEWISE_NAMESPACE"] = Path(FOLDER).name
# Shared with `make run`: collected once, and only again when a source changed.
STATIC = ROOT / "var" / "static"
# WhiteNoise warns of a folder that is not there yet.
STATIC.mkdir(parents=True, exist_ok=True)
os.environ["LIKEWISE_STATIC_ROOT"] = str(STATIC)

from dashboard.settings import *  # noqa: E402, F403
from dashboard.settings import STORAGES  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Tests in this process name static files without having them collected; the real server has them.
STORAGES = {**STORAGES, "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}}
