"""A power trace as compact bytes and back, bit for bit.

Layout: ``LWPT``, version (1 byte), CRC-32 of the rest (4), header length (4), header (JSON), column bytes. A column of
numbers that are whole multiples of 1, 1/1000 … of a unit is kept as whole numbers (times as differences), any other
as its float64 bits; the bytes of equal weight lie together, each such plane constant, raw or deflated.
"""

import json
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.signals import Floats
from runs.domain.trace import PowerTrace
from runs.domain.units import DomainError

MAGIC = b"LWPT"
VERSION = 1
SCALES = (1, 10, 100, 1000, 1_000_000)
_START = struct.Struct("<4sBI")
_LENGTH = struct.Struct("<I")
_PROBE = 16384
_WORTH = 0.9

Words = NDArray[np.uint64]


class TraceBlobError(DomainError):
    """Bytes that are no power trace of a version known here."""


def encode(trace: PowerTrace) -> bytes:
    """The trace as bytes. Lossless: times and watts keep every bit, but a NaN is a NaN whatever its payload."""
    planes: list[bytes] = []
    header = {
        "n": len(trace),
        "gpus": trace.gpus,
        "clock": trace.clock,
        "tool": trace.tool,
        "scope": trace.scope,
        "limit_w": trace.limit_w,
        "remarks": [(remark.code, remark.text, remark.place) for remark in trace.remarks],
        "gpu": _pack(trace.gpu.astype("<i2").view("<u2").astype("<u8"), planes),
        "t": _pack_floats(trace.t, planes, steps=True),
        "watts": _pack_floats(trace.watts, planes, steps=False),
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    rest = b"".join((_LENGTH.pack(len(text)), text, *planes))
    return _START.pack(MAGIC, VERSION, zlib.crc32(rest)) + rest


def decode(blob: bytes) -> PowerTrace:
    """The trace of :func:`encode`'s bytes; raises :class:`TraceBlobError` for other, newer or damaged ones."""
    if len(blob) < _START.size + _LENGTH.size or blob[:4] != MAGIC:
        raise TraceBlobError("these bytes are no stored power trace")
    _, version, checksum = _START.unpack_from(blob)
    if version != VERSION:
        raise TraceBlobError(f"stored power trace of version {version}; this program reads version {VERSION}")
    rest = memoryview(blob)[_START.size :]
    if zlib.crc32(rest) != checksum:
        raise TraceBlobError("stored power trace is damaged: its checksum does not fit")
    (length,) = _LENGTH.unpack_from(rest)
    header, body = rest[_LENGTH.size : _LENGTH.size + length], rest[_LENGTH.size + length :]
    try:
        return _trace(json.loads(bytes(header)), body)
    except (ValueError, KeyError, TypeError, zlib.error) as error:
        raise TraceBlobError(f"stored power trace is damaged: {error}") from error


def _trace(header: dict[str, Any], body: memoryview) -> PowerTrace:
    count, reader = int(header["n"]), _Reader(body)
    gpu = reader.words(header["gpu"], count).astype("<u2").view("<i2").astype(np.int16, copy=False)
    t = _floats(header["t"], reader, count)
    watts = _floats(header["watts"], reader, count)
    return PowerTrace(
        gpus=tuple(header["gpus"]),
        gpu=gpu,
        t=t,
        watts=watts,
        clock=header["clock"],
        tool=header["tool"],
        scope=header["scope"],
        limit_w=tuple(header["limit_w"]),
        remarks=tuple(Remark(*remark) for remark in header["remarks"]),
    )


def _pack_floats(values: Floats, planes: list[bytes], *, steps: bool) -> dict[str, Any]:
    """Whole numbers (as differences if ``steps``) where that is exact; NaN as one number past the greatest."""
    missing = np.isnan(values)
    some_missing = bool(missing.any())
    filled = np.where(missing, 0.0, values) if some_missing else values
    for scale in () if steps and some_missing else SCALES:
        whole = _whole(filled, scale)
        if whole is None:
            continue
        first = int(whole[0]) if steps and len(whole) else 0
        if steps:
            whole = np.diff(whole, prepend=whole[:1])
        base = int(whole.min()) if len(whole) else 0
        words = (whole - base).view(np.uint64)
        past = int(words.max()) + 1 if some_missing else 0
        if some_missing:
            words = np.where(missing, np.uint64(past), words)
        return {
            "scale": scale,
            "base": base,
            "first": first,
            "steps": steps,
            "nan": past,
            "planes": _pack(words, planes),
        }
    return {"scale": 0, "planes": _pack(values.astype("<f8", copy=False).view("<u8"), planes)}


def _whole(values: Floats, scale: int) -> NDArray[np.int64] | None:
    """``values`` times ``scale`` as whole numbers, if dividing them by it gives back every bit."""
    scaled = values
    for part in (values[:1000], values):
        with np.errstate(over="ignore"):
            scaled = np.rint(part * scale)
        if not np.all(np.abs(scaled) < 2**53):
            return None
        if not np.array_equal((scaled / scale).view(np.uint64), part.view(np.uint64)):
            return None
        # A negative zero is lost as a whole number.
        if np.any(np.signbit(part) & (part == 0)):
            return None
    return scaled.astype(np.int64)


def _floats(column: dict[str, Any], reader: "_Reader", count: int) -> Floats:
    words = reader.words(column["planes"], count)
    if column["scale"] == 0:
        return words.astype("<u8", copy=False).view("<f8").astype(np.float64, copy=False)
    whole = words.view(np.int64) + column["base"]
    if column["steps"] and count:
        whole[0] = column["first"]
        np.cumsum(whole, out=whole)
    values: Floats = whole / column["scale"]
    if column["nan"]:
        values[words == column["nan"]] = np.nan
    return values


def _pack(words: Words, planes: list[bytes]) -> list[list[int]]:
    """Adds the byte planes of ``words``, lowest first.

    Describes each as [0, byte] (constant), [1, length] (raw) or [2, length] (deflated).
    """
    described: list[list[int]] = []
    width = (int(words.max()).bit_length() + 7) // 8 if len(words) else 0
    octets = words.astype("<u8", copy=False).view(np.uint8).reshape(-1, 8)
    for number in range(width):
        plane = np.ascontiguousarray(octets[:, number])
        if plane[0] == plane[-1] and not np.any(plane != plane[0]):
            described.append([0, int(plane[0])])
            continue
        raw = plane.tobytes()
        probe = raw[:_PROBE]
        deflate = len(zlib.compress(probe, 1)) < _WORTH * len(probe)
        planes.append(zlib.compress(raw, 1) if deflate else raw)
        described.append([2 if deflate else 1, len(planes[-1])])
    return described


class _Reader:
    """Takes planes off the body, one after the other."""

    def __init__(self, body: memoryview) -> None:
        self.body, self.at = body, 0

    def words(self, described: list[list[int]], count: int) -> Words:
        words: Words = np.zeros(count, dtype="<u8")
        octets = words.view(np.uint8).reshape(-1, 8)
        for number, (kind, size) in enumerate(described):
            octets[:, number] = size if kind == 0 else self._plane(kind, size, count)
        return words

    def _plane(self, kind: int, size: int, count: int) -> NDArray[np.uint8]:
        raw = self.body[self.at : self.at + size]
        self.at += size
        plane = zlib.decompressobj().decompress(raw, count + 1) if kind == 2 else bytes(raw)
        if len(plane) != count:
            raise ValueError(f"a column of {count} samples has {len(plane)}")
        return np.frombuffer(plane, np.uint8)
