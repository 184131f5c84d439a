"""Bytes as they came to an upload: gzip undone, bounded in size."""

import hashlib
import zlib

from runs.readers.base.contract import ReadError, Upload

GZIP_MAGIC = b"\x1f\x8b"


def unpack(name: str, data: bytes, limit: int) -> Upload:
    """The upload of a file, gzip undone up to ``limit`` bytes; ``sha256`` is of the bytes as they came.

    Raises ReadError for a gzip that unpacks to more than ``limit``, is cut off or is damaged.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    if len(data) > limit:
        raise ReadError(name, "", f"at most {limit} bytes", f"{len(data)} bytes")
    if not data.startswith(GZIP_MAGIC):
        return Upload(name, data, sha256)
    inner = name[:-3] if name.lower().endswith(".gz") else name
    return Upload(inner, _gunzip(name, data, limit), sha256)


def _gunzip(name: str, data: bytes, limit: int) -> bytes:
    parts: list[bytes] = []
    room, rest, member = limit, data, 0
    while rest.startswith(GZIP_MAGIC):
        member += 1
        inflate = zlib.decompressobj(wbits=31)
        try:
            # one byte more than there is room for, so that a full file and a bomb can be told apart
            part = inflate.decompress(rest, room + 1)
        except zlib.error as error:
            raise ReadError(name, f"gzip member {member}", "an intact gzip file", str(error)) from None
        room -= len(part)
        if room < 0:
            raise ReadError(name, f"gzip member {member}", f"at most {limit} bytes unpacked", "more than that")
        if not inflate.eof:
            raise ReadError(name, f"gzip member {member}", "a whole gzip file", "a file that is cut off")
        parts.append(part)
        rest = inflate.unused_data
    return b"".join(parts)
