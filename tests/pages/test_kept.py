"""The kept body of a comparison page: kept while nothing changes, made anew by whatever it shows."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client

from dashboard.pages import kept
from runs.domain.errata import ErratumKind, Target
from runs.domain.facts import Evidence, State
from runs.models import Run
from runs.services.compare import compare
from runs.services.correcting import Given, file_erratum
from runs.services.editing import Claimed, edit_setting
from runs.services.evaluating import GivenEvaluation, add_evaluation
from runs.services.meta import meta_of
from runs.services.naming import aliases, merge_names, unmerge_names
from runs.services.power import attach_power
from runs.services.reading import Incoming
from runs.services.scenarios import find_scenario, save_version
from runs.services.sources import find_source, save_source
from tests.caches import forget
from tests.pages import files
from tests.pages.conftest import upload

SOURCE, LABEL, SETUP = "amd-2026-11-04", "ATOM · 8 GPUs · 8K/1K", "atom-8gpu"
Change = Callable[[str], Any]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Every time that a body is made anew."""
    forget()
    calls: list[str] = []
    real = compare

    def counted(**given: Any) -> Any:
        calls.append(",".join(given["run_ids"]))
        return real(**given)

    monkeypatch.setattr(kept, "compare", counted)
    yield calls
    forget()


def erratum(target: Target, key: str) -> None:
    given = Given(ErratumKind.HISTORICAL, "Measured before the change.", "2026-12-01")
    file_erratum(target=target, key=key, given=given, seen=1, user=None)


def an_evaluation() -> str:
    return add_evaluation(given=GivenEvaluation(task="GSM8K", correct=1, total=2, covers=(SETUP,)), user=None)


def edited_source(_run: str) -> None:
    there = find_source(key=SOURCE)
    save_source(source=replace(there, title="Renamed by its publisher"), seen=there)


def edited_setting(run: str) -> None:
    given = Claimed("temperature", State.STATED, 1.0, evidence=(Evidence("statement", quote="by mail"),))
    edit_setting(run_id=run, given=given, reason="", seen=1, user=None)


def a_scenario(_run: str) -> None:
    """The stored scenario's next version, which the page takes where the address names none."""
    there = find_scenario(key="article")
    save_version(scenario=replace(there, note="Checked again."), seen=str(there.version))


CHANGES: dict[str, tuple[Change, str]] = {
    "an erratum on a run": (lambda run: erratum("run", run), "Measured before the change."),
    "an erratum on a source": (lambda _run: erratum("source", SOURCE), "Measured before the change."),
    "a source said anew": (edited_source, "Renamed by its publisher"),
    "a setting filled in": (edited_setting, "by mail"),
    "names merged": (
        lambda _run: merge_names(kind="model", alias="Kimi-K3.1-Pro", name="Kimi of the third year", user=None),
        "",
    ),
    "a scenario's next version": (a_scenario, "@2"),
    "an evaluation of its setup": (lambda _run: an_evaluation(), ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_change_makes_the_body_anew(reader: Client, demo: dict[str, str], made: list[str], change: str) -> None:
    run = demo[LABEL]
    path = f"/compare/?runs={run}"
    before = reader.get(path).content.decode()
    assert reader.get(path).status_code == 200
    assert len(made) == 1
    work, words = CHANGES[change]
    assert words == "" or words not in before
    work(run)
    after = reader.get(path).content.decode()
    assert len(made) == 2
    assert words in after
    reader.get(path)
    assert len(made) == 2


def test_an_erratum_on_an_evaluation_makes_it_anew(reader: Client, demo: dict[str, str], made: list[str]) -> None:
    key = an_evaluation()
    path = f"/compare/?runs={demo[LABEL]}"
    caveat = "No valid evaluation covers this very configuration"
    assert caveat not in reader.get(path).content.decode()
    erratum("evaluation", key)
    after = reader.get(path).content.decode()
    assert len(made) == 2
    assert caveat in after
    assert "Measured before the change." in after


def test_taking_a_merge_back_makes_it_anew(reader: Client, demo: dict[str, str], made: list[str]) -> None:
    path = f"/compare/?runs={demo[LABEL]}"
    merge_names(kind="model", alias="Kimi-K3.1-Pro", name="Kimi of the third year", user=None)
    reader.get(path)
    (mine,) = [one for one in aliases() if one.alias == "Kimi-K3.1-Pro"]
    unmerge_names(alias_id=mine.id, user=None)
    reader.get(path)
    assert len(made) == 2


def test_a_pinned_scenario_stays_and_the_choice_of_others_is_new(
    reader: Client, demo: dict[str, str], made: list[str]
) -> None:
    path = f"/compare/?runs={demo[LABEL]}&scenario=article@1"
    assert 'value="0.10"' in reader.get(path).content.decode()
    there = find_scenario(key="article")
    save_version(scenario=replace(there, price_per_kwh=there.price_per_kwh and there.price_per_kwh * 2), seen="1")
    after = reader.get(path).content.decode()
    assert 'value="0.10"' in after
    assert len(made) == 2


def test_a_power_log_and_a_repeat_make_it_anew(reader: Client, made: list[str]) -> None:
    run = upload(("result.json", files.result()), setup="six GPUs")
    print_of = Run.objects.get(public_id=run).fingerprint
    upload(("second.json", files.result(duration=316.0)), setup="six GPUs")
    assert print_of and Run.objects.filter(fingerprint=print_of).count() == 2
    alone, group = f"/compare/?runs={run}", f"/compare/?runs=group:{print_of}"
    for path in (alone, group, alone, group):
        assert reader.get(path).status_code == 200
    assert len(made) == 2
    log = Incoming("power.csv", ContentFile(files.power_log(), "power.csv"))
    told = {"time_zone": "UTC", "active_gpus": ["2", "3", "4", "5", "6", "7"]}
    attach_power(run_id=run, meta=meta_of(told, uploader="ann"), user=None, file=log)
    assert "GPU power" in reader.get(alone).content.decode()
    assert len(made) == 3


def test_an_erratum_on_a_repeat_reaches_the_mean(reader: Client, made: list[str]) -> None:
    run = upload(("result.json", files.result()), setup="six GPUs")
    other = upload(("second.json", files.result(duration=316.0)), setup="six GPUs")
    path = f"/compare/?runs=group:{Run.objects.get(public_id=run).fingerprint}"
    assert "Measured before the change." not in reader.get(path).content.decode()
    erratum("run", other)
    assert "Measured before the change." in reader.get(path).content.decode()
    third = upload(("third.json", files.result(duration=317.0)), setup="six GPUs")
    assert third
    assert "n = 3" in reader.get(path).content.decode().replace("\xa0", " ").replace("&nbsp;", " ")
    assert len(made) == 3
