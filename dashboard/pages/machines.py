"""Targets as pages: the list, one machine with what its test found, its form."""

import json
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from dashboard.pages.job_words import queue_view, watts
from dashboard.pages.locale import locale_of
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs import reads, targets
from runs.services.jobs.rights import may_administer, may_run

TEXTS = ("name", "connection", "queue", "host", "user", "key_file", "accelerators", "sampler", "working_directory",
         "tokenizer", "notes")  # fmt: skip
OBJECTS = ("environment", "programs", "commands")


@require_GET
def target_list(request: HttpRequest) -> HttpResponse:
    context = {"place": "targets", "targets": reads.targets(), "may_administer": may_administer(request.user)}
    return render(request, "targets/list.html", context)


@require_GET
def target(request: HttpRequest, pk: int) -> HttpResponse:
    return _page(request, pk)


def _page(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        found = reads.target(pk)
    except MissingError:
        raise Http404 from None
    locale = locale_of(request)
    gpus = [
        (gpu["index"], gpu["name"], watts(gpu["cap_w"], locale), watts(gpu["max_w"], locale), gpu["load"])
        for gpu in found.found.get("gpus", {}).get("gpus", [])
    ]
    context = {
        "place": "targets", "target": found, "gpus": gpus, "queue": queue_view(reads.queue_of(pk)),
        "may_run": may_run(request.user), "may_administer": may_administer(request.user),
        "commands": [(name, command["argv"]) for name, command in found.commands.items()],
    }  # fmt: skip
    return render(request, "targets/target.html", context)


@require_POST
def target_test(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        found = targets.test_connection(target=targets.target_of(pk), user=request.user)  # type: ignore[arg-type]
    except MissingError:
        raise Http404 from None
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
    else:
        if not found.problem:
            messages.success(request, _("The target answers."), extra_tags="good")
    return redirect("target", pk)


@require_POST
def target_key(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        given = request.POST.get("fingerprint", "")
        targets.accept_host_key(target=targets.target_of(pk), fingerprint=given, user=request.user)  # type: ignore[arg-type]
        messages.success(request, _("The host key is accepted; test the connection again."), extra_tags="good")
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
    return redirect("target", pk)


@require_http_methods(["GET", "POST"])
def target_form(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    try:
        kept = targets.target_of(pk) if pk is not None else None
    except MissingError:
        raise Http404 from None
    if request.method == "GET":
        return _form(request, pk, shown(pk))
    try:
        made = targets.save_target(user=request.user, given=given_of(request.POST), target=kept)  # type: ignore[arg-type]
    except RefusedError as error:
        return _form(request, pk, request.POST.dict(), error)
    return redirect("target", made.pk)


def shown(pk: int | None) -> dict[str, Any]:
    """The form's fields. Values of the environment are not given back: an empty field leaves them as they are."""
    if pk is None:
        return {"connection": "ssh", "port": "22", "working_directory": "~/.likewise/jobs"}
    found = reads.target(pk)
    fields: dict[str, Any] = {name: getattr(found, name) for name in (*TEXTS, "port", "gpus", "allow_link_local")}
    return {**fields, **{name: json.dumps(getattr(found, name), indent=2) for name in ("programs", "commands")}}


def given_of(post: QueryDict) -> dict[str, Any]:
    given: dict[str, Any] = {name: post.get(name, "").strip() for name in TEXTS}
    given["allow_link_local"] = "allow_link_local" in post
    problems = []
    for name in ("port", "gpus"):
        text = post.get(name, "").strip()
        if text.isascii() and text.isdigit() and len(text) < 8:
            given[name] = int(text)
        elif text:
            problems.append(Problem("target", name, "a whole number", text[:50]))
        elif name == "gpus":
            given[name] = None
    for name in OBJECTS:
        if not post.get(name, "").strip():
            continue
        try:
            given[name] = json.loads(post.get(name, ""))
        except (ValueError, RecursionError) as error:
            problems.append(Problem("target", name, "a JSON object", str(error)[:100]))
    if problems:
        raise RefusedError("invalid_target", _("The target cannot be taken as it is."), *problems)
    return given


def _form(
    request: HttpRequest, pk: int | None, values: dict[str, Any], error: RefusedError | None = None
) -> HttpResponse:
    context = {
        "place": "targets",
        "pk": pk,
        "values": values,
        "error": error,
        "problems": error.problems if error else (),
    }
    return render(request, "targets/form.html", context, status=400 if error else 200)
