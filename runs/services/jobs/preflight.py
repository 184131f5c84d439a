"""Before anything runs: is everything so that the run will mean something? If not, every reason is said."""

from typing import Any

from django.conf import settings
from django.utils import timezone

from runs.models import Job, Target
from runs.runners.base import Runner, ask
from runs.runners.clients import Invocation
from runs.runners.plans import PlanError, PlanSpec, check_endpoint, read_plan
from runs.services.jobs.connect import base, of_job
from runs.services.jobs.held import Held
from runs.services.jobs.invoke import command_lists, invocation_of
from runs.services.jobs.leftovers import end_leftovers

BUSY_PERCENT = 5.0
LEAST_FREE = 64 * 1024 * 1024
STAND_IN = "stand-in"


def preflight(held: Held, connection: Runner, _until: float) -> None:
    """Launches the job, or ends it with its reasons. What was launched before by a worker that died is taken up."""
    job = held.job
    if ask(connection, of_job(job, "poll"))["known"]:
        held.enter(Job.State.RUNNING)
        return
    if held.cancelled():
        held.end(Job.State.CANCELLED, "cancelled before anything was started")
        return
    alive = end_leftovers(connection, job.target)
    if alive:
        told_of = ", ".join(map(str, alive))
        held.end(Job.State.FAILED, "refused before the start", problems=[f"lost job {told_of} is still alive there"])
        return
    try:
        spec = read_plan(job.spec)
        told = invocation_of(spec, job.target)
        if spec.endpoint:
            check_endpoint(spec.endpoint, allow_link_local=job.target.allow_link_local)
    except PlanError as error:
        held.end(Job.State.FAILED, "the plan does not fit the target", problems=[str(error)])
        return
    asked_at = timezone.now().timestamp()
    found = ask(connection, _question(job.target, spec, told))
    offset = _offset(found, asked_at)
    problems = list(reasons(spec, job.target, found, offset))
    held.update(found={**found, "clock_offset_s": offset}, simulated=simulated(found))
    if problems:
        held.end(Job.State.FAILED, "refused before the start", problems=problems)
        return
    if held.cancelled():
        held.end(Job.State.CANCELLED, "cancelled before anything was started")
        return
    held.update(attempts=job.attempts + 1, argv=list(told.argv))
    ask(connection, of_job(job, "launch", job=request(job, spec, told)))
    held.enter(Job.State.RUNNING, heartbeat=timezone.now())


def _question(target: Target, spec: PlanSpec, told: Invocation) -> dict[str, Any]:
    return {
        "verb": "preflight", **base(target), "endpoint": spec.endpoint, "model": spec.model,
        "allow_link_local": target.allow_link_local, "timeout_s": 10, "program": told.program,
        "sampler": target.sampler,
    }  # fmt: skip


def _offset(found: dict[str, Any], asked_at: float) -> float:
    """How far the target's clock is ahead: its answer lies between our question and now."""
    now = timezone.now().timestamp()
    at = float(found["time"])
    return round(at - now, 3) if at > now else round(min(0.0, at - asked_at), 3)


def reasons(spec: PlanSpec, target: Target, found: dict[str, Any], offset: float) -> list[str]:
    """Everything that speaks against a start, in words."""
    said = []
    endpoint = found["endpoint"]
    if endpoint is not None and not endpoint["ok"]:
        said.append(endpoint["reason"])
    if found["program"] is None:
        said.append("the client's program is not on the target; its path can be given among the target's programs")
    if not found["sampler"]:
        said.append(f"the power sampler {target.sampler} is not on the target")
    if abs(offset) > settings.LIKEWISE_JOB_CLOCK_S:
        said.append(f"the target's clock is {offset:+.1f} s off; at most {settings.LIKEWISE_JOB_CLOCK_S:g} s is taken")
    if found["free_bytes"] < LEAST_FREE:
        said.append(
            f"the target has {found['free_bytes'] // 1024**2} MiB of disk left; {LEAST_FREE // 1024**2} are needed"
        )
    gpus = found["gpus"]["gpus"]
    known = {gpu["index"] for gpu in gpus}
    missing = [str(gpu) for gpu in spec.active_gpus if str(gpu) not in known]
    if missing:
        said.append(f"GPU {', '.join(missing)} of the plan is not among those that the target shows: {len(gpus)}")
    for gpu in gpus:
        said += _gpu_reasons(spec, gpu)
    return said


def _gpu_reasons(spec: PlanSpec, gpu: dict[str, Any]) -> list[str]:
    said = []
    if gpu["load"] is not None and gpu["load"] > BUSY_PERCENT:
        said.append(f"GPU {gpu['index']} is busy: {gpu['load']:g} % load before the run")
    mine = not spec.active_gpus or gpu["index"] in {str(one) for one in spec.active_gpus}
    if mine and spec.power_cap_w is not None and gpu["cap_w"] != spec.power_cap_w:
        cap = "not stated" if gpu["cap_w"] is None else f"{gpu['cap_w']:g} W"
        said.append(f"GPU {gpu['index']} has the power cap {cap}; the plan says {spec.power_cap_w:g} W")
    return said


def simulated(found: dict[str, Any]) -> str:
    """Why a run here would be no measurement; empty where it would be one."""
    endpoint = found["endpoint"]
    if endpoint is not None and endpoint["simulator"]:
        return f"the endpoint says: {endpoint['simulator']}"[:200]
    if STAND_IN in found["gpus"]["version"]:
        return f"{found['gpus']['tool']} says: {found['gpus']['version']}"[:200]
    return ""


def request(job: Job, spec: PlanSpec, told: Invocation) -> dict[str, Any]:
    """What the agent reads: argument lists as data."""
    target = job.target
    return {
        "argv": list(told.argv), "timeout_s": spec.timeout_s, "env": target.environment, "programs": target.programs,
        "sampler": target.sampler, "interval_s": settings.LIKEWISE_JOB_SAMPLE_S,
        "grace_s": settings.LIKEWISE_JOB_GRACE_S, "max_output_bytes": settings.LIKEWISE_JOB_OUTPUT_BYTES,
        "stdout": told.stdout, "window_starts": list(told.window_starts), "window_ends": list(told.window_ends),
        "pre": command_lists(spec.pre, target), "post": command_lists(spec.post, target),
    }  # fmt: skip
