"""The upload form's fields as the ``meta`` of an upload: an empty field is "not stated", never a default."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from zoneinfo import available_timezones

from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext

from runs.domain.metrics import SETTINGS, SettingSpec
from runs.services.answers import Problem, RefusedError
from runs.services.meta import MAX_GPUS, Meta, meta_of
from runs.services.reading import Incoming

TEXTS = ("label", "notes", "setup", "time_zone")
STATEMENTS = ("not stated", "not applicable")
BOOLEANS = {"on": True, "off": False}
_WHOLE = re.compile(r"[0-9]{1,15}")
_DECIMAL = re.compile(r"[0-9]{1,15}(?:\.[0-9]{0,15})?")
_GROUPED = re.compile(r"(?<=[0-9])[,. ](?=[0-9]{3}(?:[^0-9]|$))")
_AMBIGUOUS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+")


@dataclass(frozen=True)
class SettingField:
    """One setting as a field; ``kind`` decides which input is drawn."""

    key: str
    name: str
    unit: str
    kind: str
    value: str


@dataclass(frozen=True)
class MetaForm:
    """What was typed, as typed."""

    typed: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: QueryDict) -> "MetaForm":
        return cls({name: value.strip() for name, value in data.items() if isinstance(value, str)})

    @property
    def window_start(self) -> str:
        return self.typed.get("window.start", "")

    @property
    def window_end(self) -> str:
        return self.typed.get("window.end", "")

    def groups(self) -> list[tuple[str, list[SettingField]]]:
        found: dict[str, list[SettingField]] = {}
        for spec in SETTINGS:
            name = f"set.{spec.key}"
            found.setdefault(spec.group, []).append(
                SettingField(name, gettext(spec.name), spec.unit, spec.kind, self.typed.get(name, ""))
            )
        return list(found.items())

    def meta(self, *, uploader: str) -> Meta:
        """The meta that was typed. Raises RefusedError that names every field which cannot be taken."""
        data: dict[str, Any] = {name: self.typed[name] for name in TEXTS if self.typed.get(name)}
        edges = {edge: self.typed.get(f"window.{edge}", "") for edge in ("start", "end")}
        if any(edges.values()):
            data["window"] = edges
        if self.typed.get("active_gpus"):
            data["active_gpus"] = words(self.typed["active_gpus"])
        settings = {
            spec.key: typed_value(spec, text) for spec in SETTINGS if (text := self.typed.get(f"set.{spec.key}", ""))
        }
        if settings:
            data["settings"] = settings
        return meta_of(data, uploader=uploader)


def words(text: str) -> list[str]:
    """GPU labels as typed: commas or spaces between, "2-7" for a range of indices."""
    found: list[str] = []
    for part in text.replace(",", " ").split():
        first, dash, last = part.partition("-")
        low, high = whole(first), whole(last)
        if dash and low is not None and high is not None and low <= high < MAX_GPUS:
            found += [str(index) for index in range(low, high + 1)]
        else:
            found.append(part)
    return found


def typed_value(spec: SettingSpec, text: str) -> object:
    """What a person typed as the value the service reads; text that does not fit stays text and is refused there."""
    if text in STATEMENTS:
        return text
    if spec.kind == "bool":
        return BOOLEANS.get(text, text)
    if spec.kind == "indices":
        return [word if (index := whole(word)) is None else index for word in words(text)]
    if spec.kind == "int":
        number = whole(_GROUPED.sub("", text))
        return text if number is None else number
    if spec.kind == "float":
        # "1,400" is 1,400 to one reader and 1.4 to another: it stays text, and is refused as such.
        plain = text.replace(",", ".") if "," in text and not _AMBIGUOUS.fullmatch(text) else text
        return float(plain) if _DECIMAL.fullmatch(plain) else text
    return text


def whole(text: str) -> int | None:
    """A whole number of at most 15 digits as typed; None for anything else."""
    return int(text) if _WHOLE.fullmatch(text) else None


def incoming(request: HttpRequest) -> list[Incoming]:
    """The files of a form, under the names they came with."""
    return [Incoming(file.name or "", cast("Any", file)) for file in request.FILES.getlist("files")]


def problems_of(error: RefusedError) -> list[Problem]:
    return list(error.problems) or [Problem("", "", "", str(error))]


def time_zones() -> list[str]:
    return sorted(available_timezones())
