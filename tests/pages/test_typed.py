"""What people type into forms: read as they mean it, or refused; never another number."""

import pytest

from dashboard.pages.run_list import number
from dashboard.pages.upload_form import typed_value, words
from runs.domain.metrics import SETTING_BY_KEY


@pytest.mark.parametrize(
    ("text", "value"),
    [("8192", 8192), ("8,192", 8192), ("8.192", 8192), ("8 192", 8192), ("1.5", None), ("8,19", None), ("²", None),
     ("abc", None), ("", None), ("-1", None), ("9" * 5000, None)],
)  # fmt: skip
def test_whole_numbers(text: str, value: int | None) -> None:
    assert number(text) == value
    assert typed_value(SETTING_BY_KEY["isl"], text) == (text if value is None else value)


@pytest.mark.parametrize(
    ("text", "value"),
    [("800", 800.0), ("0,7", 0.7), ("0.7", 0.7), ("1,400", "1,400"), ("nan", "nan"), ("inf", "inf"), ("1e3", "1e3"),
     ("²", "²"), ("-5", "-5"), ("9" * 5000, "9" * 5000)],
)  # fmt: skip
def test_numbers_with_decimals(text: str, value: object) -> None:
    """A cap of "1,400" W must not become 1.4 W."""
    assert typed_value(SETTING_BY_KEY["power_cap_w"], text) == value


def test_gpus() -> None:
    assert words("0, 2-4 GPU-7") == ["0", "2", "3", "4", "GPU-7"]
    assert words("²-3 7-2 0-9999") == ["²-3", "7-2", "0-9999"]
    assert typed_value(SETTING_BY_KEY["active_gpu_indices"], "0 ² 2-3") == [0, "²", 2, 3]
