"""What every view of the API shares: bodies of known length, scopes and roles, strict query parameters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from django.conf import settings
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.serializers import ListField, Serializer, ValidationError
from rest_framework.views import APIView

from dashboard.api.codecs import drain
from dashboard.api.errors import InvalidQuery, LengthRequired, TooLarge
from runs.services.answers import Problem
from runs.services.rights import Right, why_not

if TYPE_CHECKING:
    from runs.models import User

SLACK_BYTES = 1024 * 1024


class InScope(BasePermission):
    """A view's ``right`` for what changes something, ``read_right`` for the rest (see runs/services/rights.py)."""

    message = ""

    def has_permission(self, request: Request, view: APIView) -> bool:
        reads = request.method in SAFE_METHODS
        right = getattr(view, "read_right", Right.READ) if reads else getattr(view, "right", Right.EDIT)
        if reads and right is Right.READ and settings.LIKEWISE_PUBLIC_READ and not request.user.is_authenticated:
            return True
        self.message = why_not(request.user, right, request.auth)
        return not self.message


class ApiView(APIView):
    permission_classes: Sequence[type[BasePermission]] = (InScope,)
    right = Right.EDIT
    read_right = Right.READ

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        # Before login is looked at: with a session, that reads the body for its CSRF token.
        self._bound_body(request)
        super().initial(request, *args, **kwargs)

    def _bound_body(self, request: Request) -> None:
        if request.META.get("HTTP_TRANSFER_ENCODING") and not request.META.get("CONTENT_LENGTH"):
            raise LengthRequired
        length = int(request.META.get("CONTENT_LENGTH") or 0)
        limit: int = settings.LIKEWISE_MAX_UPLOAD_BYTES + SLACK_BYTES
        if length > limit:
            drain(request._request)  # noqa: SLF001
            seen = Problem(
                "", "body", f"at most {settings.LIKEWISE_MAX_UPLOAD_BYTES} bytes in one upload", f"{length} bytes"
            )
            raise TooLarge("The request is too large.", seen)


def user_of(request: Request) -> "User":
    """The user of a request that has passed :class:`IsAuthenticated`."""
    return cast("User", request.user)


def query(request: Request, serializer_class: type[Serializer[Any]]) -> dict[str, Any]:
    """The query parameters by their serializer; a parameter that it does not know is refused by name."""
    serializer = serializer_class(data=request.query_params)
    unknown = sorted(set(request.query_params) - set(serializer.fields))
    if unknown:
        raise ValidationError({name: f"unknown; known: {', '.join(serializer.fields)}" for name in unknown})
    single = [name for name, field in serializer.fields.items() if not isinstance(field, ListField)]
    twice = [name for name in single if len(request.query_params.getlist(name)) > 1]
    if twice:
        raise InvalidQuery(dict.fromkeys(twice, "given once"), request.query_params)
    if not serializer.is_valid():
        raise InvalidQuery(serializer.errors, request.query_params)
    return dict(serializer.validated_data)
