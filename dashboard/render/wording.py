"""The words of the interface, in an explicit language. Nothing here knows a request, a database or a template."""

import gettext
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dashboard.render.numbers import NBSP, Locale, display_unit, format_number, tidy, value_with_unit
from runs.domain.comparison import Grade, Severity
from runs.domain.facts import Basis, Setting, State, Status
from runs.domain.metrics import Metric, SettingSpec, setting_spec
from runs.domain.records import Provenance
from runs.domain.units import Number

LOCALE_FOLDER = Path(__file__).resolve().parents[2] / "locale"


@lru_cache(maxsize=4)
def _catalogue(locale: Locale) -> gettext.NullTranslations:
    return gettext.translation("django", localedir=LOCALE_FOLDER, languages=[locale], fallback=True)


@lru_cache(maxsize=8192)
def say(text: str, locale: Locale) -> str:
    """``text`` (English) in the language asked for; the text itself where there is no translation."""
    return _catalogue(locale).gettext(text)


def _(text: str) -> str:
    """Mark a text for extraction; it is translated where it is said."""
    return text


@dataclass(frozen=True)
class Badge:
    """A short mark: its words, a class for its form (never the only carrier of meaning) and what it means."""

    kind: str
    text: str
    meaning: str = ""


BASIS = {
    Basis.MEASURED: (_("measured"), _("Measured during the run.")),
    Basis.CONFIGURED: (_("configured"), _("A limit or setting read off a system.")),
    Basis.ESTIMATED: (_("estimated"), _("Extrapolated: not measured at this setting.")),
    Basis.ASSUMED: (_("assumed"), _("Somebody's assumption, with its reason.")),
    Basis.DERIVED: (_("derived"), _("Computed here from other figures.")),
}

DERIVED_FROM = {
    Basis.MEASURED: _("derived"),
    Basis.CONFIGURED: _("derived from configured"),
    Basis.ESTIMATED: _("derived from estimated"),
    Basis.ASSUMED: _("derived from assumed"),
}

GRADE = {
    Grade.NOT_COMPARABLE: (_("not comparable"), _("No ratio: a rule forbids this comparison.")),
    Grade.INDICATIVE: (_("indicative"), _("A setting that matters for this figure is not known on one side.")),
    Grade.REPEAT: (_("repeat"), _("Nothing differs: the same run again.")),
    Grade.CONTROLLED: (_("controlled"), _("Same node, client and workload; exactly one factor differs.")),
    Grade.STATED: (
        _("stated"),
        _("Everything that matters is known; several factors differ, or the node or the client."),
    ),
}

REASONS = {
    "settings-not-firm": _("not stated, inferred or disputed on a side"),
    "nothing-differs": _("nothing differs"),
    "one-factor": _("exactly one factor differs"),
    "factors-differ": _("several factors differ, or the node or the client"),
    "withdrawn": _("a figure is withdrawn"),
    "estimate": _("one side is an estimate"),
    "assumed-input": _("one side rests on an assumption"),
    "only-assumed": _("one side has an assumed wattage only"),
    "definition-unknown": _("how the figure is defined is not known"),
    "simulated": _("simulated: not a measurement"),
    "definition-differs": _("defined differently"),
    "figure-absent": _("one side has no such figure"),
    "client-times-differently": _("the clients take their times differently"),
    "draft-acceptance-differs": _("synthetic against real draft acceptance"),
    "model-differs": _("another model"),
    "workload-differs": _("another workload"),
    "workload-unknown": _("the workload is not known on a side"),
    "no-single-value": _("a range has no ratio"),
    "no-ratio": _("a configuration is no result to compare"),
    "not-above-zero": _("a figure of 0 has no ratio"),
    "power-not-valid": _("the power log of a side does not carry its figures"),
    "power-scope-differs": _("the watts cover different things"),
}

STATE = {
    State.STATED: (_("stated"), _("Said by its source.")),
    State.OBSERVED: (_("observed"), _("Read off the system or a file.")),
    State.INFERRED: (_("inferred"), _("Concluded from other evidence.")),
    State.NOT_STATED: (_("not stated"), _("Nobody says. It is not 0 and not the default.")),
    State.NOT_APPLICABLE: (_("not applicable"), _("This setting has no meaning for the run.")),
    State.DISPUTED: (_("disputed"), _("Two sources differ; both are kept.")),
}

