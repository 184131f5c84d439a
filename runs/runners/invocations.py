"""What will run, to the letter, and how an argument list is put together: every value stays the value that it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from runs.runners.plans import PlanError, PlanSpec

DEFAULT_SEED = 1


@dataclass(frozen=True)
class Invocation:
    """``results`` are the files to upload, by glob; marks find the window in the client's output.

    ``sampling`` holds what the client is told of temperature, top_p, top_k, seed and ignore_eos: they become settings
    of the run, and what is not among them stays not stated. ``stdout`` names a file for a client that prints its
    result: its log lines then do not mix with it.
    """

    program: str
    argv: tuple[str, ...]
    results: tuple[str, ...] = ()
    window_starts: tuple[str, ...] = ()
    window_ends: tuple[str, ...] = ()
    sampling: Mapping[str, float | bool] = field(default_factory=dict)
    stdout: str = ""


def need(spec: PlanSpec, *names: str) -> None:
    """Raises PlanError for what the client needs and the plan does not say."""
    for name in names:
        if getattr(spec, name) in (None, ""):
            raise PlanError(name, f"a value: {spec.client} is always told one", "none")


def refuse(spec: PlanSpec, *names: str) -> None:
    """Raises PlanError for what the plan says and the client cannot be told: it would silently not be so."""
    if said := given_of(spec, names):
        listed = ", ".join(said)
        raise PlanError(said[0], f"nothing: {spec.client} has no option for {listed}", getattr(spec, said[0]))


def given_of(spec: PlanSpec, names: Iterable[str]) -> list[str]:
    """Those of some fields that the plan gives a value."""
    return [name for name in names if getattr(spec, name) not in (None, "")]


def one_at_a_time(spec: PlanSpec) -> None:
    """Raises PlanError for a concurrency or a rate, for a client that sends one request after the other."""
    if spec.concurrency not in (None, 1):
        raise PlanError("concurrency", f"1 or nothing: {spec.client} does one request at a time", spec.concurrency)
    refuse(spec, "request_rate")


def plain(place: str, text: str, forbidden: str) -> str:
    """Text for a client that splits its own values: what it would split on is refused."""
    if any(char in text for char in forbidden) or text.startswith(("{", "[")):
        raise PlanError(place, f"text without any of {forbidden!r}, on which this client splits", text)
    return text


def options(**given: object) -> list[str]:
    """``--name=value`` for every option that has a value."""
    return [f"--{name.replace('_', '-')}={text_of(value)}" for name, value in given.items() if value not in (None, "")]


def text_of(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def drawn(spec: PlanSpec) -> dict[str, float]:
    """Temperature, top_p and top_k as far as the plan says them, by the names of the request's body."""
    named = {"temperature": spec.temperature, "top_p": spec.top_p, "top_k": spec.top_k}
    return {name: value for name, value in named.items() if value is not None}


def seed_of(spec: PlanSpec) -> int:
    return DEFAULT_SEED if spec.seed is None else spec.seed


def ignores_eos(spec: PlanSpec) -> bool:
    """Requests go on to their full OSL unless the plan says otherwise."""
    return spec.ignore_eos is not False
