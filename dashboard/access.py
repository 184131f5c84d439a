"""Which right each page asks for, in one table. The API asks in dashboard/api/base.py, by the same rights."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from runs.services.rights import Right, may

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})

# By the name of the route: for reading it, for changing through it. What is not named is read with READ and changed
# with EDIT; a route that is public says so itself (login_not_required).
READING = {
    "upload": Right.UPLOAD,
    "shares": Right.SHARE,
    "share-new": Right.SHARE,
    "share-detail": Right.SHARE,
    "inbox": Right.SHARE,
    "inbox-decide": Right.SHARE,
    "audit": Right.ADMIN,
    # Forms that only those see who may send them.
    "source-new": Right.EDIT,
    "source-edit": Right.EDIT,
    "source-paste": Right.EDIT,
    "source-run": Right.EDIT,
    "source-answer": Right.EDIT,
    "scenario-new": Right.EDIT,
    "scenario-edit": Right.EDIT,
    "evaluation-new": Right.EDIT,
    **dict.fromkeys(("plan-new", "plan-edit"), Right.JOBS),
    **dict.fromkeys(("target-new", "target-edit"), Right.ADMIN),
}
CHANGING = {
    "upload": Right.UPLOAD,
    "share-new": Right.SHARE,
    "share-detail": Right.SHARE,
    "share-revoke": Right.SHARE,
    "share-passphrase": Right.SHARE,
    "inbox-decide": Right.SHARE,
    **dict.fromkeys(("job-demo", "job-cancel", "plan-new", "plan-edit", "plan-start", "plan-schedule"), Right.JOBS),
    **dict.fromkeys(("schedule-change", "target-test"), Right.JOBS),
    **dict.fromkeys(("target-new", "target-edit", "target-key"), Right.ADMIN),
    **dict.fromkeys(("run-purge", "names", "name-unmerge"), Right.ADMIN),
    # Their own account is anybody's to change.
    "logout": Right.READ,
    "language": Right.READ,
    "tokens": Right.READ,
    "token-revoke": Right.READ,
}
# Never public: one's own account, and the machines that benchmarks run on.
CLOSED = frozenset(
    {"tokens", "token-revoke", "language", "jobs", "job", "job-live", "job-file", "targets", "target", "plans", "plan"}
)


class AccessMiddleware(LoginRequiredMiddleware):
    """A login for every page, or none to read where LIKEWISE_PUBLIC_READ is set; then the right that the page asks."""

    def process_view(
        self, request: HttpRequest, view_func: Callable[..., HttpResponseBase], view_args: Any, view_kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is None or not getattr(view_func, "login_required", True) or match.namespaces == ["admin"]:
            return None if match is None or match.namespaces != ["admin"] else self._login(request, view_func)
        right = needed(match.url_name or "", request.method or "GET")
        if not request.user.is_authenticated:
            if settings.LIKEWISE_PUBLIC_READ and right is Right.READ and match.url_name not in CLOSED:
                return None
            return self._login(request, view_func)
        if not may(request.user, right):
            raise PermissionDenied
        return None

    def _login(self, request: HttpRequest, view_func: Callable[..., HttpResponseBase]) -> HttpResponse | None:
        return super().process_view(request, view_func, (), {})  # type: ignore[return-value]


def needed(route: str, method: str) -> Right:
    return READING.get(route, Right.READ) if method in SAFE else CHANGING.get(route, Right.EDIT)
