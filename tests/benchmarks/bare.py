"""The yardstick: a view that reads 50 rows, behind the same server, middleware, login and renderer as the rest."""

from django.urls import include, path
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.base import ApiView
from runs.models import Run


class BareView(ApiView):
    def get(self, request: Request) -> Response:
        return Response(list(Run.objects.order_by("pk").values("public_id", "label", "model", "runtime", "isl")[:50]))


urlpatterns = [path("bare/", BareView.as_view()), path("", include("dashboard.urls"))]
