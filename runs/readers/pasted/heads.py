"""What the head of a row says of a run: "Paiton, 6 GPUs × 800 W" names a runtime, a number of GPUs and a cap."""

import re
from decimal import Decimal

from runs.domain.units import NumberLocale
from runs.readers.pasted.cells import read_cell
from runs.readers.pasted.statements import Statement

_GPUS = re.compile(r"(?<![\w.,])(\d{1,5})\s*[×x*]?\s*(?:active |actieve )?(GPUs?\b|[A-Z]{1,3}\d{2,4}[A-Z]{0,2}\b)")
_CAP = re.compile(r"(?<![\w.,])(\d[\d.,]*)\s*(k?W)\b(?!h)")
_CAP_SILENT = re.compile(
    r"(?:limiet|limit|cap|vermogen|power)\w*(?:/\w+)?\s+(?:onbekend|unknown|niet vermeld|not stated)", re.IGNORECASE
)
_TEMPERATURE = re.compile(r"\bT\s*=\s*(\d+(?:[.,]\d+)?)(?![\w.,]?\d)")
_LENGTHS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?[KM]?)\s*/\s*(\d+(?:\.\d+)?[KM]?)(?![\w.]*\d)(?!\w)")


def read_head(text: str, locale: NumberLocale | None) -> dict[str, Statement | None]:
    """Settings that a row's head states, by key, each with the words it was read in; None: said not to be stated.

    A runtime is the word before the first comma. What is not said is left out.
    """
    found: dict[str, Statement | None] = {}
    name = text.split(",", maxsplit=1)[0].strip()
    if name and "," in text and not any(char.isdigit() for char in name):
        found["runtime"] = {"value": name, "quote": name}
    gpus = _GPUS.search(text)
    if gpus:
        found["active_gpus"] = {"value": int(gpus[1]), "quote": gpus[0]}
        if not gpus[2].casefold().startswith("gpu"):
            found["accelerator"] = {"value": gpus[2], "quote": gpus[0]}
    cap = _CAP.search(text)
    if cap:
        watts = _watts(cap[1], cap[2], locale)
        if watts is not None:
            found["power_cap_w"] = {"value": watts, "quote": cap[0]}
    elif _CAP_SILENT.search(text):
        found["power_cap_w"] = None
    temperature = _TEMPERATURE.search(text)
    if temperature:
        found["temperature"] = {"value": float(temperature[1].replace(",", ".")), "quote": temperature[0]}
    return found


def _watts(number: str, symbol: str, locale: NumberLocale | None) -> float | int | None:
    """Watts, or None where the number is none, or is two at once."""
    cell = read_cell(number.rstrip(".,"), locale)
    if cell.problem or cell.readings[0].value is None:
        return None
    watts = cell.readings[0].value * (1000 if symbol == "kW" else 1)
    return int(watts) if watts == watts.to_integral_value() else float(watts)


def temperature_in(text: str) -> Decimal | None:
    """The temperature that a head confines itself to ("…, T=0"); None where it names none."""
    found = _TEMPERATURE.search(text)
    return Decimal(found[1].replace(",", ".")) if found else None


def lengths_in(text: str) -> tuple[str, str] | None:
    """The workload that a head confines itself to ("8K/1K"), as it is called."""
    found = _LENGTHS.search(text)
    return (found[1], found[2]) if found else None
