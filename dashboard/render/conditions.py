"""What a reader must know of a run before its first number, in few words: GPUs in use, power cap, temperature."""

from dataclasses import dataclass

from dashboard.render.numbers import Locale
from dashboard.render.wording import _, say, setting_value
from runs.domain.comparison import Comparison
from runs.domain.facts import Setting, State


@dataclass(frozen=True)
class Condition:
    """``known`` False: nobody says, or two sources differ, or it was withheld."""

    text: str
    known: bool


def conditions(comparison: Comparison, place: int, locale: Locale) -> tuple[Condition, ...]:
    """The conditions of the run in a column, for its head in every table of figures."""
    found = {row.key: row.cells[place] for row in comparison.settings}
    return tuple(filter(None, (_gpus(found, locale), _cap(found, locale), _temperature(found, locale))))


def _gpus(found: dict[str, Setting], locale: Locale) -> Condition | None:
    active, node = found.get("active_gpus"), found.get("node_gpus")
    if active is None or not active.is_known or active.value is None:
        return Condition(say(_("GPUs in use not stated"), locale), known=False) if active else None
    in_use = setting_value(active, locale)
    if node is None or node.value in (None, active.value) or not isinstance(node.value, int):
        return Condition(in_use, known=True)
    template = _("{active} of {node}")
    return Condition(say(template, locale).format(active=active.value, node=setting_value(node, locale)), known=True)


def _cap(found: dict[str, Setting], locale: Locale) -> Condition | None:
    cap = found.get("power_cap_w")
    if cap is None:
        return None
    if not cap.is_known or cap.value is None:
        return Condition(say(_("cap not stated"), locale), known=False)
    return Condition(say(_("cap {watts}"), locale).format(watts=setting_value(cap, locale)), known=True)


def _temperature(found: dict[str, Setting], locale: Locale) -> Condition | None:
    temperature = found.get("temperature")
    if temperature is None:
        return None
    if temperature.state is State.NOT_APPLICABLE:
        return None  # nothing is sampled
    if not temperature.is_known or temperature.value is None:
        return Condition(say(_("temperature not stated"), locale), known=False)
    return Condition(f"T\u00a0=\u00a0{setting_value(temperature, locale)}", known=True)
