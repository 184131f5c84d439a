"""What the browser tests and the screenshots walk through."""

from urllib.parse import urlencode

from playwright.sync_api import FilePayload, Page

from tests import live
from tests.pages import files

ARTICLE = (
    "ATOM · 8 GPUs · 8K/1K",
    "Paiton · 6 × 800 W · T=0 · 8K/1K",
    "Paiton · 6 × 800 W · T=1.0 · 8K/1K",
    "vLLM · 8 GPUs · 8K/1K",
)


def log_in(page: Page, server: live.Server) -> None:
    page.goto("/login/")
    page.get_by_label("Username").fill(server.admin_username)
    page.get_by_label("Password").fill(server.admin_password)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/runs/")


def upload_measured(page: Page) -> str:
    """Uploads a result and its power log by the form, preview first; the path of the run."""
    page.goto("/runs/upload/")
    result: FilePayload = {"name": "result.json", "mimeType": "application/json", "buffer": files.result()}
    log: FilePayload = {"name": "power.csv", "mimeType": "text/csv", "buffer": files.power_log()}
    page.get_by_label("Files", exact=False).set_input_files([result, log])
    page.get_by_label("Active GPUs, as in the power log").fill("2-7")
    page.get_by_label("Time zone of local times").fill("UTC")
    page.get_by_label("GPUs of the node").fill("8")
    page.get_by_label("Accelerator").fill("AMD Instinct MI355X")
    page.get_by_role("button", name="Preview, write nothing").click()
    preview = page.locator("#preview")
    preview.get_by_role("heading", name="Preview: nothing was written yet").wait_for()
    preview.get_by_role("button", name="Upload").click()
    page.wait_for_url(lambda url: "/upload/" not in url)
    return page.url


def compare_path(page: Page, more: str = "") -> str:
    """The comparison of the article's four runs at 8K/1K, ATOM first."""
    page.goto("/runs/?workload=8K/1K&concurrency=16&sort=label")
    ids = [picked(page, label) for label in ARTICLE]
    return f"/compare/?runs={','.join(ids)}&only_differences=1{more}"


def picked(page: Page, label: str) -> str:
    """The id of the run that has this label, from the list that is open."""
    row = page.locator("tr").filter(has=page.get_by_role("link", name=label, exact=True))
    return row.locator("td.pick input").get_attribute("value") or ""


def waiting_job(page: Page) -> str:
    """A job on a target whose queue nobody works: its path."""
    page.goto("/targets/")
    if page.get_by_role("link", name="nobody-there").count() == 0:
        page.goto("/targets/new/")
        page.get_by_label("Name").fill("nobody-there")
        page.get_by_label("Connection").select_option("local")
        page.get_by_label("Queue").fill("nobody")
        page.get_by_label("Commands that plans may use (JSON)").fill(
            '{"say": {"argv": ["echo", "a b", "$(id)", "{isl}"], "parameters": ["isl"]}}'
        )
        page.get_by_role("button", name="Save").click()
        page.goto("/plans/new/")
        page.get_by_label("Name").fill("Say something")
        page.get_by_label("Client", exact=True).select_option("command")
        page.get_by_label("Command", exact=True).fill("say")
        for name in ("isl", "osl", "num_prompts", "temperature"):  # the command is told none of the form's own
            page.locator(f"#{name}").fill("")
        page.get_by_label("ISL, values").fill("1, 2")
        page.get_by_label("Maximum concurrency, values").fill("")
        # A change shows by itself what would run, to the letter.
        page.get_by_label("Target").select_option("nobody-there")
        page.locator("#preview .argv code", has_text="$(id)").first.wait_for()
        page.get_by_role("button", name="Save, start nothing").click()
        page.get_by_label("Target").first.select_option("nobody-there")
        page.get_by_role("button", name="Show what would run").click()
        page.get_by_role("button", name="Start 2 jobs").click()
    page.goto("/jobs/")
    return page.locator("tbody th a").first.get_attribute("href") or ""


def shared(page: Page, compare: str) -> dict[str, str]:
    """A share of a comparison, made once, and what is said in it: its pages here and the reader's own."""
    page.goto("/shares/")
    if page.get_by_role("link", name="For a customer").count() == 0:
        page.goto(compare)
        page.get_by_role("link", name="Share", exact=True).click()
        page.get_by_label("Title, as the customer sees it").fill("For a customer")
        page.get_by_role("button", name="Make the link").click()
        link = page.locator("a.link-text").get_attribute("href") or ""
        _shares[page.url.split("/shares/")[0]] = link
        page.goto(f"{link}fact/?subject=setting:power_cap_w&run=1")
        page.get_by_label("What you know").fill("The cap was 750 W: see our log.")
        page.get_by_role("button", name="Send to the owner").click()
        page.goto("/shares/")
    detail = page.get_by_role("link", name="For a customer").first.get_attribute("href") or ""
    link = _shares[page.url.split("/shares/")[0]]
    return {"share": link, "share-fact": f"{link}fact/", "share-detail": detail}


_shares: dict[str, str] = {}
"""The link is told once: by server, what it was."""


def paths(page: Page) -> dict[str, str]:
    """Every page by name."""
    compare, job = compare_path(page), waiting_job(page)
    shares = shared(page, compare)
    page.goto("/evaluations/")
    evaluation = page.locator("tbody a").first.get_attribute("href") or ""
    page.goto("/runs/?workload=8K/1K&provenance=published")
    published = page.locator("td.name a").first.get_attribute("href") or ""
    page.goto("/runs/?provenance=measured")
    found = page.locator("td.name a")
    measured = found.first.get_attribute("href") or "" if found.count() else upload_measured(page)
    return {
        "runs": "/runs/",
        "none": "/runs/?q=nothing-is-called-this",
        "run": published,
        "power": measured,
        "compare": compare,
        "choose": "/compare/",
        "saved": "/comparisons/",
        "saved-one": "/comparisons/the-article-8k-1k/",
        "history": f"{published}history/",
        "evaluations": "/evaluations/",
        "evaluation": evaluation,
        "evaluation-form": "/evaluations/new/",
        "names": "/names/",
        "setups": "/setups/",
        "setup": "/setups/setup/?name=atom-8gpu",
        **shares,
        "share-form": f"/shares/new/?{urlencode({'state': compare.partition('?')[2]})}",
        "shares": "/shares/",
        "inbox": "/inbox/",
        "tokens": "/tokens/",
        "audit": "/audit/",
        "source-errata": "/sources/eliovp-2026-11-11/errata/",
        "sources": "/sources/",
        "source": "/sources/eliovp-2026-11-11/",
        "source-form": "/sources/eliovp-2026-11-11/edit/",
        "paste": "/sources/eliovp-2026-11-11/paste/",
        "run-form": "/sources/eliovp-2026-11-11/runs/new/",
        "scenarios": "/scenarios/",
        "scenario": "/scenarios/article/",
        "upload": "/runs/upload/",
        "jobs": "/jobs/",
        "job": job,
        "targets": "/targets/",
        "target": "/targets/1/",
        "target-form": "/targets/1/edit/",
        "plans": "/plans/",
        "plan": "/plans/2/?target=1",
        "plan-form": "/plans/2/edit/",
    }
