"""What a fresh installation offers: this machine as a target, a client to install, a plan that needs no GPU."""

import sys
from pathlib import Path

import msgspec
from django.conf import settings
from django.db import transaction

from runs.models import Job, Plan, Target, User
from runs.runners import install
from runs.runners.plans import PlanSpec
from runs.runners.simulator import MODEL
from runs.services.answers import RefusedError
from runs.services.jobs.queue import start
from runs.services.jobs.rights import need_operator

LOCAL, INSTALL, DEMO = "local", "Install aiperf", "Demo: simulator"
AIPERF = "0.13.0"


def clients_folder() -> Path:
    return Path(settings.VAR_DIR) / "clients"


def aiperf_program() -> Path:
    return clients_folder() / "aiperf" / "bin" / "aiperf"


def aiperf_is_installed() -> bool:
    return (clients_folder() / "aiperf.done").is_file() and aiperf_program().is_file()


def is_offered() -> bool:
    return Plan.objects.filter(name=DEMO).exists() and Target.objects.filter(name=LOCAL).exists()


@transaction.atomic
def offer() -> None:
    """The target ``local``, the installation and the demo plan. What is there already is left as it is, but for the
    paths and the port, which belong to this installation."""
    installer = {"argv": [sys.executable, install.__file__, str(clients_folder()), AIPERF]}
    target, _made = Target.objects.get_or_create(
        name=LOCAL,
        defaults={
            "connection": Target.Connection.LOCAL,
            "working_directory": str(Path(settings.VAR_DIR) / "jobs"),
            "notes": "The machine that this worker runs on.",
        },
    )
    target.programs = {**target.programs, "aiperf": str(aiperf_program())}
    target.commands = {**target.commands, "install-aiperf": installer}
    target.tokenizer = target.tokenizer or str(clients_folder() / "byte-tokenizer")
    target.save()
    _plan(INSTALL, PlanSpec(client="command", command="install-aiperf", timeout_s=1800), (
        f"aiperf {AIPERF} from PyPI into an environment of its own: about 90 s and 1.2 GB."
    ))  # fmt: skip
    endpoint = f"http://127.0.0.1:{settings.LIKEWISE_SIMULATOR_PORT}"
    demo = PlanSpec(
        client="aiperf", endpoint=endpoint, model=MODEL, temperature=0.0, isl=128, osl=64, num_prompts=60,
        concurrency=4, timeout_s=300,
    )  # fmt: skip
    _plan(DEMO, demo, "A real client against a simulator that says it is one: how a run arrives, no measurement.")


def _plan(name: str, spec: PlanSpec, notes: str) -> None:
    Plan.objects.update_or_create(name=name, defaults={"spec": msgspec.to_builtins(spec), "notes": notes})


def start_demo(*, user: User) -> list[Job]:
    """The demo run; before it, the client's installation where it is not here yet. Pressed again while one waits or
    runs, it is that one. Raises RefusedError where the target or a plan was renamed."""
    need_operator(user)
    under_way = list(Job.objects.filter(plan__name=DEMO, target__name=LOCAL).exclude(state__in=Job.ENDED)[:1])
    if under_way:
        return under_way
    names = [DEMO] if aiperf_is_installed() else [INSTALL, DEMO]
    plans, target = Plan.objects.in_bulk(names, field_name="name"), Target.objects.filter(name=LOCAL).first()
    if target is None or len(plans) < len(names):
        raise RefusedError("no_demo", "The demo's target or plan is not here; a restart offers it again.")
    return [job for name in names for job in start(plan=plans[name], target=target, user=user)]
