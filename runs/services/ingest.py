"""Files and statements into runs, whole or not at all.

A refused file, or a statement that goes against a file, refuses the upload: nothing is written. A file of unknown
format refuses nothing: it is kept until it has a mapping. Reading and analysis come before the one transaction; the
same bytes make the same run, whoever sends them and however often at once.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import msgspec
from django.db import IntegrityError, transaction

from runs import store
from runs.domain.records import RunRecord
from runs.domain.setups import Profile
from runs.models import Artifact, PowerLog, RunArtifact, UploadRecord, User
from runs.services.answers import FileAnswer, Outcome, RunAnswer, Warned
from runs.services.companions import Companions
from runs.services.meta import Meta
from runs.services.plan import Plan, PlannedRun, make_plan
from runs.services.reading import Incoming, Parsed, read_all

ATTEMPTS = 5


def ingest(*, files: Sequence[Incoming], meta: Meta, user: User | None, dry_run: bool = False) -> Outcome:
    """What became, or in a dry run would become, of some files. ``accepted`` False: nothing was written.

    Raises RefusedError where there are no files or too many.
    """
    parsed = read_all(files)
    plan = make_plan(parsed, meta, _profiles(parsed, meta))
    refused = plan.problems or any(parsed.answer.verdict == "refused" for parsed in plan.parsed)
    if refused or dry_run:
        here = set(store.known([parsed.sha256 for parsed in plan.parsed]))
        existing = store.existing([run.prepared.content_key for run in plan.runs])
        return _outcome(plan, here, existing, {}, accepted=not refused, dry_run=dry_run)
    stored = _write_files(plan)
    try:
        outcome = _commit_once(plan, stored, user)
    except BaseException:
        store.discard(stored.values())
        raise
    store.discard_unused(stored.values())
    return outcome


def _profiles(parsed: Sequence[Parsed], meta: Meta) -> dict[str, Profile]:
    """The setups with settings that the upload names: those that are here, then those that its files declare."""
    readings = [one.reading for one in parsed if one.reading is not None]
    named = {meta.setup, *(run.record.setup for reading in readings for run in reading.runs)}
    found = store.profiles(named.union(*(reading.setups for reading in readings)))
    for reading in readings:
        for name, profile in reading.setups.items():
            if profile:
                found.setdefault(name, profile)
    return found


def _commit_once(plan: Plan, stored: dict[str, store.StoredFile], user: User | None) -> Outcome:
    for _attempt in range(ATTEMPTS - 1):
        try:
            return _commit(plan, stored, user)
        except IntegrityError:
            # Another upload of the same bytes came first; the next attempt finds what it made.
            continue
    return _commit(plan, stored, user)


def _write_files(plan: Plan) -> dict[str, store.StoredFile]:
    """Bytes that are not here yet, into the storage."""
    here = store.known([parsed.sha256 for parsed in plan.parsed])
    stored: dict[str, store.StoredFile] = {}
    for parsed in plan.parsed:
        if parsed.sha256 not in here and parsed.sha256 not in stored:
            parsed.incoming.content.seek(0)
            stored[parsed.sha256] = store.write(parsed.sha256, parsed.incoming.content)
    return stored


@transaction.atomic
def _commit(plan: Plan, stored: dict[str, store.StoredFile], user: User | None) -> Outcome:
    artifacts, fresh = _artifacts(plan, stored, user)
    for parsed in plan.parsed:
        for source in parsed.reading.sources if parsed.reading else ():
            store.save_source(source)
        for scenario in parsed.reading.scenarios if parsed.reading else ():
            store.save_scenario(scenario)
        for name, profile in parsed.reading.setups.items() if parsed.reading else ():
            if profile:
                store.add_profile(name, profile, user=user, sha256=parsed.sha256)
    logs = {
        parsed.sha256: store.save_log(artifacts[parsed.sha256], parsed.reading.trace, plan.packed[parsed.sha256])
        for parsed in plan.parsed
        if parsed.reading is not None and parsed.reading.trace is not None
    }
    existing = store.existing([run.prepared.content_key for run in plan.runs])
    made, rows = _insert(plan, existing, artifacts, logs, user)
    touched = _companions(plan, existing | made, user)
    if rows or touched:
        store.refresh(rows, bump=False)
        store.refresh(touched - set(rows))
    outcome = _outcome(plan, artifacts.keys() - fresh, existing, made, accepted=True, dry_run=False)
    UploadRecord.objects.create(user=user, answer=msgspec.to_builtins(outcome))
    return outcome


def _insert(
    plan: Plan,
    existing: dict[str, str],
    artifacts: dict[str, Artifact],
    logs: dict[str, PowerLog],
    user: User | None,
) -> tuple[dict[str, str], list[int]]:
    """New runs with their files and power: their ids by content key, and their rows."""
    made: dict[str, str] = {}
    rows = []
    for run in plan.runs:
        if run.prepared.content_key in existing:
            continue
        row = store.insert(run.prepared, owner=user)
        made[run.prepared.content_key] = row.public_id
        rows.append(row.pk)
        store.link(row, _files_of(run, artifacts), by=user)
        power = run.record.power
        if run.power is not None and power is not None:
            span = (power.window.start, power.window.end)
            store.link_power(row, logs[run.power.sha256], gpus=power.gpus, zone=plan.time_zone, window=span)
    return made, rows


def _companions(plan: Plan, ids: dict[str, str], user: User | None) -> set[int]:
    """Evaluations and errata of the files; the rows of the runs that they touched."""
    touched: set[int] = set()
    for parsed in plan.parsed:
        if parsed.reading is not None:
            mine = {
                run.place: ids[run.prepared.content_key]
                for run in plan.runs
                if run.parsed is parsed and run.prepared.content_key in ids
            }
            touched |= Companions(parsed.sha256, parsed.reading, mine, plan.setup).save(user=user)
    return touched


def _artifacts(
    plan: Plan, stored: dict[str, store.StoredFile], user: User | None
) -> tuple[dict[str, Artifact], set[str]]:
    """The artifact of every file by its hash, and the hashes of those that are new."""
    known = store.known([parsed.sha256 for parsed in plan.parsed])
    fresh: set[str] = set()
    for parsed in plan.parsed:
        if parsed.sha256 in known:
            continue
        unknown = parsed.answer.verdict == "needs mapping"
        known[parsed.sha256], made = store.register(
            stored[parsed.sha256],
            name=parsed.name,
            size=parsed.answer.size,
            format_name=parsed.answer.format,
            status=Artifact.Status.NEEDS_MAPPING if unknown else Artifact.Status.READ,
            owner=user,
        )
        if made:
            fresh.add(parsed.sha256)
    return known, fresh


def _files_of(run: PlannedRun, artifacts: dict[str, Artifact]) -> list[tuple[Artifact, str]]:
    documented = run.record.provenance in ("published", "house document")
    role = RunArtifact.Role.DOCUMENT if documented else RunArtifact.Role.RESULT
    files = [(artifacts[run.parsed.sha256], role)]
    if run.power is not None:
        files.append((artifacts[run.power.sha256], RunArtifact.Role.POWER))
    files += [(artifacts[caps.sha256], RunArtifact.Role.CAPS) for caps in run.caps if caps is not run.power]
    return [(artifact, str(role)) for artifact, role in files]


def _outcome(
    plan: Plan, here: AbstractSet[str], existing: dict[str, str], made: dict[str, str], *, accepted: bool, dry_run: bool
) -> Outcome:
    ids = {existing[key] for run in plan.runs if (key := run.prepared.content_key) in existing}
    stored = store.effective(ids) if ids else {}
    runs = tuple(_run_answer(run, existing, made, stored) for run in plan.runs)
    problems = tuple(
        FileAnswer(
            problem.file, "", 0, "refused", text=f"expected {problem.expected}, saw {problem.seen}", problem=problem
        )
        for problem in plan.problems
    )
    files = tuple(_file_answer(parsed, here) for parsed in plan.parsed)
    warnings = (*plan.warnings, *_not_applied(plan, existing))
    return Outcome(accepted, dry_run, (*files, *problems), runs if accepted else (), warnings)


def _not_applied(plan: Plan, existing: dict[str, str]) -> list[Warned]:
    """An upload changes no run that is here: what it states of one is said to have gone nowhere."""
    files = dict.fromkeys(run.parsed.name for run in plan.runs if run.prepared.content_key in existing)
    told = (
        "The run is here already: what this upload states of it was not applied. Fill it in or correct it at the run."
    )
    return [Warned("not-applied", told, file) for file in files] if plan.states else []


def _file_answer(parsed: Parsed, here: AbstractSet[str]) -> FileAnswer:
    if parsed.answer.verdict == "read" and parsed.sha256 in here:
        return replace(parsed.answer, verdict="duplicate", text="These very bytes were uploaded before.")
    return parsed.answer


def _run_answer(
    run: PlannedRun, existing: dict[str, str], made: dict[str, str], stored: Mapping[str, RunRecord]
) -> RunAnswer:
    """Of a run that was here already: as it stands, whatever this upload would have made of its bytes."""
    key = run.prepared.content_key
    here = existing.get(key, "")
    record = stored.get(here, run.record)
    return RunAnswer(
        here or made.get(key, ""),
        record.label,
        run.parsed.name,
        run.place,
        created=not here,
        not_stated=record.not_stated(),
        remarks=record.remarks,
        window=record.window,
        power=record.power,
    )
