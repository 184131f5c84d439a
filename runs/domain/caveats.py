"""Caveats of one run: one small function a rule. Sentences live in ``caveat_texts``, in every language.

A rule gets a :class:`Subject` and returns a caveat or None; :data:`RULES` is the list of them. Which metrics a caveat
concerns is narrowed to those in the comparison; a caveat that concerns none of them is not shown.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from runs.domain.comparison import Caveat, Grade, Severity, params
from runs.domain.facts import Basis, Quantity, Setting, State, Status
from runs.domain.figures import Figure
from runs.domain.matters import MATTERS, Side, rests_on_measured_power, speculates
from runs.domain.metrics import metric
from runs.domain.records import Provenance
from runs.domain.units import Number, as_decimal

SPEED = frozenset({"throughput", "latency", "load"})
POWERED = frozenset({"power", "efficiency", "electricity"})
EVERY = SPEED | POWERED | {"rental", "quality"}


@dataclass(frozen=True)
class Subject:
    """One run of a comparison, by its place, and the keys of the metrics that are compared."""

    side: Side
    run: int
    keys: tuple[str, ...]
    _of: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, families: Iterable[str]) -> tuple[str, ...]:
        """The compared metrics of some families of which the run has a figure."""
        wanted = frozenset(families)
        cached = self._of.get(wanted)
        if cached is None:
            figures = self.side.figures
            cached = tuple(key for key in self.keys if key in figures and metric(key).family in wanted)
            self._of[wanted] = cached
        return cached

    def say(
        self,
        caveat_id: str,
        severity: Severity,
        metrics: tuple[str, ...],
        settings: tuple[str, ...] = (),
        ceiling: Grade | None = None,
        **values: object,
    ) -> Caveat | None:
        """The caveat, or None where it concerns nothing that is compared."""
        if not metrics:
            return None
        return Caveat(caveat_id, severity, self.run, None, metrics, settings, params(values), ceiling)

    def is_silent(self, key: str) -> bool:
        """Whether nothing is said of a setting. A disputed one is spoken of twice: that is another caveat."""
        setting = self.side.record.setting(key)
        return not setting.is_known and setting.state is not State.DISPUTED

    def count(self, key: str) -> int | None:
        """A setting that counts something; None where it is not known as a number."""
        setting = self.side.record.setting(key)
        value = setting.value if setting.is_known else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None


Rule = Callable[[Subject], Caveat | None]


def called(setting: Setting) -> str:
    """A setting's value as text, exact before nominal; "" where it is not known."""
    return str(setting.value if setting.value is not None else setting.nominal) if setting.is_known else ""


def cap_not_stated(it: Subject) -> Caveat | None:
    if not it.is_silent("power_cap_w"):
        return None
    metrics = it.of(SPEED | POWERED)
    return it.say("cap-not-stated", Severity.SERIOUS, metrics, ("power_cap_w",), Grade.INDICATIVE)


def temperature_not_stated(it: Subject) -> Caveat | None:
    setting = it.side.record.setting("temperature")
    if setting.is_firm or setting.state is State.DISPUTED:
        return None
    caveat_id = "temperature-inferred" if setting.is_known else "temperature-not-stated"
    metrics = it.of(EVERY - {"rental"})
    value = setting.nominal if setting.value is None else setting.value
    return it.say(caveat_id, Severity.SERIOUS, metrics, ("temperature",), Grade.INDICATIVE, value=value)


def speculation_not_stated(it: Subject) -> Caveat | None:
    if not it.is_silent("speculative_method"):
        return None
    metrics = it.of(SPEED)
    return it.say("speculation-not-stated", Severity.WARNING, metrics, ("speculative_method",), Grade.INDICATIVE)


def draft_count_not_stated(it: Subject) -> Caveat | None:
    if not speculates(it.side.record) or not it.is_silent("draft_count"):
        return None
    return it.say("draft-count-not-stated", Severity.INFO, it.of(SPEED), ("draft_count",), Grade.INDICATIVE)


def synthetic_acceptance(it: Subject) -> Caveat | None:
    if called(it.side.record.setting("draft_acceptance")).casefold() != "synthetic":
        return None
    return it.say("synthetic-acceptance", Severity.SERIOUS, it.of(SPEED), ("draft_acceptance",))


def greedy_random_drafting(it: Subject) -> Caveat | None:
    """Random prompts at temperature 0 continue repetitively, which flatters speculative decoding."""
    record = it.side.record
    if not speculates(record):
        return None
    random = any(called(record.setting(key)).casefold() == "random" for key in ("prompts", "dataset"))
    temperature = record.setting("temperature")
    if not (random and temperature.is_known and temperature.value == 0):
        return None
    settings = ("temperature", "prompts", "speculative_method")
    return it.say("greedy-random-drafting", Severity.WARNING, it.of(SPEED), settings)


def _not_known(key: str, caveat_id: str, severity: Severity = Severity.INFO) -> Rule:
    def rule(it: Subject) -> Caveat | None:
        if not it.is_silent(key):
            return None
        return it.say(caveat_id, severity, it.of(SPEED), (key,), Grade.INDICATIVE)

    rule.__name__ = caveat_id.replace("-", "_")
    return rule


def parallelism_not_stated(it: Subject) -> Caveat | None:
    keys = ("tensor_parallel", "expert_parallel", "data_parallel", "context_parallel")
    missing = tuple(key for key in keys if it.is_silent(key))
    if not missing:
        return None
    return it.say("parallelism-not-stated", Severity.INFO, it.of(SPEED), missing, Grade.INDICATIVE)


