"""Scenarios over the API: prices in versions, each kept."""

import re
from decimal import Decimal
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query
from dashboard.api.schema import body, refusals
from runs.domain.scenarios import Scenario
from runs.selectors import documents as selectors
from runs.services.scenarios import find_scenario, free_key, make_scenario, save_version
from runs.services.sources import slug_of

_CURRENCY = re.compile(r"[A-Z]{3}")


def _number(most: int, **more: Any) -> serializers.DecimalField:
    return serializers.DecimalField(max_digits=16, decimal_places=8, min_value=Decimal(0), max_value=most, **more)


class OfferBody(serializers.Serializer[Any]):
    """A rental offer. ``unit_gpus`` left out: the smallest unit is not stated, and both readings are computed."""

    name = PlainTextField(max_length=120)
    rate_per_gpu_hour = _number(10**6)
    includes = PlainTextField(max_length=300, required=False, default="", allow_blank=True)
    unit_gpus = serializers.IntegerField(min_value=1, max_value=100_000, required=False, allow_null=True, default=None)
    source_text = PlainTextField(max_length=300, required=False, default="", allow_blank=True)
    checked = PlainTextField(max_length=20, required=False, default="", allow_blank=True)


class ScenarioBody(serializers.Serializer[Any]):
    name = PlainTextField(max_length=120)
    currency = serializers.RegexField(_CURRENCY, required=False, default="USD", max_length=3)
    price_per_kwh = _number(10**6, required=False, allow_null=True, default=None)
    pue = _number(10, required=False, default=Decimal(1))
    utilisation = _number(1, required=False, default=Decimal(1))
    offers = OfferBody(many=True, required=False, default=list)
    note = PlainTextField(max_length=5000, required=False, default="", allow_blank=True)


class VersionBody(ScenarioBody):
    seen = serializers.IntegerField(min_value=1, max_value=2**31 - 1, help_text="The version that you changed.")


class VersionQuery(serializers.Serializer[Any]):
    version = serializers.IntegerField(required=False, min_value=1, max_value=2**31 - 1)


class ScenariosView(ApiView):
    @extend_schema(operation_id="scenarios", responses={200: body(tuple[Scenario, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Every scenario in its latest version."""
        return Response(selectors.list_scenarios())

    @extend_schema(
        operation_id="add_scenario",
        request=ScenarioBody,
        responses={201: body(Scenario), **refusals(400, 401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """A new scenario, as version 1."""
        checked = ScenarioBody(data=request.data)
        checked.is_valid(raise_exception=True)
        given = dict(checked.validated_data)
        key = free_key(wanted=slug_of({"publisher": given["name"]}))
        return Response(save_version(scenario=make_scenario(key=key, given=given), seen=""), status.HTTP_201_CREATED)


class ScenarioView(ApiView):
    @extend_schema(
        operation_id="scenario",
        parameters=[VersionQuery],
        responses={200: body(Scenario), **refusals(400, 401, 403, 404)},
    )
    def get(self, request: Request, scenario_key: str) -> Response:
        """One scenario, in its latest version or the one asked for."""
        return Response(find_scenario(key=scenario_key, version=query(request, VersionQuery).get("version")))

    @extend_schema(
        operation_id="change_scenario",
        request=VersionBody,
        responses={200: body(Scenario), **refusals(400, 401, 403, 404, 409, 422)},
    )
    def put(self, request: Request, scenario_key: str) -> Response:
        """A new version; 409 where another was saved since the one you changed."""
        find_scenario(key=scenario_key)
        checked = VersionBody(data=request.data)
        checked.is_valid(raise_exception=True)
        given = dict(checked.validated_data)
        seen = str(given.pop("seen"))
        return Response(save_version(scenario=make_scenario(key=scenario_key, given=given), seen=seen))
