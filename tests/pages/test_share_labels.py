"""Labels that readers see instead of the runs' own, and live shares that follow their saved comparison."""

from dataclasses import replace
from urllib.parse import urlencode

import pytest
from django.test import Client

from runs.domain.errata import ErratumKind
from runs.domain.redaction import Redactions
from runs.models import Run, Share
from runs.services.correcting import Given, file_erratum
from runs.services.saved import Draft, SavedView, change_comparison, save_comparison
from runs.services.shares import ShareDraft, ShareSpec, make_share
from tests import factories
from tests.builders import record

SECRET = "Falcon-9 pilot (T = 0)"
SURFACES = ("", "export.csv", "export.json", "export.md", "export.html", "chart-throughput.svg", "fact/")


@pytest.fixture
def runs(db: None) -> tuple[str, ...]:
    first = record(SECRET, power_cap_w=800.0)
    # The label also stands in notes, and another run speaks of it.
    second = record("Eight", throughput=7000.0, active_gpus=8)
    made = (replace(first, notes=f"{SECRET}, warm"), replace(second, notes=f"after {SECRET.upper()}"))
    return tuple(factories.run(one).public_id for one in made)


@pytest.fixture
def owner(db: None) -> Client:
    client = Client()
    client.force_login(factories.user())
    return client


def form(runs: tuple[str, ...], **more: str) -> dict[str, str]:
    return {"state": urlencode({"runs": ",".join(runs)}), "title": f"About {SECRET}", "days": "30", **more}


def link(owner: Client, sent: dict[str, str]) -> str:
    page = owner.post("/shares/new/", sent).content.decode()
    return page.split("http://testserver", 1)[1].split('"', 1)[0]


@pytest.mark.parametrize("kind", ["frozen", "live"])
def test_no_surface_carries_a_run_s_own_label(owner: Client, runs: tuple[str, ...], kind: str) -> None:
    path = link(owner, form(runs, kind=kind, relabel="on", **{"label.0": "Candidate"}))
    reason = f"{SECRET} was read wrongly"
    given = Given(ErratumKind.CORRECTED, reason, "2026-12-02", "total_throughput", "5400", who=SECRET)
    file_erratum(target="run", key=runs[0], given=given, seen=1, user=None)
    client = Client()
    for tail in SURFACES:
        for query in ("", "?corrected=1"):
            answer = client.get(f"{path}{tail}{query}")
            assert answer.status_code == 200, tail
            text = answer.content.decode()
            assert "falcon" not in text.casefold(), tail
            assert "Candidate" in text or tail == "fact/", tail
    page = client.get(path).content.decode()
    assert "About Candidate" in page
    assert "Run B" in page
    assert "Eight" not in page


def test_labels_of_their_own_stay_without_it(owner: Client, runs: tuple[str, ...]) -> None:
    page = Client().get(link(owner, form(runs))).content.decode()
    assert "Falcon-9 pilot (T = 0)" in page


def test_the_preview_shows_the_labels_that_readers_get(owner: Client, runs: tuple[str, ...]) -> None:
    page = owner.post("/shares/new/", form(runs, preview="1", relabel="on")).content.decode()
    assert "falcon" not in page.casefold()
    assert "Run A" in page
    assert Share.objects.count() == 0


def test_a_label_that_cannot_be_is_refused(owner: Client, runs: tuple[str, ...]) -> None:
    answer = owner.post("/shares/new/", form(runs, relabel="on", **{"label.0": "x" * 121}))
    assert answer.status_code == 400
    assert "1 to 120 printable characters" in answer.content.decode()


def test_the_stored_snapshot_has_no_label_either(owner: Client, runs: tuple[str, ...]) -> None:
    link(owner, form(runs, relabel="on"))
    row = Share.objects.get()
    assert b"alcon" not in bytes(row.snapshot or b"")
    assert "alcon" not in row.title


def view(*runs: str) -> dict[str, str]:
    return {"runs": ",".join(runs)}


@pytest.fixture
def saved(runs: tuple[str, ...]) -> SavedView:
    return save_comparison(draft=Draft("Two", view(*runs), notes="first notes"), user=factories.user())


def newer(saved: SavedView, *runs: str) -> SavedView:
    draft = Draft("Two", view(*runs), notes="second notes")
    return change_comparison(slug=saved.slug, based_on=saved.number, draft=draft, user=factories.user())


def test_a_share_that_follows_shows_the_newest_version(owner: Client, runs: tuple[str, ...], saved: SavedView) -> None:
    sent = form(runs, of=saved.slug, kind="follow", relabel="on", own_notes="on")
    path = link(owner, sent)
    assert "runs and numbers as they are today" in Client().get(path).content.decode()
    third = factories.run(record("Third", throughput=9000.0, active_gpus=6))
    newer(saved, *runs, third.public_id)
    page = Client().get(path).content.decode()
    assert "3 runs" in page
    assert "Run C" in page
    assert "Third" not in page
    assert "second notes" in page
    assert "9,000" in page
    assert "9000" in Client().get(f"{path}export.json").content.decode()


@pytest.mark.parametrize("kind", ["frozen", "live"])
def test_others_stay_with_their_version_and_the_owner_is_told(
    owner: Client, runs: tuple[str, ...], saved: SavedView, kind: str
) -> None:
    path = link(owner, form(runs, of=saved.slug, kind=kind))
    detail = f"/shares/{Share.objects.get().pk}/"
    assert "which is at version" not in owner.get(detail).content.decode()
    newer(saved, runs[1])
    assert "2 runs" in Client().get(path).content.decode()
    told = " ".join(owner.get(detail).content.decode().split())
    assert "This link shows version 1 of the saved comparison, which is at version 2 now." in told


def test_what_was_not_saved_is_not_followed(owner: Client, runs: tuple[str, ...], saved: SavedView) -> None:
    answer = owner.post("/shares/new/", form((runs[1],), of=saved.slug, kind="follow"))
    assert answer.status_code == 400
    assert "save it first" in answer.content.decode()
    # Without a saved comparison there is nothing to follow.
    assert link(owner, form(runs, kind="follow"))
    assert Share.objects.get().kind == "frozen"


def test_a_followed_comparison_that_is_gone_leaves_what_was_shared(
    owner: Client, runs: tuple[str, ...], saved: SavedView
) -> None:
    from runs.models import SavedComparison

    path = link(owner, form(runs, of=saved.slug, kind="follow"))
    SavedComparison.objects.all().delete()
    assert "2 runs" in Client().get(path).content.decode()


def test_letters_stay_with_their_runs_when_one_is_gone(runs: tuple[str, ...]) -> None:
    spec = ShareSpec(runs, redactions=Redactions(labels=((runs[0], "Candidate"),)))
    path = f"/s/{make_share(draft=ShareDraft('x', spec, kind='live', language='en'), user=None).token}/"
    Run.objects.filter(public_id=runs[0]).delete()
    page = Client().get(path).content.decode()
    assert "Run B" in page
    assert "Run A" not in page


def test_a_message_is_about_the_run_in_its_column_whatever_is_gone(runs: tuple[str, ...]) -> None:
    from runs.models import FactMessage

    spec = ShareSpec(runs)
    path = f"/s/{make_share(draft=ShareDraft('x', spec, kind='live', language='en'), user=None).token}/"
    Run.objects.filter(public_id=runs[0]).delete()
    Client().post(f"{path}fact/", {"message": "x", "run": "1"})
    assert FactMessage.objects.get().run_key == runs[1]
