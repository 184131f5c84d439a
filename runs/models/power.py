"""Power logs: what is in one, its samples as one columnar blob, and which run draws on which. No row per sample."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from runs.models.artifact import Artifact
from runs.models.run import Run


class PowerLog(models.Model):
    """A power log that was read. ``first`` and ``last`` are in seconds of the log's own clock, None without one."""

    artifact = models.OneToOneField(Artifact, on_delete=models.CASCADE, related_name="power_log")
    samples = models.PositiveIntegerField(_("samples"))
    first = models.FloatField(null=True)
    last = models.FloatField(null=True)
    gpus = models.JSONField(default=list)
    tool = models.CharField(max_length=60)
    clock = models.CharField(max_length=5)
    scope = models.CharField(max_length=40)

    def __str__(self) -> str:
        return f"{self.tool}: {self.samples} samples of {len(self.gpus)} GPUs"


class PowerSamples(models.Model):
    """The columns of a power log, apart so that no list reads megabytes by accident."""

    log = models.OneToOneField(PowerLog, on_delete=models.CASCADE, primary_key=True, related_name="columns")
    version = models.PositiveSmallIntegerField()
    blob = models.BinaryField()

    def __str__(self) -> str:
        return f"samples of {self.log_id}"


class RunPower(models.Model):
    """The log, window and GPUs that a run's power analysis was made with; the analysis itself is in the record."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="power_source")
    log = models.ForeignKey(PowerLog, on_delete=models.PROTECT, related_name="uses")
    gpus = models.JSONField(default=list)
    time_zone = models.CharField(max_length=64, blank=True)
    window_start = models.FloatField()
    window_end = models.FloatField()

    def __str__(self) -> str:
        return f"power of {self.run_id}"
