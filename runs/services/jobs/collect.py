"""After a job: its files onto this side, and what it measured through the same door as a person's upload."""

import fnmatch
import hashlib
import io
import json
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.base import File
from django.db import transaction

from runs import store
from runs.models import Artifact, Job, JobArtifact, JobRun, Run, RunArtifact
from runs.runners.base import AgentError, Runner, RunnerError, ask
from runs.runners.clients import Invocation
from runs.runners.plans import PlanError, read_plan
from runs.services.answers import Outcome, RefusedError
from runs.services.ingest import ingest
from runs.services.jobs.connect import of_job
from runs.services.jobs.evidence import job_meta, job_record
from runs.services.jobs.held import Held
from runs.services.jobs.invoke import invocation_of
from runs.services.reading import Incoming

RECORD, POWER, OUTPUT = "job-record.json", "power.csv", "output.log"
NOT_KEPT = ("job.json", "state.json", "cancel")
MOST_FILES = 40


@dataclass(frozen=True)
class Kept:
    """A file of the job as it was fetched."""

    name: str
    data: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def collect(held: Held, connection: Runner, _until: float) -> None:
    """Fetches, keeps, uploads, ends. Safe to repeat from its beginning: nothing here is ever doubled."""
    files = _fetch(held, connection)
    job = held.job
    record = Kept(RECORD, json.dumps(job_record(job), indent=1, sort_keys=True).encode())
    held.update()
    artifacts = [_keep(held, file) for file in (*files, record)]
    state, reason = verdict(job, held.cancelled())
    if state == Job.State.DONE:
        state, reason = _upload(held, files, record, artifacts[-1])
    held.end(state, reason)
    _clean(held, connection)


def _fetch(held: Held, connection: Runner) -> list[Kept]:
    listed = ask(connection, of_job(held.job, "files"))["files"]
    limit: int = settings.LIKEWISE_MAX_FILE_BYTES
    mine = [one for one in listed if one["name"] not in NOT_KEPT]
    wanted = [one["name"] for one in mine if 0 < one["size"] <= limit]
    left = [f"{one['name']} has {one['size']} bytes, more than the {limit} of one file" for one in mine
            if one["size"] > limit]  # fmt: skip
    globs = _globs(held.job)
    # What a result may be comes first, so that many files of a client's own never crowd it out.
    wanted.sort(key=lambda name: (not _matches(name, globs), name not in (OUTPUT, POWER), name))
    left += [f"{name} is one of more than {MOST_FILES} files" for name in wanted[MOST_FILES:][:MOST_FILES]]
    if left:
        held.update(problems=[f"not kept: {said}"[:300] for said in left])
    found = []
    for name in wanted[:MOST_FILES]:
        try:
            found.append(Kept(name, connection.call(of_job(held.job, "fetch", name=name, limit=limit), 300)))
        except AgentError as error:
            # A file that cannot be read there must not keep the others from being kept.
            held.update(problems=[*held.job.problems, f"{name} could not be fetched: {error}"[:300]])
        held.update()
    return found


def _globs(job: Job) -> tuple[str, ...]:
    told = _told(job)
    return told.results if told else ()


def _told(job: Job) -> Invocation | None:
    try:
        return invocation_of(read_plan(job.spec), job.target)
    except PlanError:
        return None


def _matches(name: str, globs: tuple[str, ...]) -> bool:
    return any(fnmatch.fnmatchcase(name, glob) for glob in globs)


def _keep(held: Held, file: Kept) -> Artifact:
    """The file as an artifact of the job: once per content, once per name."""
    sha256 = file.sha256
    artifact = store.known([sha256]).get(sha256)
    if artifact is None:
        stored = store.write(sha256, File(io.BytesIO(file.data)))
        artifact, made = store.register(
            stored,
            name=file.name,
            size=len(file.data),
            format_name="",
            status=Artifact.Status.READ,
            owner=held.job.created_by,
        )
        if not made:
            store.discard([stored])
    JobArtifact.objects.update_or_create(job=held.job, name=file.name[-200:], defaults={"artifact": artifact})
    return artifact


def verdict(job: Job, cancelled: bool) -> tuple[str, str]:
    """The state that a job ends in, by what its agent recorded."""
    agent = job.agent
    reason, code = str(agent.get("reason", "")), agent.get("exit_code")
    if cancelled or reason == "cancelled":
        return Job.State.CANCELLED, "cancelled; its processes were ended"
    if agent.get("gone"):
        return Job.State.LOST, "the agent's process was gone from the target; what it had written is kept"
    if reason == "timeout":
        return Job.State.FAILED, "it took longer than the plan allows; its processes were ended"
    if reason:
        return Job.State.FAILED, reason
    if code != 0:
        return Job.State.FAILED, f"the client ended with exit code {code}"
    return Job.State.DONE, ""


def _upload(held: Held, files: list[Kept], record: Kept, evidence: Artifact) -> tuple[str, str]:
    """The run of a job that went well, through the service that people upload with."""
    job = held.job
    results = [file for file in files if _matches(file.name, _globs(job))]
    if not results:
        if not _globs(job):
            return Job.State.DONE, ""
        said = "the client wrote no result that could be kept" if job.problems else "the client wrote no result"
        return Job.State.FAILED, said
    log = [file for file in files if file.name == POWER and file.data]
    incoming = [Incoming(file.name, File(io.BytesIO(file.data), name=file.name)) for file in (*results, *log)]
    spec = read_plan(job.spec)
    meta = job_meta(job, spec, _told(job), results[0].data, record.sha256)
    try:
        outcome = ingest(files=incoming, meta=meta, user=job.created_by)
    except RefusedError as error:
        return _refused(held, [str(error), *(f"{one.file}: {one.expected}; {one.seen}" for one in error.problems)])
    if not outcome.accepted:
        return _refused(held, [one.text for one in outcome.files if one.verdict == "refused"])
    _link(held, outcome, evidence)
    return Job.State.DONE, _said(outcome)


def _refused(held: Held, problems: list[str]) -> tuple[str, str]:
    held.update(problems=problems)
    return Job.State.FAILED, "the result was refused; it is kept with the job"


@transaction.atomic
def _link(held: Held, outcome: Outcome, evidence: Artifact) -> None:
    for run in Run.objects.filter(public_id__in=[one.id for one in outcome.runs]):
        JobRun.objects.get_or_create(job=held.job, run=run)
        store.link(run, [(evidence, str(RunArtifact.Role.JOB))], by=None)


def _said(outcome: Outcome) -> str:
    waiting = [file.name for file in outcome.files if file.verdict == "needs mapping"]
    if waiting:
        return f"no reader knows the format of {', '.join(waiting)} yet; it is kept"
    return " ".join(warned.text for warned in outcome.warnings if warned.code == "power-not-joined")


def _clean(held: Held, connection: Runner) -> None:
    """The folder on the target goes once everything is here; where it stays, nothing is wrong but its space."""
    try:
        ask(connection, of_job(held.job, "clean"))
    except RunnerError:
        return


def files_of(job: Job) -> list[dict[str, Any]]:
    rows = job.job_artifacts.order_by("pk").values_list("name", "artifact__sha256", "artifact__size")
    return [{"name": name, "sha256": sha256, "size": size} for name, sha256, size in rows]
