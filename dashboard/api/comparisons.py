"""The comparison over the API, and the catalogues that name its rows."""

import re
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query
from dashboard.api.schema import body, refusals
from runs.domain.comparison import Comparison
from runs.domain.metrics import METRICS, SETTINGS, Metric, SettingSpec
from runs.domain.scenarios import Scenario
from runs.services.compare import compare
from runs.services.scenarios import find_scenario, priced

_CURRENCY = re.compile(r"[A-Z]{3}")


def _price(limit: int) -> serializers.DecimalField:
    return serializers.DecimalField(
        max_digits=16, decimal_places=8, min_value=Decimal(0), max_value=limit, required=False
    )


class ComparisonQuery(serializers.Serializer[Any]):
    runs = PlainTextField(max_length=4000, help_text="Ids of runs, with commas between them; the order is kept.")
    baseline = PlainTextField(
        required=False, default="", max_length=20, help_text="One of the runs; the first if left out."
    )
    metrics = PlainTextField(
        required=False, default="", max_length=4000, help_text="Keys of the catalogue; all if left out."
    )
    scenario = PlainTextField(required=False, default="", max_length=60, help_text="Key of a stored scenario.")
    scenario_version = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)
    price_per_kwh = _price(10**6)
    currency = serializers.RegexField(_CURRENCY, required=False, default="USD", max_length=3)
    pue = _price(10)
    utilisation = _price(1)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs.get("scenario") and "price_per_kwh" in attrs:
            raise serializers.ValidationError({"price_per_kwh": "either a stored scenario or a price, not both"})
        if "price_per_kwh" not in attrs and ("pue" in attrs or "utilisation" in attrs):
            raise serializers.ValidationError({"price_per_kwh": "a price, as pue or utilisation is given"})
        return attrs


class ComparisonView(ApiView):
    @extend_schema(
        operation_id="comparison",
        parameters=[ComparisonQuery],
        responses={200: body(Comparison), **refusals(400, 401, 403, 404, 422)},
    )
    def get(self, request: Request) -> Response:
        """Runs beside one another: every figure, ratio, grade and caveat, as the pages and exports have them."""
        return Response(asked_comparison(query(request, ComparisonQuery)))


def asked_comparison(given: dict[str, Any]) -> Comparison:
    """The comparison that a query asks for. Raises what the services raise."""
    return compare(
        run_ids=_words(given["runs"]),
        baseline=given["baseline"],
        scenario=_scenario(given),
        metrics=_words(given["metrics"]),
    )


def _words(text: str) -> list[str]:
    return [word for word in (part.strip() for part in text.split(",")) if word]


def _scenario(given: dict[str, Any]) -> Scenario | None:
    if given["scenario"]:
        return find_scenario(key=given["scenario"], version=given.get("scenario_version"))
    if "price_per_kwh" not in given:
        return None
    one = Decimal(1)
    return priced(
        price_per_kwh=given["price_per_kwh"],
        currency=given["currency"],
        pue=given.get("pue", one),
        utilisation=given.get("utilisation", one),
    )


class MetricsView(ApiView):
    @extend_schema(operation_id="metrics", responses={200: body(tuple[Metric, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """The catalogue of metrics: what each one means, its unit, and which way is better."""
        return Response(METRICS)


class SettingsView(ApiView):
    @extend_schema(operation_id="settings", responses={200: body(tuple[SettingSpec, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """The catalogue of settings: keys, types and units, as the meta of an upload takes them."""
        return Response(SETTINGS)
