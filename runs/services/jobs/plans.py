"""Plans: kept as they are checked, and shown to the letter before they run."""

from dataclasses import dataclass

import msgspec
from django.db import IntegrityError, transaction

from runs.models import Plan, Target, User
from runs.runners.plans import PlanError, PlanSpec, cell_values, cells_of, check_endpoint, read_plan
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs.invoke import command_lists, invocation_of
from runs.services.jobs.rights import need_operator
from runs.services.meta import meta_of


@dataclass(frozen=True)
class PlanCell:
    """One job to be: the values of the matrix and the very argument list; ``problem`` where it cannot run."""

    values: dict[str, float | int]
    argv: tuple[str, ...] = ()
    pre: tuple[tuple[str, ...], ...] = ()
    post: tuple[tuple[str, ...], ...] = ()
    repeats: int = 1
    problem: str = ""


def plan_problem(error: PlanError) -> RefusedError:
    problem = Problem("plan", error.place, error.expected, error.seen)
    return RefusedError("invalid_plan", f"The plan cannot be taken as it is: {error}.", problem)


def save_plan(*, user: User, name: str, spec: object, notes: str = "", plan: Plan | None = None) -> Plan:
    """A plan, new or changed; jobs already made keep theirs. Raises RefusedError with what is wrong with it."""
    need_operator(user)
    checked = checked_spec(spec)
    name = " ".join(name.split())[:100]
    if not name:
        raise RefusedError("invalid_plan", "A plan has a name.", Problem("plan", "name", "a name", "none"))
    kept = plan or Plan(created_by=user)
    kept.name, kept.spec, kept.notes = name, msgspec.to_builtins(checked), notes[:5000]
    try:
        with transaction.atomic():
            kept.save()
    except IntegrityError:
        seen = Problem("plan", "name", "a name of its own", name)
        raise RefusedError("conflict", f"There is a plan called {name!r} already.", seen) from None
    return kept


def checked_spec(data: object) -> PlanSpec:
    try:
        spec = read_plan(data)
        if spec.endpoint:
            # Whether the target allows such addresses is known once there is a target.
            check_endpoint(spec.endpoint, allow_link_local=True)
    except PlanError as error:
        raise plan_problem(error) from None
    meta_of({"settings": spec.settings}, uploader="")
    return spec


def preview(*, spec: object, target: Target) -> list[PlanCell]:
    """Every job that a plan fans out into on a target, to the letter."""
    checked = checked_spec(spec)
    return [_cell(checked, cell, target) for cell in cells_of(checked)]


def _cell(spec: PlanSpec, cell: PlanSpec, target: Target) -> PlanCell:
    values = cell_values(spec, cell)
    try:
        if cell.endpoint:
            check_endpoint(cell.endpoint, allow_link_local=target.allow_link_local)
        told = invocation_of(cell, target)
        pre, post = (tuple(map(tuple, command_lists(names, target))) for names in (cell.pre, cell.post))
    except PlanError as error:
        return PlanCell(values, repeats=spec.repeats, problem=str(error))
    return PlanCell(values, told.argv, pre, post, spec.repeats)


def plan_of(pk: int) -> Plan:
    found = Plan.objects.filter(pk=pk).first()
    if found is None:
        raise MissingError("plan_not_found", f"There is no plan {pk}.")
    return found
