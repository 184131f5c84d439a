"""Tolerant JSON: several documents in one file, NaN and Infinity, a preamble, a BOM, a cut end."""

import json
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from runs.domain.records import Remark
from runs.readers.base.contract import ReadError, Upload, decode, excerpt
from runs.readers.base.outline import json_start

MAX_DOCUMENTS = 10_000

_GAP = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class JsonDocuments:
    """The whole documents of a file, in order, and remarks about what could not be kept of it."""

    documents: tuple[Any, ...]
    remarks: tuple[Remark, ...] = ()


def line_and_column(text: str, position: int) -> str:
    """A position as "line 3, column 14", both from 1."""
    line = text.count("\n", 0, position) + 1
    return f"line {line}, column {position - text.rfind(chr(10), 0, position)}"


def json_documents(upload: Upload) -> JsonDocuments:
    """Every JSON document of a file. NaN and Infinity become floats.

    A cut or broken end costs only the last document (of a cut array its whole elements are kept) and leaves a remark.
    Raises ReadError where no whole document is left, for nesting that is too deep, and for too many documents.
    """
    try:
        return JsonDocuments((msgspec.json.decode(upload.utf8),))
    except (msgspec.MsgspecError, RecursionError):
        pass  # several documents, NaN, a preamble or a broken file: the tolerant way finds out
    try:
        return _scan(upload)
    except RecursionError:
        raise ReadError(upload.name, "", "JSON of moderate nesting", "JSON nested too deeply to read") from None


def _scan(upload: Upload) -> JsonDocuments:
    text = upload.text
    replaced = "\ufffd" in text and decode(upload.data)[1]
    position = json_start(text)
    documents: list[Any] = []
    remarks = (Remark("replaced-bytes", "bytes that are no UTF-8 were read as \ufffd"),) if replaced else ()
    while position is not None and position < len(text):
        if len(documents) >= MAX_DOCUMENTS:
            raise ReadError(upload.name, line_and_column(text, position), f"at most {MAX_DOCUMENTS} documents", "more")
        try:
            document, position = _DECODER.raw_decode(text, position)
        except ValueError as error:
            documents_left, remark = _broken(upload, documents, position, error)
            return JsonDocuments(documents_left, (*remarks, remark))
        documents.append(document)
        position = _gap(text, position)
    if not documents:
        raise ReadError(upload.name, "the start", "a JSON object or array", excerpt(text))
    return JsonDocuments(tuple(documents), remarks)


def _gap(text: str, position: int) -> int:
    found = _GAP.match(text, position)
    return found.end() if found else position


def _broken(upload: Upload, whole: list[Any], start: int, error: ValueError) -> tuple[tuple[Any, ...], Remark]:
    """What is left of a file whose document at ``start`` does not parse."""
    text, at = upload.text, error.pos if isinstance(error, json.JSONDecodeError) else start
    place = line_and_column(text, at)
    elements = _elements(text, start) if text[start] == "[" else []
    if not whole and not elements:
        raise ReadError(
            upload.name, place, "whole JSON",
            f"a file that is cut off or no JSON there: {excerpt(text[at:])} ({error.args[0] if error.args else error})",
        )  # fmt: skip
    if elements:
        said = f"truncated inside document {len(whole) + 1}: {len(elements)} whole elements of it were kept"
        return (*whole, elements), Remark("truncated", said, place)
    said = f"truncated after document {len(whole)}: what follows is cut off or no JSON and was left out"
    return tuple(whole), Remark("truncated", said, place)


def _elements(text: str, start: int) -> list[Any]:
    """The whole elements of an array that is cut off."""
    elements: list[Any] = []
    position = _gap(text, start + 1)
    while position < len(text):
        try:
            element, position = _DECODER.raw_decode(text, position)
        except ValueError:
            break
        if position >= len(text):
            break  # a number that ends where the file ends may itself be cut
        elements.append(element)
        position = _gap(text, position)
    return elements
