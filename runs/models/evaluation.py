"""Evaluations of output quality, and which runs or setups each one covers."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class EvaluationRow(models.Model):
    """An evaluation by its key. ``record`` is the domain's Evaluation as it came; errata are worked in on reading."""

    key = models.CharField(_("key"), max_length=100, unique=True)
    content_key = models.CharField(max_length=64, unique=True, editable=False)
    task = models.CharField(_("task"), max_length=200)
    status = models.CharField(_("status"), max_length=20, default="current")
    sha256 = models.CharField(_("file"), max_length=64, blank=True)
    revision = models.PositiveIntegerField(default=1)
    record = models.BinaryField()
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["task", "pk"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["task", "id"], name="evaluation_task")]

    def __str__(self) -> str:
        return self.key


class EvaluationCover(models.Model):
    """A run (by its public id) or a setup (by its name) that an evaluation covers."""

    evaluation = models.ForeignKey(EvaluationRow, on_delete=models.CASCADE, related_name="covers")
    target = models.CharField(_("covers"), max_length=200, db_index=True)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["evaluation", "target"], name="evaluation_cover_once"),
        ]

    def __str__(self) -> str:
        return self.target
