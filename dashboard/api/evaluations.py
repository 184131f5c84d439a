"""Evaluations, repeats, setups and names over the API."""

from dataclasses import dataclass
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from dashboard.api.auth import PlainTextField
from dashboard.api.base import ApiView, query, user_of
from dashboard.api.errata import read
from dashboard.api.schema import body, refusals
from runs import selectors
from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation, wilson
from runs.domain.facts import Setting
from runs.domain.names import KINDS
from runs.selectors import history as selectors_history
from runs.selectors.setups import Setup, list_setups
from runs.services import naming
from runs.services.evaluating import ComparedEvaluations, GivenEvaluation, add_evaluation, compare_evaluations
from runs.services.purging import refuse_purged
from runs.services.rights import Right
from runs.services.setups import declare_setup

_MAX = 2**53


def _count(**more: Any) -> serializers.IntegerField:
    return serializers.IntegerField(required=False, default=None, allow_null=True, min_value=0, max_value=_MAX, **more)


def _words(limit: int, **more: Any) -> Any:
    return PlainTextField(required=False, default="", allow_blank=True, max_length=limit, **more)


class EvaluationBody(serializers.Serializer[Any]):
    """``correct`` of ``total``, or a ``score`` as printed in ``locale``."""

    task = PlainTextField(max_length=200)
    correct = _count()
    total = _count()
    score = _words(60)
    unit = _words(40)
    locale = serializers.ChoiceField(["plain", "en", "nl"], default="plain")
    shots = _count()
    full_size = _count(help_text="Items of the whole task, where total is a part of it.")
    context = _words(200)
    configuration = _words(200)
    covers = serializers.ListField(
        child=PlainTextField(max_length=200), required=False, default=list, help_text="Ids of runs, names of setups."
    )
    source = _words(100, help_text="Key of the document it was read in.")
    quote = _words(500)
    date = _words(10)
    note = _words(1000)


@dataclass(frozen=True)
class EvaluationShape:
    """An evaluation as it stands, with its 95 % Wilson interval where it is counted, and its errata."""

    evaluation: Evaluation
    original: Evaluation
    wilson: tuple[float, float] | None
    is_subset: bool
    errata: tuple[Erratum, ...]
    revision: int


def _shape(stored: selectors_history.StoredEvaluation) -> EvaluationShape:
    one = stored.evaluation
    counted = one.correct is not None and one.total is not None
    interval = wilson(one.correct or 0, one.total or 1) if counted else None
    return EvaluationShape(one, stored.original, interval, one.is_subset, stored.errata, stored.revision)


class TaskQuery(serializers.Serializer[Any]):
    task = PlainTextField(required=False, default="", max_length=200)


class EvaluationsView(ApiView):
    @extend_schema(
        operation_id="evaluations",
        parameters=[TaskQuery],
        responses={200: body(tuple[EvaluationShape, ...]), **refusals(400, 401, 403)},
    )
    def get(self, request: Request) -> Response:
        """Evaluations as they stand, by task; at most 500."""
        found = selectors_history.list_evaluations(query(request, TaskQuery)["task"])
        return Response([_shape(one) for one in found.items])

    @extend_schema(
        operation_id="add_evaluation",
        request=EvaluationBody,
        responses={201: body(EvaluationShape), **refusals(400, 401, 403, 422)},
    )
    def post(self, request: Request) -> Response:
        """An evaluation entered by hand."""
        given = read(request, EvaluationBody)
        covers = tuple(dict.fromkeys(given.pop("covers")))
        given["unit"] = given["unit"] or "as stated"
        key = add_evaluation(given=GivenEvaluation(**given, covers=covers), user=user_of(request))
        stored = selectors_history.evaluation(key)
        if stored is None:
            raise Http404
        return Response(_shape(stored), status.HTTP_201_CREATED)


class EvaluationView(ApiView):
    @extend_schema(operation_id="evaluation", responses={200: body(EvaluationShape), **refusals(401, 403, 404)})
    def get(self, request: Request, key: str) -> Response:
        """One evaluation with its interval and errata."""
        stored = selectors_history.evaluation(key)
        if stored is None:
            raise Http404
        return Response(_shape(stored))


