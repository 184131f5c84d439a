from typing import Any

from drf_spectacular.contrib.knox_auth_token import KnoxTokenScheme
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from runs.services import accounts, audit


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]  # knox has no types
    def authenticate(self, request: Request) -> Any:
        try:
            # PostgreSQL takes no NUL, not even to look for it.
            if b"\0" in get_authorization_header(request):
                raise AuthenticationFailed("Invalid token.")
            found = super().authenticate(request)
        except UnicodeDecodeError:
            raise AuthenticationFailed("Invalid token.") from None
        if found is not None:
            accounts.note_token_use(token=found[1])
            audit.name_actor(found[0], f"token {found[1].name}"[:40])
        return found


class TokenScheme(KnoxTokenScheme):  # type: ignore[no-untyped-call]
    """Describes the class above in the schema."""

    target_class = "dashboard.api.authentication.TokenAuthentication"
    name = "token"
