"""A power log onto a run that is there already."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import msgspec
from django.db import IntegrityError, transaction

from runs import store
from runs.domain.records import PowerAnalysis, Remark, RunRecord
from runs.domain.settling import SettingEdit, edited
from runs.domain.trace import PowerTrace
from runs.domain.traceblob import TraceBlobError
from runs.models import Artifact, PowerLog, Run, RunArtifact, RunPower, UploadRecord, User
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.joining import join, with_scope
from runs.services.meta import Meta
from runs.services.plan import cap_claims
from runs.services.reading import Incoming, read_all
from runs.services.series import unreadable
from runs.services.statements import with_caps, with_meta, with_setup
from runs.services.windows import dated, with_window


@dataclass(frozen=True)
class PowerAnswer:
    """What came of a power log on a run: the analysis, and what is still not stated."""

    run: str
    file: str
    sha256: str
    dry_run: bool
    power: PowerAnalysis
    not_stated: tuple[str, ...]
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, eq=False)
class _Log:
    name: str
    sha256: str
    trace: PowerTrace
    format: str
    incoming: Incoming | None = None


def attach_power(
    *,
    run_id: str,
    meta: Meta,
    user: User | None,
    file: Incoming | None = None,
    sha256: str = "",
    dry_run: bool = False,
) -> PowerAnswer:
    """Joins a power log, sent now (``file``) or kept from before (``sha256``), with a run that has none.

    Raises MissingError for a run or log that is not here and RefusedError where the file is no power log, where it
    does not fit the run, or where the run has power already.
    """
    run = Run.objects.filter(public_id=run_id).only("pk", "revision", "public_id").first()
    if run is None:
        raise MissingError("run_not_found", f"There is no run {run_id}.", Problem("", "run", "the id of a run", run_id))
    standing = store.current([run_id])[run_id]
    before = standing.stored
    if before.power is not None:
        raise _has_power(run_id)
    log = _sent(file) if file is not None else _kept(sha256)
    record = _joined(before, log, meta, standing.edits)
    if record.power is None:
        raise AssertionError("a joined record carries its power")
    if not dry_run:
        _write(run, record, log, meta, user)
    return PowerAnswer(run_id, log.name, log.sha256, dry_run, record.power, record.not_stated(), record.remarks)


def _joined(before: RunRecord, log: _Log, meta: Meta, edits: Sequence[SettingEdit]) -> RunRecord:
    """The record as it came with its power. What was filled in since counts for the analysis and stays an edit."""
    told = with_window(with_meta(before, meta, label=meta.label), meta)
    if meta.setup and meta.setup != before.setup:
        profile = store.profiles([meta.setup]).get(meta.setup, {})
        told = with_setup(told, meta, profile, said=[edit.given.key for edit in edits])
    joined = join(edited(told, edits), log.trace, meta, file=log.name, sha256=log.sha256)
    whole = dated(replace(told, window=joined.record.window, power=joined.record.power))
    mine = with_scope(whole, log.trace, log.sha256)
    return store.finite(with_caps(mine, joined.analysis.gpus, cap_claims(log.trace, log.sha256)))


def _sent(file: Incoming) -> _Log:
    parsed = read_all([file])[0]
    if parsed.answer.problem is not None:
        raise RefusedError("refused", parsed.answer.text, parsed.answer.problem)
    if parsed.reading is None or parsed.reading.trace is None:
        problem = Problem(parsed.name, "", "a power log", f"{parsed.answer.format}: {', '.join(parsed.answer.holds)}")
        raise RefusedError("not_a_power_log", f"{parsed.name} is no power log.", problem)
    return _Log(parsed.name, parsed.sha256, parsed.reading.trace, parsed.answer.format, file)


def _kept(sha256: str) -> _Log:
    log = PowerLog.objects.filter(artifact__sha256=sha256).select_related("artifact").first()
    if log is None:
        problem = Problem("", "sha256", "the SHA-256 of a power log that is kept here, or a file", sha256 or "neither")
        raise MissingError("power_log_not_found", "There is no such power log.", problem)
    try:
        trace = store.load_trace(log.pk)
    except TraceBlobError as error:
        raise unreadable(sha256, error) from None
    return _Log(log.artifact.name, sha256, trace, log.artifact.format)


def _write(run: Run, record: RunRecord, log: _Log, meta: Meta, user: User | None) -> None:
    blob = store.pack(log.trace) if log.incoming is not None else b""
    stored = None
    if log.incoming is not None and log.sha256 not in store.known([log.sha256]):
        log.incoming.content.seek(0)
        stored = store.write(log.sha256, log.incoming.content)
    written = [stored] if stored is not None else []
    try:
        with transaction.atomic():
            artifact = _artifact(stored, log, user)
            row = store.save_log(artifact, log.trace, blob)
            _link(run, row, record, meta.time_zone)
            store.link(run, [(artifact, str(RunArtifact.Role.POWER))], by=user)
            _replace(run, record)
            answer = {"run": run.public_id, "power": msgspec.to_builtins(record.power)}
            UploadRecord.objects.create(user=user, answer=answer)
    except BaseException:
        store.discard(written)
        raise
    store.discard_unused(written)


def _replace(run: Run, record: RunRecord) -> None:
    if not store.replace(run.pk, record, revision=run.revision):
        problem = Problem("", "run", "a run that nobody else is changing", "a change made meanwhile")
        raise RefusedError("conflict", "The run was changed meanwhile; send the request again.", problem)


def _artifact(stored: "store.StoredFile | None", log: _Log, user: User | None) -> Artifact:
    if stored is None or log.incoming is None:
        return store.known([log.sha256])[log.sha256]
    size = log.incoming.content.size
    return store.register(stored, name=log.name, size=size, format_name=log.format, status="read", owner=user)[0]


def _link(run: Run, log: PowerLog, record: RunRecord, zone: str) -> None:
    power = record.power
    if power is None or RunPower.objects.filter(run=run).exists():
        raise _has_power(run.public_id)
    span = (power.window.start, power.window.end)
    try:
        with transaction.atomic():
            store.link_power(run, log, gpus=power.gpus, zone=zone, window=span)
    except IntegrityError:
        raise _has_power(run.public_id) from None


def _has_power(run_id: str) -> RefusedError:
    problem = Problem("", "run", "a run without power", "a run whose power is known")
    return RefusedError("conflict", f"Run {run_id} has its power already; nothing was changed.", problem)
