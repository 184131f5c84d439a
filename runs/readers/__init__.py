"""From the bytes of a file to frozen records. Adding a format: its file here, its line in READERS, its samples."""

from runs.readers import (
    aiperf,
    amdsmi_metric,
    amdsmi_static,
    guidellm,
    llama_bench,
    lm_eval,
    lmx,
    nvidia_smi,
    published,
    sglang,
    vllm_serve,
)
from runs.readers.base import Reader, ReadError, Reading, UnknownFormatError, Upload, excerpt, unpack

READERS: tuple[Reader, ...] = (
    vllm_serve.RESULT,
    vllm_serve.CONSOLE,
    aiperf.READER,
    sglang.READER,
    guidellm.READER,
    llama_bench.READER,
    lmx.READER,
    amdsmi_metric.READER,
    amdsmi_static.READER,
    nvidia_smi.READER,
    lm_eval.READER,
    published.READER,
)

__all__ = ["READERS", "ReadError", "Reader", "Reading", "UnknownFormatError", "Upload", "read", "unpack"]

_ARCHIVES = {b"PK\x03\x04": "a zip archive", b"\x1f\x8b": "a gzip file", b"%PDF": "a PDF", b"\x89PNG": "a picture"}


def read(upload: Upload) -> Reading:
    """What a file is, read by the one reader that claims it.

    Raises ReadError for an empty or binary file, for one that no reader or more than one claims, and for whatever the
    reader itself refuses; no other exception leaves here for any bytes.
    """
    _refuse_what_is_no_text(upload)
    claiming = [reader for reader in READERS if reader.claims(upload)]
    if len(claiming) > 1:
        names = " and ".join(reader.title for reader in claiming)
        raise ReadError(upload.name, "the start", "a file of one format", f"one that could be {names}")
    if not claiming:
        known = "; ".join(reader.title for reader in READERS)
        raise UnknownFormatError(
            upload.name, "the start", f"one of: {known}", excerpt(upload.head.lstrip("\ufeff"), 100)
        )
    return claiming[0].read(upload)


def _refuse_what_is_no_text(upload: Upload) -> None:
    if not upload.data[:4096].strip() and not upload.data.strip():
        raise ReadError(upload.name, "", "a result or a log", "an empty file")
    for magic, kind in _ARCHIVES.items():
        if upload.data.startswith(magic):
            raise ReadError(upload.name, "the start", "a text file: JSON, CSV or a log", kind)
    odd = sum(1 for char in upload.head[:4096] if char == "\ufffd" or (char < " " and char not in "\t\r\n\f\x1b\b"))
    if odd > len(upload.head[:4096]) // 20:
        raise ReadError(upload.name, "the start", "a text file: JSON, CSV or a log", "binary data")
    if upload.outline.too_deep:
        raise ReadError(upload.name, "the start", "JSON of moderate nesting", "JSON nested too deeply to read")
