"""Names that stand for other names."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class AliasRow(models.Model):
    """``alias`` is found and compared as ``canonical``; ``folded`` is how its spellings are recognised."""

    kind = models.CharField(_("kind"), max_length=20)
    alias = models.CharField(_("alias"), max_length=200)
    folded = models.CharField(max_length=200, editable=False)
    canonical = models.CharField(_("stands for"), max_length=200)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["kind", "canonical", "alias"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["kind", "folded"], name="alias_once"),
        ]

    def __str__(self) -> str:
        return f"{self.alias} is {self.canonical}"
