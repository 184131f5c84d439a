from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from runs.models import ApiToken, User


class Whoami(APIView):
    def get(self, request: Request) -> Response:
        return Response({"name": request.user.get_username()})


def ask(header: str | bytes | None) -> Response:
    extra: dict[str, Any] = {} if header is None else {"HTTP_AUTHORIZATION": header}
    answer = Whoami.as_view()(APIRequestFactory().get("/", **extra))
    assert isinstance(answer, Response)
    return answer


@pytest.fixture
def token(db: None) -> tuple[ApiToken, str]:
    made: tuple[ApiToken, str] = ApiToken.objects.create(User.objects.create_user("ann"), name="laptop")
    return made


def test_a_token_logs_in_and_its_last_use_is_noted(token: tuple[ApiToken, str]) -> None:
    row, shown = token
    answer = ask(f"Token {shown}")
    assert (answer.status_code, answer.data) == (200, {"name": "ann"})
    row.refresh_from_db()
    assert row.last_used is not None
    assert timezone.now() - row.last_used < timedelta(seconds=30)


def test_its_last_use_is_written_once_a_minute(token: tuple[ApiToken, str], django_assert_num_queries: Any) -> None:
    ask(f"Token {token[1]}")
    with django_assert_num_queries(2):  # the token with its user, and the user's other tokens (expired ones go)
        ask(f"Token {token[1]}")


def test_an_expired_token_is_refused(token: tuple[ApiToken, str]) -> None:
    row, shown = token
    row.expiry = timezone.now() - timedelta(seconds=1)
    row.save()
    assert ask(f"Token {shown}").status_code == 401


@pytest.mark.django_db
@pytest.mark.parametrize("header", [None, "Token", "Token a b", "Token nonsense", b"Token \xff\xfe", "Basic YTpi"])
def test_anything_else_is_401_and_never_an_error(header: str | bytes | None) -> None:
    answer = ask(header)
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Token"


def test_api_views_answer_for_themselves_instead_of_redirecting_to_the_login_page() -> None:
    # LoginRequiredMiddleware reads this; REST framework sets it.
    assert Whoami.as_view().login_required is False  # type: ignore[attr-defined]
