"""Saved comparisons: a name, an address, versions; and what the exports of an address give."""

import pytest
from django.core.management import call_command
from django.test import Client

from runs.models import ComparisonVersion, SavedComparison
from runs.services.answers import RefusedError
from runs.services.purging import purge_run
from runs.services.saved import Draft, change_comparison, save_comparison, saved
from tests import factories
from tests.builders import record


@pytest.fixture
def state(db: None) -> str:
    runs = [factories.run(record(label)) for label in ("Six", "Eight")]
    return f"runs={','.join(run.public_id for run in runs)}&metrics=per_gpu_total"


@pytest.fixture
def writer(client: Client, db: None) -> Client:
    client.force_login(factories.user())
    return client


def test_saving_gives_a_readable_address_and_versions(writer: Client, state: str) -> None:
    form = {"state": state, "name": "Six of eight, Café", "notes": "**Why**\n\n<script>alert(1)</script>"}
    answer = writer.post("/comparisons/save/", form)
    assert answer["Location"] == "/comparisons/six-of-eight-cafe/"
    page = writer.get(answer["Location"]).content.decode()
    assert "<strong>Why</strong>" in page
    assert "<script>alert" not in page
    assert "Six of eight, Café" in page
    other = writer.post("/comparisons/save/", form)
    assert other["Location"] == "/comparisons/six-of-eight-cafe-2/"
    again = writer.post("/comparisons/six-of-eight-cafe/save/", {**form, "name": "Renamed", "based_on": "1"})
    assert again["Location"] == "/comparisons/six-of-eight-cafe/"
    assert ComparisonVersion.objects.filter(comparison__slug="six-of-eight-cafe").count() == 2
    assert "Six of eight, Café" in writer.get("/comparisons/six-of-eight-cafe/?version=1").content.decode()
    assert "Renamed" in writer.get("/comparisons/").content.decode()


def test_two_who_save_at_once_do_not_overwrite(writer: Client, state: str) -> None:
    draft = Draft("One", {"runs": "a,b"})
    made = save_comparison(draft=draft, user=None)
    change_comparison(slug=made.slug, based_on=1, draft=draft, user=None)
    with pytest.raises(RefusedError, match="meanwhile"):
        change_comparison(slug=made.slug, based_on=1, draft=draft, user=None)
    assert saved(slug=made.slug).number == 2


@pytest.mark.parametrize("name", ["", "  ", "x" * 121])
def test_a_name_is_needed(name: str, db: None) -> None:
    with pytest.raises(RefusedError, match="name"):
        save_comparison(draft=Draft(name, {"runs": "a"}), user=None)


def test_a_refusal_is_said_on_the_page(writer: Client, state: str) -> None:
    answer = writer.post("/comparisons/save/", {"state": state, "name": ""}, follow=True)
    assert "A comparison has a name" in answer.content.decode()
    assert SavedComparison.objects.count() == 0


def test_an_unknown_address_is_not_found(writer: Client, state: str) -> None:
    for path in ("/comparisons/nothing/", "/comparisons/nothing/export.csv", "/comparisons/nothing/?version=x"):
        assert writer.get(path).status_code == 404


def test_the_state_of_the_page_is_in_its_address(writer: Client, state: str) -> None:
    page = writer.get(f"/compare/?{state}&only_differences=1").content.decode()
    assert "metrics=per_gpu_total" in page
    assert "Median TTFT" not in page


def test_exports_of_an_address(writer: Client, state: str) -> None:
    for extension in ("csv", "json", "md", "html"):
        answer = writer.get(f"/compare/export.{extension}?{state}")
        assert answer.status_code == 200
        assert answer["Content-Disposition"].startswith("attachment")
    assert writer.get(f"/compare/chart-throughput.svg?{state}").status_code == 200
    assert writer.get(f"/compare/chart-throughput.gif?{state}").status_code == 404
    assert writer.get("/compare/export.csv?runs=nothing").status_code == 404
    assert writer.get("/compare/export.csv?runs=").status_code == 400


def test_a_viewer_saves_nothing(client: Client, state: str) -> None:
    client.force_login(factories.user("viewer"))
    assert client.post("/comparisons/save/", {"state": state, "name": "x"}).status_code == 403
    assert client.get(f"/compare/?{state}").status_code == 200


def test_the_demo_offers_the_articles_comparisons_to_a_newcomer(writer: Client, demo: dict[str, str]) -> None:
    listed = writer.get("/", follow=True).content.decode()
    assert "New here?" in listed
    for slug, workload in (("the-article-8k-1k", "8K/1K"), ("the-article-128k-100", "128K/100")):
        assert f'href="/comparisons/{slug}/"' in listed
        found = saved(slug=slug)
        atom, t0, t1, vllm = found.view["runs"].split(",")
        assert [demo[f"ATOM · 8 GPUs · {workload}"], demo[f"vLLM · 8 GPUs · {workload}"]] == [atom, vllm]
        assert [demo[f"Paiton · 6 × 800 W · T={t} · {workload}"] for t in ("0", "1.0")] == [t0, t1]
        assert (found.scenario_key, found.scenario_version, found.owner, found.latest) == ("article", 1, "", 1)
        page = writer.get(f"/comparisons/{slug}/").content.decode()
        assert "over runs B, C at T = 0 and 1.0" in page
    assert "New here?" not in writer.get("/runs/?q=ATOM").content.decode()


def test_the_demo_is_offered_once_and_what_was_made_of_it_stays(writer: Client, demo: dict[str, str]) -> None:
    mine = Draft("Mine now", {"runs": demo["ATOM · 8 GPUs · 8K/1K"]})
    change_comparison(slug="the-article-8k-1k", based_on=1, draft=mine, user=None)
    call_command("load_demo", verbosity=0)
    assert (saved(slug="the-article-8k-1k").name, saved(slug="the-article-8k-1k").latest) == ("Mine now", 2)
    assert saved(slug="the-article-128k-100").latest == 1
    assert SavedComparison.objects.count() == 2


def test_a_purged_run_in_a_saved_comparison_leaves_the_way_to_the_others(writer: Client, db: None) -> None:
    gone, six, eight = (factories.run(record(label)).public_id for label in ("Gone", "Six", "Eight"))
    state = f"runs={gone},{six},{eight}&baseline={eight}"
    address = writer.post("/comparisons/save/", {"state": state, "name": "Three"})["Location"]
    purge_run(run_id=gone, reason="The wrong file.", user=factories.user("admin"))
    answer = writer.get(address)
    page = answer.content.decode()
    assert answer.status_code == 410
    assert "The wrong file." in page and f"/compare/?runs={six},{eight}&amp;baseline={eight}" in page
    left = writer.get(f"/compare/?runs={six},{eight}&baseline={eight}")
    assert left.status_code == 200
    nothing = writer.get(f"/compare/?runs={gone}")
    assert (nothing.status_code, "runs that are left" in nothing.content.decode()) == (410, False)
