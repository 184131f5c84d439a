"""Caveats of one run: one small function a rule. Sentences live in ``caveat_texts``, in every language.

A rule gets a :class:`Subject` and returns a caveat or None; :data:`RULES` is the list of them. Which metrics a caveat
concerns is narrowed to those in the comparison; a caveat that concerns none of them is not shown.
"""

from collections.abc import Iterable

from runs.domain import caveats_power
from runs.domain.caveat_rule import EVERY, POWERED, SPEED, Rule, Subject, called
from runs.domain.comparison import Caveat, Grade, Severity
from runs.domain.facts import Basis, Quantity, State, Status
from runs.domain.matters import MATTERS, speculates
from runs.domain.metrics import metric
from runs.domain.records import Provenance


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
    attempted: int | str = "?"
    if done.attempted is not None:
        attempted = done.attempted
    elif done.completed is not None:
        attempted = done.completed + done.failed
    return it.say("failed-requests", Severity.SERIOUS, it.of(EVERY), failed=done.failed, attempted=attempted)


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


def estimated_figures(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(EVERY) if it.side.figures[key].system_basis is Basis.ESTIMATED)
    return it.say("estimated", Severity.SERIOUS, metrics, (), Grade.NOT_COMPARABLE)


def repeats_not_stated(it: Subject) -> Caveat | None:
    metrics = tuple(key for key in it.of(SPEED) if it.side.figures[key].repeats is None)
    return it.say("repeats-not-stated", Severity.WARNING, metrics)


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
    *caveats_power.RULES,
    repeats_not_stated,
    accuracy_not_validated,
    by_document_only,
    read_via_third_party,
    throughput_noted,
)
