"""Saved comparisons: a name and an address that stay, and every version of what they show."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SavedComparison(models.Model):
    """The address of a comparison. What it shows is in its versions; the latest counts."""

    slug = models.SlugField(_("address"), max_length=80, unique=True)
    name = models.CharField(_("name"), max_length=120)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="comparisons"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)
    changed = models.DateTimeField(_("changed"), default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-changed", "-id"]

    def __str__(self) -> str:
        return self.name


class ComparisonVersion(models.Model):
    """One version of a saved comparison; a change adds a row. ``view`` is the state as the comparison page's address
    has it: runs in order, baseline, metrics, prices. The scenario is pinned by key and version."""

    comparison = models.ForeignKey(SavedComparison, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    name = models.CharField(max_length=120)
    view = models.JSONField(default=dict)
    scenario_key = models.CharField(max_length=60, blank=True)
    scenario_version = models.PositiveIntegerField(null=True)
    notes = models.TextField(blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-number"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["comparison", "number"], name="comparison_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.name} (version {self.number})"
