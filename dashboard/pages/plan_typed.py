"""A plan as it is typed: its fields as text, and the text back into a plan; what cannot be read is said by field."""

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from django.http import QueryDict

from runs.services.answers import Problem

TEXTS = ("client", "endpoint", "model", "dataset", "tokenizer", "quantization", "tasks", "command", "setup")
COUNTS = ("isl", "osl", "num_prompts", "concurrency", "top_k", "seed", "repeats", "timeout_s")
DECIMALS = ("temperature", "top_p", "request_rate", "power_cap_w")
MATRIX = ("concurrency", "temperature", "isl", "osl", "num_prompts", "request_rate")
LISTS = ("pre", "post")
PAIRS = ("parameters", "settings")
SPAN = re.compile(r"(\d{1,4})(?:\s*-\s*(\d{1,4}))?")
MOST_GPUS = 1024


def typed_of(spec: Mapping[str, Any]) -> dict[str, Any]:
    """The text of every field of a plan; lists for the commands before and after."""
    plain = {name: _text(spec.get(name)) for name in (*TEXTS, *COUNTS, *DECIMALS)}
    matrix = {f"matrix.{key}": ", ".join(map(_text, spec.get("matrix", {}).get(key, ()))) for key in MATRIX}
    pairs = {name: "\n".join(f"{key} = {_text(value)}" for key, value in spec.get(name, {}).items()) for name in PAIRS}
    ignore = {None: "", True: "yes", False: "no"}[spec.get("ignore_eos")]
    gpus = ", ".join(map(str, spec.get("active_gpus", ())))
    lists = {name: list(spec.get(name, ())) for name in LISTS}
    return {**plain, **matrix, **pairs, **lists, "ignore_eos": ignore, "active_gpus": gpus}


def typed_in(post: QueryDict) -> dict[str, Any]:
    """What was typed, to the letter, so that nothing is lost where it is refused."""
    names = (*TEXTS, *COUNTS, *DECIMALS, *PAIRS, *(f"matrix.{key}" for key in MATRIX), "ignore_eos", "active_gpus")
    return {**{name: post.get(name, "") for name in names}, **{name: post.getlist(name) for name in LISTS}}


def spec_of(typed: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """The plan of what was typed, and what of it cannot be read. An empty field says nothing."""
    problems: list[Problem] = []

    def put(found: dict[str, Any], key: str, place: str, read: Callable[[str], Any], expected: str) -> None:
        text = str(typed.get(place, "")).strip()
        if not text:
            return
        try:
            found[key] = read(text)
        except ValueError:
            problems.append(Problem("plan", place, expected, text[:100]))

    spec: dict[str, Any] = {}
    for name in TEXTS:
        put(spec, name, name, str, "text")
    for name in COUNTS:
        put(spec, name, name, _count, "a whole number")
    for name in DECIMALS:
        put(spec, name, name, _decimal, "a number such as 0.7")
    matrix: dict[str, Any] = {}
    for key in MATRIX:
        decimal = key in DECIMALS
        expected = "numbers with commas between them, such as " + ("0, 0.7, 1" if decimal else "1, 4, 16")
        put(matrix, key, f"matrix.{key}", _numbers(_decimal if decimal else _count), expected)
    put(spec, "ignore_eos", "ignore_eos", _yes_or_no, "yes, no or nothing")
    put(spec, "active_gpus", "active_gpus", _gpus, "indices such as 0-5 or 0, 1, 7")
    for name in PAIRS:
        put(spec, name, name, _pairs(name == "settings"), "a line of the form name = value each, no name twice")
    if matrix:
        spec["matrix"] = matrix
    return {**spec, **{name: list(typed[name]) for name in LISTS if typed.get(name)}}, problems


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return "" if value is None else f"{value:.12g}" if isinstance(value, float) else str(value)


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise ValueError(text)
    return int(text)


def _yes_or_no(text: str) -> bool:
    if text not in ("yes", "no"):
        raise ValueError(text)
    return text == "yes"


def _decimal(text: str) -> float:
    """A comma is taken as a point, which a Dutch keyboard writes; where commas part numbers it cannot be."""
    number = float(text.replace(",", "."))
    if not math.isfinite(number) or "_" in text:
        raise ValueError(text)
    return number


def _numbers(read: Callable[[str], float]) -> Callable[[str], list[float]]:
    return lambda text: [read(part.strip()) for part in text.split(",")]


def _gpus(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        span = SPAN.fullmatch(part.strip())
        if span is None:
            raise ValueError(part)
        first, last = int(span[1]), int(span[2] or span[1])
        if last < first or last >= MOST_GPUS:
            raise ValueError(part)
        found += range(first, last + 1)
    return list(dict.fromkeys(found))


def _pairs(valued: bool) -> Callable[[str], dict[str, Any]]:
    """``name = value`` lines; a stated setting's value is a number or a yes where it reads as one."""

    def read(text: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for line in text.splitlines():
            if not line.strip():
                continue
            name, equals, value = line.partition("=")
            if not equals or not name.strip() or name.strip() in found:
                raise ValueError(line)
            found[name.strip()] = _value(value.strip()) if valued else value.strip()
        return found

    return read


def _value(text: str) -> str | int | float | bool:
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    for read in (_count, float):
        try:
            number = read(text)
        except ValueError:
            continue
        if math.isfinite(number):
            return number
    return text
