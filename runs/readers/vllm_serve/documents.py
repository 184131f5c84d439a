"""From bytes to flat result documents, without ever decoding the per-request arrays of a detailed file."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from runs.domain.records import Remark
from runs.readers.base import MAX_DOCUMENTS, ReadError, Upload, json_documents

Scalar = str | int | float | bool | None

MAX_TEXT = 4096
LENGTHS = ("input_lens", "output_lens")
_BRACKETS = (0x5B, 0x7B)

_OBJECT = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ARRAY = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


@dataclass(frozen=True)
class Document:
    """One run: its top-level scalars, the names of its arrays, and the token counts per request where it has them."""

    place: str
    scalars: Mapping[str, Scalar]
    arrays: tuple[str, ...] = ()
    lengths: Mapping[str, list[int]] = field(default_factory=dict)

    def has(self, *keys: str) -> bool:
        return any(key in self.scalars or key in self.arrays for key in keys)


@dataclass(frozen=True)
class Documents:
    """The documents of a file in order, and what was left out of it."""

    documents: tuple[Document, ...]
    remarks: tuple[Remark, ...] = ()


def read_documents(upload: Upload) -> Documents:
    """Every result document of a file: one object, objects after each other, or an array of them.

    Raises ReadError where there is none, or too many.
    """
    fast = _fast(upload.utf8)
    if fast is not None:
        place = "[{}]" if fast[0] else "document {}"
        first = 0 if fast[0] else 1
        raws = enumerate(_bounded(upload, fast[1]), first)
        try:
            return Documents(tuple(_from_raw(place.format(number), raw) for number, raw in raws))
        except UnicodeDecodeError:  # a raw value's bytes are not looked at before
            pass
    return _tolerant(upload)


def _fast(data: bytes) -> tuple[bool, list[dict[str, msgspec.Raw]]] | None:
    """Whether it is an array, and the documents with their values still raw; None for what needs tolerance.

    Raw values make one pass that skips the arrays as fast as a decode of the summary fields alone does.
    """
    start = data[:64].lstrip()[:1]
    try:
        if start == b"[":
            return True, _ARRAY.decode(data)
        if start != b"{":
            return None
        try:
            return False, [_OBJECT.decode(data)]
        except msgspec.DecodeError:
            lines = (line for line in data.split(b"\n", MAX_DOCUMENTS + 2) if line.strip())
            return False, [_OBJECT.decode(line) for line in lines]
    except (msgspec.MsgspecError, RecursionError):
        return None


def _bounded(upload: Upload, documents: list[Any]) -> list[Any]:
    if len(documents) > MAX_DOCUMENTS:
        raise ReadError(upload.name, "", f"at most {MAX_DOCUMENTS} runs in one file", f"{len(documents)}")
    return documents


def _from_raw(place: str, raw: dict[str, msgspec.Raw]) -> Document:
    scalars: dict[str, Scalar] = {}
    arrays: list[str] = []
    lengths: dict[str, list[int]] = {}
    for key, value in raw.items():
        view = memoryview(value)
        if view[0] in _BRACKETS:
            arrays.append(key)
            if key in LENGTHS:
                lengths[key] = _integers(json.loads(bytes(view)))
        elif len(view) <= MAX_TEXT:
            scalars[key] = json.loads(bytes(view))
    return Document(place, scalars, tuple(arrays), lengths)


def _tolerant(upload: Upload) -> Documents:
    """The slow way: NaN and Infinity, a preamble, a cut end, documents that spread over lines."""
    found = json_documents(upload)
    documents: list[Document] = []
    remarks = list(found.remarks)
    for number, whole in enumerate(found.documents, 1):
        listed = isinstance(whole, list)
        for index, value in enumerate(_bounded(upload, whole) if listed else [whole]):
            place = f"[{index}]" if listed and len(found.documents) == 1 else f"document {number}"
            place = f"{place}[{index}]" if listed and len(found.documents) > 1 else place
            if isinstance(value, dict):
                documents.append(_from_dict(place, value))
            else:
                remarks.append(Remark("no-run", f"{place} is no object and was left out", place))
    return Documents(tuple(_bounded(upload, documents)), tuple(remarks))


def _from_dict(place: str, whole: dict[str, Any]) -> Document:
    arrays = tuple(key for key, value in whole.items() if isinstance(value, list | dict))
    scalars = {
        key: value
        for key, value in whole.items()
        if not isinstance(value, list | dict) and not (isinstance(value, str) and len(value) > MAX_TEXT)
    }
    return Document(place, scalars, arrays, {key: _integers(whole[key]) for key in LENGTHS if key in arrays})


def _integers(values: Any) -> list[int]:
    return [value for value in values if type(value) is int] if isinstance(values, list) else []
