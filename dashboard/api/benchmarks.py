"""Targets, plans and schedules over the API. All of it needs the scope ``jobs``; targets are an administrator's."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import user_of
from dashboard.api.jobs import JobsApiView
from dashboard.api.schema import body, refusals
from runs.services.jobs import plans, queue, reads, schedules, targets


def _key() -> serializers.IntegerField:
    return serializers.IntegerField(min_value=1, max_value=2**53)


class TargetBody(serializers.Serializer[Any]):
    """Keys that are not given stay as they are; a new target needs a name."""

    name = PlainTextField(max_length=60, required=False)
    connection = serializers.ChoiceField(("local", "ssh"), required=False)
    queue = PlainTextField(max_length=60, required=False, allow_blank=True)
    host = PlainTextField(max_length=253, required=False, allow_blank=True)
    port = serializers.IntegerField(min_value=1, max_value=65535, required=False)
    user = PlainTextField(max_length=64, required=False, allow_blank=True)
    key_file = PlainTextField(max_length=300, required=False, allow_blank=True)
    accelerators = PlainTextField(max_length=200, required=False, allow_blank=True)
    gpus = serializers.IntegerField(min_value=0, max_value=1024, required=False, allow_null=True)
    sampler = serializers.ChoiceField(("", "amd-smi", "nvidia-smi"), required=False)
    working_directory = PlainTextField(max_length=300, required=False)
    environment = serializers.DictField(child=PlainTextField(max_length=2000, allow_blank=True), required=False)
    programs = serializers.DictField(child=PlainTextField(max_length=2000), required=False)
    commands = serializers.DictField(required=False)
    tokenizer = PlainTextField(max_length=300, required=False, allow_blank=True)
    allow_link_local = serializers.BooleanField(required=False)
    notes = PlainTextField(max_length=5000, required=False, allow_blank=True)


class FingerprintBody(serializers.Serializer[Any]):
    fingerprint = PlainTextField(max_length=100)


class PlanBody(serializers.Serializer[Any]):
    name = PlainTextField(max_length=100)
    spec = serializers.DictField()
    notes = PlainTextField(max_length=5000, required=False, default="", allow_blank=True)


class PreviewBody(serializers.Serializer[Any]):
    spec = serializers.DictField()
    target = _key()


class StartBody(serializers.Serializer[Any]):
    target = _key()


class ScheduleBody(serializers.Serializer[Any]):
    plan = _key()
    target = _key()
    cron = PlainTextField(max_length=200, help_text="minute hour day month weekday")
    time_zone = PlainTextField(max_length=64)


class EnabledBody(serializers.Serializer[Any]):
    enabled = serializers.BooleanField()


def _given(serializer_class: type[serializers.Serializer[Any]], request: Request) -> dict[str, Any]:
    serializer = serializer_class(data=request.data)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class TargetsView(JobsApiView):
    @extend_schema(operation_id="targets", responses={200: body(tuple[reads.TargetItem, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Machines, with what the last test found and how many jobs wait there."""
        return Response(reads.targets())

    @extend_schema(
        operation_id="add_target",
        request=TargetBody,
        responses={201: body(reads.TargetItem), **refusals(400, 401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """A new machine. No private key is taken: ``key_file`` is a path on the worker."""
        made = targets.save_target(user=user_of(request), given=_given(TargetBody, request))
        return Response(reads.target(made.pk), status.HTTP_201_CREATED)


class TargetView(JobsApiView):
    @extend_schema(operation_id="target", responses={200: body(reads.TargetItem), **refusals(401, 403, 404)})
    def get(self, request: Request, target_id: int) -> Response:
        """One machine; of its environment the names only."""
        return Response(reads.target(target_id))

    @extend_schema(
        operation_id="change_target",
        request=TargetBody,
        responses={200: body(reads.TargetItem), **refusals(400, 401, 403, 404, 409, 422)},
    )
    def patch(self, request: Request, target_id: int) -> Response:
        """Changes what is given. Another address drops the accepted host keys."""
        found = targets.target_of(target_id)
        targets.save_target(user=user_of(request), given=_given(TargetBody, request), target=found)
        return Response(reads.target(target_id))


class TargetTestView(JobsApiView):
    @extend_schema(
        operation_id="test_connection",
        request=None,
        responses={200: body(reads.TargetItem), **refusals(401, 403, 404)},
    )
    def post(self, request: Request, target_id: int) -> Response:
        """GPUs, caps, drivers, tools and clock of the machine; or, in ``problem``, why it cannot be reached."""
        targets.test_connection(target=targets.target_of(target_id), user=user_of(request))
        return Response(reads.target(target_id))


class HostKeyView(JobsApiView):
    @extend_schema(
        operation_id="accept_host_key",
        request=FingerprintBody,
        responses={200: body(reads.TargetItem), **refusals(400, 401, 403, 404)},
    )
    def post(self, request: Request, target_id: int) -> Response:
        """Says that a key which the host showed is the host's own."""
        fingerprint = _given(FingerprintBody, request)["fingerprint"]
        targets.accept_host_key(target=targets.target_of(target_id), fingerprint=fingerprint, user=user_of(request))
        return Response(reads.target(target_id))


class PlansView(JobsApiView):
    @extend_schema(operation_id="plans", responses={200: body(tuple[reads.PlanItem, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Workloads for clients."""
        return Response(reads.plans())

    @extend_schema(
        operation_id="add_plan",
        request=PlanBody,
        responses={201: body(reads.PlanItem), **refusals(400, 401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """A new plan, checked key by key."""
        made = plans.save_plan(user=user_of(request), **_given(PlanBody, request))
        return Response(reads.plan(made.pk), status.HTTP_201_CREATED)


class PlanView(JobsApiView):
    @extend_schema(operation_id="plan", responses={200: body(reads.PlanItem), **refusals(401, 403, 404)})
    def get(self, request: Request, plan_id: int) -> Response:
        """One plan."""
        return Response(reads.plan(plan_id))

    @extend_schema(
        operation_id="change_plan",
        request=PlanBody,
        responses={200: body(reads.PlanItem), **refusals(400, 401, 403, 404, 409, 422)},
    )
    def put(self, request: Request, plan_id: int) -> Response:
        """The plan anew; jobs made from it keep the one they were made from."""
        plans.save_plan(user=user_of(request), plan=plans.plan_of(plan_id), **_given(PlanBody, request))
        return Response(reads.plan(plan_id))


class PreviewView(JobsApiView):
    @extend_schema(
        operation_id="preview_plan",
        request=PreviewBody,
        responses={200: body(tuple[plans.PlanCell, ...]), **refusals(400, 401, 403, 404, 422)},
    )
    def post(self, request: Request) -> Response:
        """Every job that a plan would become on a target, each argument list to the letter. Nothing is made."""
        given = _given(PreviewBody, request)
        return Response(plans.preview(spec=given["spec"], target=targets.target_of(given["target"])))


class StartView(JobsApiView):
    @extend_schema(
        operation_id="start_plan",
        request=StartBody,
        responses={201: body(tuple[reads.JobDetail, ...]), **refusals(400, 401, 403, 404, 422)},
    )
    def post(self, request: Request, plan_id: int) -> Response:
        """One job for every cell of the matrix and every repeat, into the target's queue."""
        target = targets.target_of(_given(StartBody, request)["target"])
        made = queue.start(plan=plans.plan_of(plan_id), target=target, user=user_of(request))
        return Response([reads.job(job.pk) for job in made], status.HTTP_201_CREATED)


class SchedulesView(JobsApiView):
    @extend_schema(
        operation_id="schedules", responses={200: body(tuple[reads.ScheduleItem, ...]), **refusals(401, 403)}
    )
    def get(self, request: Request) -> Response:
        """Plans at set times with their latest due times, the missed ones among them."""
        return Response(reads.schedules())

    @extend_schema(
        operation_id="add_schedule",
        request=ScheduleBody,
        responses={201: body(tuple[reads.ScheduleItem, ...]), **refusals(400, 401, 403, 404, 422)},
    )
    def post(self, request: Request) -> Response:
        """A plan on a target at the times of a cron expression in a time zone."""
        given = _given(ScheduleBody, request)
        plan, target = plans.plan_of(given["plan"]), targets.target_of(given["target"])
        schedules.save_schedule(
            user=user_of(request), plan=plan, target=target, cron=given["cron"], time_zone=given["time_zone"]
        )
        return Response(reads.schedules(), status.HTTP_201_CREATED)


class ScheduleView(JobsApiView):
    @extend_schema(
        operation_id="change_schedule",
        request=EnabledBody,
        responses={200: body(tuple[reads.ScheduleItem, ...]), **refusals(400, 401, 403, 404)},
    )
    def patch(self, request: Request, schedule_id: int) -> Response:
        """Turns a schedule on or off."""
        enabled = _given(EnabledBody, request)["enabled"]
        schedules.enable(schedule_id=schedule_id, enabled=enabled, user=user_of(request))
        return Response(reads.schedules())

    @extend_schema(operation_id="delete_schedule", responses={204: None, **refusals(401, 403, 404)})
    def delete(self, request: Request, schedule_id: int) -> Response:
        """Takes a schedule away; its jobs stay."""
        schedules.delete(schedule_id=schedule_id, user=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
