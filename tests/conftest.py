"""Fixtures for everyone. `server` and `worker` are real processes; `page` is a real browser against `server`."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from tests import live

# How long one example takes says nothing on a machine that does other things too; pytest limits each whole test.
hypothesis.settings.register_profile("likewise", deadline=None)
hypothesis.settings.load_profile("likewise")

NOT_RUN = "NOT RUN: "
TOUCH_SERVICES = {"db", "transactional_db", "django_db_setup", "installation", "server", "worker", "page"}
# Chromium under root has no sandbox; the rest keeps it off the network.
CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if item.get_closest_marker("django_db") or fixtures & TOUCH_SERVICES:
            item.add_marker("services")
        if "browser" in fixtures:
            item.add_marker("browser")


def not_run(reason: str) -> None:
    """Skips loudly; where everything is required, fails."""
    if os.environ.get("LIKEWISE_REQUIRE_SERVICES") == "1":
        pytest.fail(f"{reason} (LIKEWISE_REQUIRE_SERVICES=1)", pytrace=False)
    pytest.skip(NOT_RUN + reason)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons: dict[str, int] = {}
    for report in terminalreporter.stats.get("skipped", []):
        text = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        if NOT_RUN in text:
            reason = text.split(NOT_RUN, 1)[1]
            reasons[reason] = reasons.get(reason, 0) + 1
    for reason, count in reasons.items():
        terminalreporter.write_line(f"!!! NOT RUN: {count} tests: {reason}", red=True, bold=True)


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[live.Installation]:
    """A prepared database, broker and var folder, shared by `server` and `worker`."""
    with live.installed(tmp_path_factory.mktemp("var")) as made:
        yield made


@pytest.fixture(scope="session")
def server(installation: live.Installation) -> Iterator[live.Server]:
    with live.serving(installation) as running:
        yield running


@pytest.fixture(scope="session")
def worker(installation: live.Installation) -> Iterator[None]:
    with live.working(installation):
        yield


@pytest.fixture(scope="session")
def chromium() -> str:
    found = os.environ.get("LIKEWISE_CHROMIUM") or next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
        None,
    )
    if not found or not Path(found).exists():
        not_run("no Chromium: install chromium, or name one in LIKEWISE_CHROMIUM")
    return str(found)


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """For one module only: while Playwright's loop runs in this thread, Django's ORM refuses to work in it."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield running
        running.close()


@pytest.fixture
def console_errors() -> list[str]:
    """What the page complained of, policy violations among it. A test that expects some clears the list."""
    return []


@pytest.fixture
def page(browser: Browser, server: live.Server, console_errors: list[str]) -> Iterator[Page]:
    """A fresh browser profile on `server`; fails the test when the page logged an error."""

    def note(message: ConsoleMessage) -> None:
        if message.type == "error":
            console_errors.append(f"{message.text} ({message.location.get('url', '')})")

    with browser.new_context(base_url=server.url, locale="en-GB") as context:
        made = context.new_page()
        made.on("console", note)
        made.on("pageerror", lambda error: console_errors.append(str(error)))
        yield made
    assert console_errors == []


@pytest.fixture
def admin_page(page: Page, server: live.Server) -> Page:
    """`page`, logged in as the administrator."""
    page.goto("/login/")
    page.get_by_label("Username").fill(server.admin_username)
    page.get_by_label("Password").fill(server.admin_password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/")
    return page
