"""Bodies in and out: bounded JSON that refuses depth in words, and JSON out that never carries NaN or Infinity."""

import datetime as dt
import decimal
from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from django.utils.functional import Promise
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from dashboard.api.errors import TooLarge

MAX_JSON_BYTES = 1024 * 1024
DRAIN_BYTES = 64 * 1024 * 1024


def _plain(value: object) -> object:
    if isinstance(value, Promise | decimal.Decimal | dt.timedelta):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = msgspec.json.Encoder(enc_hook=_plain)


class JsonRenderer(BaseRenderer):
    """msgspec writes dataclasses as they stand, Decimals as strings that keep their digits, NaN as null."""

    media_type: ClassVar[str] = "application/json"  # type: ignore[misc]
    format: ClassVar[str] = "json"  # type: ignore[misc]
    charset: ClassVar[str | None] = None  # type: ignore[misc]

    def render(self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None) -> bytes:
        return b"" if data is None else _encoder.encode(data)


def drain(stream: Any) -> None:
    """Reads a bounded part of a body that nobody wants: a client that is cut off early sees no answer at all."""
    left = DRAIN_BYTES
    while left > 0 and (chunk := stream.read(min(left, 65536))):
        left -= len(chunk)


class JsonParser(BaseParser):
    """A JSON body of at most 1 MiB and of moderate depth."""

    media_type: ClassVar[str] = "application/json"  # type: ignore[misc]

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        body = stream.read(MAX_JSON_BYTES + 1)
        if len(body) > MAX_JSON_BYTES:
            drain(stream)
            raise TooLarge(f"A JSON body is at most {MAX_JSON_BYTES} bytes.")
        if not body:
            return {}
        try:
            return msgspec.json.decode(body)
        except RecursionError:
            raise ParseError("The JSON is nested too deeply to read.") from None
        except (msgspec.DecodeError, UnicodeError) as error:
            raise ParseError(f"The body is no JSON: {error}.") from None
