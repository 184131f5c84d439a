"""The OpenAPI schema of what msgspec writes: shapes come from the dataclasses themselves, so they cannot drift."""

from typing import Any

import msgspec
from drf_spectacular.utils import OpenApiResponse

from dashboard.api.errors import ErrorEnvelope

_shapes: dict[str, Any] = {}
TEMPLATE = "#/components/schemas/{name}"
REASONS = {
    400: "A request that cannot be taken",
    401: "No valid token or session",
    403: "A token or role that may not",
    404: "Nothing of that name",
    409: "In conflict with what is there",
    410: "Purged",
    411: "A body without Content-Length",
    413: "Too large",
    415: "Another media type",
    422: "Understood, and refused",
    429: "Too often",
}


def body(shape: Any) -> dict[str, Any]:
    """The schema of a type that msgspec writes; its parts are noted for :func:`add_shapes`."""
    (schema,), parts = msgspec.json.schema_components((shape,), ref_template=TEMPLATE)
    for name, part in parts.items():
        # Two types of one name would each pass for the other.
        if _shapes.setdefault(name, part) != part:
            raise RuntimeError(f"two types of the API are called {name}")
    return schema


def refusals(*statuses: int) -> dict[int, OpenApiResponse]:
    """Error responses of an operation, all of the one envelope."""
    schema = body(ErrorEnvelope)
    return {status: OpenApiResponse(schema, REASONS[status]) for status in sorted({*statuses, 406, 429} & set(REASONS))}


def add_shapes(result: dict[str, Any], **_context: Any) -> dict[str, Any]:
    """drf-spectacular's postprocessing hook: the shapes noted by :func:`body` beside the serializers' components."""
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(_shapes)
    return result
