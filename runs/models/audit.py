"""The audit log: every change, by whom, when, and what it went from and to."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AuditEntry(models.Model):
    """One change. ``who`` outlives the account; ``before`` and ``after`` hold ids, never secrets."""

    at = models.DateTimeField(_("at"), default=timezone.now, db_index=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    who = models.CharField(_("who"), max_length=150, blank=True)
    via = models.CharField(_("via"), max_length=40, blank=True)
    action = models.CharField(_("action"), max_length=20)
    noun = models.CharField(_("what"), max_length=40)
    key = models.CharField(_("which"), max_length=120)
    before = models.JSONField(_("before"), default=dict)
    after = models.JSONField(_("after"), default=dict)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["noun", "key"], name="audit_noun_key")]

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.who}: {self.action} {self.noun} {self.key}"
