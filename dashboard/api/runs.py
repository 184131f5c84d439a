"""Runs over the API: list, facets, one run, its files, its power."""

import datetime as dt
from dataclasses import dataclass, fields
from typing import Any
from urllib.parse import urlencode

from django.http import FileResponse, Http404
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.reverse import reverse

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query
from dashboard.api.schema import body, refusals
from runs import selectors
from runs.domain.derived import figures
from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Basis, Party, Quantity, Setting, Status
from runs.domain.figures import Figure
from runs.domain.metrics import SETTINGS
from runs.domain.records import LocalEnd, PowerAnalysis, Provenance, Remark, Requests, Window
from runs.services.purging import refuse_purged
from runs.services.series import MAX_POINTS, PowerSeries, power_series

SORT_CHOICES = [sign + name for name in selectors.SORTS for sign in ("", "-")]
_MAX = 2**53


def _words(label: str) -> serializers.ListField:
    return serializers.ListField(child=PlainTextField(max_length=200), required=False, max_length=50, help_text=label)


def _choices(values: list[str]) -> serializers.ListField:
    return serializers.ListField(child=serializers.ChoiceField(values), required=False, max_length=50)


def _count() -> serializers.IntegerField:
    return serializers.IntegerField(required=False, min_value=0, max_value=_MAX)


class FilterQuery(serializers.Serializer[Any]):
    """Repeat a parameter for alternatives; different parameters narrow together."""

    provenance = _choices([one.value for one in Provenance])
    model = _words("exact name of the model")
    runtime = _words("exact name of the runtime")
    accelerator = _words("exact name of the accelerator")
    workload = _words("ISL and OSL as the list names them, such as 8K/1K")
    basis = _choices([one.value for one in Basis])
    status = _choices([one.value for one in Status])
    isl = _count()
    osl = _count()
    concurrency = _count()
    active_gpus = serializers.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    has_power = serializers.BooleanField(required=False, allow_null=True, default=None)
    since = serializers.DateField(required=False)
    until = serializers.DateField(required=False)
    q = PlainTextField(required=False, max_length=200, allow_blank=True)


class ListQuery(FilterQuery):
    sort = serializers.ChoiceField(
        SORT_CHOICES, default="-created", help_text="A key; with - descending. Unknown last."
    )
    limit = serializers.IntegerField(default=50, min_value=1, max_value=selectors.MAX_PAGE)
    cursor = serializers.CharField(required=False, max_length=4000, help_text="From the next of the page before.")
    count = serializers.BooleanField(default=False, help_text="Count the runs of this filter, up to 1000.")


@dataclass(frozen=True)
class RunList:
    """A page of runs. ``next`` is the path of the next page; ``count`` is there when asked for."""

    results: tuple[selectors.RunItem, ...]
    next: str | None
    count: selectors.RunCount | None = None


@dataclass(frozen=True)
class Facets:
    """Values of each facet with how many runs have them, within a filter."""

    count: selectors.RunCount
    facets: dict[str, list[tuple[str, int]]]


@dataclass(frozen=True)
class RunFile:
    """A file behind a run and where it can be downloaded."""

    sha256: str
    name: str
    size: int
    role: str
    format: str
    uploaded_at: dt.datetime
    url: str


@dataclass(frozen=True)
class RunShape:
    """A run with everything known of it. ``figures`` are its quantities in canonical units and what follows from them;
    ``settings`` hold every key of the catalogue, the not stated ones too.
    Errata and edits since are worked in; ``configuration`` is what repeats of the run have in common."""

    id: str
    revision: int
    created: dt.datetime
    owner: str
    label: str
    provenance: Provenance
    party: Party
    setup: str
    notes: str
    settings: dict[str, Setting]
    quantities: tuple[Quantity, ...]
    figures: dict[str, Figure]
    requests: Requests
    window: Window | None
    local_end: LocalEnd | None
    power: PowerAnalysis | None
    remarks: tuple[Remark, ...]
    not_stated: tuple[str, ...]
    files: tuple[RunFile, ...]
    errata: tuple[Erratum, ...]
    evaluations: tuple[Evaluation, ...]
    configuration: str


_FILTERS = frozenset(field.name for field in fields(selectors.RunFilter))


