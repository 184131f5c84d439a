"""What came after an upload: errata, settings filled in, mistaken runs purged. Rows are added and never changed."""

from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from runs.models.run import Run


class AppendOnly(models.Model):
    """A row that is written once."""

    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Raises TypeError for a row that is there already."""
        if not self._state.adding:
            raise TypeError(f"{type(self).__name__} rows are only ever added")
        super().save(*args, **kwargs)


class ErratumRow(AppendOnly):
    """An erratum. ``target_key`` is a run's public id, an evaluation's key or a source's key; ``revision`` the one its
    target got by it; ``record`` the domain's Erratum as a blob."""

    class Target(models.TextChoices):
        RUN = "run", _("run")
        EVALUATION = "evaluation", _("evaluation")
        SOURCE = "source", _("source")

    target = models.CharField(_("target"), max_length=10, choices=Target)
    target_key = models.CharField(_("target"), max_length=100)
    metric = models.CharField(_("metric"), max_length=60, blank=True)
    kind = models.CharField(_("kind"), max_length=12)
    date = models.CharField(_("date"), max_length=10)
    revision = models.PositiveIntegerField(default=0)
    content_key = models.CharField(max_length=64, unique=True, null=True, editable=False)  # noqa: DJ001 - unique
    record = models.BinaryField()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["target", "target_key"], name="erratum_target")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.target} {self.target_key}"


class SettingEdit(AppendOnly):
    """A setting filled in after upload, with its evidence in ``record`` (the domain's SettingEdit as a blob)."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="setting_edits")
    key = models.CharField(_("setting"), max_length=60)
    reason = models.CharField(_("reason"), max_length=1000, blank=True)
    revision = models.PositiveIntegerField()
    record = models.BinaryField()

    class Meta:
        ordering: ClassVar[list[str]] = ["pk"]

    def __str__(self) -> str:
        return f"{self.key} of {self.run_id}"


class Tombstone(AppendOnly):
    """What is left of a run that was uploaded by mistake: its name, who took it away, when and why."""

    public_id = models.CharField(_("id"), max_length=16, unique=True)
    label = models.CharField(_("label"), max_length=200)
    reason = models.CharField(_("reason"), max_length=1000)
    who = models.CharField(_("who"), max_length=150)
    files = models.JSONField(_("files removed"), default=list)

    def __str__(self) -> str:
        return f"{self.label} (purged)"
