"""Tokens over the API: login, logout, list, revoke."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.base import ApiView, InScope, user_of
from dashboard.api.schema import body, refusals
from runs.services import tokens
from runs.services.answers import RefusedError


class PlainTextField(serializers.CharField):
    """Text without lone surrogates, which no database and no hash takes."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        if any("\ud800" <= char <= "\udfff" for char in text):
            raise serializers.ValidationError("text without lone surrogates")
        return text


class LoginBody(serializers.Serializer[Any]):
    username = PlainTextField(max_length=150)
    password = PlainTextField(max_length=500, trim_whitespace=False, write_only=True)
    name = PlainTextField(max_length=100, required=False, default="", allow_blank=True)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(tokens.SCOPES),
        required=False,
        default=list(tokens.DEFAULT_SCOPES),
        min_length=1,
        max_length=len(tokens.SCOPES),
    )
    days = serializers.IntegerField(
        required=False, default=None, allow_null=True, min_value=1, max_value=tokens.MAX_DAYS
    )


class LoginView(ApiView):
    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="login",
        request=LoginBody,
        responses={201: body(tokens.IssuedToken), **refusals(400, 401, 403, 422, 429)},
        auth=[],
    )
    def post(self, request: Request) -> Response:
        """A token for a name and password. Its text is shown this once. The scope ``admin`` (purge, names) is for
        administrators, and only where it is asked for."""
        given = LoginBody(data=request.data)
        given.is_valid(raise_exception=True)
        issued = tokens.login(request=request._request, **given.validated_data)  # noqa: SLF001
        return Response(issued, status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class LogoutView(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="logout", request=None, responses={204: None, **refusals(401, 400)})
    def post(self, request: Request) -> Response:
        """Ends the token that the request carries."""
        if request.auth is None:
            raise RefusedError("no_token", "There is no token in this request; a browser session ends at /logout/.")
        tokens.revoke_current(token=request.auth)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TokenListView(ApiView):
    permission_classes = (IsAuthenticated, InScope)

    @extend_schema(operation_id="tokens", responses={200: body(tuple[tokens.TokenItem, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Your tokens, newest first, without their text."""
        return Response(tokens.list_tokens(user=user_of(request)))


class TokenView(ApiView):
    permission_classes = (IsAuthenticated,)

    @extend_schema(operation_id="revoke_token", responses={204: None, **refusals(401, 404)})
    def delete(self, request: Request, token_id: str) -> Response:
        """Ends one of your tokens."""
        tokens.revoke(user=user_of(request), token_id=token_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
