"""Remote benchmarks over the API: jobs, their output and files, cancel, metrics. All of it needs the scope ``jobs``."""

from dataclasses import dataclass
from typing import Any

from django.http import FileResponse, Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.permissions import SAFE_METHODS, BasePermission, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from dashboard.api.base import ApiView, query, user_of
from dashboard.api.schema import body, refusals
from runs.services.jobs import metrics, queue, reads
from runs.services.rights import Right, scope_missing, why_not

STATES = ("queued", "preflight", "running", "collecting", "done", "failed", "cancelled", "lost")


class InJobs(BasePermission):
    """A token needs the scope ``jobs``; starting, changing and cancelling need an operator or administrator."""

    message = ""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS:
            self.message = scope_missing(request.auth, Right.JOBS)
        else:
            self.message = why_not(request.user, Right.JOBS, request.auth)
        return not self.message


class JobsApiView(ApiView):
    permission_classes = (IsAuthenticated, InJobs)


class JobsQuery(serializers.Serializer[Any]):
    state = serializers.ListField(child=serializers.ChoiceField(STATES), required=False, max_length=8)
    target = serializers.IntegerField(required=False, min_value=1, max_value=2**53)
    before = serializers.IntegerField(required=False, min_value=1, max_value=2**53, help_text="The id to go on after.")


@dataclass(frozen=True)
class JobList:
    """A page of jobs, newest first; ``before`` for the next page, None where this is the last."""

    results: tuple[reads.JobItem, ...]
    before: int | None


class JobsView(JobsApiView):
    @extend_schema(
        operation_id="jobs", parameters=[JobsQuery], responses={200: body(JobList), **refusals(400, 401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Jobs with their state and the runs that they became."""
        given = query(request, JobsQuery)
        found = reads.jobs(state=given.get("state", ()), target_id=given.get("target"), before=given.get("before"))
        return Response(JobList(tuple(found), found[-1].id if len(found) == reads.PAGE else None))


class JobView(JobsApiView):
    @extend_schema(operation_id="job", responses={200: body(reads.JobDetail), **refusals(401, 403, 404)})
    def get(self, request: Request, job_id: int) -> Response:
        """One job: its argument list, its states with their times, what was observed, its files."""
        return Response(reads.job(job_id))


class JobOutputView(JobsApiView):
    @extend_schema(operation_id="job_output", responses={200: body(reads.Output), **refusals(401, 403, 404)})
    def get(self, request: Request, job_id: int) -> Response:
        """The end of the output so far. All of it is a file of the job once it has ended."""
        return Response(reads.output(job_id))


class JobCancelView(JobsApiView):
    @extend_schema(
        operation_id="cancel_job",
        request=None,
        responses={200: body(reads.JobDetail), **refusals(401, 403, 404, 409)},
    )
    def post(self, request: Request, job_id: int) -> Response:
        """Ends a job: one that waits at once, one that runs as soon as its processes are killed."""
        queue.cancel(job_id=job_id, user=user_of(request))
        return Response(reads.job(job_id))


class JobFileView(JobsApiView):
    @extend_schema(
        operation_id="job_file",
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY, **refusals(401, 403, 404)},
    )
    def get(self, request: Request, job_id: int, sha256: str) -> FileResponse:
        """A file that a job left, as a download."""
        found = reads.job_file(job_id, sha256)
        if found is None:
            raise Http404
        artifact, name = found
        return FileResponse(artifact.open(), as_attachment=True, filename=name, content_type="application/octet-stream")


class JobMetricsView(JobsApiView):
    @extend_schema(
        operation_id="job_metrics",
        responses={(200, "text/plain"): OpenApiTypes.STR, **refusals(401, 403)},
    )
    def get(self, request: Request) -> HttpResponse:
        """Queue length, running and ended jobs in Prometheus' text form."""
        return HttpResponse(metrics.metrics(), content_type="text/plain; version=0.0.4; charset=utf-8")
