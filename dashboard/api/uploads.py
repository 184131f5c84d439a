"""Uploads: multipart in, the same answer for a dry run and for the real thing."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api import multipart
from dashboard.api.base import ApiView, query, user_of
from dashboard.api.errors import TooLarge, envelope
from dashboard.api.schema import body, refusals
from runs.services.answers import Outcome, Problem, RefusedError
from runs.services.ingest import ingest
from runs.services.meta import Meta, read_meta
from runs.services.power import PowerAnswer, attach_power
from runs.services.reading import Incoming
from runs.services.rights import Right


class UploadView(ApiView):
    """What takes multipart bodies of files and ``meta``."""

    parser_classes = (MultiPartParser,)

    def initialize_request(self, request: Any, *args: Any, **kwargs: Any) -> Request:
        self.bound = multipart.prepare(request)
        return super().initialize_request(request, *args, **kwargs)

    def parts(self, request: Request) -> tuple[list[Incoming], Meta, dict[str, str]]:
        """The files, the meta and the other text parts. Raises for parts that are too large or not known."""
        files = request.FILES
        # A request without a body has a plain empty dict here.
        data = request.data if isinstance(request.data, MultiValueDict) else MultiValueDict[str, Any]()
        if self.bound.too_large:
            limit = f"at most {settings.LIKEWISE_MAX_FILE_BYTES} bytes a file"
            raise TooLarge(
                "A file is too large; nothing was written.", Problem(self.bound.too_large, "", limit, "more")
            )
        unknown = [name for name in data if name not in {"file", "meta", *self.text_parts}]
        if unknown:
            known = ", ".join(("file", "meta", *self.text_parts))
            raise serializers.ValidationError(dict.fromkeys(unknown, f"unknown part; known: {known}"))
        given = {name: data.get(name) for name in ("file", *self.text_parts)}
        texts = {name: value for name, value in given.items() if isinstance(value, str)}
        if "file" in texts:
            raise serializers.ValidationError({"file": "a file part with a filename, not a text part"})
        incoming = [Incoming(str(one.name), one) for one in files.getlist("file")]
        return incoming, read_meta(_meta_text(data.getlist("meta")), uploader=request.user.get_username()), texts

    text_parts: Sequence[str] = ()


def _meta_text(given: list[Any]) -> str | bytes:
    if len(given) > 1:
        raise serializers.ValidationError({"meta": "one part of that name"})
    if not given:
        return ""
    part = given[0]
    return part.read() if isinstance(part, UploadedFile) else str(part)


class DryRunQuery(serializers.Serializer[Any]):
    dry_run = serializers.BooleanField(default=False, help_text="Answer the same and write nothing.")


class UploadBody(serializers.Serializer[Any]):
    file = serializers.ListField(child=serializers.FileField(), help_text="Results, power logs, power caps; 1 to 100.")
    meta = serializers.CharField(
        required=False,
        help_text="JSON of what the files do not say: label, notes, setup, time_zone, window {start, end}, "
        "active_gpus, settings {key: value | {value, state, nominal, note} | 'not stated' | 'not applicable'}.",
    )


class UploadsView(UploadView):
    right = Right.UPLOAD

    @extend_schema(
        operation_id="upload",
        parameters=[DryRunQuery],
        request={"multipart/form-data": UploadBody},
        responses={200: body(Outcome), 201: body(Outcome), **refusals(400, 401, 403, 411, 413, 415, 422)},
    )
    def post(self, request: Request) -> Response:
        """Files and what they do not say, into runs: all or nothing.

        201 where something new was stored; 200 for a dry run and for bytes that are all here already; 422 where a file
        is refused (nothing is written) or none is understood (the files are kept until they have a mapping).
        """
        dry_run = query(request, DryRunQuery)["dry_run"]
        files, meta, _texts = self.parts(request)
        outcome = ingest(files=files, meta=meta, user=user_of(request), dry_run=dry_run)
        if not outcome.accepted:
            message = "A file was refused, so nothing was written."
            refused = envelope("refused", message, *outcome.problems, outcome=outcome)
            return Response(refused, status.HTTP_422_UNPROCESSABLE_ENTITY)
        if all(file.verdict == "needs mapping" for file in outcome.files):
            message = "No reader knows these files." + ("" if dry_run else " They are kept until they have a mapping.")
            unknown = envelope("needs_mapping", message, *outcome.problems, outcome=outcome)
            return Response(unknown, status.HTTP_422_UNPROCESSABLE_ENTITY)
        return Response(outcome, status.HTTP_201_CREATED if outcome.wrote else status.HTTP_200_OK)


class PowerBody(serializers.Serializer[Any]):
    file = serializers.FileField(required=False, help_text="The power log; or sha256 of one that is kept here.")
    sha256 = serializers.CharField(required=False, max_length=64)
    meta = serializers.CharField(required=False, help_text="As for uploads.")


class RunPowerView(UploadView):
    text_parts = ("sha256",)

    @extend_schema(
        operation_id="add_power",
        parameters=[DryRunQuery],
        request={"multipart/form-data": PowerBody},
        responses={
            200: body(PowerAnswer),
            201: body(PowerAnswer),
            **refusals(400, 401, 403, 404, 409, 411, 413, 415, 422),
        },
    )
    def post(self, request: Request, run_id: str) -> Response:
        """A power log onto a run that has none: sent as ``file``, or named by the ``sha256`` of one kept here."""
        dry_run = query(request, DryRunQuery)["dry_run"]
        files, meta, texts = self.parts(request)
        sha256 = texts.get("sha256", "")
        if len(files) > 1 or bool(files) == bool(sha256):
            problem = Problem(
                "", "file", "one power log: a file, or the sha256 of one kept here", f"{len(files)} files"
            )
            raise RefusedError("no_files", "One power log joins a run.", problem)
        answer = attach_power(
            run_id=run_id,
            meta=meta,
            user=user_of(request),
            file=files[0] if files else None,
            sha256=sha256.lower()[:64].replace("\0", ""),
            dry_run=dry_run,
        )
        return Response(answer, status.HTTP_200_OK if dry_run else status.HTTP_201_CREATED)
