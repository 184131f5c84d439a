"""Multipart bodies: files bounded in size as they stream, and part headers that need not be UTF-8."""

import re
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.files.uploadhandler import (
    FileUploadHandler,
    MemoryFileUploadHandler,
    StopUpload,
    TemporaryFileUploadHandler,
)
from django.utils.http import parse_header_parameters

from runs.services.reading import safe_name

if TYPE_CHECKING:
    from django.http import HttpRequest

MAX_HEADER = 4096
CHUNK_BYTES = 256 * 1024


class BoundedUpload(FileUploadHandler):
    """Stops an upload at the first file over the limit; the rest of the body is read off and dropped."""

    def __init__(self, request: Any = None) -> None:
        super().__init__(request)
        self.size = 0
        self.too_large = ""

    def new_file(self, *args: Any, **kwargs: Any) -> None:
        super().new_file(*args, **kwargs)
        self.size = 0

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self.size += len(raw_data)
        if self.size > settings.LIKEWISE_MAX_FILE_BYTES:
            self.too_large = safe_name(self.file_name or "")
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> None:
        return None


class Utf8Headers:
    """A body as it streams, with bytes in part headers that are no UTF-8 replaced; contents pass untouched.

    Django drops a part whose header it cannot decode without a word: the file would be lost.
    """

    def __init__(self, stream: Any, boundary: bytes) -> None:
        self.stream, self.mark, self.held = stream, b"--" + boundary, b""
        self.header = re.compile(re.escape(self.mark) + rb"\r\n(?:[^\r]|\r(?!\n\r\n)){0,%d}\r\n\r\n" % MAX_HEADER)

    def read(self, size: int | None = None) -> bytes:
        while True:
            data: bytes = self.stream.read() if size is None else self.stream.read(size)
            held = self.held + data
            last = held.rfind(self.mark)  # the one look at every byte: a log of 40 MB passes through here
            cut = len(held) if not data or size is None else self._settled(held, last)
            self.held = held[cut:]
            if cut or not data:
                piece = held[:cut]
                return piece if last < 0 else self.header.sub(_as_utf8, piece)

    def readline(self, size: int | None = None) -> bytes:
        """Any piece that comes: Django asks for lines only to drop the rest of a body."""
        return self.read(size if size is not None and size > 0 else 65536)

    def _settled(self, held: bytes, last: int) -> int:
        """How much of what is held can hold no beginning of a header; ``last`` is where its last mark begins, or -1."""
        if last >= 0 and b"\r\n\r\n" not in held[last : last + MAX_HEADER] and len(held) - last < MAX_HEADER:
            return last
        return max(len(held) - len(self.mark), last + 1 if last >= 0 else 0, 0)


def _as_utf8(header: "re.Match[bytes]") -> bytes:
    return header.group().decode("utf-8", errors="replace").encode()


def prepare(request: "HttpRequest") -> BoundedUpload:
    """Sets a request up for a multipart body, before anything reads of it; gives the handler that bounds its files."""
    bound = BoundedUpload(request)
    request.upload_handlers = [bound, MemoryFileUploadHandler(request), TemporaryFileUploadHandler(request)]
    for handler in request.upload_handlers:
        handler.chunk_size = CHUNK_BYTES
    kind, parameters = parse_header_parameters(request.META.get("CONTENT_TYPE", ""))
    if kind == "multipart/form-data" and parameters.get("boundary"):
        boundary = parameters["boundary"].encode("ascii", errors="replace")
        request._stream = Utf8Headers(request._stream, boundary)  # type: ignore[assignment]  # noqa: SLF001
    return bound
