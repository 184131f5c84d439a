"""Exports of a comparison over the API: the same files as the pages give."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query
from dashboard.api.comparisons import ComparisonQuery, asked_comparison
from dashboard.api.schema import refusals
from dashboard.render.exports.document import Export
from dashboard.render.exports.evaluations import MAKERS, EvaluationExport, Exported
from dashboard.render.exports.files import BY_EXTENSION, FORMATS, PICTURES
from dashboard.render.exports.pictures import picture
from runs.selectors import history as selectors_history

LANGUAGES = ("en", "nl")


class ExportQuery(ComparisonQuery):
    language = serializers.ChoiceField(LANGUAGES, required=False, default="en", help_text="Of words and numbers.")


class ExportView(ApiView):
    @extend_schema(
        operation_id="comparison_export",
        parameters=[ExportQuery],
        responses={
            **{(200, form.media_type.partition(";")[0]): OpenApiTypes.BINARY for form in FORMATS},
            **refusals(400, 401, 403, 404, 422),
        },
    )
    def get(self, request: Request, extension: str) -> HttpResponse:
        """A comparison as csv, json, md or html, with bases, grades, caveats, sources and errata."""
        form = BY_EXTENSION.get(extension)
        if form is None:
            raise Http404
        return _file(form.make(_export(request)), form.media_type, f"comparison.{extension}")


class ChartView(ApiView):
    @extend_schema(
        operation_id="comparison_chart",
        parameters=[ExportQuery],
        responses={
            **{(200, media_type): OpenApiTypes.BINARY for media_type in PICTURES.values()},
            **refusals(400, 401, 403, 404, 422),
        },
    )
    def get(self, request: Request, chart_id: str, extension: str) -> HttpResponse:
        """A chart (throughput, latency, kilowatt) as svg or png, its caveats in the picture."""
        if extension not in PICTURES:
            raise Http404
        content = picture(_export(request), chart_id, "svg" if extension == "svg" else "png")
        if content is None:
            raise Http404
        return _file(content, PICTURES[extension], f"comparison-{chart_id}.{extension}")


class EvaluationExportQuery(serializers.Serializer[Any]):
    task = PlainTextField(required=False, default="", max_length=200)
    language = serializers.ChoiceField(LANGUAGES, required=False, default="en", help_text="Of words and numbers.")


class EvaluationExportView(ApiView):
    @extend_schema(
        operation_id="evaluation_export",
        parameters=[EvaluationExportQuery],
        responses={
            **{(200, form.media_type.partition(";")[0]): OpenApiTypes.BINARY for form in FORMATS},
            **refusals(400, 401, 403, 404),
        },
    )
    def get(self, request: Request, extension: str) -> HttpResponse:
        """Evaluations as csv, json, md or html, with intervals, what they cover, status, errata and sources."""
        form = BY_EXTENSION.get(extension)
        if form is None:
            raise Http404
        given = query(request, EvaluationExportQuery)
        found = selectors_history.list_evaluations(given["task"])
        items = tuple(Exported(one.evaluation, one.original, one.errata) for one in found.items)
        made = timezone.now().isoformat(timespec="seconds")
        export = EvaluationExport(items, made, given["language"], found.sources)
        return _file(MAKERS[extension](export), form.media_type, f"evaluations.{extension}")


def _export(request: Request) -> Export:
    given: dict[str, Any] = query(request, ExportQuery)
    made = timezone.now().isoformat(timespec="seconds")
    return Export(asked_comparison(given), "Comparison", made, given["language"])


def _file(content: bytes, media_type: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return HttpResponse(content, content_type=media_type, headers=headers)