STATUS = {
    Status.CURRENT: _("current"),
    Status.CORRECTED: _("corrected"),
    Status.HISTORICAL: _("historical"),
    Status.SUPERSEDED: _("superseded"),
    Status.WITHDRAWN: _("withdrawn"),
    Status.NOT_MEASURED: _("not measured"),
    Status.NOT_STATED: _("not stated"),
}

PROVENANCE = {
    Provenance.MEASURED: (_("measured"), _("This house's run, with its files.")),
    Provenance.PUBLISHED: (_("published"), _("Another party's figures, by document.")),
    Provenance.HOUSE_DOCUMENT: (
        _("this house, by document only"),
        _("This house's run, of which only a document is here."),
    ),
    Provenance.SIMULATED: (_("simulated"), _("Made against a simulator: never a measurement.")),
}

SEVERITY = {Severity.INFO: _("note"), Severity.WARNING: _("warning"), Severity.SERIOUS: _("serious")}

GROUPS = {
    "hardware": _("Hardware"),
    "serving": _("Serving"),
    "speculation": _("Speculative decoding"),
    "workload": _("Workload"),
    "client": _("Client and date"),
}

FAMILIES = {
    "throughput": _("Throughput"),
    "latency": _("Latency"),
    "load": _("Load"),
    "power": _("GPU power and energy"),
    "efficiency": _("Throughput per kW and energy per token"),
    "electricity": _("Electricity"),
    "rental": _("GPU rental"),
    "quality": _("Quality"),
    "configuration": _("Of the node and the model"),
}

BETTER = {"higher": _("higher is better"), "lower": _("lower is better"), "": ""}

STATS = {"median": _("median"), "mean": _("mean"), "std": _("standard deviation"), "min": _("minimum"),
         "max": _("maximum"), "snapshot": _("one moment"), "peak": _("peak"),
         "single": _("one request's")}  # fmt: skip


@lru_cache(maxsize=256)
def basis_badge(basis: Basis, system: Basis, locale: Locale) -> Badge:
    """How a figure came to be: "measured", "derived", "derived from assumed"."""
    words, meaning = BASIS[basis]
    kind = basis.value
    if basis is Basis.DERIVED:
        words = DERIVED_FROM.get(system, words)
        kind = f"derived-{system.value}"
    return Badge(f"basis-{kind}", say(words, locale), say(meaning, locale))


@lru_cache(maxsize=256)
def grade_badge(grade: Grade, locale: Locale) -> Badge:
    words, meaning = GRADE[grade]
    return Badge(f"grade-{grade.value.replace(' ', '-')}", say(words, locale), say(meaning, locale))


@lru_cache(maxsize=256)
def state_badge(state: State, locale: Locale) -> Badge:
    words, meaning = STATE[state]
    return Badge(f"state-{state.value.replace(' ', '-')}", say(words, locale), say(meaning, locale))


@lru_cache(maxsize=256)
def status_badge(status: Status, locale: Locale) -> Badge | None:
    """A mark for a figure that no longer simply stands; None where it is current."""
    if status is Status.CURRENT:
        return None
    return Badge(f"status-{status.value.replace(' ', '-')}", say(STATUS[status], locale))


@lru_cache(maxsize=256)
def provenance_badge(provenance: Provenance, locale: Locale) -> Badge:
    words, meaning = PROVENANCE[provenance]
    return Badge(f"provenance-{provenance.value.replace(' ', '-')}", say(words, locale), say(meaning, locale))


def stat_name(stat: str, locale: Locale) -> str:
    return say(STATS[stat], locale) if stat in STATS else stat


def metric_name(known: Metric, stat: str, locale: Locale) -> str:
    """The row's name with its statistic in front: "Median TTFT", "Total throughput per GPU"."""
    name = say(known.name, locale)
    if known.family == "rental":
        offer = stat.removesuffix(", whole node")
        stat = stat if offer == stat else f"{offer}, {say(_('whole node'), locale)}"
        return f"{name}, {stat}" if stat else name
    if not stat:
        return name
    word = stat_name(stat, locale)
    first, _space, rest = name.partition(" ")
    if stat_name("mean", locale).startswith(first.casefold()) and rest:
        # Named for its mean ("Mean GPU power"): another statistic of it is no mean.
        return name if stat == "mean" else f"{rest}, {word}"
    if stat in ("snapshot", "peak"):
        return f"{name}, {word}"
    return f"{word} {name}" if stat.startswith("p") and stat[1:2].isdigit() else f"{word[:1].upper()}{word[1:]} {name}"


