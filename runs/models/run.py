"""Runs: one frozen record each, beside the columns that a list filters and sorts by."""

import secrets
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from runs.models.artifact import Artifact

# Lower-case base32 without the letters and digits that are taken for one another: 10 characters are 50 bits.
ALPHABET = "abcdefghjkmnpqrstuvwxyz023456789"


def new_public_id() -> str:
    return "".join(secrets.choice(ALPHABET) for _position in range(10))


class Run(models.Model):
    """The row of a run. Its truth is the record in ``body``; the columns here are copies to find and to order by.

    The float columns are sort keys in canonical units (tok/s, s, W), never shown: what a list prints, digits and basis,
    is in ``summary``, cut from the same record by the store.
    """

    public_id = models.CharField(_("id"), max_length=16, unique=True, default=new_public_id, editable=False)
    content_key = models.CharField(max_length=64, unique=True, editable=False)
    label = models.CharField(_("label"), max_length=200)
    provenance = models.CharField(_("provenance"), max_length=20)
    status = models.CharField(_("status"), max_length=20, default="current")
    basis = models.CharField(_("basis of the throughput"), max_length=12, blank=True)
    model = models.CharField(_("model"), max_length=200, blank=True)
    runtime = models.CharField(_("runtime"), max_length=200, blank=True)
    accelerator = models.CharField(_("accelerator"), max_length=200, blank=True)
    workload = models.CharField(_("workload"), max_length=60, blank=True)
    isl = models.BigIntegerField(_("ISL"), null=True)
    osl = models.BigIntegerField(_("OSL"), null=True)
    concurrency = models.BigIntegerField(_("concurrency"), null=True)
    active_gpus = models.IntegerField(_("active GPUs"), null=True)
    total_throughput = models.FloatField(null=True)
    per_gpu_total = models.FloatField(null=True)
    output_throughput = models.FloatField(null=True)
    ttft_median = models.FloatField(null=True)
    tpot_median = models.FloatField(null=True)
    gpu_power_mean = models.FloatField(null=True)
    run_date = models.DateField(_("date of the run"), null=True)
    setup = models.CharField(_("declared setup"), max_length=200, blank=True)
    fingerprint = models.CharField(_("configuration"), max_length=32, blank=True)
    summary = models.BinaryField()
    revision = models.PositiveIntegerField(default=1)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="runs"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        # Every sort key is indexed with the id behind it, which is how the pages of a list are cut.
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=["provenance"], name="run_provenance"),
            models.Index(fields=["setup"], name="run_setup"),
            models.Index(fields=["fingerprint"], name="run_fingerprint"),
            models.Index(fields=["model"], name="run_model"),
            models.Index(fields=["runtime"], name="run_runtime"),
            models.Index(fields=["accelerator"], name="run_accelerator"),
            models.Index(fields=["isl", "osl", "concurrency"], name="run_workload"),
            models.Index(fields=["total_throughput", "id"], name="run_total_throughput"),
            models.Index(fields=["per_gpu_total", "id"], name="run_per_gpu_total"),
            models.Index(fields=["output_throughput", "id"], name="run_output_throughput"),
            models.Index(fields=["ttft_median", "id"], name="run_ttft_median"),
            models.Index(fields=["tpot_median", "id"], name="run_tpot_median"),
            models.Index(fields=["gpu_power_mean", "id"], name="run_gpu_power_mean"),
            models.Index(fields=["run_date", "id"], name="run_date"),
            models.Index(fields=["created", "id"], name="run_created"),
        ]

    def __str__(self) -> str:
        return self.label


class RunBody(models.Model):
    """The record of a run as one versioned blob, apart from the row so that lists never read it."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, primary_key=True, related_name="body")
    version = models.PositiveSmallIntegerField()
    record = models.BinaryField()

    def __str__(self) -> str:
        return f"record of {self.run_id}"


class RunArtifact(models.Model):
    """Which file stands behind a run, and as what."""

    class Role(models.TextChoices):
        RESULT = "result", _("result file")
        POWER = "power", _("power log")
        CAPS = "caps", _("power caps")
        DOCUMENT = "document", _("document")
        JOB = "job", _("record of the job")

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="run_artifacts")
    artifact = models.ForeignKey(Artifact, on_delete=models.PROTECT, related_name="run_artifacts")
    role = models.CharField(_("role"), max_length=10, choices=Role)
    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "artifact", "role"], name="run_artifact_once"),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.artifact_id} of {self.run_id}"
