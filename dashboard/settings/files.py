"""Uploads, stored artifacts and static files."""

import os
from pathlib import Path
from typing import Any

from dashboard import env
from dashboard.settings.root import BASE_DIR, VAR_DIR

LIKEWISE_MAX_FILE_BYTES = env.integer("LIKEWISE_MAX_FILE_BYTES", 256 * 1024**2, least=1024, most=64 * 1024**3)
# All files of one upload together.
LIKEWISE_MAX_UPLOAD_BYTES = env.integer(
    "LIKEWISE_MAX_UPLOAD_BYTES", 4 * LIKEWISE_MAX_FILE_BYTES, least=1024, most=256 * 1024**3
)
# What an archive may unpack to.
LIKEWISE_MAX_ARCHIVE_BYTES = env.integer("LIKEWISE_MAX_ARCHIVE_BYTES", 1024**4, least=1024, most=1024**5)
FILE_UPLOAD_TEMP_DIR = VAR_DIR / "uploads"
FILE_UPLOAD_TEMP_DIR.mkdir(mode=0o700, exist_ok=True)

STATIC_URL = "static/"
STATIC_ROOT = Path(env.text("LIKEWISE_STATIC_ROOT", str(VAR_DIR / "static"))).resolve()
STATICFILES_DIRS = [BASE_DIR / "static"]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "dashboard.staticfiles.PlotlyFinder",
]
WHITENOISE_KEEP_ONLY_HASHED_FILES = True
STORAGES: dict[str, dict[str, Any]] = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": VAR_DIR / "media"}},
    "staticfiles": {"BACKEND": "dashboard.staticfiles.StaticStorage"},
    # Any django-storages back end, by its dotted path and a JSON object of options.
    "artifacts": {
        "BACKEND": env.text("LIKEWISE_ARTIFACTS_BACKEND", "django.core.files.storage.FileSystemStorage"),
        "OPTIONS": env.json_object("LIKEWISE_ARTIFACTS_OPTIONS") or {"location": str(VAR_DIR / "artifacts")},
    },
}

# Pictures are drawn by matplotlib, which keeps a list of fonts.
os.environ.setdefault("MPLCONFIGDIR", str(VAR_DIR / "matplotlib"))
