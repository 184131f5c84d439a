"""The schema, and a page to read it in: all of it served from here."""

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from dashboard.api.base import ApiView
from dashboard.api.codecs import JsonRenderer


class _RefusesInJson(APIView):
    """What these views answer with is written by renderers that know no error: a refusal is JSON, as everywhere."""

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        self.request.accepted_renderer = JsonRenderer()
        self.request.accepted_media_type = JsonRenderer.media_type
        return response


class SchemaView(_RefusesInJson, SpectacularAPIView):
    """OpenAPI 3.1, as YAML or JSON by what the client accepts."""


class DocsView(_RefusesInJson, SpectacularSwaggerSplitView):
    # The package's own template has a <style> that the content security policy forbids.
    template_name = "api/docs.html"
    url_name = "api:schema"
    renderer_classes: ClassVar[list[type[BaseRenderer]]] = [TemplateHTMLRenderer]  # type: ignore[misc]


@extend_schema(exclude=True)
class NothingHereView(ApiView):
    """Every other path below ``/api/v1/``: the envelope, not a page."""

    authentication_classes = ()
    permission_classes = ()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        raise Http404

    def get(self, request: Request, path: str = "") -> Response:
        raise Http404
