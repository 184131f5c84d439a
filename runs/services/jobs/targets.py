"""Targets: kept as they are checked, tested, and their host keys accepted by a person."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from runs.models import HostKey, Target, User
from runs.runners.base import HostKeyError, RunnerError, ask
from runs.runners.clients import PARAMETER, Command
from runs.services.answers import MissingError, Problem, RefusedError
from runs.services.jobs.connect import base, runner
from runs.services.jobs.rights import need_admin, need_operator

FIELDS = (
    "name", "connection", "queue", "host", "port", "user", "key_file", "accelerators", "gpus", "sampler",
    "working_directory", "environment", "programs", "commands", "tokenizer", "allow_link_local", "notes",
)  # fmt: skip
HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.:_-]{0,252}")
USER = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]{0,63}\$?")
QUEUE = re.compile(r"[A-Za-z0-9_.-]{0,60}")
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}")
RESERVED = frozenset({"LIKEWISE_JOB", "PYTHONPATH", "PYTHONHOME", "TZ", "BASH_ENV", "ENV"})
LOADER = ("LD_", "DYLD_")
"""What the loader reads: other code in every program of a job, the agent's among them."""


def target_of(pk: int) -> Target:
    found = Target.objects.filter(pk=pk).first()
    if found is None:
        raise MissingError("target_not_found", f"There is no target {pk}.")
    return found


def save_target(*, user: User, given: Mapping[str, Any], target: Target | None = None) -> Target:
    """A target, new or changed. A change of address drops the accepted host keys. Raises RefusedError."""
    need_admin(user)
    kept = target or Target()
    before = (kept.host, kept.port)
    unknown = sorted(set(given) - set(FIELDS))
    problems = [Problem("target", name, f"one of: {', '.join(FIELDS)}", "an unknown key") for name in unknown]
    for name in FIELDS:
        if name in given:
            setattr(kept, name, given[name])
    problems += _problems(kept)
    if problems:
        raise RefusedError("invalid_target", "The target cannot be taken as it is.", *problems)
    try:
        with transaction.atomic():
            kept.save()
            if before != (kept.host, kept.port):
                HostKey.objects.filter(target=kept).delete()
    except IntegrityError:
        seen = Problem("target", "name", "a name of its own", kept.name)
        raise RefusedError("conflict", f"There is a target called {kept.name!r} already.", seen) from None
    return kept


def _problems(target: Target) -> list[Problem]:
    try:
        target.full_clean(validate_unique=False, validate_constraints=False)
    except ValidationError as error:
        return [Problem("target", name, " ".join(said), "") for name, said in error.message_dict.items()]
    found = []
    if target.connection == Target.Connection.SSH:
        found += _unless(HOST.fullmatch(target.host), "host", "a host name or address", target.host)
        found += _unless(USER.fullmatch(target.user), "user", "an account's name", target.user)
    found += _unless(QUEUE.fullmatch(target.queue), "queue", "letters, digits, dots, dashes", target.queue)
    key = target.key_file
    found += _unless(
        "PRIVATE KEY" not in key and "\n" not in key, "key_file", "a path on the worker, never a key", "a key"
    )
    return [*found, *_objects(target)]


def _unless(fine: object, place: str, expected: str, seen: str) -> list[Problem]:
    return [] if fine else [Problem("target", place, expected, seen[:100])]


def _objects(target: Target) -> list[Problem]:
    found = []
    for name, place in ((target.environment, "environment"), (target.programs, "programs")):
        if not isinstance(name, dict) or not all(_plain(key) and _plain(value) for key, value in name.items()):
            found.append(Problem("target", place, "an object of texts", str(name)[:100]))
        elif place == "environment":
            wrong = [key for key in name if not _may_be_set(key)]
            found += [Problem("target", place, "names of variables that may be set", key[:100]) for key in wrong]
    try:
        commands = msgspec.convert(target.commands, dict[str, Command])
    except msgspec.ValidationError as error:
        return [*found, Problem("target", "commands", "name to argv, parameters, results", str(error))]
    for name, command in commands.items():
        used = {parameter for part in command.argv for parameter in PARAMETER.findall(part)}
        fine = command.argv and used <= set(command.parameters) and not PARAMETER.search(command.argv[0])
        found += _unless(
            fine, f"commands.{name}", "a program, and every {name} among its parameters", str(command.argv)
        )
    return found


def _may_be_set(name: str) -> bool:
    return bool(VARIABLE.fullmatch(name)) and name not in RESERVED and not name.startswith(LOADER)


def _plain(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value and len(value) <= 2000


def test_connection(*, target: Target, user: User) -> Target:
    """Looks what is there. An unknown host key is kept to be shown and refused until a person accepts it."""
    need_operator(user)
    asked = timezone.now().timestamp()
    try:
        with runner(target) as connection:
            found = ask(connection, {"verb": "probe", **base(target)}, 120)
        now = timezone.now().timestamp()
        found["clock_offset_s"] = round(found["time"] - max(asked, min(found["time"], now)), 3)
        found["answered_in_s"] = round(now - asked, 1)
        target.found, target.found_at, target.problem = found, timezone.now(), ""
    except HostKeyError as error:
        HostKey.objects.get_or_create(
            target=target, fingerprint=error.fingerprint, defaults={"algorithm": error.algorithm, "key": error.key}
        )
        target.problem = str(error)
    except RunnerError as error:
        target.problem = str(error)
    target.save(update_fields=["found", "found_at", "problem"])
    return target


def accept_host_key(*, target: Target, fingerprint: str, user: User) -> HostKey:
    """A person says that a key is the host's. It replaces what was accepted before."""
    need_admin(user)
    key = HostKey.objects.filter(target=target, fingerprint=fingerprint).first()
    if key is None:
        raise MissingError("host_key_not_found", "The host has shown no such key.")
    with transaction.atomic():
        HostKey.objects.filter(target=target).exclude(pk=key.pk).delete()
        key.accepted, key.accepted_by = timezone.now(), user
        key.save(update_fields=["accepted", "accepted_by"])
        Target.objects.filter(pk=target.pk).update(problem="")
    return key
