"""The one place that sends mail: plain text, one person, by ``LIKEWISE_EMAIL_*``; without a host nothing is sent."""

from collections.abc import Iterable

from django.conf import settings
from django.core.mail import send_mail


def can_mail() -> bool:
    """Whether a mail that is sent goes anywhere."""
    return "dummy" not in settings.EMAIL_BACKEND


def mail(*, to: str, subject: str, paragraphs: Iterable[str]) -> bool:
    """Sends it. False where there is nobody to tell or no way to. A server that cannot be reached raises OSError."""
    if not to or not can_mail():
        return False
    # A header takes no line break, whatever a label holds.
    return send_mail(" ".join(subject.split())[:200], "\n\n".join(filter(None, paragraphs)), None, [to]) == 1


def link(path: str) -> str:
    """A page of this installation as it is reached from outside."""
    return f"{settings.LIKEWISE_URL}{path}"