def _filter(given: dict[str, Any]) -> selectors.RunFilter:
    return selectors.RunFilter(**{key: value for key, value in given.items() if key in _FILTERS})


class RunsView(ApiView):
    @extend_schema(
        operation_id="runs", parameters=[ListQuery], responses={200: body(RunList), **refusals(400, 401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Runs by page; each page's ``next`` leads to the one after it."""
        given = query(request, ListQuery)
        wanted = _filter(given)
        try:
            page = selectors.list_runs(wanted, sort=given["sort"], limit=given["limit"], cursor=given.get("cursor", ""))
        except selectors.CursorError as error:
            raise serializers.ValidationError({"cursor": str(error)}) from None
        following = None
        if page.next:
            asked = [
                (key, value) for key, values in request.query_params.lists() for value in values if key != "cursor"
            ]
            following = f"{request.path}?{urlencode([*asked, ('cursor', page.next)])}"
        counted = selectors.count_runs(wanted) if given["count"] else None
        return Response(RunList(page.items, following, counted))


class FacetsView(ApiView):
    @extend_schema(
        operation_id="facets", parameters=[FilterQuery], responses={200: body(Facets), **refusals(400, 401, 403)}
    )
    def get(self, request: Request) -> Response:
        """What there is to filter by, with counts; apart from the list, so that the list need not wait for it."""
        wanted = _filter(query(request, FilterQuery))
        return Response(Facets(selectors.count_runs(wanted), selectors.facets(wanted)))


class RunView(ApiView):
    @extend_schema(operation_id="run", responses={200: body(RunShape), **refusals(401, 403, 404, 410)})
    def get(self, request: Request, run_id: str) -> Response:
        """One run: settings with their states, figures with their basis and formula, power, files, remarks."""
        detail = selectors.run_detail(run_id)
        if detail is None:
            refuse_purged([run_id])
            raise Http404
        return Response(_shape(detail))


def _shape(detail: selectors.RunDetail) -> RunShape:
    record = detail.record
    files = tuple(
        RunFile(
            one.sha256, one.name, one.size, one.role, one.format, one.uploaded_at,
            reverse("api:run-file", args=[detail.id, one.sha256]),
        )
        for one in detail.files
    )  # fmt: skip
    return RunShape(
        id=detail.id,
        revision=detail.revision,
        created=detail.created,
        owner=detail.owner,
        label=record.label,
        provenance=record.provenance,
        party=record.party,
        setup=record.setup,
        notes=record.notes,
        settings={spec.key: record.setting(spec.key) for spec in SETTINGS},
        quantities=record.quantities,
        figures=figures(record),
        requests=record.requests,
        window=record.window,
        local_end=record.local_end,
        power=record.power,
        remarks=record.remarks,
        not_stated=record.not_stated(),
        files=files,
        errata=detail.errata,
        evaluations=tuple(one.evaluation for one in detail.evaluations),
        configuration=detail.fingerprint,
    )


class RunFileView(ApiView):
    @extend_schema(
        operation_id="run_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **refusals(401, 403, 404)},
    )
    def get(self, request: Request, run_id: str, sha256: str) -> FileResponse:
        """The file as it came, always as a download: what people upload is never shown by this site."""
        artifact = selectors.run_file(run_id, sha256)
        if artifact is None:
            raise Http404
        try:
            content = artifact.open()
        except FileNotFoundError:
            raise Http404 from None
        response = FileResponse(
            content,
            as_attachment=True,
            filename=artifact.name,
            content_type="application/octet-stream",
        )
        response["X-Content-Type-Options"] = "nosniff"
        response["Content-Security-Policy"] = "sandbox; default-src 'none'"
        return response


class SeriesQuery(serializers.Serializer[Any]):
    points = serializers.IntegerField(
        default=1000, min_value=10, max_value=MAX_POINTS, help_text="At most so many a GPU."
    )


class PowerSeriesView(ApiView):
    @extend_schema(
        operation_id="power_series",
        parameters=[SeriesQuery],
        responses={200: body(PowerSeries), **refusals(400, 401, 403, 404)},
    )
    def get(self, request: Request, run_id: str) -> Response:
        """The power log of a run, thinned so that its extremes stay, per GPU, beside window and caps."""
        return Response(power_series(run_id=run_id, points=query(request, SeriesQuery)["points"]))
