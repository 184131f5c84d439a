"""Documents that figures were read in, and the runs that rest on them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from runs.models.run import Run


class Source(models.Model):
    """A document by its key. ``url`` empty means "URL not stated"; ``record`` is the domain's Source as a blob."""

    key = models.CharField(_("key"), max_length=100, unique=True)
    title = models.CharField(_("title"), max_length=300)
    publisher = models.CharField(_("publisher"), max_length=200)
    url = models.CharField(_("URL"), max_length=1000, blank=True)
    record = models.BinaryField()

    def __str__(self) -> str:
        return self.title


class RunSource(models.Model):
    """That a run rests on a source, cut from its record. A source may be named before it is written down."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="run_sources")
    key = models.CharField(_("key"), max_length=100)

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["run", "key"], name="run_source_once"),
        ]
        indexes: ClassVar[list[models.Index]] = [models.Index(fields=["key", "run"], name="run_source_key")]

    def __str__(self) -> str:
        return f"{self.run_id} rests on {self.key}"
