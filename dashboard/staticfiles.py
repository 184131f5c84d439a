"""What is collected and how it is named. Everything is served from this host."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import plotly
from django.contrib.staticfiles.finders import BaseFinder
from django.contrib.staticfiles.storage import HashedFilesMixin
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage, Storage
from whitenoise.storage import CompressedManifestStaticFilesStorage

PLOTLY_NAME = "plotly/plotly.min.js"
PLOTLY_FOLDER = Path(plotly.__file__).parent / "package_data"


class PlotlyFinder(BaseFinder):
    """Yields the one script that pages use out of the plotly package."""

    storage = FileSystemStorage(PLOTLY_FOLDER)

    def __init__(self) -> None:
        self.storage.prefix = "plotly"  # type: ignore[attr-defined]  # read by collectstatic

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        if path != PLOTLY_NAME:
            return []
        found = str(PLOTLY_FOLDER / "plotly.min.js")
        return [found] if find_all else found

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        yield "plotly.min.js", self.storage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise has no types
    # Imports between our own ES modules are rewritten to hashed names; other packages' scripts are left as they are.
    patterns = (
        *HashedFilesMixin.patterns,
        ("js/*.js", HashedFilesMixin._js_module_import_aggregation_patterns[1]),  # type: ignore[attr-defined]  # noqa: SLF001
    )
