"""Every page through Django's client: what it says, how it stands hostile text, how often it asks the database."""

import html
from collections.abc import Callable
from io import BytesIO

import pytest
from django.test import Client
from django.urls import reverse

from tests.pages import files
from tests.pages.conftest import upload

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"
Counter = Callable[[str], int]


@pytest.fixture
def queries(reader: Client, django_assert_max_num_queries: Callable[..., object]) -> Counter:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    def count(path: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            assert reader.get(path).status_code == 200
        return len(caught)

    return count


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, path
    return html.unescape(answer.content.decode())


def compare_path(*ids: str, **more: str) -> str:
    rest = "".join(f"&{name}={value}" for name, value in more.items())
    return f"/compare/?runs={','.join(ids)}{rest}"


def eight(demo: dict[str, str]) -> list[str]:
    """The article's four runs at 8K/1K, ATOM first."""
    setups = ("ATOM · 8 GPUs", "Paiton · 6 × 800 W · T=0", "Paiton · 6 × 800 W · T=1.0", "vLLM · 8 GPUs")
    return [demo[f"{setup} · 8K/1K"] for setup in setups]


def test_the_empty_list_tells_how_to_upload(reader: Client) -> None:
    page = text(reader, "/runs/")
    assert "No runs yet" in page
    assert "curl -H" in page
    assert reverse("upload") in page


def test_the_list_says_gpus_cap_and_provenance(reader: Client, demo: dict[str, str], measured: str) -> None:
    page = " ".join(text(reader, "/runs/").replace("\xa0", " ").split())
    assert "6 of 8 × AMD Instinct MI355X" in page
    assert "cap not stated" in page
    assert "this house, by document only" in page
    assert ">800 W<" in page
    assert "0.821" in page
    assert "105.5" in page


@pytest.mark.parametrize("sort", ["per_gpu_total", "-ttft:median", "label", "nonsense"])
def test_sorting(reader: Client, demo: dict[str, str], sort: str) -> None:
    answer = reader.get("/runs/", {"sort": sort})
    if sort == "nonsense":
        assert answer.status_code == 302
        return
    assert answer.status_code == 200
    assert b"aria-sort" in answer.content


def test_filters_narrow_and_stay_in_the_form(reader: Client, demo: dict[str, str]) -> None:
    page = text(reader, "/runs/?runtime=ATOM")
    assert page.count('class="pick"') == 3  # the head and two runs
    assert '<option value="ATOM" selected>' in page
    assert "No run fits these filters" in text(reader, "/runs/?q=nothing-is-called-this")


def test_picks_survive_a_page(reader: Client, demo: dict[str, str]) -> None:
    gone = demo["ATOM · 8 GPUs · 8K/1K"]
    page = text(reader, f"/runs/?runtime=vLLM&runs={gone}")
    assert f'<input type="hidden" name="runs" value="{gone}">' in page
    assert '<span class="chip">ATOM · 8 GPUs · 8K/1K</span>' in page


def test_a_foreign_cursor_leads_to_the_first_page(reader: Client, demo: dict[str, str]) -> None:
    assert reader.get("/runs/?cursor=abc").status_code == 302


def test_checkboxes_become_one_address(reader: Client, demo: dict[str, str]) -> None:
    ids = eight(demo)
    answer = reader.get("/compare/", {"runs": ids[:2]})
    assert answer.status_code == 302
    assert answer["Location"] == compare_path(*ids[:2])


def test_the_comparison_says_what_the_article_hides(reader: Client, demo: dict[str, str]) -> None:
    ids = eight(demo)
    page = text(reader, compare_path(*ids)).replace("\xa0", " ")
    assert "The power cap per GPU is not stated" in page
    assert "−19 % to +1 % over runs B, C at T = 0 and 1.0" in page
    assert "not comparable" in page
    assert "derived from assumed" in page
    assert "Rental and electricity are never added up." in page


def test_the_switch_and_the_baseline_are_in_the_address(reader: Client, demo: dict[str, str]) -> None:
    ids = eight(demo)
    page = text(reader, compare_path(*ids, only_differences="1", baseline=ids[1]))
    assert f"runs={','.join(ids)}&baseline={ids[1]}#settings" in page
    assert f"runs={ids[1]},{ids[0]},{ids[2]},{ids[3]}&only_differences=1" in page


def test_where_a_figure_comes_from_opens_by_its_address(reader: Client, demo: dict[str, str]) -> None:
    page = text(reader, compare_path(*eight(demo), figure="per_gpu_total", of="2"))
    assert 'id="origin"' in page
    assert "agrees within rounding" in page
    for bad in ("0", "99", "x", "²", ""):
        assert 'id="origin"' not in text(reader, compare_path(*eight(demo), figure="per_gpu_total", of=bad))


def test_prices_are_the_readers(reader: Client, demo: dict[str, str]) -> None:
    ids = eight(demo)
    twice = text(reader, compare_path(*ids, price_per_kwh="0.20"))
    assert "0.047" in twice
    assert "expected a number such as 0.10" in text(reader, compare_path(*ids, price_per_kwh="free"))
    assert "PUE is from 1 to 10" in text(reader, compare_path(*ids, pue="0.5"))


def test_runs_that_are_not_there(reader: Client, demo: dict[str, str]) -> None:
    assert "There is no run nope" in text(reader, compare_path("nope"), 404)
    assert "At most" in text(reader, "/compare/?runs=" + ",".join(f"r{n}" for n in range(40)), 400).replace(
        "at most", "At most"
    )
    text(reader, "/runs/nope/", 404)


def test_a_run_shows_power_files_and_states(reader: Client, measured: str) -> None:
    page = text(reader, f"/runs/{measured}/").replace("\xa0", " ")
    for words in (
        "The power log covers the window.",
        "power cap per GPU",
        "800 W",
        "SHA-256",
        "observed",
        "not stated",
    ):
        assert words in page
    assert 'id="chart-power-data"' in page


def test_a_file_is_downloaded_never_shown(reader: Client, measured: str) -> None:
    page = text(reader, f"/runs/{measured}/")
    path = next(part.split('"')[0] for part in page.split('href="') if "/files/" in part.split('"')[0])
    answer = reader.get(path)
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["Content-Type"] == "application/octet-stream"


def test_preview_writes_nothing_and_confirm_writes_once(reader: Client) -> None:
    def send(**more: str) -> object:
        sent = BytesIO(files.result())
        sent.name = "result.json"
        return reader.post("/runs/upload/", {"files": sent, "set.temperature": "0", **more})

    seen = send(preview="1")
    assert "Preview: nothing was written yet" in seen.content.decode()  # type: ignore[attr-defined]
    assert "No runs yet" in text(reader, "/runs/")
    assert send(confirm="1").status_code == 302  # type: ignore[attr-defined]
    assert "No runs yet" not in text(reader, "/runs/")


def test_a_refused_upload_names_file_place_expected_and_seen(reader: Client) -> None:
    sent = BytesIO(b"{")
    sent.name = "broken.json"
    answer = reader.post("/runs/upload/", {"files": sent, "set.concurrency": "many", "confirm": "1"})
    page = html.unescape(answer.content.decode())
    assert answer.status_code == 400
    for words in ("settings.concurrency", "Expected", "a whole number", "Seen", "many"):
        assert words in page


def test_a_power_log_added_to_a_run(reader: Client) -> None:
    run = upload(("result.json", files.result()))
    log = BytesIO(files.power_log())
    log.name = "power.csv"
    answer = reader.post(f"/runs/{run}/power/", {"files": log, "active_gpus": "2-7", "time_zone": "UTC"})
    assert answer.status_code == 302
    assert "The power log covers the window." in text(reader, f"/runs/{run}/")
    no_log = reader.post(f"/runs/{run}/power/", {})
    assert no_log.status_code == 400


def test_nothing_a_user_wrote_is_markup(reader: Client) -> None:
    run = upload(
        (f"{HOSTILE}.json", files.result(model=HOSTILE)),
        label=HOSTILE,
        notes=HOSTILE,
        setup=HOSTILE,
        settings={"runtime": HOSTILE, "accelerator": HOSTILE, "node": {"value": HOSTILE, "note": HOSTILE}},
    )
    other = upload(("plain.json", files.result(model=HOSTILE, duration=316.0)))
    paths = ("/runs/", f"/runs/?q={HOSTILE}&model={HOSTILE}", f"/runs/{run}/", compare_path(run, other))
    for path in paths:
        page = reader.get(path).content.decode()
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path


@pytest.mark.parametrize("path", ["/runs/", "/compare/?runs={ids}"])
def test_query_counts_do_not_grow_with_the_runs(queries: Counter, demo: dict[str, str], path: str) -> None:
    ids = list(demo.values())
    few = queries(path.format(ids=",".join(ids[:2])))
    for number in range(6):
        upload((f"r{number}.json", files.result(duration=300.0 + number)))
    many = queries(path.format(ids=",".join(ids[:20])))
    assert many == few


def test_errors_have_pages(reader: Client) -> None:
    assert "Not found" in text(reader, "/nothing-here/", 404)


def test_a_stored_power_log_that_cannot_be_read_is_said_in_words(reader: Client, measured: str) -> None:
    from runs.models import PowerSamples

    PowerSamples.objects.update(blob=b"LWPT, damaged")
    page = reader.get(reverse("run", args=[measured]))
    assert page.status_code == 200
    assert "The stored copy of the power log cannot be read" in page.content.decode()
    assert "power.csv" in page.content.decode()
    series = reader.get(f"/api/v1/runs/{measured}/power/series")
    assert series.status_code == 422
    assert series.json()["error"]["code"] == "power_unreadable"