def failed_requests(it: Subject) -> Caveat | None:
    done = it.side.record.requests
    if not done.failed:
        return None
    attempted = done.attempted if done.attempted is not None else (done.completed or 0) + done.failed
    metrics = it.of(EVERY)
    return it.say("failed-requests", Severity.SERIOUS, metrics, failed=done.failed, attempted=attempted)


def _with_status(status: Status, caveat_id: str, severity: Severity) -> Rule:
    def rule(it: Subject) -> Caveat | None:
        metrics = tuple(key for key in it.of(EVERY) if it.side.figures[key].status is status)
        return it.say(caveat_id, severity, metrics)

    rule.__name__ = caveat_id.replace("-", "_")
    return rule


def accuracy_not_validated(it: Subject) -> Caveat | None:
    if it.side.validated:
        return None
    return it.say("accuracy-not-validated", Severity.INFO, it.of(SPEED | {"efficiency", "electricity", "rental"}))


def by_document_only(it: Subject) -> Caveat | None:
    provenance = it.side.record.provenance
    if provenance in (Provenance.MEASURED, Provenance.SIMULATED):
        return None
    caveat_id = "house-by-document" if provenance is Provenance.HOUSE_DOCUMENT else "published-by-document"
    party = it.side.record.party
    return it.say(caveat_id, Severity.INFO, it.of(EVERY), party=party.name, relation=party.relation)


def simulated_run(it: Subject) -> Caveat | None:
    if it.side.record.provenance is not Provenance.SIMULATED:
        return None
    return it.say("simulated-run", Severity.SERIOUS, it.of(EVERY), (), Grade.NOT_COMPARABLE)


def read_via_third_party(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(EVERY) if any(e.via for e in it.side.figures[key].evidence))
    vias = {e.via for key in metrics for e in it.side.figures[key].evidence if e.via}
    return it.say("read-via", Severity.INFO, metrics, via=", ".join(sorted(vias)))


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


def estimated_figures(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(EVERY) if it.side.figures[key].system_basis is Basis.ESTIMATED)
    return it.say("estimated", Severity.SERIOUS, metrics, (), Grade.NOT_COMPARABLE)


def repeats_not_stated(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(SPEED) if it.side.figures[key].repeats is None)
    return it.say("repeats-not-stated", Severity.WARNING, metrics)


def snapshot_is_no_mean(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of({"power"}) if key.endswith(":snapshot"))
    return it.say("snapshot-no-mean", Severity.WARNING, metrics)


def nominal_lengths(it: Subject) -> Caveat | None:
    """ISL or OSL known by name only."""
    keys = tuple(
        key
        for key in ("isl", "osl")
        if it.side.record.setting(key).nominal and it.side.record.setting(key).value is None
    )
    if not keys:
        return None
    names = " / ".join(it.side.record.setting(key).nominal for key in keys)
    return it.say("nominal-lengths", Severity.INFO, it.of(SPEED), keys, names=names)


def disputed_settings(it: Subject) -> Caveat | None:
    keys = tuple(key for key, setting in it.side.record.settings.items() if setting.state is State.DISPUTED)
    if not keys:
        return None
    deciding = tuple(key for key in it.of(EVERY) if not MATTERS[metric(key).family].isdisjoint(keys))
    ceiling = Grade.INDICATIVE if deciding else None
    return it.say("disputed", Severity.SERIOUS, deciding or it.of(EVERY), keys, ceiling)


def throughput_noted(it: Subject) -> Caveat | None:
    """A statement about a run or a figure, kept with it."""
    notes = {key: it.side.figures[key].note for key in it.of(EVERY)}
    said: list[str] = [quantity.note for quantity in _noted(it.side.record.quantities) if quantity.key in notes]
    said += it.side.statements
    if not said:
        return None
    metrics = it.of(SPEED) if it.side.statements else tuple(key for key in notes if notes[key])
    return it.say("noted", Severity.INFO, metrics, text=" ".join(dict.fromkeys(said)))


def _noted(quantities: tuple[Quantity, ...]) -> Iterable[Quantity]:
    return (quantity for quantity in quantities if quantity.note and quantity.basis is not Basis.ASSUMED)


RULES: tuple[Rule, ...] = (
    simulated_run,
    cap_not_stated,
    temperature_not_stated,
    speculation_not_stated,
    draft_count_not_stated,
    synthetic_acceptance,
    greedy_random_drafting,
    _not_known("client", "client-not-stated", Severity.WARNING),
    _not_known("prefix_caching", "prefix-caching-not-stated"),
    _not_known("ignore_eos", "eos-not-stated"),
    _not_known("precision", "precision-not-stated"),
    parallelism_not_stated,
    nominal_lengths,
    disputed_settings,
    failed_requests,
    _with_status(Status.HISTORICAL, "historical", Severity.SERIOUS),
    _with_status(Status.SUPERSEDED, "superseded", Severity.SERIOUS),
    _with_status(Status.CORRECTED, "corrected", Severity.WARNING),
    _with_status(Status.WITHDRAWN, "withdrawn", Severity.SERIOUS),
    estimated_figures,
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
    repeats_not_stated,
    accuracy_not_validated,
    by_document_only,
    read_via_third_party,
    throughput_noted,
)
