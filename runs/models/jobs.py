"""Remote benchmarks: where they run, what they run, each execution, and what came of it. A job's truth is its row."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from runs.models.artifact import Artifact
from runs.models.run import Run


class Target(models.Model):
    """A machine. No private key is here: ``key_file`` is a path on the worker, empty means the worker's SSH agent.

    ``commands`` are the only ones that plans may run beside a client: name to ``{"argv", "parameters", "results"}``.
    ``programs`` name a tool's path where it is not on the PATH; ``found`` is what the last test of the connection saw.
    """

    class Connection(models.TextChoices):
        LOCAL = "local", _("this worker's own machine")
        SSH = "ssh", _("SSH")

    class Sampler(models.TextChoices):
        NONE = "", _("none")
        AMD = "amd-smi", "amd-smi"
        NVIDIA = "nvidia-smi", "nvidia-smi"

    name = models.CharField(_("name"), max_length=60, unique=True)
    connection = models.CharField(_("connection"), max_length=5, choices=Connection, default=Connection.SSH)
    queue = models.CharField(_("queue"), max_length=60, blank=True)
    host = models.CharField(_("host"), max_length=253, blank=True)
    port = models.PositiveIntegerField(
        _("port"), default=22, validators=[MinValueValidator(1), MaxValueValidator(65535)]
    )
    user = models.CharField(_("user"), max_length=64, blank=True)
    key_file = models.CharField(_("key file on the worker"), max_length=300, blank=True)
    accelerators = models.CharField(_("accelerators"), max_length=200, blank=True)
    gpus = models.PositiveIntegerField(_("GPUs"), null=True, blank=True)
    sampler = models.CharField(_("power sampler"), max_length=10, choices=Sampler, default=Sampler.NONE, blank=True)
    working_directory = models.CharField(_("working directory"), max_length=300, default="~/.likewise/jobs")
    environment = models.JSONField(_("environment"), default=dict, blank=True)
    programs = models.JSONField(_("programs"), default=dict, blank=True)
    commands = models.JSONField(_("commands"), default=dict, blank=True)
    tokenizer = models.CharField(_("tokenizer folder"), max_length=300, blank=True)
    allow_link_local = models.BooleanField(_("allow link-local and metadata endpoints"), default=False)
    notes = models.TextField(_("notes"), blank=True)
    found = models.JSONField(default=dict, blank=True, editable=False)
    found_at = models.DateTimeField(null=True, blank=True, editable=False)
    problem = models.TextField(blank=True, editable=False)
    created = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(connection__in=["local", "ssh"]), name="target_connection"),
        ]

    def __str__(self) -> str:
        return self.name


class HostKey(models.Model):
    """A key that a host showed. It counts only once a person has accepted it."""

    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="host_keys")
    algorithm = models.CharField(max_length=60)
    key = models.TextField()
    fingerprint = models.CharField(max_length=100)
    seen = models.DateTimeField(default=timezone.now)
    accepted = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["target", "fingerprint"], name="host_key_once"),
        ]

    def __str__(self) -> str:
        return f"{self.algorithm} {self.fingerprint}"


class Plan(models.Model):
    """A workload for a client. ``spec`` is the typed plan as JSON; jobs keep the one they were made from."""

    name = models.CharField(_("name"), max_length=100, unique=True)
    spec = models.JSONField()
    notes = models.TextField(_("notes"), blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="plans")
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["name"]

    def __str__(self) -> str:
        return self.name


class Schedule(models.Model):
    """A plan on a target at set times. The times and the zone are in the PeriodicTask of the same id."""

    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="schedules")
    target = models.ForeignKey(Target, on_delete=models.CASCADE, related_name="schedules")
    periodic = models.OneToOneField("django_celery_beat.PeriodicTask", on_delete=models.CASCADE, related_name="+")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.plan_id} on {self.target_id}"


class Occurrence(models.Model):
    """One due time of a schedule and what became of it. Two schedulers, or two messages, find it taken."""

    class Outcome(models.TextChoices):
        STARTED = "started", _("started")
        MISSED = "missed", _("missed")

    schedule = models.ForeignKey(Schedule, on_delete=models.CASCADE, related_name="occurrences")
    due = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome)
    text = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-due"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["schedule", "due"], name="occurrence_once"),
        ]

    def __str__(self) -> str:
        return f"{self.schedule_id} at {self.due}"


def new_key() -> str:
    return secrets.token_hex(16)


class Job(models.Model):
    """One execution. ``key`` names its folder on the target, so that launching it again launches nothing.

    ``lease`` and ``holder`` say which worker acts on it until when; a lease that ran out is what the sweep looks for.
    ``remote_open``: it is lost, and nobody has yet seen its processes ended.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("queued")
        PREFLIGHT = "preflight", _("preflight")
        RUNNING = "running", _("running")
        COLLECTING = "collecting", _("collecting")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")
        LOST = "lost", _("lost")

    ACTIVE = ("preflight", "running", "collecting")
    ENDED = ("done", "failed", "cancelled", "lost")

    key = models.CharField(max_length=32, unique=True, default=new_key, editable=False)
    plan = models.ForeignKey(Plan, on_delete=models.SET_NULL, null=True, related_name="jobs")
    target = models.ForeignKey(Target, on_delete=models.PROTECT, related_name="jobs")
    occurrence = models.ForeignKey(Occurrence, on_delete=models.SET_NULL, null=True, related_name="jobs")
    label = models.CharField(max_length=200)
    spec = models.JSONField()
    cell = models.JSONField(default=dict)
    repeat = models.PositiveSmallIntegerField(default=1)
    argv = models.JSONField(default=list)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    times = models.JSONField(default=list, encoder=DjangoJSONEncoder)
    reason = models.TextField(blank=True)
    problems = models.JSONField(default=list)
    cancel = models.BooleanField(default=False)
    cancelled_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    holder = models.CharField(max_length=40, blank=True)
    lease = models.DateTimeField(null=True)
    heartbeat = models.DateTimeField(null=True)
    silent_since = models.DateTimeField(null=True)
    remote_open = models.BooleanField(default=False)
    attempts = models.PositiveIntegerField(default=0)
    found = models.JSONField(default=dict)
    agent = models.JSONField(default=dict)
    tail = models.TextField(blank=True)
    output_bytes = models.BigIntegerField(default=0)
    simulated = models.CharField(max_length=200, blank=True)
    mailed = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="jobs")
    created = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["state", "target"], name="job_state_target")]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=["target"],
                condition=models.Q(state__in=["preflight", "running", "collecting"]),
                name="job_one_active_per_target",
            ),
            models.CheckConstraint(
                condition=models.Q(
                    state__in=["queued", "preflight", "running", "collecting", "done", "failed", "cancelled", "lost"]
                ),
                name="job_state",
            ),
        ]

    def __str__(self) -> str:
        return f"job {self.pk}: {self.label}"


class JobArtifact(models.Model):
    """A file that a job left, whatever became of it."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="job_artifacts")
    artifact = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="job_artifacts")
    name = models.CharField(max_length=200)

    class Meta:
        ordering: ClassVar[list[str]] = ["id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["job", "name"], name="job_artifact_once"),
        ]

    def __str__(self) -> str:
        return self.name


class JobRun(models.Model):
    """The runs that a job became, through the same door as a person's upload."""

    job = models.ForeignKey(Job, on_delete=models.CASCADE, related_name="job_runs")
    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="job_runs")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["job", "run"], name="job_run_once"),
        ]

    def __str__(self) -> str:
        return f"job {self.job_id} became {self.run_id}"
