"""A comparison as JSON: the comparison object itself, beside its caveats and notices in words (docs/exports.md).

Numbers are JSON numbers with the digits they have; msgspec writes the frozen dataclasses as they stand.
"""

from typing import Any

import msgspec

from dashboard.render.exports.document import (
    FORMAT,
    VERSION,
    CaveatLine,
    Export,
    caveat_lines,
    notice_lines,
    withheld_line,
)
from runs.domain.comparison import Comparison, Notice


class JsonExport(msgspec.Struct, frozen=True):
    """The document. ``version`` counts up where a meaning changes; a reader of an older one refuses it."""

    format: str
    version: int
    title: str
    made: str
    locale: str
    comparison: Comparison
    caveats_in_words: tuple[CaveatLine, ...]
    notices_in_words: tuple[str, ...]
    notices_since: tuple[Notice, ...] = ()
    withheld: str = ""


_encoder = msgspec.json.Encoder(decimal_format="number")


def json_bytes(export: Export) -> bytes:
    """The document, indented."""
    document = JsonExport(
        format=FORMAT,
        version=VERSION,
        title=export.title,
        made=export.made,
        locale=export.locale,
        comparison=export.comparison,
        caveats_in_words=caveat_lines(export.comparison, export.locale),
        notices_in_words=notice_lines(export),
        notices_since=export.since,
        withheld=withheld_line(export.locale) if export.withheld else "",
    )
    return msgspec.json.format(_encoder.encode(document), indent=2) + b"\n"


def json_schema() -> dict[str, Any]:
    """JSON Schema of the document, for docs/exports.schema.json."""
    return msgspec.json.schema(JsonExport)
