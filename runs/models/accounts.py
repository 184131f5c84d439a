"""Who may use the dashboard, and with which token."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken, AuthTokenManager


class User(AbstractUser):  # type: ignore[django-manager-missing]  # the tokens' manager is knox's, without types
    class Role(models.TextChoices):
        VIEWER = "viewer", _("viewer")
        ANALYST = "analyst", _("analyst")
        OPERATOR = "operator", _("operator")
        ADMIN = "admin", _("administrator")

    class Language(models.TextChoices):
        EN = "en", "English"
        NL = "nl", "Nederlands"

    role = models.CharField(_("role"), max_length=10, choices=Role, default=Role.VIEWER)
    language = models.CharField(_("language"), max_length=2, choices=Language, default=Language.EN)

    class Meta(AbstractUser.Meta):
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.CheckConstraint(
                condition=models.Q(role__in=["viewer", "analyst", "operator", "admin"]), name="user_role"
            ),
            models.CheckConstraint(condition=models.Q(language__in=["en", "nl"]), name="user_language"),
        ]


class ApiToken(AbstractAuthToken):  # type: ignore[misc]  # knox has no types
    """A token's text is shown once, when it is made; only its digest is kept."""

    name = models.CharField(_("name"), max_length=100)
    scopes = models.JSONField(_("scopes"), default=list)
    last_used = models.DateTimeField(_("last used"), null=True, blank=True)

    objects: ClassVar[AuthTokenManager] = AuthTokenManager()

    def __str__(self) -> str:
        return f"{self.name} ({self.token_key}…)"
