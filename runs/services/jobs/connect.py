"""From a target's row to a runner, and what every request to its agent carries."""

from pathlib import Path
from typing import Any

from django.conf import settings

from runs.models import HostKey, Job, Target
from runs.runners.base import Runner
from runs.runners.local import LocalRunner
from runs.runners.ssh import Address, SshRunner


def runner(target: Target) -> Runner:
    if target.connection == Target.Connection.LOCAL:
        return LocalRunner(Path(settings.VAR_DIR) / "agent")
    keys = HostKey.objects.filter(target=target, accepted__isnull=False).values_list("key", flat=True)
    return SshRunner(
        Address(target.host, target.port, target.user, target.key_file, tuple(keys), settings.LIKEWISE_JOB_CONNECT_S)
    )


def base(target: Target) -> dict[str, Any]:
    root = target.working_directory
    return {"root": root, "programs": target.programs, "env": target.environment}


def of_job(job: Job, verb: str, /, **more: Any) -> dict[str, Any]:
    grace: int = settings.LIKEWISE_JOB_GRACE_S
    return {"verb": verb, "key": job.key, "grace_s": grace, **base(job.target), **more}