def setting_value(setting: Setting, locale: Locale, *, brief: bool = False) -> str:
    """The value of a setting with its unit, or the words of its state; ``brief``: what it is called."""
    if setting.state is State.DISPUTED and setting.claims:
        return f" {say(_('or'), locale)} ".join(setting.claims)
    if setting.state in (State.NOT_STATED, State.NOT_APPLICABLE) or not setting.is_known:
        return say(STATE[setting.state][0], locale)
    spec = setting_spec(setting.key)
    if brief and setting.nominal:
        return setting.nominal
    if setting.value is None:
        inexact = spec.kind in ("int", "float") and any(char.isdigit() for char in setting.nominal)
        return f"{setting.nominal} {say(_('(exact value not stated)'), locale)}" if inexact else setting.nominal
    text = _value_text(setting.value, spec, locale)
    return f"{text} ({setting.nominal})" if setting.nominal and setting.nominal != text else text


def _value_text(value: object, spec: SettingSpec, locale: Locale) -> str:
    if isinstance(value, bool):
        return say(_("on") if value else _("off"), locale)
    if isinstance(value, tuple):
        return index_ranges(value)
    if not isinstance(value, (int, float)):
        return str(value)
    if value == float("inf"):
        return say(_("unlimited"), locale)
    if spec.key == "temperature" and float(value).is_integer() and value:
        return format_number(value, locale, 1)
    return with_unit(value, spec.unit, locale)


COUNTED = {
    "GPUs": (_("{n}\u00a0GPU"), _("{n}\u00a0GPUs")),
    "requests": (_("{n}\u00a0request"), _("{n}\u00a0requests")),
    "tokens": (_("{n}\u00a0token"), _("{n}\u00a0tokens")),
    "parameters": (_("{n}\u00a0parameter"), _("{n}\u00a0parameters")),
    "cores": (_("{n}\u00a0core"), _("{n}\u00a0cores")),
}
"""Units that are words, behind one and more; no-break spaces, for `runs.telling` must not match these as patterns."""


def with_unit(value: Number, symbol: str, locale: Locale) -> str:
    """A number with its unit in the reader's language: "1 request", "2 requests", "800 W"."""
    if symbol not in COUNTED:
        return value_with_unit(value, unit_text(symbol, locale), locale)
    return say(COUNTED[symbol][value != 1], locale).format(n=format_number(tidy(value), locale))


def unit_text(symbol: str, locale: Locale) -> str:
    """A unit by itself, in the reader's language; symbols (W, tok/s) are the same in every language."""
    if symbol.endswith("/year"):
        return say(_("{money}/year"), locale).format(money=symbol.removesuffix("/year"))
    return symbol


def unit_head(key: str, locale: Locale, figure_unit: str = "") -> str:
    """The unit of a metric's row in the reader's language; money keeps the currency of its figure."""
    return unit_text(display_unit(key, figure_unit), locale)


def index_ranges(indices: tuple[int, ...]) -> str:
    """GPU indices in the shortest words: (2, 3, 4, 5, 6, 7) is "2–7"; (1, 2, 3, 5) is "1–3, 5"."""
    parts: list[list[int]] = []
    for index in sorted(indices):
        if parts and index == parts[-1][-1] + 1:
            parts[-1].append(index)
        else:
            parts.append([index])
    return ", ".join(str(part[0]) if len(part) == 1 else f"{part[0]}–{part[-1]}" for part in parts)


def cap_text(setting: Setting, locale: Locale) -> str:
    """A power cap in few words: "800 W" or "cap not stated"."""
    if setting.is_known and setting.value is not None:
        return setting_value(setting, locale)
    return say(_("cap not stated"), locale)


def gpus_text(active: Setting, node: Setting, accelerator: Setting, locale: Locale) -> str:
    """GPUs in use of those there are: "6 of 8 × MI355X", "8 × MI355X", "GPUs not stated"."""
    name = setting_value(accelerator, locale) if accelerator.is_known else say(_("accelerator not stated"), locale)
    if not active.is_known:
        return f"{say(_('active GPUs not stated'), locale)} · {name}"
    count = setting_value(active, locale).partition(NBSP)[0]
    if node.is_known and node.value != active.value:
        count = f"{count} {say(_('of'), locale)} {setting_value(node, locale).partition(NBSP)[0]}"
    return f"{count} × {name}"


def repeats_text(repeats: int | None, locale: Locale) -> str:
    """How many repeats stand behind a figure: "one run", "mean of 2 runs", "repeats not stated"."""
    if repeats is None:
        return say(_("repeats not stated"), locale)
    if repeats == 1:
        return say(_("one run"), locale)
    return say(_("mean of {n} runs"), locale).format(n=repeats)
