"""Colours, fonts and settings that every chart shares, light and dark. The CSS has the same values."""

import textwrap
from typing import Any

FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif'

LIGHT = {"text": "#1b2126", "muted": "#55606b", "grid": "#e3e7ea", "paper": "#ffffff"}
DARK = {"text": "#e7eaec", "muted": "#9aa6b0", "grid": "#2a3238", "paper": "#161b1f"}

# Marks have at least 3:1 on both papers, so that a trace keeps its colour when the theme changes.
HOUSE = "#148579"
PUBLISHED = "#74808b"
WARN = "#b7791f"
IDLE = "#8a949d"

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "responsive": True,
    "showSendToCloud": False,
    "plotlyServerURL": "",
    "modeBarButtonsToRemove": ["select2d", "lasso2d", "autoScale2d"],
    "displayModeBar": False,
}


def theme_patch(colours: dict[str, str], axes: int) -> dict[str, Any]:
    """What ``Plotly.relayout`` sets when the page is light or dark, for a figure with so many pairs of axes."""
    patch: dict[str, Any] = {"font.color": colours["text"], "legend.font.color": colours["text"]}
    for number in range(1, axes + 1):
        suffix = "" if number == 1 else str(number)
        for axis in (f"xaxis{suffix}", f"yaxis{suffix}"):
            patch[f"{axis}.gridcolor"] = colours["grid"]
            patch[f"{axis}.zerolinecolor"] = colours["grid"]
            patch[f"{axis}.tickfont.color"] = colours["muted"]
            patch[f"{axis}.title.font.color"] = colours["muted"]
    return patch


def layout(height: int, **more: Any) -> dict[str, Any]:
    return {
        "height": height,
        "margin": {"l": 8, "r": 56, "t": 8, "b": 40, "pad": 4},
        "font": {"family": FONT, "size": 13},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "showlegend": False,
        "hovermode": "closest",
        "bargap": 0.5,
        **more,
    }


def number_axis(title: str, **more: Any) -> dict[str, Any]:
    return {
        "title": {"text": title, "font": {"size": 12}},
        "rangemode": "tozero",
        "fixedrange": True,
        "zeroline": True,
        "automargin": True,
        "nticks": 6,
        **more,
    }


def name_axis(**more: Any) -> dict[str, Any]:
    return {"autorange": "reversed", "automargin": True, "fixedrange": True, "ticklabelstandoff": 8, **more}


LABEL_WIDTH = 26


def label_lines(name: str) -> list[str]:
    """A run's label in short lines, broken between its parts first and between words only where it must be."""
    lines: list[str] = []
    for part in name.split(" · "):
        if lines and len(lines[-1]) + len(part) + 3 <= LABEL_WIDTH:
            lines[-1] = f"{lines[-1]} · {part}"
        else:
            lines += textwrap.wrap(part, LABEL_WIDTH) or [""]
    return lines


def escape(text: str) -> str:
    """Text that Plotly's small markup takes as text and nothing else."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
