"""What a job saw for itself, as settings with their evidence: the job's own record is the file that they rest on."""

import json
from datetime import UTC, datetime
from typing import Any

import msgspec

from runs.domain.facts import Evidence, Setting, State
from runs.models import Job
from runs.runners.clients import Invocation
from runs.runners.plans import PlanSpec
from runs.services.meta import Meta, meta_of

ACTIVE_PERCENT = 10.0
# Clients whose files do not name them: the job ran them, so that nothing is left to infer.
NAMED_BY_THE_JOB = {"vllm": "vllm bench serve", "sglang": "SGLang bench_serving"}


def job_record(job: Job) -> dict[str, Any]:
    """What is kept as evidence: what ran, where, what was observed. No environment values: they may be secrets."""
    return {
        "likewise_job": job.pk, "key": job.key, "target": job.target.name, "plan": job.plan.name if job.plan else "",
        "spec": job.spec, "argv": job.argv, "times": job.times[:10], "preflight": job.found, "agent": job.agent,
        "target_tools": job.target.found, "simulated": job.simulated,
    }  # fmt: skip


def job_meta(job: Job, spec: PlanSpec, told: Invocation | None, result: bytes, record_sha256: str) -> Meta:
    """The statements of an upload as a job makes them: observed where it looked, stated where the plan says."""
    seen = Observed(job, record_sha256)
    # The plan's statements are read as strictly as a person's.
    given = meta_of({"settings": spec.settings}, uploader=f"plan of job {job.pk}")
    settings = {**given.settings, **seen.settings(spec, told), **seen.unrecorded(spec, result)}
    window, where = seen.window(spec, result)
    labels = tuple(str(one) for one in spec.active_gpus) or seen.only_gpus()
    return Meta(
        label=job.label, setup=spec.setup, time_zone="UTC", window=window, active_gpus=labels, settings=settings,
        observed=seen.evidence(where), simulated=job.simulated,
    )  # fmt: skip


class Observed:
    def __init__(self, job: Job, record_sha256: str) -> None:
        self.job, self.sha256 = job, record_sha256
        self.gpus: list[dict[str, Any]] = job.found.get("gpus", {}).get("gpus", [])

    def evidence(self, place: str) -> Evidence:
        return Evidence("file", self.sha256, place, via="")

    def settings(self, spec: PlanSpec, told: Invocation | None) -> dict[str, Setting]:
        found = [self._cap(spec), self._node(), *self._hardware(), self._active(spec)]
        if spec.client in NAMED_BY_THE_JOB:
            found.append(self._put("client", NAMED_BY_THE_JOB[spec.client], "argv", "the job ran it"))
        for key, value in (told.sampling if told is not None else {}).items():
            # A temperature of 0 is a float in the catalogue, whatever the plan's JSON made of it.
            exact = float(value) if key in ("temperature", "top_p") else value
            found.append(self._put(key, exact, "argv", "passed to the client explicitly"))
        return {setting.key: setting for setting in found if setting is not None}

    def unrecorded(self, spec: PlanSpec, result: bytes) -> dict[str, Setting]:
        """What SGLang's client was told and writes nowhere: the requests, and the model of a server of another make."""
        if spec.client != "sglang":
            return {}
        told = {"num_prompts": spec.num_prompts, "model": None if b'"model_path"' in result else spec.model}
        note = "passed to the client, which does not record it"
        return {key: self._put(key, value, "argv", note) for key, value in told.items() if value}

    def _put(self, key: str, value: Any, place: str, note: str = "") -> Setting:
        return Setting(key, State.OBSERVED, value, evidence=(self.evidence(place),), note=note)

    def _node(self) -> Setting:
        return self._put("node", self.job.target.name, "target")

    def _hardware(self) -> list[Setting]:
        names = {gpu["name"] for gpu in self.gpus if gpu.get("name")}
        found = [self._put("node_gpus", len(self.gpus), "preflight.gpus")] if self.gpus else []
        return [*found, *([self._put("accelerator", names.pop(), "preflight.gpus")] if len(names) == 1 else [])]

    def _active(self, spec: PlanSpec) -> Setting | None:
        """GPUs that were at work during the run; beside what the plan says, a difference becomes a dispute."""
        loads: dict[str, float] = self.job.agent.get("loads", {})
        busy = [gpu for gpu, load in loads.items() if load >= ACTIVE_PERCENT]
        if not busy:
            return None
        note = f"GPU {', '.join(sorted(busy))} had a load of {ACTIVE_PERCENT:g} % or more during the run"
        return self._put("active_gpus", len(busy), "agent.loads", note)

    def only_gpus(self) -> tuple[str, ...]:
        """The GPUs seen at work, where the plan names none."""
        loads: dict[str, float] = self.job.agent.get("loads", {})
        return tuple(sorted(gpu for gpu, load in loads.items() if load >= ACTIVE_PERCENT))

    def _cap(self, spec: PlanSpec) -> Setting | None:
        """The cap of the run's GPUs, read before and after: one value, or a dispute that names both."""
        before, after = (self.job.agent.get(f"caps_{when}", {}) for when in ("before", "after"))
        wanted = {str(one) for one in spec.active_gpus} or set(self.only_gpus()) or set(before)
        claims = [
            (f"GPU {gpu} {when}", caps[gpu])
            for when, caps in (("before", before), ("after", after))
            for gpu in sorted(wanted & set(caps))
        ]
        values = {watts for _name, watts in claims}
        evidence = (self.evidence("agent.caps_before"), self.evidence("agent.caps_after"))
        if len(values) == 1 and after:
            note = "read before and after the run"
            return Setting("power_cap_w", State.OBSERVED, float(values.pop()), evidence=evidence, note=note)
        if len(values) > 1:
            said = tuple(f"{name}: {watts:g} W" for name, watts in claims)
            return Setting("power_cap_w", State.DISPUTED, None, "", evidence, said)
        return None

    def window(self, spec: PlanSpec, result: bytes) -> tuple[tuple[float, float] | None, str]:
        """The benchmark window by the agent's own clock: between the client's lines, or in the file's times, whose
        zone the agent itself had set."""
        start, end = (float(self.job.agent.get(f"window_{edge}") or 0) for edge in ("start", "end"))
        if 0 < start < end:
            return (start, end), "agent.window_start, agent.window_end"
        if spec.client == "aiperf":
            return _aiperf_window(result), "start_time, end_time of the result, in UTC as the agent set it"
        return None, "agent"


def _aiperf_window(result: bytes) -> tuple[float, float] | None:
    try:
        told = msgspec.json.decode(result)
        start, end = (datetime.fromisoformat(told[key]) for key in ("start_time", "end_time"))
    except (msgspec.DecodeError, json.JSONDecodeError, KeyError, TypeError, ValueError):
        return None
    first, last = (at.replace(tzinfo=at.tzinfo or UTC).timestamp() for at in (start, end))
    return (first, last) if last > first else None
