"""What comes with files and is not in them: the ``meta`` part of an upload, read strictly.

Every key that is not known, every value of another type or size than its setting's is refused by name, with what
would have been right. Nothing is filled in.
"""

import datetime as dt
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeGuard, cast
from zoneinfo import available_timezones

import msgspec

from runs.domain.facts import Evidence, Setting, SettingValue, State
from runs.domain.metrics import SETTING_BY_KEY, SettingSpec
from runs.services.answers import Problem, RefusedError

MAX_META_BYTES = 256 * 1024
MAX_TEXT, MAX_NOTES, MAX_GPUS = 200, 5000, 1024
MAX_INTEGER = 2**53
KNOWN = ("label", "notes", "setup", "time_zone", "window", "active_gpus", "settings")
SETTING_KEYS = ("value", "state", "nominal", "note")
GIVEN_STATES = (State.STATED, State.INFERRED, State.NOT_STATED, State.NOT_APPLICABLE)
_EPOCH = (946_684_800.0, 4_102_444_800.0)
# An index as tools print it, or a UUID or bus id: "2-7" or "-1" would pass for one GPU of that name.
_INDEX = re.compile(r"0|[1-9][0-9]{0,3}")
_NAMED = re.compile(r"(?:[A-Za-z]|[0-9A-Fa-f]{4,8}[:-])[A-Za-z0-9_.:-]{0,79}")
# Characters that no text needs and that make a page, a log or a file say something else: controls and bidi overrides.
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


@dataclass(frozen=True)
class Meta:
    """The uploader's statements. ``window`` is in UTC epoch seconds, ``active_gpus`` are labels as tools print them.

    ``observed`` and ``simulated`` are for jobs, which see for themselves: where the window was observed, and why what
    they ran is no measurement. No upload can give them.
    """

    label: str = ""
    notes: str = ""
    setup: str = ""
    time_zone: str = ""
    window: tuple[float, float] | None = None
    active_gpus: tuple[str, ...] = ()
    settings: Mapping[str, Setting] = field(default_factory=dict)
    observed: Evidence | None = None
    simulated: str = ""


class _WrongError(Exception):
    def __init__(self, place: str, expected: str, seen: object) -> None:
        self.problem = Problem("meta", place, expected, _shown(seen))


def _shown(seen: object) -> str:
    shown = seen if isinstance(seen, str) else repr(seen)
    return shown.encode("utf-8", errors="replace").decode()[:200]


def read_meta(text: str | bytes, *, uploader: str) -> Meta:
    """The meta of an upload; empty text is no meta. Raises RefusedError (``invalid_meta``) with every wrong key."""
    if not text.strip():
        return Meta()
    if len(text) > MAX_META_BYTES:
        raise _refused([Problem("meta", "", f"at most {MAX_META_BYTES} bytes", f"{len(text)} bytes")])
    try:
        data = msgspec.json.decode(text)
        twice = _keys_given_twice(text)
    except RecursionError:
        raise _refused([Problem("meta", "", "JSON of moderate nesting", "JSON nested too deeply to read")]) from None
    except (msgspec.DecodeError, ValueError) as error:
        raise _refused([Problem("meta", "", "a JSON object", str(error)[:200])]) from None
    if twice:
        raise _refused([Problem("meta", _shown(key), "each key once", "the key twice") for key in twice])
    return meta_of(data, uploader=uploader)


def _keys_given_twice(text: str | bytes) -> list[str]:
    """Keys that an object of the JSON holds more than once: a parser keeps one of the values without a word."""
    found: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> None:
        found.extend(key for key, count in Counter(key for key, _value in pairs).items() if count > 1)

    json.loads(text, object_pairs_hook=look)
    return found


def meta_of(data: object, *, uploader: str) -> Meta:
    """The same from decoded JSON, as forms and jobs have it."""
    if not isinstance(data, dict):
        raise _refused([Problem("meta", "", "a JSON object", _shown(data))])
    problems = [
        Problem("meta", _shown(key), f"one of: {', '.join(KNOWN)}", "an unknown key")
        for key in data
        if key not in KNOWN
    ]
    found: dict[str, Any] = {}
    for key, read in _READ.items():
        if data.get(key) is None:
            continue
        try:
            found[key] = read(data[key])
        except _WrongError as wrong:
            problems.append(wrong.problem)
    if isinstance(data.get("settings"), dict):
        found["settings"], wrong_settings = _settings(data["settings"], uploader)
        problems += wrong_settings
    elif data.get("settings") is not None:
        problems.append(Problem("meta", "settings", "an object of settings", _shown(data["settings"])))
    problems += _gpu_contradictions(found)
    if problems:
        raise _refused(problems)
    return Meta(**found)


