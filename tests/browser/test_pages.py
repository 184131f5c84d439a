"""Every page in a real browser: no complaint, no sideways scroll, readable by keyboard and screen reader."""

import re

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests import live
from tests.browser.pages import compare_path, log_in, paths

WIDTHS = (1440, 768, 390)
# What a screen reader stumbles over: (what, script that lists the offenders).
FAULTS = {
    "fields without a name": """[...document.querySelectorAll("input:not([type=hidden]), select, textarea")]
        .filter(e => !e.labels?.length && !e.ariaLabel).map(e => e.name)""",
    "links and buttons without words": """[...document.querySelectorAll("a, button")]
        .filter(e => !e.textContent.trim() && !e.ariaLabel).map(e => e.outerHTML)""",
    "pictures without an alternative": """[...document.querySelectorAll("img:not([alt]), [role=img]:not([aria-label])")]
        .map(e => e.outerHTML)""",
    "ids used twice": """[...document.querySelectorAll("[id]")].map(e => e.id)
        .filter((id, place, all) => all.indexOf(id) !== place)""",
    "headings that skip a level": """[...document.querySelectorAll("h1, h2, h3, h4")].map(e => +e.tagName[1])
        .filter((level, place, all) => place ? level > all[place - 1] + 1 : level !== 1)""",
    "pages without one main heading": """document.querySelectorAll("h1").length === 1 ? [] : ["h1"]""",
    "tables without heads": """[...document.querySelectorAll("table")].filter(e => !e.querySelector("th[scope]"))
        .map(e => e.outerHTML.slice(0, 80))""",
    "inline style or script": """[...document.querySelectorAll("main [style], script:not([src]):not([type])")]
        .filter(e => !e.closest("[data-chart]")).map(e => e.outerHTML.slice(0, 80))""",
}


@pytest.fixture
def reader(page: Page, server: live.Server) -> Page:
    log_in(page, server)
    return page


def drawn(page: Page) -> None:
    for plot in page.locator("[data-chart]").all():
        expect(plot).to_have_attribute("data-drawn", "yes", timeout=15_000)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_scrolls_sideways_or_complains(reader: Page, scheme: str) -> None:
    reader.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    for name, path in paths(reader).items():
        for width in WIDTHS:
            reader.set_viewport_size({"width": width, "height": 900})
            reader.goto(path)
            drawn(reader)
            wide = reader.evaluate("document.scrollingElement.scrollWidth - innerWidth")
            assert wide <= 0, f"{name} at {width}: {wide} px too wide"
            if name == "runs" and width == WIDTHS[-1]:
                inner = reader.evaluate("(e => e.scrollWidth - e.clientWidth)(document.querySelector('.frame'))")
                assert inner <= 0, f"cards of the list are cut by {inner} px"


def test_pages_are_there_for_everybody(reader: Page) -> None:
    for name, path in paths(reader).items():
        reader.goto(path)
        for fault, script in FAULTS.items():
            assert reader.evaluate(script) == [], f"{name}: {fault}"


def test_comparing_by_keyboard_alone(reader: Page) -> None:
    reader.goto("/runs/?workload=8K/1K&concurrency=16&sort=label")
    for place in (0, 1):
        reader.locator("td.pick input").nth(place).focus()
        reader.keyboard.press("Space")
    expect(reader.locator("[data-pick-count]")).to_have_text("2 runs picked")
    reader.keyboard.press("Enter")
    reader.wait_for_url("**/compare/**")
    expect(reader.locator("#caveats")).to_contain_text("The power cap per GPU is not stated")
    for _step in range(60):
        reader.keyboard.press("Tab")
        if reader.evaluate("document.activeElement.textContent").strip() == "make baseline":
            break
    reader.keyboard.press("Enter")
    reader.wait_for_url(re.compile("baseline="))


def test_a_number_leads_to_where_it_comes_from_and_to_its_caveats(reader: Page) -> None:
    reader.goto(compare_path(reader))
    row = reader.get_by_role("row", name=re.compile("^Total throughput per GPU"))
    row.first.locator("a.value").nth(1).click()
    expect(reader.locator("#origin")).to_contain_text("Formula")
    row.first.locator(".marks a").first.click()
    expect(reader.locator("li.note:target")).to_be_visible()


def test_the_theme_is_the_readers(reader: Page) -> None:
    def ground() -> str:
        return str(reader.evaluate("getComputedStyle(document.body).backgroundColor"))

    reader.emulate_media(color_scheme="light")
    reader.goto(compare_path(reader))
    drawn(reader)
    light = ground()
    reader.get_by_role("button", name="Light / dark").click()
    assert ground() != light
    reader.reload()
    assert ground() != light


def test_everything_but_charts_works_without_scripts(reader: Page, server: live.Server) -> None:
    state = reader.context.storage_state()
    browser = reader.context.browser
    assert browser is not None
    with browser.new_context(base_url=server.url, java_script_enabled=False, storage_state=state) as context:
        page = context.new_page()
        page.goto("/runs/")
        page.get_by_label("Runtime").select_option("ATOM")
        page.get_by_role("button", name="Filter").click()
        page.locator("td.pick input").first.check()
        page.get_by_role("button", name="Compare").first.click()
        expect(page.get_by_role("heading", name="Comparison", exact=True)).to_be_visible()
        expect(page.locator("#settings")).to_contain_text("not stated")


def test_a_broken_file_is_refused_in_place(reader: Page, console_errors: list[str]) -> None:
    reader.goto("/runs/upload/")
    broken: FilePayload = {"name": "broken.json", "mimeType": "application/json", "buffer": b'{"duration": '}
    reader.get_by_label("Files", exact=False).set_input_files([broken])
    reader.get_by_role("button", name="Preview, write nothing").click()
    expect(reader.locator("#preview")).to_contain_text("broken.json")
    expect(reader.locator("#preview")).to_contain_text("Expected")
    # The browser notes the answer's status 400, which is meant.
    console_errors.clear()
