"""Who uploaded what, when, and what they were answered."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class UploadRecord(models.Model):
    """The trace of one upload; the answer is the JSON that the uploader got. Dry runs leave none."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="uploads")
    at = models.DateTimeField(_("at"), default=timezone.now)
    answer = models.JSONField()

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"upload {self.pk}"
