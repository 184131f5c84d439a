"""Shares: links for people without a login, who opened them, and what came back through them."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from runs.models.comparison import SavedComparison


class Share(models.Model):
    """A link. Its token is shown once, when it is made; only the SHA-256 is kept, which is also how it is found.

    ``snapshot`` is the frozen comparison with its redactions already applied; a live share has none. ``spec`` is what
    a live view is built from: the state of the comparison, its pinned scenario and the redactions.
    """

    class Kind(models.TextChoices):
        FROZEN = "frozen", _("frozen")
        LIVE = "live", _("live")

    token_hash = models.CharField(max_length=64, unique=True)
    hint = models.CharField(_("link begins with"), max_length=6)
    kind = models.CharField(_("kind"), max_length=6, choices=Kind)
    title = models.CharField(_("title"), max_length=120)
    comparison = models.ForeignKey(SavedComparison, on_delete=models.SET_NULL, null=True, related_name="shares")
    spec = models.JSONField(default=dict)
    snapshot = models.BinaryField(null=True)
    language = models.CharField(_("language"), max_length=2, blank=True)
    passphrase = models.CharField(max_length=128, blank=True)
    expires = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked = models.DateTimeField(_("revoked"), null=True, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, blank=True, related_name="shares"
    )
    created = models.DateTimeField(_("created"), default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(kind="live", snapshot__isnull=True)
                | models.Q(kind="frozen", snapshot__isnull=False),
                name="share_kind_snapshot",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.hint}…)"


class ShareAccess(models.Model):
    """How often a share was used for what on one day, and when last. No address, no browser, no person."""

    share = models.ForeignKey(Share, on_delete=models.CASCADE, related_name="accesses")
    day = models.DateField()
    kind = models.CharField(max_length=20)
    count = models.PositiveIntegerField(default=0)
    last = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar[list[str]] = ["-day", "kind"]
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=["share", "day", "kind"], name="share_access_once"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.kind}: {self.count}"


class FactMessage(models.Model):
    """What a reader of a share says about a setting or a figure. Its owner sees it, and nobody else."""

    class State(models.TextChoices):
        NEW = "new", _("new")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")

    class Decision(models.TextChoices):
        DISPUTED = "disputed", _("setting disputed")
        STATED = "stated", _("setting stated")
        CORRECTION = "correction", _("figure to be corrected")

    share = models.ForeignKey(Share, on_delete=models.CASCADE, related_name="messages")
    run_key = models.CharField(max_length=16, blank=True)
    subject = models.CharField(max_length=80, blank=True)
    value = models.CharField(max_length=200, blank=True)
    message = models.TextField()
    evidence = models.TextField(blank=True)
    email = models.CharField(max_length=254, blank=True)
    at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=8, choices=State, default=State.NEW)
    decision = models.CharField(max_length=10, choices=Decision, blank=True)
    answer = models.TextField(blank=True)
    decided_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    decided = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar[list[str]] = ["-id"]

    def __str__(self) -> str:
        return f"{self.subject} of {self.run_key}: {self.state}"
