"""What every reader may import, and the only thing: the contract, and helpers for JSON, tables and power samples."""

from runs.readers.base.contract import (
    Reader,
    ReadErratum,
    ReadError,
    Reading,
    ReadRun,
    UnknownFormatError,
    Upload,
    clean_text,
    decode,
    excerpt,
)
from runs.readers.base.findings import Findings, child, finite, short_name, whole
from runs.readers.base.jsondocs import MAX_DOCUMENTS, JsonDocuments, json_documents, line_and_column
from runs.readers.base.samples import (
    MAX_GPUS,
    MAX_SAMPLES,
    RawSamples,
    build_trace,
    gpu_label,
    is_missing_word,
    watts_of,
)
from runs.readers.base.tables import Header, Table, find_header, read_table
from runs.readers.base.unpack import unpack

__all__ = [
    "MAX_DOCUMENTS",
    "MAX_GPUS",
    "MAX_SAMPLES",
    "Findings",
    "Header",
    "JsonDocuments",
    "RawSamples",
    "ReadErratum",
    "ReadError",
    "ReadRun",
    "Reader",
    "Reading",
    "Table",
    "UnknownFormatError",
    "Upload",
    "build_trace",
    "child",
    "clean_text",
    "decode",
    "excerpt",
    "find_header",
    "finite",
    "gpu_label",
    "is_missing_word",
    "json_documents",
    "line_and_column",
    "read_table",
    "short_name",
    "unpack",
    "watts_of",
    "whole",
]