def _gpu_contradictions(found: dict[str, Any]) -> list[Problem]:
    """What one uploader says of the GPUs in several places must be one thing. Indices in settings count as named."""
    settings: dict[str, Setting] = found.get("settings", {})
    indices = settings.get("active_gpu_indices")
    if indices is not None and isinstance(indices.value, tuple):
        named = tuple(str(index) for index in indices.value)
        if sorted(found.setdefault("active_gpus", named)) != sorted(named):
            expected = f"the GPUs of active_gpus: {', '.join(found['active_gpus'])}"
            return [Problem("meta", "settings.active_gpu_indices", expected, ", ".join(named))]
    counts = {key: given.value for key, given in settings.items() if isinstance(given.value, int)}
    active = len(found.get("active_gpus", ())) or counts.get("active_gpus")
    problems = []
    if counts.get("active_gpus", active) != active:
        expected = f"{active}, the number of GPUs in active_gpus"
        problems.append(Problem("meta", "settings.active_gpus", expected, str(counts["active_gpus"])))
    if active is not None and counts.get("node_gpus", active) < active:
        expected = f"at least the {active} active GPUs"
        problems.append(Problem("meta", "settings.node_gpus", expected, str(counts["node_gpus"])))
    return problems


def _refused(problems: list[Problem]) -> RefusedError:
    return RefusedError("invalid_meta", "The meta part cannot be taken as it is; nothing was written.", *problems)


def _text(place: str, limit: int) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise _WrongError(place, "text", value)
        if len(value) > limit:
            raise _WrongError(place, f"text of at most {limit} characters", f"{len(value)} characters")
        if _UNSEEN.search(value.replace("\r\n", "\n")):
            expected = "text without control characters and characters that turn its direction"
            raise _WrongError(place, expected, _UNSEEN.sub("\ufffd", value))
        return value.strip()

    return read


def _zone(value: object) -> str:
    expected = "an IANA time zone such as Europe/Amsterdam or UTC"
    if not isinstance(value, str) or value not in available_timezones():
        raise _WrongError("time_zone", expected, value)
    return value


def _window(value: object) -> tuple[float, float]:
    if not isinstance(value, dict) or set(value) != {"start", "end"}:
        raise _WrongError("window", "an object with start and end", value)
    start, end = (_instant(f"window.{edge}", value[edge]) for edge in ("start", "end"))
    if not end > start:
        raise _WrongError("window.end", f"a time after the start {value['start']}", value["end"])
    return start, end


def _instant(place: str, value: object) -> float:
    expected = "an ISO 8601 time with its offset, such as 2026-12-01T14:00:00+01:00"
    try:
        moment = dt.datetime.fromisoformat(cast("str", value))
        seconds = moment.timestamp()
    except (TypeError, ValueError, OverflowError):
        raise _WrongError(place, expected, value) from None
    if moment.tzinfo is None or not _EPOCH[0] <= seconds <= _EPOCH[1]:
        raise _WrongError(place, expected, value)
    return seconds


def _gpus(value: object) -> tuple[str, ...]:
    expected = "a list of GPU indices or labels (0, a UUID, a bus id), each once"
    if not isinstance(value, list) or not 0 < len(value) <= MAX_GPUS:
        raise _WrongError("active_gpus", expected, value)
    labels = []
    for gpu in value:
        label = str(gpu) if isinstance(gpu, str) or _is_index(gpu) else ""
        if not (_NAMED.fullmatch(label) or (_INDEX.fullmatch(label) and int(label) < MAX_GPUS)):
            raise _WrongError("active_gpus", expected, gpu)
        labels.append(label)
    if len(set(labels)) != len(labels):
        raise _WrongError("active_gpus", expected, value)
    return tuple(labels)


