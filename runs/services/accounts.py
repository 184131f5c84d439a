"""Logins and tokens."""

from datetime import timedelta

from django.utils import timezone

from runs.models import ApiToken, User

# A write per request would make every read of the API a write.
LAST_USED_STEP = timedelta(minutes=1)


def note_token_use(*, token: ApiToken) -> None:
    now = timezone.now()
    if token.last_used is None or now - token.last_used >= LAST_USED_STEP:
        ApiToken.objects.filter(pk=token.pk).update(last_used=now)


def ensure_admin(*, username: str, password: str) -> bool:
    """Makes the administrator if there is none of that name. False when the password given is not theirs."""
    user, made = User.objects.get_or_create(
        username=username,
        defaults={"role": User.Role.ADMIN, "is_staff": True, "is_superuser": True},
    )
    if made:
        user.set_password(password)
        user.save(update_fields=["password"])
        return True
    return user.check_password(password)


def set_language(*, user: User, language: str) -> None:
    user.language = language
    user.save(update_fields=["language"])
