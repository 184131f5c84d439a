"""Sources over the API: the documents that published figures were read in, their copies, and what to ask about them."""

from dataclasses import dataclass
from typing import Any

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query, user_of
from dashboard.api.schema import body, refusals
from dashboard.api.uploads import UploadView
from dashboard.render.questions import question_text
from runs.domain.questions import Question
from runs.domain.records import Source
from runs.selectors import documents as selectors
from runs.services.answers import Problem, RefusedError
from runs.services.sources import (
    archive_copy,
    find_source,
    fingerprint,
    free_key,
    make_source,
    save_source,
    slug_of,
)

LOCALES = ("en", "nl", "plain", "not stated")


class SourceBody(serializers.Serializer[Any]):
    """What a source says. Dates are ISO, or "not stated"; an empty URL is "URL not stated"."""

    title = PlainTextField(max_length=300)
    publisher = PlainTextField(max_length=200)
    relation = PlainTextField(max_length=200, required=False, default="not stated")
    url = PlainTextField(max_length=1000, required=False, default="", allow_blank=True)
    published = PlainTextField(max_length=10, help_text="2026-11-11, 2026-11, 2026, or: not stated.")
    accessed = PlainTextField(max_length=10, required=False, default="", allow_blank=True)
    language = PlainTextField(max_length=20, required=False, default="", allow_blank=True)
    locale = serializers.ChoiceField(LOCALES, default="not stated", help_text="How the document prints numbers.")
    note = PlainTextField(max_length=5000, required=False, default="", allow_blank=True)


class ChangeBody(SourceBody):
    seen = PlainTextField(max_length=16, help_text="The fingerprint of the source as you read it.")


@dataclass(frozen=True)
class SourceShape:
    """A source with the ids of the runs that rest on it. ``fingerprint`` goes back as ``seen`` with a change."""

    source: Source
    fingerprint: str
    runs: tuple[str, ...]
    own_runs: tuple[str, ...]
    questions: tuple[Question, ...]


@dataclass(frozen=True)
class QuestionText:
    """A text ready to be sent to the publisher."""

    language: str
    text: str


def _made(given: dict[str, Any], there: Source | None) -> Source:
    locale = given.pop("locale")
    fields = {
        **given,
        "key": there.key if there else free_key(wanted=slug_of(given)),
        "locale": "plain" if locale == "not stated" else locale,
        "locale_stated": locale != "not stated",
        "archived_sha256": there.archived_sha256 if there else "",
    }
    return make_source(given=fields)


def _shape(key: str) -> SourceShape:
    detail = selectors.source_detail(key)
    if detail is None:
        raise Http404
    mark = fingerprint(source=detail.source)
    return SourceShape(detail.source, mark, tuple(detail.runs), tuple(detail.own), detail.questions)


class SourcesView(ApiView):
    @extend_schema(
        operation_id="sources", responses={200: body(tuple[selectors.SourceItem, ...]), **refusals(401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Every source by title, with how many runs rest on it."""
        return Response(selectors.list_sources())

    @extend_schema(
        operation_id="add_source",
        request=SourceBody,
        responses={201: body(SourceShape), **refusals(400, 401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """A new source. Its runs come as published runs through /uploads, which name it as their source."""
        given = SourceBody(data=request.data)
        given.is_valid(raise_exception=True)
        kept = save_source(source=_made(dict(given.validated_data), None))
        return Response(_shape(kept.key), status.HTTP_201_CREATED)


class SourceView(ApiView):
    @extend_schema(operation_id="source", responses={200: body(SourceShape), **refusals(401, 403, 404)})
    def get(self, request: Request, source_key: str) -> Response:
        """One source, its runs, and what they leave unsaid."""
        return Response(_shape(source_key))

    @extend_schema(
        operation_id="change_source",
        request=ChangeBody,
        responses={200: body(SourceShape), **refusals(400, 401, 403, 404, 409, 422)},
    )
    def put(self, request: Request, source_key: str) -> Response:
        """A source said anew; 409 where somebody changed it since you read it."""
        there = find_source(key=source_key)
        checked = ChangeBody(data=request.data)
        checked.is_valid(raise_exception=True)
        given = dict(checked.validated_data)
        seen = given.pop("seen")
        wanted = _made(given, there)
        save_source(source=wanted, seen=there if seen == fingerprint(source=there) else wanted)
        return Response(_shape(source_key))


class CopyBody(serializers.Serializer[Any]):
    file = serializers.FileField(help_text="A saved page, PDF or picture of the document.")


class SourceCopyView(UploadView):
    @extend_schema(
        operation_id="source_copy",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **refusals(401, 403, 404)},
    )
    def get(self, request: Request, source_key: str) -> FileResponse:
        """The archived copy, always as a download: a saved page is somebody else's script."""
        artifact = selectors.source_copy(source_key)
        if artifact is None:
            raise Http404
        try:
            content = artifact.open()
        except FileNotFoundError:
            raise Http404 from None
        return FileResponse(
            content, as_attachment=True, filename=artifact.name, content_type="application/octet-stream"
        )

    @extend_schema(
        operation_id="archive_source",
        request={"multipart/form-data": CopyBody},
        responses={200: body(SourceShape), **refusals(400, 401, 403, 404, 411, 413, 415, 422)},
    )
    def post(self, request: Request, source_key: str) -> Response:
        """Keeps a copy of the document whole, under its SHA-256."""
        find_source(key=source_key)
        files, _meta, _texts = self.parts(request)
        if len(files) != 1:
            problem = Problem("", "file", "one file", f"{len(files)} files")
            raise RefusedError("no_files", "One copy of the document is kept.", problem)
        archive_copy(key=source_key, name=files[0].name, content=files[0].content, user=user_of(request))
        return Response(_shape(source_key))


class LanguageQuery(serializers.Serializer[Any]):
    language = serializers.ChoiceField(("en", "nl"), default="en")


class SourceQuestionsView(ApiView):
    @extend_schema(
        operation_id="source_questions",
        parameters=[LanguageQuery],
        responses={200: body(QuestionText), **refusals(400, 401, 403, 404)},
    )
    def get(self, request: Request, source_key: str) -> Response:
        """What the source's own runs leave unsaid, as a text to send to its publisher."""
        language = query(request, LanguageQuery)["language"]
        detail = selectors.source_detail(source_key)
        if detail is None:
            raise Http404
        return Response(QuestionText(language, question_text(detail.source, detail.questions, language)))
