"""Plans as pages: the list, one plan, its form, what it would run on a target to the letter, and its schedules."""

import json
from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages import plan_form as plan_form_fields
from dashboard.pages.plan_typed import spec_of, typed_in, typed_of
from dashboard.pages.upload_form import time_zones
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs import plans, queue, reads, schedules, targets
from runs.services.jobs.rights import may_run


@require_GET
def plan_list(request: HttpRequest) -> HttpResponse:
    context = {"place": "plans", "plans": reads.plans(), "may_run": may_run(request.user)}
    return render(request, "plans/list.html", context)


@require_GET
def plan(request: HttpRequest, pk: int) -> HttpResponse:
    """One plan; with ``?target=`` every argument list that it would run there."""
    try:
        found = reads.plan(pk)
        chosen = _target(request.GET)
        cells = plans.preview(spec=found.spec, target=targets.target_of(chosen)) if chosen else []
    except MissingError:
        raise Http404 from None
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("plans")
    stated = {key: value for key, value in found.spec.items() if value not in (None, "", [], {})}
    context = {
        "place": "plans", "plan": found, "targets": reads.targets(), "chosen": chosen, "cells": cells,
        "spec": json.dumps(stated, indent=2),
        "schedules": [one for one in reads.schedules() if one.plan_id == pk], "zones": time_zones(),
        "may_run": may_run(request.user), "total": sum(cell.repeats for cell in cells),
        "refused": any(cell.problem for cell in cells),
    }  # fmt: skip
    return render(request, "plans/plan.html", context)


def _target(query: QueryDict) -> int | None:
    text = query.get("target", "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


@require_http_methods(["GET", "POST"])
def plan_form(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """The form; posted with ``preview`` it comes back with what it would run and keeps nothing."""
    try:
        kept = plans.plan_of(pk) if pk is not None else None
    except MissingError:
        raise Http404 from None
    if request.method == "GET":
        spec = kept.spec if kept else plan_form_fields.NEW
        named = {"name": kept.name, "notes": kept.notes} if kept else {}
        return _form(request, pk, {**typed_of(spec), **named})
    typed = {**typed_in(request.POST), "name": request.POST.get("name", ""), "notes": request.POST.get("notes", "")}
    spec, problems = spec_of(typed)
    if "preview" in request.POST:
        return _form(request, pk, typed, problems, preview=True)
    try:
        if problems:
            raise RefusedError("invalid_plan", _("The plan cannot be taken as it is."), *problems)
        made = plans.save_plan(
            user=request.user,  # type: ignore[arg-type]
            name=typed["name"],
            notes=typed["notes"],
            spec=spec,
            plan=kept,
        )
    except RefusedError as error:
        return _form(request, pk, typed, error.problems, said=str(error))
    return redirect("plan", made.pk)


def _form(
    request: HttpRequest,
    pk: int | None,
    typed: dict[str, Any],
    problems: Sequence[Problem] = (),
    *,
    said: str = "",
    preview: bool = False,
) -> HttpResponse:
    spec, _unread = spec_of(typed)
    chosen = _target(request.POST)
    context = {
        "place": "plans", "pk": pk, "values": typed, "said": said, "groups": plan_form_fields.groups(typed, problems),
        "elsewhere": plan_form_fields.elsewhere(problems), "commands": plan_form_fields.command_names(),
        "name_errors": [one for one in problems if one.place == "name"], "targets": reads.targets(), "chosen": chosen,
        "preview": plan_form_fields.preview(spec, problems, chosen) if preview and chosen else None,
        "json": plan_form_fields.as_json(spec),
    }  # fmt: skip
    return render(request, "plans/form.html", context, status=400 if said else 200)


@require_POST
def plan_start(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        chosen = targets.target_of(_target(request.POST) or 0)
        made = queue.start(plan=plans.plan_of(pk), target=chosen, user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("plan", pk)
    return redirect("job", made[0].pk) if len(made) == 1 else redirect("jobs")


@require_POST
def plan_schedule(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        schedules.save_schedule(
            user=request.user,  # type: ignore[arg-type]
            plan=plans.plan_of(pk),
            target=targets.target_of(_target(request.POST) or 0),
            cron=request.POST.get("cron", ""),
            time_zone=request.POST.get("time_zone", ""),
        )
        messages.success(request, _("The schedule is set."), extra_tags="good")
    except RefusedError as error:
        said = "; ".join(f"{one.expected}, {one.seen}" for one in error.problems)
        messages.error(request, f"{error} {said}", extra_tags="serious")
    return redirect("plan", pk)


@require_POST
def schedule_change(request: HttpRequest, pk: int, schedule: int) -> HttpResponse:
    try:
        if "delete" in request.POST:
            schedules.delete(schedule_id=schedule, user=request.user)  # type: ignore[arg-type]
        else:
            schedules.enable(schedule_id=schedule, enabled="on" in request.POST, user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
    return redirect("plan", pk)
