"""Declared setups that bring settings."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class SetupProfile(models.Model):
    """The settings of a setup, said once. ``record`` holds the domain's Settings by key; ``sha256`` the document that
    declared it, empty where a person did."""

    name = models.CharField(_("name"), max_length=200, unique=True)
    sha256 = models.CharField(_("file"), max_length=64, blank=True)
    record = models.BinaryField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    def __str__(self) -> str:
        return self.name
