"""YAML as plain data: no anchors (they can explode), no dates, no tags; bounded in depth, and places by line."""

import re
from typing import Any

import yaml

MAX_DEPTH = 32


class YamlRefusedError(ValueError):
    """YAML that is refused: where, what was expected, what was seen."""

    def __init__(self, place: str, expected: str, seen: str) -> None:
        self.place, self.expected, self.seen = place, expected, seen
        super().__init__(f"{place}: expected {expected}, saw {seen}")


class _Loader(yaml.SafeLoader):
    """SafeLoader that leaves dates as text and takes only true and false for booleans (not on, off, yes, no)."""


_PLAIN = {"tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:null"}
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in _PLAIN]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for _word in ("true", "false"):
    _Loader.yaml_implicit_resolvers.setdefault(_word[0], []).append(
        ("tag:yaml.org,2002:bool", re.compile(r"^(?:true|false)$"))
    )


def load_yaml(text: str) -> Any:
    """The document as dicts, lists, strings and numbers; raises :class:`YamlRefusedError`."""
    try:
        depth = 0
        for event in yaml.parse(text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
                raise YamlRefusedError(_line(event.start_mark), "plain values", "an anchor or alias")
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > MAX_DEPTH:
                raise YamlRefusedError(_line(event.start_mark), f"at most {MAX_DEPTH} levels", "more")
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - a SafeLoader
    except yaml.MarkedYAMLError as error:
        raise YamlRefusedError(_line(error.problem_mark), "YAML or JSON", error.problem or "something else") from None
    except YamlRefusedError:
        raise
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise YamlRefusedError("start of file", "YAML or JSON", str(error)[:200]) from None


def _line(mark: Any) -> str:
    return f"line {mark.line + 1}, column {mark.column + 1}" if mark is not None else "end of file"
