"""/healthz: this process answers. /readyz: so do the database and the broker. Neither needs a login or a known host."""

from collections.abc import Callable

from celery import current_app
from django.db import connection
from django.http import HttpRequest, HttpResponse, JsonResponse

GetResponse = Callable[[HttpRequest], HttpResponse]


class HealthMiddleware:
    """Answers before sessions, logs and the host check, so that a probe needs no configuration."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path == "/healthz":
            return HttpResponse("ok\n", content_type="text/plain")
        if request.path == "/readyz":
            return ready()
        return self.get_response(request)


def ready() -> JsonResponse:
    checks = {"database": _answers(ask_database), "broker": _answers(ask_broker)}
    return JsonResponse(checks, status=200 if set(checks.values()) == {"ok"} else 503)


def _answers(ask: Callable[[], None]) -> str:
    try:
        ask()
    except Exception as error:  # noqa: BLE001  any failure means "not ready"; its text may hold an address, so only its kind
        return f"no answer ({type(error).__name__})"
    return "ok"


def ask_database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def ask_broker() -> None:
    with current_app.connection_for_write(connect_timeout=2) as broker:
        broker.ensure_connection(max_retries=1, timeout=2)
