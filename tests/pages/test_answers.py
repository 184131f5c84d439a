"""A publisher's answer becomes the evidence of a setting, on every run that it is about or on none."""

import pytest
from django.test import Client

from runs import selectors
from runs.domain.facts import State
from runs.models import User
from runs.selectors import documents as sources
from runs.selectors import history as selectors_history
from tests.pages.test_sources import Answer, text_of

ATOM = ("ATOM · 8 GPUs · 8K/1K", "ATOM · 8 GPUs · 128K/100")
PATH = "/sources/amd-2026-11-04/questions/power_cap_w/"
SAID = {"value": "1400", "who": "A. N. Engineer", "date": "2026-12-01", "words": "The boards ran at 1,400 W each."}


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("ann", role=User.Role.ANALYST))
    return client


def filed(client: Client, demo: dict[str, str], **change: str) -> Answer:
    runs = [demo[label] for label in ATOM]
    seen = {f"seen.{run}": str(revision) for run, revision in selectors.revisions(runs).items()}
    return client.post(PATH, {**SAID, **seen, "runs": runs, **change})


def caps(demo: dict[str, str]) -> list[State]:
    found = sources.source_detail("amd-2026-11-04")
    assert found is not None
    return [found.runs[demo[label]].setting("power_cap_w").state for label in ATOM]


def test_an_answer_settles_what_was_asked(analyst: Client, demo: dict[str, str]) -> None:
    page = text_of(analyst.get(PATH))
    assert "What power cap was in force per GPU during the run" in page
    assert ATOM[0] in page
    assert caps(demo) == [State.NOT_STATED, State.NOT_STATED]
    assert filed(analyst, demo).status_code == 302
    assert caps(demo) == [State.STATED, State.STATED]
    found = sources.source_detail("amd-2026-11-04")
    assert found is not None
    cap = found.runs[demo[ATOM[0]]].setting("power_cap_w")
    assert (cap.value, cap.evidence[0].kind, cap.evidence[0].quote) == (1400, "statement", SAID["words"])
    assert "answer by A. N. Engineer of AMD, 2026-12-01" in cap.evidence[0].place
    open_runs = next(one.runs for one in found.questions if one.setting == "power_cap_w")
    assert not set(ATOM) & set(open_runs)
    comparison = text_of(analyst.get(f"/compare/?runs={demo[ATOM[0]]},{demo['vLLM · 8 GPUs · 8K/1K']}"))
    assert "1,400 W" in comparison
    assert selectors_history.history(demo[ATOM[0]])


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"value": ""}, "value : expected what was answered, by whom"),
        ({"value": "a lot"}, "no number, saw 'a lot'"),
        ({"words": ""}, "words : expected what was answered"),
        ({"who": " "}, "who : expected what was answered"),
        ({"runs": ""}, "at least one run"),
    ],
)
def test_an_answer_that_cannot_be_filed_changes_nothing(
    analyst: Client, demo: dict[str, str], change: dict[str, str], words: str
) -> None:
    refused = filed(analyst, demo, **change)
    assert refused.status_code == 400
    assert words in text_of(refused)
    assert caps(demo) == [State.NOT_STATED, State.NOT_STATED]


def test_of_two_who_answer_the_second_is_told_and_no_run_is_half_answered(
    analyst: Client, demo: dict[str, str]
) -> None:
    runs = [demo[label] for label in ATOM]
    before = selectors.revisions(runs)
    first = {**SAID, "runs": runs[:1], f"seen.{runs[0]}": str(before[runs[0]])}
    assert analyst.post(PATH, first).status_code == 302
    late = {f"seen.{run}": str(before[run]) for run in runs}
    second = analyst.post(PATH, {**SAID, "value": "700", "runs": [runs[1], runs[0]], **late})
    assert second.status_code == 409
    assert caps(demo) == [State.STATED, State.NOT_STATED]
