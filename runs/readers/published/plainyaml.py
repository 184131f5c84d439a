"""YAML or JSON as plain data: no anchors (they can explode), no tags, no key twice, no dates; bounded, by place."""

import json
import math
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import yaml

MAX_DEPTH = 32
MAX_INTEGER = 2**53
_LINE_ENDS = "\n\r\t"


class YamlRefusedError(ValueError):
    """YAML that is refused: where, what was expected, what was seen."""

    def __init__(self, place: str, expected: str, seen: str) -> None:
        self.place, self.expected, self.seen = place, expected, seen
        super().__init__(f"{place}: expected {expected}, saw {seen}")


class _Loader(yaml.SafeLoader):
    """SafeLoader with the words and numbers of JSON: a date, on, yes, 010 and 1:30 stay the text that they are."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise YamlRefusedError(_line(key.start_mark), "each key once", f"{key.value} twice")
                seen.add(key.value)
        return super().construct_mapping(node, deep)


_Loader.yaml_implicit_resolvers = {}
for _tag, _pattern, _first in (
    ("int", r"[-+]?(?:0|[1-9][0-9]*)", "-+0123456789"),
    ("float", r"[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+(?:[eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+)", "-+0123456789"),
    ("bool", "true|false", "tf"),
    ("null", "null|~|", ["n", "~", ""]),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), list(_first))


def load_yaml(text: str) -> Any:
    """The document as dicts, lists, strings, whole numbers and floats; raises :class:`YamlRefusedError`."""
    data = _json(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else None
    if data is None:
        data = _yaml(text)
    _check(data, "", 0)
    return data


def _json(text: str) -> Any:
    """The JSON in a text; None where it is none (a YAML mapping may begin with a brace too)."""
    try:
        return json.loads(text.lstrip("\ufeff"), object_pairs_hook=_once)
    except YamlRefusedError:
        raise
    except (ValueError, RecursionError):
        return None


def _once(pairs: Iterable[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise YamlRefusedError("", "each key of an object once", f"{key} twice")
        found[key] = value
    return found


def _yaml(text: str) -> Any:
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise YamlRefusedError(_line(event.start_mark), "plain values", "an anchor or alias")
            if tag := getattr(event, "tag", None):
                raise YamlRefusedError(_line(event.start_mark), "plain values", f"a tag: {tag}")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise YamlRefusedError(_line(event.start_mark), f"at most {MAX_DEPTH} levels", "more")
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        raise YamlRefusedError(_line(error.problem_mark), "YAML or JSON", error.problem or "something else") from None
    except YamlRefusedError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError) as error:
        raise YamlRefusedError("start of file", "YAML or JSON", str(error)[:200]) from None


def _line(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else "end of file"


def _check(value: Any, place: str, depth: int) -> None:
    """Refuse what no database or JSON can hold: odd characters, numbers without an end, endless nesting."""
    if depth > MAX_DEPTH:
        raise YamlRefusedError(place, f"at most {MAX_DEPTH} levels", "more")
    if isinstance(value, dict):
        for key, one in value.items():
            _check(key, place, depth + 1)
            _check(one, f"{place}.{key}" if place else str(key), depth + 1)
    elif isinstance(value, list):
        for index, one in enumerate(value):
            _check(one, f"{place}[{index}]", depth + 1)
    elif isinstance(value, str):
        odd = [char for char in value if unicodedata.category(char) in ("Cc", "Cs") and char not in _LINE_ENDS]
        if odd:
            raise YamlRefusedError(place, "text without control characters and lone surrogates", ascii(odd[0]))
    elif isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise YamlRefusedError(place, f"a whole number of at most {MAX_INTEGER}", "a larger one")
    elif isinstance(value, float) and not math.isfinite(value):
        raise YamlRefusedError(place, "a finite number", str(value))
