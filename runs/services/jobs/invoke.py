"""A plan on a target: the argument lists that will run, to the letter."""

from collections.abc import Sequence

import msgspec

from runs.models import Target
from runs.runners.clients import Command, Invocation, invocation
from runs.runners.plans import PlanError, PlanSpec


def commands_of(target: Target) -> dict[str, Command]:
    """The commands that a target declares."""
    return {name: msgspec.convert(given, Command) for name, given in target.commands.items()}


def invocation_of(spec: PlanSpec, target: Target) -> Invocation:
    """What runs for one cell of a plan. Raises PlanError."""
    found = invocation(spec, target.programs, commands_of(target), target.tokenizer if not spec.tokenizer else "")
    command_lists([*spec.pre, *spec.post], target)
    return found


def command_lists(names: Sequence[str], target: Target) -> list[list[str]]:
    """Commands before and after, from the target's list only, and only those that take no parameters."""
    declared = commands_of(target)
    found = []
    for name in names:
        command = declared.get(name)
        if command is None or command.parameters:
            raise PlanError("pre, post", f"one of the target's commands: {', '.join(sorted(declared)) or 'none'}", name)
        found.append(list(command.argv))
    return found
