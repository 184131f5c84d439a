"""The argument list of each client, from a plan. Every value goes in as ``--name=value`` or in a place of its own:
what begins with a dash or holds quotes, spaces or newlines stays the value that it is."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from runs.runners.argvs import CLIENTS, TAKEN, WORKLOAD
from runs.runners.invocations import Invocation, drawn, given_of, refuse, seed_of
from runs.runners.plans import PlanError, PlanSpec

__all__ = ["Command", "Invocation", "invocation"]

PARAMETER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


@dataclass(frozen=True)
class Command:
    """A command that a target declares: an argument list with ``{named}`` parameters, and the result files it writes.

    ``window_starts`` and ``window_ends`` are words of the lines between which it measures.
    """

    argv: tuple[str, ...]
    parameters: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    window_starts: tuple[str, ...] = ()
    window_ends: tuple[str, ...] = ()


def invocation(
    spec: PlanSpec, programs: Mapping[str, str], commands: Mapping[str, Command], tokenizer: str = ""
) -> Invocation:
    """The argument list of one cell. Raises PlanError for what the client needs and the plan does not say, and for
    what the plan says and the client cannot be told."""
    if spec.client == "command":
        return _declared(spec, commands)
    refuse(spec, *sorted(WORKLOAD - TAKEN[spec.client]))
    return CLIENTS[spec.client](spec, programs, tokenizer or spec.tokenizer)


def _declared(spec: PlanSpec, commands: Mapping[str, Command]) -> Invocation:
    """A declared command with its parameters filled in, each within the one argument where it stands."""
    command = commands.get(spec.command)
    if command is None:
        raise PlanError("command", f"one of the target's: {', '.join(sorted(commands)) or 'it declares none'}",
                        spec.command)  # fmt: skip
    given = {**{name: str(value) for name, value in _fields(spec).items()}, **spec.parameters}
    for name in spec.parameters:
        if name not in command.parameters:
            raise PlanError(f"parameters.{name}", f"one of: {', '.join(command.parameters) or 'it takes none'}", name)
    argv = [_filled(part, given, command) for part in command.argv]
    used = {name for part in command.argv for name in PARAMETER.findall(part)} - set(spec.parameters)
    if untold := given_of(spec, sorted(WORKLOAD - used)):
        for name in untold:
            if name in spec.parameters:
                raise PlanError(name, f"nothing: parameters.{name} says it", getattr(spec, name))
        places = ", ".join(f"{{{name}}}" for name in untold)
        raise PlanError(
            untold[0], f"nothing: the arguments of {spec.command} have no {places}", getattr(spec, untold[0])
        )
    sampling = {name: value for name, value in {**drawn(spec), "seed": seed_of(spec)}.items() if name in used}
    marks = (command.window_starts, command.window_ends)
    return Invocation(argv[0], tuple(argv), command.results, *marks, sampling=sampling)


def _fields(spec: PlanSpec) -> dict[str, object]:
    """What a plan's own fields give to parameters of the same name."""
    names = ("endpoint", "model", *sorted(WORKLOAD - {"temperature", "top_p", "top_k", "seed", "ignore_eos"}))
    own = {name: value for name in names if (value := getattr(spec, name)) not in (None, "")}
    return {**own, **drawn(spec), "seed": seed_of(spec)}


def _filled(part: str, given: Mapping[str, str], command: Command) -> str:
    whole = PARAMETER.fullmatch(part)
    if whole and given.get(whole[1], "").startswith("-"):
        raise PlanError(f"parameters.{whole[1]}", "no value that begins with a dash, as it stands by itself",
                        given[whole[1]])  # fmt: skip

    def value(found: re.Match[str]) -> str:
        if found[1] not in command.parameters or found[1] not in given:
            raise PlanError(f"parameters.{found[1]}", "a value", "none")
        return given[found[1]]

    return PARAMETER.sub(value, part)
