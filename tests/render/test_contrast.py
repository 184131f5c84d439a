"""Contrast of every text and mark on every ground it stands on, light and dark (WCAG 2.2 AA)."""

import re
from pathlib import Path

import pytest

from dashboard.render import chart_theme

CSS = Path(__file__).resolve().parents[2] / "static" / "css" / "tokens.css"
PAIRS = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", CSS.read_text("utf-8"))
}
GROUNDS = ("paper", "surface", "raised", "sunken")
TEXTS = [
    *((text, ground) for text in ("text", "muted", "accent", "warn", "serious") for ground in GROUNDS),
    ("on-accent", "accent"),
    ("warn", "warn-soft"),
    ("serious", "serious-soft"),
    ("text", "warn-soft"),
    ("text", "serious-soft"),
    ("text", "accent-soft"),
    ("muted", "accent-soft"),
    ("accent", "accent-soft"),
    ("muted", "warn-soft"),
    ("muted", "serious-soft"),
]


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_reads(text: str, ground: str, theme: int) -> None:
    assert contrast(PAIRS[text][theme], PAIRS[ground][theme]) >= 4.5


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_borders_of_fields_and_marks_of_charts_show(theme: int) -> None:
    ground = PAIRS["surface"][theme]
    marks = (chart_theme.HOUSE, chart_theme.PUBLISHED, chart_theme.WARN, chart_theme.IDLE)
    for colour in (PAIRS["line-strong"][theme], *marks):
        assert contrast(colour, ground) >= 3, colour


def test_charts_and_pages_share_their_colours() -> None:
    for place, colours in enumerate((chart_theme.LIGHT, chart_theme.DARK)):
        assert colours["text"] == PAIRS["text"][place]
        assert colours["muted"] == PAIRS["muted"][place]
    text = CSS.read_text("utf-8")
    for name in ("HOUSE", "PUBLISHED", "WARN", "IDLE"):
        assert f"--mark-{name.lower()}: {getattr(chart_theme, name)};" in text
