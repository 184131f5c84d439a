"""Errata, edits of settings, history and purge over the API."""

import datetime as dt
from dataclasses import dataclass
from typing import Any, Literal

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, user_of
from dashboard.api.schema import body, refusals
from runs.domain.errata import Erratum, ErratumKind
from runs.domain.facts import Evidence
from runs.domain.facts import State as SettingState
from runs.selectors import history as selectors_history
from runs.services.correcting import Filed, Given, file_erratum
from runs.services.editing import STATES, Claimed, Edited, edit_setting
from runs.services.purging import purge_run, refuse_purged
from runs.services.rights import Right

WRITE_REFUSALS = (400, 401, 403, 404, 409, 410, 422)


class EvidenceBody(serializers.Serializer[Any]):
    """Where it is known from: a ``document`` by its source's key, a ``file`` by its SHA-256, or a ``statement``."""

    kind = serializers.ChoiceField(["document", "file", "statement"], default="statement")
    ref = PlainTextField(required=False, default="", allow_blank=True, max_length=200)
    place = PlainTextField(required=False, default="", allow_blank=True, max_length=200)
    quote = PlainTextField(required=False, default="", allow_blank=True, max_length=1000)


class ErratumBody(serializers.Serializer[Any]):
    kind = serializers.ChoiceField([one.value for one in ErratumKind])
    reason = PlainTextField(max_length=1000)
    date = PlainTextField(max_length=10, help_text="ISO: 2026-12-01.")
    revision = serializers.IntegerField(min_value=0, help_text="The revision of the target that you saw.")
    metric = PlainTextField(required=False, default="", allow_blank=True, max_length=60, help_text="All if left out.")
    new = PlainTextField(required=False, default="", allow_blank=True, max_length=60, help_text="The corrected value.")
    locale = serializers.ChoiceField(["plain", "en", "nl"], default="plain", help_text="How the new value is printed.")
    who = PlainTextField(required=False, default="", allow_blank=True, max_length=150, help_text="Who says so.")
    successor = PlainTextField(required=False, default="", allow_blank=True, max_length=100)
    evidence = EvidenceBody(many=True, required=False, default=list)


class EditBody(serializers.Serializer[Any]):
    state = serializers.ChoiceField([one.value for one in STATES])
    value = serializers.JSONField(required=False, default=None, allow_null=True)
    nominal = PlainTextField(required=False, default="", allow_blank=True, max_length=60)
    note = PlainTextField(required=False, default="", allow_blank=True, max_length=500)
    reason = PlainTextField(required=False, default="", allow_blank=True, max_length=1000)
    revision = serializers.IntegerField(min_value=0, help_text="The revision of the run that you saw.")
    replaces = serializers.BooleanField(default=False, help_text="Stands instead of what was known.")
    evidence = EvidenceBody(many=True)


class PurgeBody(serializers.Serializer[Any]):
    reason = PlainTextField(max_length=1000)


def read(request: Request, serializer_class: type[serializers.Serializer[Any]]) -> dict[str, Any]:
    """The JSON body by its serializer; a key that it does not know is refused by name."""
    data = request.data
    if not isinstance(data, dict):
        raise serializers.ValidationError({"body": "expected a JSON object"})
    serializer = serializer_class(data=data)
    unknown = sorted(set(data) - set(serializer.fields))
    if unknown:
        raise serializers.ValidationError({name: f"unknown; known: {', '.join(serializer.fields)}" for name in unknown})
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def evidence_of(given: list[dict[str, str]]) -> tuple[Evidence, ...]:
    return tuple(Evidence(**one) for one in given)


def _file(request: Request, target: Literal["run", "evaluation", "source"], key: str) -> Response:
    given = read(request, ErratumBody)
    filed = file_erratum(
        target=target,
        key=key,
        given=Given(
            kind=ErratumKind(given["kind"]),
            reason=given["reason"],
            date=given["date"],
            metric=given["metric"],
            new=given["new"],
            locale=given["locale"],
            who=given["who"],
            successor=given["successor"],
            evidence=evidence_of(given["evidence"]),
        ),
        seen=given["revision"],
        user=user_of(request),
    )
    return Response(filed, status.HTTP_201_CREATED)


