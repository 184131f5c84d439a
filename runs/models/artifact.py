"""Files as they came: stored once per content, whatever they are called."""

from typing import TYPE_CHECKING, ClassVar

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.core.files.base import File


def artifact_storage() -> Storage:
    """Called by Django when the storage is needed, so that tests and installations can swap it."""
    return storages["artifacts"]


class Artifact(models.Model):
    """A file's bytes, by their SHA-256. ``name`` is what the uploader called it: untrusted text, never a path."""

    class Status(models.TextChoices):
        READ = "read", _("read")
        NEEDS_MAPPING = "needs-mapping", _("kept, format unknown")
        REFUSED = "refused", _("refused")

    sha256 = models.CharField(_("SHA-256"), max_length=64, unique=True)
    name = models.CharField(_("name"), max_length=255)
    size = models.BigIntegerField(_("size in bytes"))
    media_type = models.CharField(_("media type"), max_length=100)
    format = models.CharField(_("format"), max_length=60, blank=True)
    status = models.CharField(_("status"), max_length=15, choices=Status, default=Status.READ)
    file = models.FileField(_("file"), storage=artifact_storage, max_length=200)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="artifacts"
    )
    uploaded_at = models.DateTimeField(_("uploaded"), default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(condition=models.Q(size__gte=0), name="artifact_size"),
            models.CheckConstraint(
                condition=models.Q(status__in=["read", "needs-mapping", "refused"]), name="artifact_status"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.sha256[:12]})"

    def open(self) -> "File[bytes]":
        """The bytes. Raises FileNotFoundError where the storage has lost them."""
        return artifact_storage().open(str(self.file.name), "rb")
