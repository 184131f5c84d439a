"""Screenshots of every page, narrow and wide, light and dark, into var/shots: ``python -m tests.browser.shots``."""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from tests import live
from tests.browser.pages import compare_path, log_in, paths
from tests.conftest import CHROMIUM_FLAGS

FOLDER = live.ROOT / "var" / "shots"
WIDTHS = (1440, 768, 390)


def main(chromium: str) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as var,
        live.installed(Path(var)) as installation,
        live.serving(installation) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        for scheme in ("light", "dark"):
            for width in WIDTHS:
                shoot(browser, server, scheme, width)
        browser.close()


def shoot(browser: Browser, server: live.Server, scheme: str, width: int) -> None:
    with browser.new_context(base_url=server.url, viewport={"width": width, "height": 900}) as context:
        page = context.new_page()
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
        page.goto("/login/")
        page.screenshot(path=FOLDER / f"login-{width}-{scheme}.png", full_page=True)
        log_in(page, server)
        for name, path in {**paths(page), "figure": compare_path(page, "&figure=per_gpu_total&of=2#origin")}.items():
            page.goto(path)
            for plot in page.locator("[data-chart]").all():
                plot.and_(page.locator("[data-drawn]")).wait_for()
            page.screenshot(path=FOLDER / f"{name}-{width}-{scheme}.png", full_page=name != "figure")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "/usr/bin/chromium")
