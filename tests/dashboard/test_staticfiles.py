import gzip
import json
import re
import urllib.request
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles import finders

from dashboard.staticfiles import PLOTLY_NAME, PlotlyFinder, StaticStorage
from tests.live import Server


def test_one_script_is_taken_from_the_plotly_package() -> None:
    assert [name for name, _ in PlotlyFinder().list(None)] == ["plotly.min.js"]
    found = finders.find(PLOTLY_NAME)
    assert isinstance(found, str)
    assert Path(found).is_file()
    assert finders.find("plotly/widgetbundle.js") is None


def test_imports_between_our_modules_follow_the_hashed_names(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    (tmp_path / "js" / "a.js").write_text('import { b } from "./b.js";\nb();\n')
    (tmp_path / "js" / "b.js").write_text("export const b = () => 1;\n")
    storage = StaticStorage(location=str(tmp_path), base_url="/static/")
    names = {name: (storage, name) for name in ("js/a.js", "js/b.js")}
    problems = [processed for _, _, processed in storage.post_process(names) if isinstance(processed, Exception)]
    assert problems == []
    hashed = storage.stored_name("js/a.js")
    assert re.search(r'from "\./b\.[0-9a-f]{12}\.js"', (tmp_path / hashed).read_text())


def test_the_real_server_serves_them_compressed_and_cacheable_for_ever(server: Server) -> None:
    manifest = json.loads((Path(settings.STATIC_ROOT) / "staticfiles.json").read_text())["paths"]
    for name in (PLOTLY_NAME, "django_htmx/htmx-2.min.js", "drf_spectacular_sidecar/swagger-ui-dist/swagger-ui.css"):
        request = urllib.request.Request(f"{server.url}/static/{manifest[name]}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            assert "immutable" in answer.headers["Cache-Control"]
            assert answer.headers["Content-Encoding"] == "gzip"
            assert len(gzip.decompress(answer.read())) > 10_000
    assert not any("redoc" in name for name in manifest)
