"""A person with the article and an empty product gets the article's own derived tables, in a few forms."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from tests import live
from tests.browser.entering import Walk, enter_article
from tests.browser.pages import log_in


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[live.Server]:
    """An installation of its own, without the demo."""
    with live.installed(tmp_path, demo=False) as installation, live.serving(installation) as server:
        yield server


def row(page: Page, name: str) -> list[str]:
    """The figures of one row of the comparison, left to right; "" where there is none."""
    line = page.locator("table.metrics tr").filter(has=page.get_by_role("rowheader", name=name, exact=False)).first
    return [(cell.locator(".value").first.inner_text() if cell.locator(".value").count() else "")
            for cell in line.locator("td").all()]  # fmt: skip


def test_the_article_is_entered_by_hand_into_an_empty_product(browser: Browser, empty: live.Server) -> None:
    started = time.monotonic()
    with browser.new_context(base_url=empty.url, locale="en-GB", viewport={"width": 1440, "height": 900}) as context:
        page = context.new_page()
        page.on("pageerror", lambda error: pytest.fail(str(error)))
        log_in(page, empty)
        page.get_by_text("No runs yet").wait_for()
        walk = Walk(page)
        enter_article(walk)

        walk.compare("8K/1K")
        # In the order of the list: ATOM, Paiton at T=0, Paiton at T=1.0, vLLM.
        assert row(page, "Total throughput per GPU") == ["936", "944", "756", "752"]
        assert row(page, "Total throughput, node") == ["7,484", "5,661", "4,535", "6,015"]
        assert row(page, "Median TTFT") == ["0.821", "0.65", "1.23", "1.875"]
        assert row(page, "GPU rental, TensorWave") == ["0.88", "0.87", "1.08", "1.09"]
        assert row(page, "GPU rental, TensorWave, whole node") == ["0.88", "1.16", "1.45", "1.09"]
        assert row(page, "GPU rental, Daytona") == ["1.78", "1.76", "2.20", "2.21"]
        assert row(page, "GPU rental, Oracle") == ["2.55", "2.53", "3.16", "3.18"]
        assert row(page, "Total tok/s per kW of power cap")[1] == "1,179"
        assert row(page, "Total tok/s per measured kW") == ["", "1,354", "", ""]
        assert row(page, "Electricity at the power cap")[1] == "0.024"
        assert row(page, "Electricity at measured power")[1] == "0.021"
        for grade in ("indicative", "not stated", "this house, by document only"):
            page.get_by_text(grade).first.wait_for()
        # The baseline's temperature is not stated, so the span over both of ours comes before any pairing.
        page.get_by_text("−19", exact=False).first.wait_for()

        walk.compare("128K/100")
        assert row(page, "Total throughput per GPU") == ["1,751", "2,128", "2,148", "2,210"]
        assert row(page, "Median TTFT") == ["27.9", "122", "100", "105.5"]
        assert row(page, "GPU rental, TensorWave") == ["0.47", "0.39", "0.38", "0.37"]

        # One number corrected: it is the corrected one wherever it stands or enters, and the old one stays readable.
        walk.correct("Paiton, 6 GPUs × 800 W · T=1.0 · 8K/1K", "total_throughput", "4600", "A slip in the table.")
        assert "4535 → 4600" in page.locator("main").inner_text()
        walk.compare("8K/1K")
        assert row(page, "Total throughput, node") == ["7,484", "5,661", "4,600", "6,015"]
        assert row(page, "GPU rental, TensorWave") == ["0.88", "0.87", "1.07", "1.09"]
        assert row(page, "Total throughput per GPU") == ["936", "944", "767", "752"]
        page.get_by_text("A slip in the table.").first.wait_for()
        page.goto("/runs/?workload=8K/1K")
        assert "4,600" in page.locator("main").inner_text()
        page.goto("/sources/eliovp-2026-11-11/")
        assert "4,600" in (page.locator("main").text_content() or ""), "the source shows the run as it stands"

    assert walk.sent == 11, "two sources, two forms a table, a scenario, three comparisons, a correction"
    assert time.monotonic() - started < 240, (
        "a person has ten minutes; the forms themselves must not be what takes them"
    )
