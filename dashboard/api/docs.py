"""The schema, and a page to read it in: all of it served from here."""

from typing import Any, ClassVar

from django.http import Http404
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.renderers import BaseRenderer, TemplateHTMLRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.base import ApiView


class SchemaView(SpectacularAPIView):
    """OpenAPI 3.1, as YAML or JSON by what the client accepts."""


class DocsView(SpectacularSwaggerSplitView):
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
