"""A comparison to and from versioned JSON: what the API gives, exports carry and frozen shares keep.

msgspec reads and writes the frozen dataclasses as they stand. Decimals travel as strings so that printed digits
survive; a version from the future is refused in words.
"""

from typing import Any

import msgspec

from runs.domain.comparison import COMPARISON_VERSION, Comparison
from runs.domain.units import DomainError

# A NaN among decimals cannot be compared: that is an ArithmeticError, from wherever it is looked at.
_BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ArithmeticError)


class SnapshotError(DomainError):
    """A snapshot that is no comparison, or one of a later version."""


def to_json(comparison: Comparison) -> bytes:
    """The comparison as UTF-8 JSON."""
    return msgspec.json.encode(comparison)


def to_builtins(comparison: Comparison) -> dict[str, Any]:
    """The comparison as dicts, lists, strings and finite numbers."""
    return msgspec.to_builtins(comparison)  # type: ignore[no-any-return]


def from_json(data: bytes) -> Comparison:
    """The comparison in a snapshot; raises :class:`SnapshotError` in words."""
    try:
        version = msgspec.json.decode(data, type=_Version).version
    except _BROKEN as error:
        raise SnapshotError(f"not a comparison snapshot: {error}") from None
    if version < 1:
        raise SnapshotError(f"not a comparison snapshot: version {version}")
    if version > COMPARISON_VERSION:
        raise SnapshotError(
            f"snapshot version {version} is newer than {COMPARISON_VERSION}, the latest that this Likewise reads"
        )
    try:
        return msgspec.json.decode(data, type=Comparison)
    except _BROKEN as error:
        raise SnapshotError(f"not a comparison snapshot: {error}") from None


class _Version(msgspec.Struct):
    version: int
