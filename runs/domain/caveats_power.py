"""Caveats of one run's power, and of what is worked out from it: kW, energy, electricity, GPUs billed."""

from runs.domain.caveat_rule import POWERED, Rule, Subject, called
from runs.domain.comparison import Caveat, Grade, Severity
from runs.domain.facts import Basis, State
from runs.domain.figures import Figure
from runs.domain.matters import rests_on_measured_power
from runs.domain.units import Number, as_decimal


def power_scope_gpus(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(POWERED) if not it.side.figures[key].rests_on_assumption)
    if not _covers_gpus_only(it):
        return None
    return it.say("power-scope-gpus", Severity.WARNING, metrics, ("power_scope",))


def _covers_gpus_only(it: Subject) -> bool:
    analysis = it.side.record.power
    scope = called(it.side.record.setting("power_scope")) or (analysis.scope if analysis else "")
    return scope.casefold() in ("gpus", "gpu")


def pue_on_gpus_only(it: Subject) -> Caveat | None:
    """PUE is a ratio to the power of all IT equipment; over the GPUs alone it leaves the host out."""
    pues = {key: _scenario_input(it.side.figures[key], "pue") for key in it.of({"electricity"})}
    metrics = tuple(key for key, pue in pues.items() if pue not in (None, 1) and _is_gpus_only(it, key))
    if not metrics:
        return None
    return it.say("pue-on-gpus-only", Severity.WARNING, metrics, ("power_scope",), pue=pues[metrics[0]])


def _is_gpus_only(it: Subject, key: str) -> bool:
    """A limit or an assumption per GPU times the GPUs covers nothing else; measured watts cover what they say."""
    return not rests_on_measured_power(key) or _covers_gpus_only(it)


def _scenario_input(figure: Figure, name: str) -> Number | None:
    return next((one.value for one in figure.inputs if one.scenario and one.name == name), None)


def idle_power_not_stated(it: Subject) -> Caveat | None:
    """At a utilisation below 1 the idle power counts, and it is not guessed."""
    metrics = tuple(key for key in it.of({"electricity"}) if _is_refused(it.side.figures[key]))
    if not metrics:
        return None
    utilisation = _scenario_input(it.side.figures[metrics[0]], "utilisation")
    return it.say("idle-power-not-stated", Severity.WARNING, metrics, utilisation=utilisation)


def _is_refused(figure: Figure) -> bool:
    return figure.basis is Basis.DERIVED and figure.value is None and bool(figure.formula)


def power_not_checkable(it: Subject) -> Caveat | None:
    """A published power figure cannot be recomputed: no log of it is here."""
    if it.side.record.power is not None:
        return None
    metrics = tuple(key for key in it.of(POWERED) if rests_on_measured_power(key))
    return it.say("power-not-checkable", Severity.INFO, metrics)


def power_verdict(it: Subject) -> Caveat | None:
    analysis = it.side.record.power
    if analysis is None or analysis.valid:
        return None
    metrics = tuple(key for key in it.of(POWERED) if rests_on_measured_power(key))
    reasons = "; ".join(remark.text for remark in analysis.reasons)
    return it.say("power-not-valid", Severity.SERIOUS, metrics, (), Grade.NOT_COMPARABLE, reasons=reasons)


def power_window_inferred(it: Subject) -> Caveat | None:
    analysis = it.side.record.power
    if analysis is None or analysis.window.state is not State.INFERRED:
        return None
    seconds = as_decimal(round(analysis.window.uncertainty_s, 1))
    metrics = tuple(key for key in it.of(POWERED) if rests_on_measured_power(key))
    return it.say("power-window-inferred", Severity.WARNING, metrics, seconds=seconds)


def idle_gpus_not_counted(it: Subject) -> Caveat | None:
    node, active = it.count("node_gpus"), it.count("active_gpus")
    if node is None or active is None or node <= active:
        return None
    settings = ("node_gpus", "active_gpus")
    return it.say("idle-gpus-not-counted", Severity.WARNING, it.of(POWERED), settings, idle=node - active, node=node)


def node_not_splittable(it: Subject) -> Caveat | None:
    node, active = it.count("node_gpus"), it.count("active_gpus")
    if node is None or active is None or node <= active:
        return None
    settings = ("node_gpus", "active_gpus")
    return it.say("node-not-splittable", Severity.WARNING, it.of({"rental"}), settings, active=active, node=node)


def assumed_power(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(POWERED) if it.side.figures[key].system_basis is Basis.ASSUMED)
    each = it.side.record.quantity("gpu_power_assumed_per_gpu")
    if each is None or each.value is None:
        return None
    return it.say(
        "assumed-power", Severity.SERIOUS, metrics, (), Grade.NOT_COMPARABLE, watts=each.value, reason=each.note
    )


def snapshot_is_no_mean(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of({"power"}) if key.endswith(":snapshot"))
    return it.say("snapshot-no-mean", Severity.WARNING, metrics)


RULES: tuple[Rule, ...] = (
    assumed_power,
    power_scope_gpus,
    pue_on_gpus_only,
    idle_power_not_stated,
    power_not_checkable,
    power_verdict,
    power_window_inferred,
    idle_gpus_not_counted,
    node_not_splittable,
    snapshot_is_no_mean,
)
