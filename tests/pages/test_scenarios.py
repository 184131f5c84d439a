"""Scenarios and suppositions on the comparison page, in the address alone."""

import pytest
from django.test import Client

from runs.models import User
from runs.services.scenarios import find_scenario
from tests.pages.test_sources import text_of

GIVEN = {
    "name": "Our prices",
    "currency": "EUR",
    "price_per_kwh": "0,25",
    "pue": "1.3",
    "utilisation": "",
    "offer.0.name": "TensorWave",
    "offer.0.rate": "2.95",
    "offer.1.name": "Whole node",
    "offer.1.rate": "5,99",
    "offer.1.unit": "8",
    "offer.1.includes": "CPU and RAM apart",
}


@pytest.fixture
def analyst(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("ann", role=User.Role.ANALYST))
    return client


def address(demo: dict[str, str], *more: str) -> str:
    labels = ("ATOM · 8 GPUs · 8K/1K", "Paiton · 6 × 800 W · T=0 · 8K/1K", "vLLM · 8 GPUs · 8K/1K")
    return "&".join([f"/compare/?runs={','.join(demo[label] for label in labels)}", *more])


def test_every_save_is_a_version(analyst: Client) -> None:
    assert analyst.post("/scenarios/new/", GIVEN).status_code == 302
    first = find_scenario(key="our-prices")
    assert (first.version, first.currency, str(first.price_per_kwh)) == (1, "EUR", "0.25")
    assert [(offer.name, offer.unit_gpus) for offer in first.offers] == [("TensorWave", None), ("Whole node", 8)]
    assert analyst.post("/scenarios/our-prices/", {**GIVEN, "pue": "1.1", "version": "1"}).status_code == 302
    assert find_scenario(key="our-prices").version == 2
    assert find_scenario(key="our-prices", version=1) == first
    late = analyst.post("/scenarios/our-prices/", {**GIVEN, "pue": "1.2", "version": "1"})
    assert late.status_code == 409
    assert "Somebody saved this scenario before you" in text_of(late)
    assert "Our prices" in text_of(analyst.get("/scenarios/"))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"utilisation": "0"}, "utilisation is above 0"),
        ({"pue": "0.5"}, "PUE is from 1 to 10"),
        ({"price_per_kwh": "cheap"}, "expected a number such as 0.10, saw cheap"),
        ({"currency": "euro"}, "three letters such as USD or EUR"),
        ({"name": ""}, "what the scenario is called"),
        ({"offer.0.rate": ""}, "a name and a rate such as 2.95"),
        ({"offer.1.unit": "0"}, "smallest rentable unit"),
        ({"offer.1.name": "TensorWave"}, "one offer of a name"),
        ({"price_per_kwh": "1e999"}, "expected a number such as 0.10"),
    ],
)
def test_a_scenario_that_cannot_be_is_refused_in_words(analyst: Client, change: dict[str, str], words: str) -> None:
    answer = analyst.post("/scenarios/new/", {**GIVEN, **change})
    assert answer.status_code == 400
    assert words in text_of(answer)


def test_a_comparison_picks_a_scenario_in_its_version(analyst: Client, demo: dict[str, str]) -> None:
    analyst.post("/scenarios/new/", GIVEN)
    analyst.post("/scenarios/our-prices/", {**GIVEN, "offer.0.rate": "5.90", "version": "1"})
    old = text_of(analyst.get(address(demo, "scenario=our-prices@1")))
    new = text_of(analyst.get(address(demo, "scenario=our-prices")))
    assert "0.87" in old and "€/Mtok" in old
    assert "1.74" in new and "1.74" not in old
    missing = text_of(analyst.get(address(demo, "scenario=nothing@7")))
    assert "There is no scenario nothing" in missing


def test_numbers_edited_in_place_move_the_costs(analyst: Client, demo: dict[str, str]) -> None:
    assert "0.87" in text_of(analyst.get(address(demo)))
    changed = text_of(analyst.get(address(demo, "rate.TensorWave=5.90")))
    assert "1.74" in changed


def test_utilisation_without_an_idle_power_is_refused_in_words(analyst: Client, demo: dict[str, str]) -> None:
    page = text_of(analyst.get(address(demo, "utilisation=0.5")))
    assert "At a utilisation of 0.5, electricity needs the idle power of the active GPUs. It is not stated for" in page


def test_a_supposed_range_is_a_band_and_never_a_value(analyst: Client, demo: dict[str, str]) -> None:
    run = demo["ATOM · 8 GPUs · 8K/1K"]
    plain = text_of(analyst.get(address(demo)))
    asked = f"suppose_run={run}&suppose_input=power_per_gpu_w&suppose_low=700&suppose_high=1400"
    page = text_of(analyst.get(address(demo, asked)))
    assert "668–1,336 tok/s/kW" in page
    assert "supposed by the reader: 700 to 1,400 W per GPU" in page
    assert "the ranking turns at 793 W per GPU" in page
    assert "ATOM · 8 GPUs · 8K/1K stays below over the whole range" in page
    assert "668–1,336" not in plain


def test_a_supposed_price_names_no_ranking_as_it_moves_every_run(analyst: Client, demo: dict[str, str]) -> None:
    run = demo["ATOM · 8 GPUs · 8K/1K"]
    asked = f"price_per_kwh=0.10&suppose_run={run}&suppose_input=price_per_kwh&suppose_low=0.01&suppose_high=1"
    page = text_of(analyst.get(address(demo, asked)))
    assert "supposed by the reader: a price of 0.01 to 1 per kWh" in page
    assert "it moves the others' figures too" in page
    assert "the ranking turns" not in page and "over the whole range" not in page


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("suppose_input=temperature&suppose_low=0&suppose_high=1", "only real runs at several values speak for it"),
        ("suppose_input=power_per_gpu_w&suppose_low=1400&suppose_high=700", "a range goes up from above 0"),
        ("suppose_input=power_per_gpu_w&suppose_low=&suppose_high=700", "A range has two numbers"),
        ("suppose_input=gpus_billed&suppose_low=6.5&suppose_high=8", "a whole number"),
    ],
)
def test_a_supposition_that_cannot_be_is_refused_in_words(
    analyst: Client, demo: dict[str, str], asked: str, words: str
) -> None:
    page = analyst.get(address(demo, f"suppose_run={demo['ATOM · 8 GPUs · 8K/1K']}", asked))
    assert page.status_code == 200
    assert words in text_of(page)