class RunErrataView(ApiView):
    @extend_schema(
        operation_id="run_erratum", request=ErratumBody, responses={201: body(Filed), **refusals(*WRITE_REFUSALS)}
    )
    def post(self, request: Request, run_id: str) -> Response:
        """An erratum about a run or one of its figures. 409 where the figure was changed since the revision seen."""
        refuse_purged([run_id])
        return _file(request, "run", run_id)


class EvaluationErrataView(ApiView):
    @extend_schema(
        operation_id="evaluation_erratum",
        request=ErratumBody,
        responses={201: body(Filed), **refusals(*WRITE_REFUSALS)},
    )
    def post(self, request: Request, key: str) -> Response:
        """An erratum about an evaluation; a corrected score is ``new``, as 186/200 or a number."""
        return _file(request, "evaluation", key)


class SourceErrataView(ApiView):
    @extend_schema(
        operation_id="source_erratum", request=ErratumBody, responses={201: body(Filed), **refusals(*WRITE_REFUSALS)}
    )
    def post(self, request: Request, key: str) -> Response:
        """An erratum about a source as a whole: it reaches every figure that rests on it."""
        return _file(request, "source", key)


class RunSettingView(ApiView):
    @extend_schema(
        operation_id="edit_setting", request=EditBody, responses={201: body(Edited), **refusals(*WRITE_REFUSALS)}
    )
    def post(self, request: Request, run_id: str, key: str) -> Response:
        """A setting filled in after upload, with its evidence. A second, different claim makes it disputed."""
        refuse_purged([run_id])
        given = read(request, EditBody)
        claimed = Claimed(
            key=key,
            state=SettingState(given["state"]),
            value=given["value"],
            nominal=given["nominal"],
            note=given["note"],
            evidence=evidence_of(given["evidence"]),
            replaces=given["replaces"],
        )
        edited = edit_setting(
            run_id=run_id, given=claimed, reason=given["reason"], seen=given["revision"], user=user_of(request)
        )
        return Response(edited, status.HTTP_201_CREATED)


@dataclass(frozen=True)
class Purged:
    """What is left of a run that was purged."""

    id: str
    label: str
    reason: str
    who: str
    at: dt.datetime
    files: list[dict[str, str]]


class RunPurgeView(ApiView):
    right = Right.ADMIN

    @extend_schema(
        operation_id="purge_run",
        request=PurgeBody,
        responses={200: body(Purged), **refusals(400, 401, 403, 404, 410, 422)},
    )
    def post(self, request: Request, run_id: str) -> Response:
        """Takes a mistaken upload away, with a tombstone in its place. Administrators only, and a token with the scope
        ``admin``."""
        refuse_purged([run_id])
        stone = purge_run(run_id=run_id, reason=read(request, PurgeBody)["reason"], user=user_of(request))
        return Response(Purged(stone.public_id, stone.label, stone.reason, stone.who, stone.at, stone.files))


@dataclass(frozen=True)
class History:
    """Everything that happened to a run, oldest first, and the errata that count for it now."""

    run: str
    events: tuple[selectors_history.Event, ...]
    errata: tuple[Erratum, ...]


class RunHistoryView(ApiView):
    @extend_schema(operation_id="run_history", responses={200: body(History), **refusals(401, 403, 404, 410)})
    def get(self, request: Request, run_id: str) -> Response:
        """Uploads, files, edits and errata of a run in order."""
        events = selectors_history.history(run_id)
        if events is None:
            refuse_purged([run_id])
            raise Http404
        return Response(History(run_id, events, tuple(one.erratum for one in events if one.erratum is not None)))
