"""Settings, figures and remarks of one document, each with its place in the file: what small readers collect with."""

import math
from collections.abc import Mapping
from typing import Any

from runs.domain.facts import Basis, Evidence, Quantity, Setting, SettingValue, State
from runs.domain.metrics import BY_KEY
from runs.domain.records import Remark
from runs.domain.units import convert
from runs.readers.base.contract import clean_text

MOST_REMARKS = 100
HUGE = 1e15


class Findings:
    """Collects for one document; asked once, then dropped. ``place`` says which document of the file it is."""

    def __init__(self, sha256: str, place: str = "") -> None:
        self.sha256, self.place = sha256, place
        self.settings: dict[str, Setting] = {}
        self.figures: dict[str, Quantity] = {}
        self.remarks: list[Remark] = []

    def at(self, source: str) -> str:
        return f"{self.place}, {source}" if self.place else source

    def evidence(self, source: str) -> tuple[Evidence, ...]:
        return (Evidence("file", self.sha256, self.at(source)),)

    def setting(
        self,
        key: str,
        value: SettingValue,
        source: str,
        *,
        state: State = State.OBSERVED,
        nominal: str = "",
        note: str = "",
    ) -> None:
        self.settings[key] = Setting(key, state, value, nominal, self.evidence(source), note=note)

    def text(self, key: str, value: object, source: str, *, note: str = "") -> None:
        """A setting that is a name; whatever is no text, or blank, is not stated."""
        if isinstance(value, str) and (cleaned := clean_text(value, 200)):
            self.setting(key, cleaned, source, note=note)

    def mean_length(self, key: str, tokens: int | None, requests: int | None, source: str) -> None:
        """ISL or OSL: mean tokens per completed request, rounded half up."""
        if tokens and requests:
            mean = tokens / requests
            note = f"mean of {requests} completed requests" + ("" if tokens % requests == 0 else f": {mean:.2f}")
            self.setting(key, (2 * tokens + requests) // (2 * requests), source, note=note)

    def model(self, value: object, source: str) -> None:
        """The model's name, with a remark where it is a path on somebody's machine."""
        self.text("model", value, source)
        name = str(value)
        if "model" in self.settings and (name.startswith(("/", "./", "~")) or "\\" in name or name[1:3] == ":/"):
            self.remark("model-path", "the model is named by a path on the machine, not by a public name", source)

    def figure(self, metric: str, value: object, source: str, *, stat: str = "", unit: str = "", **more: Any) -> None:
        """A measured figure given in ``unit``, the metric's own by default. null is none; what is no measurement is
        remarked. Only a standard deviation may be 0: a throughput or a latency of 0 is what tools write for "none".
        """
        number, own = finite(value), BY_KEY[metric].unit
        if value is None:
            return
        if number is None or number < 0 or (number == 0 and stat != "std"):
            shown = "0" if number == 0 else clean_text(str(value), 40)
            self.remark("figure-left-out", f"{source} is {shown}, which is no measurement: left out", source)
            return
        found = Quantity(
            metric=metric, stat=stat, unit=own, basis=Basis.MEASURED,
            value=float(convert(number, unit, own)) if unit else number,
            evidence=self.evidence(source), **{"repeats": 1, **more},
        )  # fmt: skip
        self.figures.setdefault(found.key, found)

    def statistics(self, metric: str, values: Mapping[str, object], sources: Mapping[str, str], **more: Any) -> None:
        """Latency statistics; a lone standard deviation says nothing and is left out."""
        usable = {stat for stat, value in values.items() if stat != "std" and finite(value)}
        for stat, value in values.items():
            if stat != "std" or usable:
                self.figure(metric, value, sources[stat], stat=stat, **more)

    def remark(self, code: str, text: str, source: str) -> None:
        if len(self.remarks) < MOST_REMARKS:
            self.remarks.append(Remark(code, clean_text(text), self.at(clean_text(source, 80))))

    @property
    def is_empty(self) -> bool:
        """Whether there is no figure beyond a duration."""
        return all(one.metric == "duration" for one in self.figures.values())


def finite(value: object) -> float | None:
    """A finite number; None for text, true, false, null, NaN, infinity, and integers that no float holds."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def whole(value: object) -> int | None:
    """A whole number of something, not negative; None for anything else."""
    number = finite(value)
    return int(number) if number is not None and 0 <= number < HUGE and number == int(number) else None


def child(document: object, *keys: str) -> dict[str, Any]:
    """The object under some keys; an empty one where there is none."""
    for key in keys:
        document = document.get(key) if isinstance(document, dict) else None
    return document if isinstance(document, dict) else {}


def short_name(model: str) -> str:
    """A model's name without owner and folders, for a label."""
    return model.rstrip("/\\").replace("\\", "/").rsplit("/", 1)[-1] or model
