"""From readings and statements to the runs of an upload, before anything is written."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from runs import store
from runs.domain.facts import Evidence
from runs.domain.records import Provenance, Remark, RunRecord
from runs.domain.setups import Profile, conflicts, with_profile
from runs.domain.trace import PowerTrace
from runs.domain.units import DomainError
from runs.services.answers import Problem, RefusedError, Warned
from runs.services.companions import companion_problems
from runs.services.joining import gpus_of, in_utc, join, touches
from runs.services.meta import Meta
from runs.services.reading import Parsed
from runs.services.statements import CapClaim, with_caps, with_meta, with_setup
from runs.services.windows import dated, with_window

SIMULATED_MODEL = "likewise-simulator"
# Which GPUs were at work is known before a power log is read; the rest of a setup comes after what logs say.
_GPUS = ("active_gpus", "active_gpu_indices", "node_gpus")


@dataclass(eq=False)
class PlannedRun:
    """A run to be: ready for its row, with the file it came from and the files that joined it."""

    parsed: Parsed
    place: str
    prepared: store.Prepared
    power: Parsed | None = None
    caps: tuple[Parsed, ...] = ()

    @property
    def record(self) -> RunRecord:
        return self.prepared.record


@dataclass(eq=False)
class Plan:
    """What an upload will write. ``problems`` refuse it whole."""

    parsed: list[Parsed]
    time_zone: str = ""
    alone: bool = True
    packed: dict[str, bytes] = field(default_factory=dict)
    runs: list[PlannedRun] = field(default_factory=list)
    warnings: list[Warned] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    setup: str = ""
    profiles: Mapping[str, Profile] = field(default_factory=dict)
    states: bool = False


def make_plan(parsed: list[Parsed], meta: Meta, profiles: Mapping[str, Profile]) -> Plan:
    """Runs with statements, setups, caps, window and power. Touches no database."""
    plan = Plan(parsed, meta.time_zone, alone=sum(len(one.reading.runs) for one in parsed if one.reading) == 1)
    plan.setup = meta.setup
    plan.profiles = profiles
    plan.states = meta != Meta()
    for one in parsed:
        if one.reading is not None:
            plan.problems.extend(companion_problems(one.reading, file=one.name))
            plan.warnings.extend(_setups_that_differ(one.name, one.reading.setups, profiles))
        if one.reading is not None and one.reading.trace is not None:
            plan.packed[one.sha256] = store.pack(one.reading.trace)
    logs = [one for one in parsed if one.reading is not None and one.reading.trace is not None]
    caps = [one for one in parsed if one.reading is not None and (one.reading.caps or _limits(one))]
    seen: set[str] = set()
    for one in parsed:
        for index in range(len(one.reading.runs) if one.reading else 0):
            _plan_run(plan, one, index, meta, logs, caps, seen)
    for log in logs:
        if not any(run.power is log for run in plan.runs) and not any(w.file == log.name for w in plan.warnings):
            told = "The power log is kept and belongs to no run yet; POST /api/v1/runs/{id}/power adds it to one."
            plan.warnings.append(Warned("power-kept", told, log.name))
    return plan


def _setups_that_differ(
    file: str, declared: Mapping[str, Profile], profiles: Mapping[str, Profile]
) -> Iterator[Warned]:
    for name, profile in declared.items():
        for key, here, given in conflicts(profiles[name], profile) if profile else ():
            text = f"The setup {name} is here already and stays as it is: {key} is {here} there, {given} in this file."
            yield Warned("setup-differs", text, file, f"setups.{name}.settings.{key}", here, given)


def _plan_run(
    plan: Plan, one: Parsed, index: int, meta: Meta, logs: list[Parsed], caps: list[Parsed], seen: set[str]
) -> None:
    reading = one.reading
    if reading is None:
        return
    run = reading.runs[index]
    key = store.content_key(one.sha256, run.place)
    if key in seen:
        return
    seen.add(key)
    record = store.finite(run.record)
    power: Parsed | None = None
    if record.provenance is Provenance.MEASURED:
        label = meta.label if len(reading.runs) == 1 or not meta.label else f"{meta.label}, {run.place}"
        record = with_window(with_meta(record, meta, label=label[:200]), meta)
        profile = plan.profiles.get(record.setup, {})
        record = with_setup(record, meta, {key: one for key, one in profile.items() if key in _GPUS})
        record = with_caps(record, _known_gpus(record, meta), [claim for cap in caps for claim in _claims(cap)])
        record, power = _with_power(plan, one, record, meta, logs)
        record = dated(record)
        record = with_setup(record, meta, {key: one for key, one in profile.items() if key not in _GPUS})
        record = marked(record, meta)
    elif meta != Meta():
        told = "Published runs are taken as their file states them: meta does not apply to them."
        plan.warnings.append(Warned("meta-not-applied", told, one.name, run.place))
    if run.record.setup and run.record.setup not in reading.setups:
        record = _of_an_earlier_file(plan, one.name, run.place, record, reading.setups)
    try:
        prepared = store.Prepared.of(record, key)
    except DomainError as error:
        plan.problems.append(Problem(one.name, run.place, "text and numbers that can be stored", str(error)))
        return
    used = tuple(caps) if record.provenance in (Provenance.MEASURED, Provenance.SIMULATED) else ()
    plan.runs.append(PlannedRun(one, run.place, prepared, power, used))


def _of_an_earlier_file(
    plan: Plan, file: str, place: str, record: RunRecord, declared: Mapping[str, Profile]
) -> RunRecord:
    """A run of a document that names a setup which another file or a person declared."""
    if record.setup in plan.profiles:
        return with_profile(record, plan.profiles[record.setup])
    expected = f"a setup among {', '.join(declared) or '(none)'}, or one with settings that is here"
    plan.problems.append(Problem(file, place, expected, record.setup))
    return record


def marked(record: RunRecord, meta: Meta) -> RunRecord:
    """A run of the simulator, or of a job that saw a stand-in, is simulated, whoever uploads it."""
    model = record.setting("model").value
    why = meta.simulated or (f"{SIMULATED_MODEL} is a simulator" if model == SIMULATED_MODEL else "")
    if not why:
        return record
    remark = Remark("simulated", f"not a measurement: {why}")
    return replace(record, provenance=Provenance.SIMULATED, remarks=(*record.remarks, remark))


def _known_gpus(record: RunRecord, meta: Meta) -> tuple[str, ...]:
    indices = record.setting("active_gpu_indices")
    given = tuple(map(str, indices.value)) if indices.is_known and isinstance(indices.value, tuple) else ()
    return meta.active_gpus or given


def _with_power(
    plan: Plan, one: Parsed, record: RunRecord, meta: Meta, logs: Sequence[Parsed]
) -> tuple[RunRecord, Parsed | None]:
    """The first log that touches the run's window joins it. What was stated at upload and does not fit refuses."""
    for log in logs:
        trace = log.reading.trace if log.reading else None
        if trace is None:
            continue
        try:
            if record.power is None:
                return join(record, trace, meta, file=log.name, sha256=log.sha256, alone=plan.alone).record, log
        except RefusedError as refused:
            if _contradicts(record, meta, trace, log.name):
                plan.problems.extend(refused.problems)
            for problem in refused.problems:
                run, expected, seen = record.label or one.name, problem.expected, problem.seen
                text = f"{log.name} was kept but not joined with {run}: expected {expected}, saw {seen}."
                plan.warnings.append(Warned("power-not-joined", text, log.name, problem.place, expected, seen))
    return record, None


