"""Documents that figures were read in."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Source(models.Model):
    """A document by its key. ``url`` empty means "URL not stated"; ``record`` is the domain's Source as a blob."""

    key = models.CharField(_("key"), max_length=100, unique=True)
    title = models.CharField(_("title"), max_length=300)
    publisher = models.CharField(_("publisher"), max_length=200)
    url = models.CharField(_("URL"), max_length=1000, blank=True)
    record = models.BinaryField()

    def __str__(self) -> str:
        return self.title
