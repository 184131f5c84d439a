"""Shares over the API: make, list, revoke. A link's token is in the answer that makes it, and never again."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, user_of
from dashboard.api.schema import body, refusals
from runs.domain.metrics import METRICS, SETTINGS
from runs.domain.redaction import MAX_LABEL, Redactions
from runs.services import shares
from runs.services.rights import Right
from runs.services.scenarios import find_scenario
from runs.services.shares import ShareDraft, ShareItem, ShareSpec


class ShareBody(serializers.Serializer[Any]):
    title = PlainTextField(max_length=120)
    runs = serializers.ListField(child=PlainTextField(max_length=80), min_length=1, max_length=24)
    baseline = PlainTextField(max_length=80, required=False, default="", allow_blank=True)
    metrics = serializers.ListField(
        child=serializers.ChoiceField([metric.key for metric in METRICS]), required=False, default=list, max_length=80
    )
    scenario = PlainTextField(max_length=60, required=False, default="", allow_blank=True)
    kind = serializers.ChoiceField(("frozen", "live"), required=False, default="frozen")
    language = serializers.ChoiceField(("", "en", "nl"), required=False, default="")
    days = serializers.IntegerField(min_value=1, max_value=3660, required=False, allow_null=True, default=None)
    passphrase = PlainTextField(
        max_length=shares.MAX_PASSPHRASE, required=False, default="", allow_blank=True, write_only=True
    )
    withhold_nodes = serializers.BooleanField(required=False, default=True)
    withhold_notes = serializers.BooleanField(required=False, default=True)
    withhold_files = serializers.BooleanField(required=False, default=True)
    withhold_settings = serializers.ListField(
        child=serializers.ChoiceField([spec.key for spec in SETTINGS]),
        required=False,
        default=list,
        max_length=80,
    )
    labels = serializers.ListField(
        child=PlainTextField(max_length=MAX_LABEL),
        required=False,
        default=list,
        max_length=24,
        help_text="What readers call the runs, in their order; empty: by their own labels.",
    )

    def validate(self, given: dict[str, Any]) -> dict[str, Any]:
        if given["labels"] and len(given["labels"]) != len(given["runs"]):
            raise serializers.ValidationError({"labels": "one for each run, or none"})
        return given


@dataclass(frozen=True)
class MadeLink:
    """A share just made. ``link`` is shown this once."""

    link: str
    share: ShareItem


class SharesApiView(ApiView):
    right = Right.SHARE
    read_right = Right.SHARE


class SharesView(SharesApiView):
    @extend_schema(operation_id="shares", responses={200: body(tuple[ShareItem, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Every share, newest first, with how often it was opened."""
        return Response(shares.list_shares())

    @extend_schema(
        operation_id="make_share",
        request=ShareBody,
        responses={201: body(MadeLink), **refusals(400, 401, 403, 404, 415, 422)},
    )
    def post(self, request: Request) -> Response:
        """A link to a comparison for people without a login; what is withheld is taken out before anything is kept."""
        given = ShareBody(data=request.data)
        given.is_valid(raise_exception=True)
        made = shares.make_share(draft=_draft(given.validated_data), user=user_of(request))
        link = request.build_absolute_uri(reverse("share", args=[made.token]))
        answer = MadeLink(link, made.item)
        return Response(answer, status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class ShareView(SharesApiView):
    @extend_schema(operation_id="share", responses={200: body(ShareItem), **refusals(401, 403, 404)})
    def get(self, request: Request, share_id: int) -> Response:
        """One share, without its token."""
        return Response(shares.share_item(share_id=share_id))

    @extend_schema(operation_id="revoke_share", responses={204: None, **refusals(401, 403, 404)})
    def delete(self, request: Request, share_id: int) -> Response:
        """Ends a link at once, downloads included."""
        shares.revoke_share(share_id=share_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _draft(given: dict[str, Any]) -> ShareDraft:
    withheld = Redactions(
        given["withhold_nodes"],
        given["withhold_notes"],
        given["withhold_files"],
        tuple(given["withhold_settings"]),
        tuple(zip(given["runs"], given["labels"], strict=False)),
    )
    scenario = find_scenario(key=given["scenario"]) if given["scenario"] else None
    spec = ShareSpec(tuple(given["runs"]), given["baseline"], tuple(given["metrics"]), scenario, withheld)
    expires = timezone.now() + dt.timedelta(days=given["days"]) if given["days"] else None
    return ShareDraft(given["title"], spec, given["kind"], given["language"], expires, given["passphrase"])