def _not_joined(problem: Problem, log: str, run: str) -> Warned:
    told = f"{log} is kept and not joined with {run}: expected {problem.expected}, saw {problem.seen}."
    return Warned("power-not-joined", told, log, problem.place, problem.expected, problem.seen)


def _contradicts(record: RunRecord, meta: Meta, trace: PowerTrace, file: str) -> bool:
    """Whether the log goes against something the uploader stated for it: GPUs it has not, or a window outside it."""
    if meta.active_gpus and not set(meta.active_gpus) & set(trace.gpus):
        return True
    if meta.window is None or record.window is None:
        return False
    try:
        gpus_of(record, meta, trace, file=file)
        return not touches(in_utc(trace, meta, file=file), record.window)
    except RefusedError:
        return False


def _limits(one: Parsed) -> bool:
    trace = one.reading.trace if one.reading else None
    return trace is not None and any(limit is not None for limit in trace.limit_w)


def _claims(one: Parsed) -> list[CapClaim]:
    """Caps that a file reports: a tool's static listing, or the limit column of a power log."""
    if one.reading is None:
        return []
    listed = [
        CapClaim(cap.gpu, cap.cap_w, Evidence("file", one.sha256, f"GPU {cap.gpu}, power cap"))
        for cap in one.reading.caps
    ]
    return listed if one.reading.trace is None else [*listed, *cap_claims(one.reading.trace, one.sha256)]


def cap_claims(trace: PowerTrace, sha256: str) -> list[CapClaim]:
    """Caps from the limit column of a power log."""
    evidence = Evidence("file", sha256, "power limit column")
    limits = zip(trace.gpus, trace.limit_w, strict=False)
    return [CapClaim(gpu, limit, evidence) for gpu, limit in limits if limit is not None]
