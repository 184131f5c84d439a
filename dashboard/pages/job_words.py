"""What the pages of remote benchmarks print: states in words, finished cells, no arithmetic left for a template."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.render.numbers import NBSP, Locale, format_number, tidy, value_with_unit
from runs.services.jobs.reads import JobDetail, JobItem, Output

STATES = {
    "queued": gettext_lazy("queued"),
    "preflight": gettext_lazy("preflight"),
    "running": gettext_lazy("running"),
    "collecting": gettext_lazy("collecting"),
    "done": gettext_lazy("done"),
    "failed": gettext_lazy("failed"),
    "cancelled": gettext_lazy("cancelled"),
    "lost": gettext_lazy("lost"),
}
PHASES = {
    "starting": gettext_lazy("starting"),
    "sampling": gettext_lazy("power sampler first"),
    "client": gettext_lazy("the program is running"),
    "after": gettext_lazy("sampling on after the run"),
    "finished": gettext_lazy("finished"),
}


@dataclass(frozen=True)
class StateBadge:
    """A state's name and its class."""

    text: str
    kind: str


@dataclass(frozen=True)
class Step:
    """A state that a job has been in: since when (UTC) and for how long."""

    badge: StateBadge
    since: str
    lasted: str


def state_badge(state: str) -> StateBadge:
    return StateBadge(str(STATES.get(state, state)), f"job-state job-{state}")


def queue_view(queue: Sequence[JobItem]) -> list[tuple[JobItem, StateBadge]]:
    return [(job, state_badge(job.state)) for job in queue]


def output_view(pk: int, output: Output) -> dict[str, Any]:
    return {
        "pk": pk,
        "output": output,
        "tail": whole_lines(output),
        "badge": state_badge(output.state),
        "phase": PHASES.get(output.phase, output.phase) if not output.ended else "",
    }


def whole_lines(output: Output) -> str:
    """What is kept of the end, from the first whole line on."""
    _head, newline, rest = output.tail.partition("\n")
    cut = newline and rest and output.bytes > len(output.tail.encode())
    return rest if cut else output.tail


def job_view(detail: JobDetail, locale: Locale) -> dict[str, Any]:
    return {
        "job": detail.item,
        "detail": detail,
        "steps": steps(detail, locale),
        "caps": caps(detail.agent, locale),
        "gpus": detail.preflight.get("gpus", {}).get("gpus", []),
        "facts": facts(detail, locale),
    }


def steps(detail: JobDetail, locale: Locale) -> list[Step]:
    moments = [(state, dt.datetime.fromisoformat(at)) for state, at in detail.times]
    following = [at for _state, at in moments[1:]]
    found = []
    for number, (state, at) in enumerate(moments):
        lasted = duration((following[number] - at).total_seconds(), locale) if number < len(following) else ""
        found.append(Step(state_badge(state), f"{at:%Y-%m-%d %H:%M:%S}", lasted))
    return found


def duration(seconds: float, locale: Locale) -> str:
    if seconds < 60:
        return f"{format_number(seconds, locale, 1)}{NBSP}s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def caps(agent: dict[str, Any], locale: Locale) -> list[tuple[str, str, str]]:
    """Each GPU's cap before and after."""
    before, after = agent.get("caps_before", {}), agent.get("caps_after", {})
    return [(gpu, watts(before.get(gpu), locale), watts(after.get(gpu), locale)) for gpu in sorted({*before, *after})]


def watts(value: float | None, locale: Locale) -> str:
    return _("not stated") if value is None else value_with_unit(value, "W", locale)


def facts(detail: JobDetail, locale: Locale) -> list[tuple[str, str]]:
    agent, found = detail.agent, []
    offset = detail.preflight.get("clock_offset_s")
    if offset is not None:
        sign = "" if offset < 0 else "+"
        found.append((_("Clock of the target"), f"{sign}{format_number(offset, locale, 3)}{NBSP}s"))
    code = agent.get("exit_code")
    if code is not None:
        found.append((_("Exit code of the client"), str(code)))
    start, end = agent.get("window_start"), agent.get("window_end")
    if start and end:
        found.append((_("Benchmark window, seen in the output"), f"{clock(start)} – {clock(end)} UTC"))
    if agent.get("client_started_at") and agent.get("client_ended_at"):
        ran = agent["client_ended_at"] - agent["client_started_at"]
        found.append((_("Client ran for"), duration(ran, locale)))
    if detail.cell:
        cell = (f"{name} {format_number(tidy(value), locale)}" for name, value in detail.cell.items())
        found.append((_("Of the matrix"), ", ".join(cell)))
    return found


def clock(seconds: float) -> str:
    return f"{dt.datetime.fromtimestamp(seconds, dt.UTC):%H:%M:%S}"
