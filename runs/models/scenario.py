"""Price scenarios, kept in every version so that a share can pin the one it was made with."""

from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class ScenarioRow(models.Model):
    """One version of a scenario; a change adds a row."""

    key = models.CharField(_("key"), max_length=60)
    version = models.PositiveIntegerField()
    name = models.CharField(_("name"), max_length=120)
    record = models.BinaryField()
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["key", "-version"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["key", "version"], name="scenario_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} (version {self.version})"
