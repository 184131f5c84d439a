"""Units that are words: one and more of them, in the reader's language; symbols stay as they are."""

import pytest

from dashboard.render.numbers import NBSP, Locale
from dashboard.render.wording import setting_value, unit_head, unit_text, with_unit
from runs.domain.facts import Setting, State


@pytest.mark.parametrize(
    ("value", "symbol", "english", "dutch"),
    [
        (1, "requests", "1 request", "1 verzoek"),
        (64, "requests", "64 requests", "64 verzoeken"),
        (0, "GPUs", "0 GPUs", "0 GPU’s"),
        (1, "GPUs", "1 GPU", "1 GPU"),
        (8192, "tokens", "8,192 tokens", "8.192 tokens"),
        (96, "cores", "96 cores", "96 kernen"),
        (0.65, "s", "0.65 s", "0,65 s"),
        (800, "W", "800 W", "800 W"),
        (12.5, "$/year", "$12.5/year", "$12,5/jaar"),
    ],
)
def test_a_number_with_its_unit(value: float, symbol: str, english: str, dutch: str) -> None:
    said: dict[Locale, str] = {"en": english, "nl": dutch}
    for locale, text in said.items():
        assert with_unit(value, symbol, locale).replace(NBSP, " ") == text


def test_settings_are_said_with_the_readers_units() -> None:
    setting = Setting("concurrency", State.OBSERVED, 1)
    assert setting_value(setting, "en") == f"1{NBSP}request"
    assert setting_value(setting, "nl") == f"1{NBSP}verzoek"


def test_heads() -> None:
    assert (unit_text("€/year", "nl"), unit_text("tok/s/GPU", "nl")) == ("€/jaar", "tok/s/GPU")
    assert unit_head("ttft", "nl", "ms") == "s"
