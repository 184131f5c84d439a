"""One error envelope for everything that the API refuses: ``{"error": {"code", "message", "details"}}``."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.views.defaults import server_error
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import exception_handler

from runs.services.answers import MissingError, Outcome, Problem, RefusedError


class ErrorBody(msgspec.Struct, frozen=True):
    """``code`` is stable, ``message`` a sentence, ``details`` each thing that is wrong and where."""

    code: str
    message: str
    details: tuple[Problem, ...] = ()


class ErrorEnvelope(msgspec.Struct, frozen=True, omit_defaults=True):
    """The shape of every error. ``outcome`` stands beside it where an upload was read and refused."""

    error: ErrorBody
    outcome: Outcome | None = None


class LengthRequired(exceptions.APIException):
    status_code = 411
    default_detail = "Send the body with a Content-Length: chunked bodies are not taken."
    default_code = "length_required"


class TooLarge(exceptions.APIException):
    status_code = 413
    default_code = "too_large"

    def __init__(self, message: str, *problems: Problem) -> None:
        super().__init__(message)
        self.problems = problems


class InvalidQuery(exceptions.ValidationError):
    """Query parameters that cannot be taken, with what was seen in each."""

    def __init__(self, detail: Any, given: QueryDict) -> None:
        super().__init__(detail)
        self.given = given


CODES = {
    "parse_error": "malformed",
    "not_authenticated": "not_authenticated",
    "authentication_failed": "authentication_failed",
    "permission_denied": "permission_denied",
    "method_not_allowed": "method_not_allowed",
    "not_acceptable": "not_acceptable",
    "unsupported_media_type": "unsupported_media_type",
}
STATUSES = {
    "conflict": 409,
    "gone": 410,
    "no_files": 400,
    "too_many_files": 400,
    "too_many_runs": 400,
    "invalid_meta": 400,
    "invalid_paste": 400,
    "invalid_scenario": 400,
    "invalid_source": 400,
    "no_token": 400,
    "login_failed": 401,
    "locked_out": 429,
    "permission_denied": 403,
}


def envelope(code: str, message: str, *problems: Problem, outcome: Outcome | None = None) -> ErrorEnvelope:
    return ErrorEnvelope(ErrorBody(code, message, problems), outcome)


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler; None for what is nobody's request's fault."""
    if isinstance(error, RefusedError):
        status = 404 if isinstance(error, MissingError) else STATUSES.get(error.code, 422)
        return Response(envelope(error.code, error.message, *error.problems), status)
    known = _translated(error)
    response = exception_handler(known, context)
    if response is None or not isinstance(known, exceptions.APIException):
        return None
    response.data = _body(known)
    return response


def _translated(error: Exception) -> Exception:
    if isinstance(error, Http404):
        return exceptions.NotFound()
    if isinstance(error, PermissionDenied):
        return exceptions.PermissionDenied()
    if isinstance(error, RequestDataTooBig):
        return TooLarge("The part that is no file is too large.")
    if isinstance(error, TooManyFilesSent):
        return exceptions.ParseError(f"An upload takes at most {settings.DATA_UPLOAD_MAX_NUMBER_FILES} files.")
    if isinstance(error, TooManyFieldsSent):
        return exceptions.ParseError(
            f"A request takes at most {settings.DATA_UPLOAD_MAX_NUMBER_FIELDS} parameters or parts."
        )
    if isinstance(error, MultiPartParserError):
        return exceptions.ParseError(f"The multipart body cannot be taken: {error}")
    if isinstance(error, SuspiciousOperation):
        return exceptions.ParseError("The request cannot be taken as it is.")
    return error


def _body(error: exceptions.APIException) -> ErrorEnvelope:
    if isinstance(error, exceptions.ValidationError):
        problems = _problems(error.detail, "")
        if isinstance(error, InvalidQuery):
            problems = (_with_seen(problem, error.given) for problem in problems)
        return envelope("invalid", "The request has values that cannot be taken.", *problems)
    if isinstance(error, TooLarge):
        return envelope("too_large", str(error.detail), *error.problems)
    if isinstance(error, exceptions.Throttled):
        seconds = getattr(error, "wait", None)
        wait = f" Try again in {seconds:.0f} s." if seconds else ""
        return envelope("throttled", f"Too many requests.{wait}")
    codes = error.get_codes()
    code = codes if isinstance(codes, str) else error.default_code
    if isinstance(error, exceptions.NotFound):
        return envelope("not_found", "There is nothing here.")
    return envelope(CODES.get(code, code), str(error.detail))


def _with_seen(problem: Problem, given: QueryDict) -> Problem:
    """The problem with the parameter's values as sent; ``model.0`` is the first ``model``."""
    name, _, index = problem.place.partition(".")
    values = given.getlist(name)
    if index.isascii() and index.isdigit() and int(index) < len(values):
        values = values[int(index) : int(index) + 1]
    return replace(problem, seen=", ".join(values)[:200])


def _problems(detail: Any, place: str) -> Iterator[Problem]:
    """DRF's nested validation errors, flat: one problem a sentence, at its field."""
    if isinstance(detail, dict):
        for key, inner in detail.items():
            name = "" if key == "non_field_errors" else str(key)
            yield from _problems(inner, ".".join(filter(None, (place, name))))
    elif isinstance(detail, list):
        for inner in detail:
            yield from _problems(inner, place)
    else:
        yield Problem(place=place, expected=str(detail))


def handler500(request: HttpRequest) -> HttpResponse:
    """The root's answer to an exception nobody caught: the envelope under ``/api/``, Django's page elsewhere."""
    if request.path.startswith("/api/"):
        body = {"error": {"code": "internal", "message": "Something went wrong here; it was logged.", "details": []}}
        return JsonResponse(body, status=500)
    return server_error(request)