_READ: dict[str, Callable[[object], Any]] = {
    "label": _text("label", MAX_TEXT),
    "notes": _text("notes", MAX_NOTES),
    "setup": _text("setup", MAX_TEXT),
    "time_zone": _zone,
    "window": _window,
    "active_gpus": _gpus,
}


def _settings(given: dict[str, object], uploader: str) -> tuple[dict[str, Setting], list[Problem]]:
    settings: dict[str, Setting] = {}
    problems: list[Problem] = []
    for key, value in given.items():
        spec = SETTING_BY_KEY.get(key)
        place = f"settings.{_shown(key)}"
        if spec is None:
            problems.append(Problem("meta", place, f"one of: {', '.join(SETTING_BY_KEY)}", "an unknown setting"))
            continue
        try:
            settings[key] = _setting(spec, place, value, Evidence("statement", ref=uploader, place=place))
        except _WrongError as wrong:
            problems.append(wrong.problem)
    return settings, problems


def _setting(spec: SettingSpec, place: str, given: object, evidence: Evidence) -> Setting:
    for state in (State.NOT_STATED, State.NOT_APPLICABLE):
        if given == state.value:
            return Setting(spec.key, state, evidence=(evidence,))
    entry = given if isinstance(given, dict) else {"value": given}
    for key in entry:
        if key not in SETTING_KEYS:
            raise _WrongError(f"{place}.{_shown(key)}", f"one of: {', '.join(SETTING_KEYS)}", "an unknown key")
    nominal = _text(f"{place}.nominal", 60)(entry.get("nominal", ""))
    note = _text(f"{place}.note", 500)(entry.get("note", ""))
    state = _state(place, entry.get("state", State.STATED.value))
    if state in (State.NOT_STATED, State.NOT_APPLICABLE):
        if entry.get("value") is not None or nominal:
            raise _WrongError(place, f"no value beside the state {state.value!r}", entry.get("value") or nominal)
        return Setting(spec.key, state, evidence=(evidence,), note=note)
    if entry.get("value") is None and not nominal:
        raise _WrongError(place, "a value, a nominal text, 'not stated' or 'not applicable'", given)
    value = None if entry.get("value") is None else setting_value(spec, place, entry["value"])
    if value is not None and not spec.means(value):
        what = "text that is not blank" if isinstance(value, str) else f"{_KINDS[spec.kind].split(' of 0')[0]} above 0"
        expected = f"{what}; what is not known is left out, or 'not stated'"
        raise _WrongError(place, expected, entry["value"])
    return Setting(spec.key, state, value, nominal, (evidence,), note=note)


def _state(place: str, given: object) -> State:
    for state in GIVEN_STATES:
        if given == state.value:
            return state
    raise _WrongError(f"{place}.state", f"one of: {', '.join(GIVEN_STATES)} (observed is for files and jobs)", given)


def setting_value(spec: SettingSpec, place: str, value: object) -> SettingValue:
    """A value of the setting's kind; int where a float is meant is taken, nothing else is bent to fit."""
    expected = _IN_UNITS.get(spec.kind, _KINDS[spec.kind]).format(unit=spec.unit) if spec.unit else _KINDS[spec.kind]
    if spec.kind == "bool":
        if isinstance(value, bool):
            return value
    elif spec.kind == "text":
        return _text(place, MAX_TEXT)(value)
    elif spec.kind == "indices":
        if isinstance(value, list) and value and all(map(_is_index, value)) and len(set(value)) == len(value):
            return tuple(value)
    elif spec.kind == "int":
        if _is_count(value, MAX_INTEGER):
            return value
    elif isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MAX_INTEGER:
        return float(value) if math.isfinite(value) else None
    raise _WrongError(place, expected, value)


_IN_UNITS = {"int": "a whole number of 0 or more in {unit}", "float": "a finite number of 0 or more in {unit}"}
_KINDS = {
    "text": "text",
    "int": "a whole number of 0 or more",
    "float": "a finite number of 0 or more",
    "bool": "true or false",
    "indices": f"a list of GPU indices below {MAX_GPUS}, each once",
}


def _is_index(value: object) -> TypeGuard[int]:
    return _is_count(value, MAX_GPUS - 1)


def _is_count(value: object, limit: int) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit
