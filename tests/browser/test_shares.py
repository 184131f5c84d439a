"""A share's whole life in a real browser: made in Dutch, opened in a clean profile, revoked; and printed on A4."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from pypdf import PdfReader

from tests import live
from tests.browser.pages import ARTICLE, log_in

NODE = "gpu-node07"


@pytest.fixture(scope="module")
def named(server: live.Server) -> str:
    """The address of a comparison in which one run's node has a name."""
    code = f"""
from dataclasses import replace
from runs import store
from runs.domain.facts import Evidence, Setting, State
from runs.models import Run
ids = [Run.objects.get(label=label).public_id for label in {ARTICLE!r}]
row = Run.objects.get(public_id=ids[1])
record = store.load([ids[1]])[ids[1]]
node = Setting("node", State.STATED, {NODE!r}, evidence=(Evidence("statement", quote={NODE!r}),))
assert store.replace(row.pk, replace(record.with_settings(node), notes="on {NODE}"), revision=row.revision)
print(",".join(ids))
"""
    return f"/compare/?runs={server.shell(code).strip().splitlines()[-1]}"


@pytest.fixture
def customer(browser: Browser, server: live.Server) -> Iterator[Page]:
    """A clean profile that prefers English."""
    with browser.new_context(base_url=server.url, locale="en-GB", accept_downloads=True) as context:
        yield context.new_page()


def make_share(page: Page, server: live.Server, address: str, title: str) -> str:
    """Makes a share in Dutch by the form; its link."""
    log_in(page, server)
    page.goto(address)
    assert NODE in page.content()
    page.get_by_role("link", name="Share", exact=True).click()
    page.get_by_label("Title, as the customer sees it").fill(title)
    page.get_by_label("Language").select_option("nl")
    page.get_by_role("button", name="Make the link").click()
    link = page.locator("a.link-text").get_attribute("href")
    assert link is not None
    return link


def saved_text(page: Page, name: str, tmp_path: Path) -> str:
    with page.expect_download() as caught:
        page.get_by_role("link", name=name, exact=True).first.click()
    path = tmp_path / caught.value.suggested_filename
    caught.value.save_as(path)
    return path.read_text(encoding="utf-8-sig")


def test_a_dutch_share_in_a_clean_profile(
    page: Page, customer: Page, server: live.Server, named: str, tmp_path: Path
) -> None:
    link = make_share(page, server, named, "Voor de klant")
    answer = customer.goto(link)
    assert answer is not None
    assert answer.status == 200
    assert customer.locator("html").get_attribute("lang") == "nl"
    expect(customer.get_by_role("heading", name="Voor de klant")).to_be_visible()
    assert NODE not in customer.content()
    assert "5.661" in customer.content()
    assert customer.context.cookies() == []
    drawing = saved_text(customer, "SVG", tmp_path)
    assert "Vermogenslimiet niet vermeld" in drawing
    customer.get_by_text("Exporteren").click()
    table = saved_text(customer, "CSV", tmp_path)
    assert NODE not in table + drawing
    rows = list(csv.DictReader(io.StringIO(table)))
    assert any(row["record"] == "caveat" and "Vermogenslimiet" in row["text"] for row in rows)
    assert any(row["record"] == "figure" and row["grade"] == "indicative" for row in rows)


def test_a_correction_is_said_on_the_open_link(page: Page, customer: Page, server: live.Server, named: str) -> None:
    link = make_share(page, server, named, "Daarna gecorrigeerd")
    customer.goto(link)
    assert "Gecorrigeerd sinds" not in customer.content()
    run = re.split(r"[=,]", named)[2]
    correct(server, run)
    customer.reload()
    expect(customer.get_by_role("heading", name="Gecorrigeerd sinds deze pagina is gemaakt")).to_be_visible()
    assert "0,821" in customer.content()
    assert NODE not in customer.content()
    customer.get_by_role("link", name="Gecorrigeerde versie bekijken").click()
    expect(customer.get_by_text("Dit is de vergelijking zoals gecorrigeerd")).to_be_visible()
    assert "5.400" in customer.content()


def correct(server: live.Server, run: str) -> None:
    """Files a correction of a run's throughput, as an analyst does by the form or the API."""
    server.shell(
        f"""
from runs.domain.errata import ErratumKind
from runs.domain.facts import Evidence
from runs.models import Run, User
from runs.services.correcting import Given, file_erratum
row = Run.objects.get(public_id={run!r})
proof = (Evidence("statement", quote="read again on {NODE}"),)
kind, why = ErratumKind.CORRECTED, "read off the wrong line"
given = Given(kind, why, "2026-12-01", "total_throughput", "5400", evidence=proof)
file_erratum(target="run", key={run!r}, given=given, seen=row.revision, user=User.objects.get(username="admin"))
"""
    )


def test_a_revoked_share_is_gone_for_page_and_downloads_alike(
    page: Page, customer: Page, server: live.Server, named: str
) -> None:
    link = make_share(page, server, named, "Ingetrokken")
    answer = customer.goto(link)
    assert answer is not None
    assert answer.status == 200
    page.get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The link is revoked")).to_be_visible()
    gone = customer.reload()
    assert gone is not None
    assert gone.status == 404
    expect(customer.get_by_role("heading", name="No longer available")).to_be_visible()
    texts = {customer.request.get(f"{link}{tail}").text() for tail in ("", "export.csv", "chart-throughput.svg")}
    assert len(texts) == 1
    customer.go_back()
    assert "5.661" not in customer.content()


def test_it_prints_clean_on_a4(page: Page, customer: Page, server: live.Server, named: str) -> None:
    link = make_share(page, server, named, "Op papier")
    customer.goto(link)
    for plot in customer.locator("[data-chart]").all():
        expect(plot).to_have_attribute("data-drawn", "yes", timeout=15_000)
    pdf = PdfReader(io.BytesIO(customer.pdf(format="A4", print_background=False)))
    pages = [sheet.extract_text() for sheet in pdf.pages]
    text = re.sub(r"\s+", " ", " ".join(pages))
    assert abs(float(pdf.pages[0].mediabox.width) - 595) < 2
    assert len(pages) < 20
    assert "Op papier" in pages[0]
    for wanted in ("5.661", "Vermogenslimiet niet vermeld", "Bronnen", "niet vergelijkbaar"):
        assert wanted in text
    for unwanted in ("Exporteren", "betwisten", "Licht / donker", NODE):
        assert unwanted not in text
