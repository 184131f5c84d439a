"""The literal list of export formats: name, media type, how the bytes are made."""

from collections.abc import Callable
from dataclasses import dataclass

from dashboard.render.exports.csvs import csv_text
from dashboard.render.exports.document import Export
from dashboard.render.exports.html import html_text
from dashboard.render.exports.jsons import json_bytes
from dashboard.render.exports.markdown import markdown_text


@dataclass(frozen=True)
class Format:
    extension: str
    name: str
    media_type: str
    make: Callable[[Export], bytes]


FORMATS = (
    Format("csv", "CSV", "text/csv; charset=utf-8", lambda export: csv_text(export).encode()),
    Format("json", "JSON", "application/json", json_bytes),
    Format("md", "Markdown", "text/markdown; charset=utf-8", lambda export: markdown_text(export).encode()),
    Format("html", "HTML", "text/html; charset=utf-8", lambda export: html_text(export).encode()),
)
BY_EXTENSION = {one.extension: one for one in FORMATS}
PICTURES = {"svg": "image/svg+xml", "png": "image/png"}
