"""On paper nothing is cut off or folded away; by keyboard alone everything is reached, in order and in sight."""

import io
import re

import pytest
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from tests import live
from tests.browser.pages import compare_path, log_in

LABEL = "ATOM · 8 GPUs"
FOCUS = """() => {
    const found = document.activeElement;
    if (!found || found === document.body) return null;
    const style = getComputedStyle(found), box = found.getBoundingClientRect();
    const all = window.__seen ??= new Set();
    const again = all.has(found); all.add(found);
    return {name: (found.innerText || found.value || found.name || found.tagName).slice(0, 40), again,
            seen: (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== "none",
            inside: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
            size: box.width * box.height};
}"""
REACHABLE = """() => [...document.querySelectorAll(
    "a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]")].filter(one =>
        !one.disabled && one.tabIndex >= 0
        && one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true})
        && !(one.type === "radio" && !one.checked)).length"""


@pytest.fixture
def analyst(page: Page, server: live.Server) -> Page:
    log_in(page, server)
    return page


def printed(page: Page) -> list[str]:
    for plot in page.locator("[data-chart]").all():
        expect(plot).to_have_attribute("data-drawn", "yes", timeout=15_000)
    pdf = PdfReader(io.BytesIO(page.pdf(format="A4", print_background=False)))
    return [re.sub(r"\s+", " ", sheet.extract_text()) for sheet in pdf.pages]


def test_a_comparison_on_paper(analyst: Page) -> None:
    analyst.goto(compare_path(analyst).replace("&only_differences=1", ""))
    pages = printed(analyst)
    text = " ".join(pages)
    # Caveats, notices, the prices that costs rest on, and what is folded on the screen.
    for wanted in ("What came out since", "Power cap not stated.", "What the costs assume", "$0.10 / kWh",
                   "Electricity a year at the power cap", "Sources", "not comparable"):  # fmt: skip
        assert wanted in text, wanted
    for unwanted in ("Log out", "Export", "What if it had been stated", "Light / dark", "Skip to the content"):
        assert unwanted not in text, unwanted
    # A table that goes on names its columns again.
    heads = [sheet for sheet in pages if re.match(r"(Figure|Setting) A ", sheet)]
    assert len(heads) >= 3
    assert all(LABEL in sheet and "vLLM · 8 GPUs" in sheet for sheet in heads)


@pytest.mark.parametrize(("runs", "width"), [(4, 703), (8, 1032)])
def test_nothing_is_wider_than_the_paper(analyst: Page, runs: int, width: int) -> None:
    """A4 without its margins: upright, and on its side for more than five runs."""
    analyst.goto("/runs/?sort=label")
    boxes = analyst.locator("td.pick input").all()[:runs]
    ids = [box.get_attribute("value") or "" for box in boxes]
    assert len(ids) == runs
    analyst.goto(f"/compare/?runs={','.join(ids)}")
    analyst.emulate_media(media="print")
    analyst.set_viewport_size({"width": width, "height": 1000})
    # Charts take their new width a moment after the page has its own.
    analyst.wait_for_function("document.documentElement.scrollWidth <= innerWidth", timeout=10_000)
    cut = analyst.evaluate("""[...document.querySelectorAll("main td, main th, main p, main li, main dd")]
        .filter(one => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth + 1).length""")
    assert cut == 0


@pytest.mark.parametrize("path", ["/runs/", "compare", "/runs/upload/", "share-new", "share"])
def test_the_keyboard_reaches_everything_in_sight(analyst: Page, path: str) -> None:
    address = opened(analyst, path)
    analyst.goto(address)
    wanted = analyst.evaluate(REACHABLE)
    reached, unseen = 0, []
    for _press in range(wanted + 40):
        analyst.keyboard.press("Tab")
        found = analyst.evaluate(FOCUS)
        if found is None or found["again"]:
            break
        reached += 1
        if not (found["seen"] and found["inside"] and found["size"] > 0):
            unseen.append(found)
    assert unseen == []
    assert reached >= wanted > 10


@pytest.mark.parametrize("path", ["/runs/", "/runs/upload/"])
def test_the_first_key_skips_to_the_content(analyst: Page, path: str) -> None:
    analyst.goto(path)
    analyst.keyboard.press("Tab")
    expect(analyst.get_by_role("link", name="Skip to the content")).to_be_focused()
    expect(analyst.get_by_role("link", name="Skip to the content")).to_be_in_viewport()
    analyst.keyboard.press("Enter")
    expect(analyst.locator("main")).to_be_focused()
    analyst.keyboard.press("Tab")
    assert analyst.evaluate("document.activeElement.closest('main') !== null")


def opened(page: Page, path: str) -> str:
    if path.startswith("/"):
        return path
    compared = compare_path(page)
    if path == "compare":
        return compared
    runs = compared.split("runs=")[1].split("&")[0].replace(",", "%2C")
    form = f"/shares/new/?state=runs%3D{runs}"
    if path == "share-new":
        return form
    page.goto(form)
    page.get_by_label("Title, as the customer sees it").fill("By keyboard")
    page.get_by_role("button", name="Make the link").click()
    return page.locator("a.link-text").get_attribute("href") or ""
