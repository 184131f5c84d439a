"""What a person does who has the article and an empty product: its tables, conditions and scenario by the pages."""

from collections.abc import Callable

from playwright.sync_api import Page

from tests import pastes

MORE_CONDITIONS = (
    ("node_gpus", "8", "8", "8"),
    ("Prefix caching", "uit", "-", "-"),
    ("ignore_eos", "ja", "-", "-"),
    ("client", "vllm bench serve", "-", "-"),
)
"""What the article's text says of its own runs, typed below its table of conditions."""

Shot = Callable[[str], None]


class Walk:
    """One person's way, counting the forms that are sent. ``shot`` may take a picture at each stop."""

    def __init__(self, page: Page, shot: Shot = lambda _name: None) -> None:
        self.page, self.shot, self.sent = page, shot, 0

    def send(self, button: str) -> None:
        self.sent += 1
        self.page.get_by_role("button", name=button, exact=True).click()
        self.page.wait_for_load_state()

    def source(self, title: str, publisher: str, relation: str, published: str, *, then: str) -> None:
        page = self.page
        page.goto("/sources/new/")
        page.get_by_label("Title of the document").fill(title)
        page.get_by_label("Publisher", exact=True).fill(publisher)
        page.get_by_label("Its relation to what was measured").fill(relation)
        page.get_by_label("Published on").fill(published)
        page.get_by_label("How it prints numbers").select_option("nl")
        self.shot("source-form")
        self.send(then)

    def first_table(self, table: str, conditions: str) -> None:
        """The table for 8K/1K with conditions, owners and repeats, and on to the next."""
        page = self.page
        page.get_by_label("As copied from a page").fill(table)
        page.get_by_text("A table of conditions").click()
        page.get_by_label("Table of conditions", exact=True).fill(conditions)
        self.workload("8K", "1K")
        for name, value in (("Maximum concurrency", "16"), ("Number of prompts", "64"), ("Model", "Kimi-K3.1-Pro"),
                            ("Prompts real or random", "random")):  # fmt: skip
            page.locator("#paste-settings-title").locator("xpath=ancestor::section").get_by_label(name).first.fill(
                value
            )
        self.shot("paste-empty")
        self.send("Read the table")
        page.get_by_label("Whose: Paiton, 6 GPUs × 800 W").select_option("own:house")
        for engine in ("ATOM", "vLLM"):
            owner = page.get_by_label(f"Whose: {engine}, 8 GPUs, limiet onbekend")
            owner.select_option(label="AMD’s (Results on eight GPUs), read in this document")
        page.get_by_label("Rows with the same head are one setup").check()
        page.get_by_label("Repeats").nth(0).fill("5.673; 5.648")
        page.get_by_label("Repeats").nth(1).fill("1")
        self.shot("paste-preview")
        self.send("Add, then paste the next table")
        page.get_by_text("4 runs were added.").wait_for()

    def next_table(self, table: str) -> None:
        """The table for 128K/100, under the conditions that stand there already."""
        self.page.get_by_label("As copied from a page").fill(table)
        self.workload("128K", "100")
        self.send("Read the table")
        self.send("Add 4 runs")
        self.page.get_by_text("4 runs were added.").wait_for()

    def workload(self, isl: str, osl: str) -> None:
        self.page.get_by_label("ISL tokens").fill(isl)
        self.page.get_by_label("OSL tokens").fill(osl)

    def scenario(self) -> None:
        page = self.page
        page.goto("/scenarios/new/")
        page.get_by_label("Name", exact=True).fill("As in the article")
        page.get_by_label("Electricity per kWh").fill("0,10")
        offers = (("TensorWave", "2,95", "begins at"), ("Daytona", "5,99", "CPU, RAM and storage apart"),
                  ("Oracle", "8,60", "bare metal"))  # fmt: skip
        for place, (name, rate, includes) in enumerate(offers):
            page.get_by_label("Offer", exact=True).nth(place).fill(name)
            page.get_by_label("Per GPU and hour").nth(place).fill(rate)
            page.get_by_label("What it includes").nth(place).fill(includes)
        self.shot("scenario-form")
        self.send("Save")

    def correct(self, label: str, figure: str, new: str, reason: str) -> None:
        """One figure of a run corrected, on the run's page."""
        page = self.page
        page.goto("/runs/?sort=label")
        page.get_by_role("link", name=label, exact=True).click()
        page.get_by_text("File an erratum", exact=True).click()
        form = page.locator("form").filter(has=page.locator("#erratum-metric"))
        form.locator("#erratum-metric").select_option(figure)
        form.locator("#erratum-new").fill(new)
        form.get_by_label("Reason").fill(reason)
        self.sent += 1
        form.get_by_role("button", name="File", exact=True).click()
        page.wait_for_load_state()

    def compare(self, workload: str) -> None:
        """The runs of one workload, ATOM as the baseline."""
        page = self.page
        page.goto(f"/runs/?workload={workload}&sort=label")
        for box in page.locator("td.pick input").all():
            box.check()
        self.sent += 1
        page.get_by_role("button", name="Compare", exact=False).first.click()
        page.wait_for_url("**/compare/**")


def enter_article(walk: Walk) -> None:
    """Both sources, both tables with their conditions, and the scenario."""
    conditions = (*pastes.CONDITIONS, *MORE_CONDITIONS)
    walk.source("Results on eight GPUs", "AMD", "maker of the accelerator", "2026-11-04", then="Save")
    walk.source("Kimi on six GPUs", "ElioVP", "maker of the runtime", "2026-11-11", then="Save, then paste a table")
    walk.first_table(pastes.tsv(pastes.SHORT), pastes.tsv(conditions))
    walk.next_table(pastes.as_html(pastes.LONG))
    walk.shot("source")
    walk.scenario()