class PairQuery(serializers.Serializer[Any]):
    a = PlainTextField(max_length=100)
    b = PlainTextField(max_length=100)
    only_a = serializers.IntegerField(required=False, min_value=0, max_value=10**9, help_text="Items only a got.")
    only_b = serializers.IntegerField(required=False, min_value=0, max_value=10**9, help_text="Items only b got.")

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if ("only_a" in attrs) != ("only_b" in attrs):
            raise serializers.ValidationError({"only_a": "only_a and only_b together"})
        return attrs


class EvaluationPairView(ApiView):
    @extend_schema(
        operation_id="compare_evaluations",
        parameters=[PairQuery],
        responses={200: body(ComparedEvaluations), **refusals(400, 401, 403, 404, 422)},
    )
    def get(self, request: Request) -> Response:
        """Whether two evaluations differ beyond noise: the test by its name, p, and the words."""
        given = query(request, PairQuery)
        paired = (given["only_a"], given["only_b"]) if "only_a" in given else None
        return Response(compare_evaluations(a=given["a"], b=given["b"], paired=paired))


class RunGroupView(ApiView):
    @extend_schema(
        operation_id="run_group", responses={200: body(selectors_history.Group), **refusals(401, 403, 404, 410)}
    )
    def get(self, request: Request, run_id: str) -> Response:
        """The runs of one configuration with mean, lowest and highest; 404 where the run is grouped with none.

        ``group:`` and the fingerprint stand for their mean in a comparison.
        """
        group = selectors_history.group_of(selectors.fingerprint_of(run_id))
        if group is None:
            refuse_purged([run_id])
            raise Http404
        return Response(group)


class SetupBody(serializers.Serializer[Any]):
    name = PlainTextField(max_length=200)
    settings = serializers.DictField(help_text="As in the meta of an upload.")


@dataclass(frozen=True)
class DeclaredSetup:
    name: str
    settings: dict[str, Setting]


class SetupsView(ApiView):
    @extend_schema(operation_id="setups", responses={200: body(tuple[Setup, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Declared setups, with the settings they bring and how many runs declare them."""
        return Response(list_setups())

    @extend_schema(
        operation_id="declare_setup",
        request=SetupBody,
        responses={201: body(DeclaredSetup), **refusals(400, 401, 403, 409)},
    )
    def post(self, request: Request) -> Response:
        """A setup with its settings, said once: an upload whose meta names it takes from it what neither its files nor
        its meta say. 409 where a setup of that name says otherwise."""
        given = read(request, SetupBody)
        profile = declare_setup(**given, user=user_of(request))
        return Response(DeclaredSetup(given["name"], dict(profile)), status.HTTP_201_CREATED)


class AliasBody(serializers.Serializer[Any]):
    kind = serializers.ChoiceField(list(KINDS))
    alias = PlainTextField(max_length=200)
    name = PlainTextField(max_length=200)


class NamesView(ApiView):
    right = Right.ADMIN

    @extend_schema(operation_id="names", responses={200: body(tuple[naming.AliasItem, ...]), **refusals(401, 403)})
    def get(self, request: Request) -> Response:
        """Aliases of models, accelerators and runtimes."""
        return Response(naming.aliases())

    @extend_schema(
        operation_id="merge_names",
        request=AliasBody,
        responses={201: body(naming.AliasItem), **refusals(400, 401, 403, 409, 422)},
    )
    def post(self, request: Request) -> Response:
        """From now on one name goes by another; DELETE takes it back. Administrators only, and a token with the scope
        ``admin``."""
        return Response(naming.merge_names(**read(request, AliasBody), user=user_of(request)), status.HTTP_201_CREATED)


class NameView(ApiView):
    right = Right.ADMIN

    @extend_schema(operation_id="unmerge_names", responses={204: None, **refusals(401, 403, 404)})
    def delete(self, request: Request, alias_id: int) -> Response:
        """Every run goes by its own name again."""
        naming.unmerge_names(alias_id=alias_id, user=user_of(request))
        return Response(status=status.HTTP_204_NO_CONTENT)
