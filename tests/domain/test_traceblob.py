"""A trace as bytes and back."""

import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.typing import NDArray

from runs.domain.records import Remark
from runs.domain.signals import Floats
from runs.domain.trace import Clock, PowerTrace
from runs.domain.traceblob import TraceBlobError, decode, encode
from tests.domain.power import steady, trace


def same(one: PowerTrace, other: PowerTrace) -> bool:
    """Every bit, but for what a NaN carries."""
    columns = [(one.t, other.t), (one.watts, other.watts)]
    bits = all(
        np.array_equal(np.isnan(a), np.isnan(b))
        and np.array_equal(a[~np.isnan(a)].view("u8"), b[~np.isnan(b)].view("u8"))
        for a, b in columns
    )
    words = all(
        getattr(one, name) == getattr(other, name) for name in ("gpus", "clock", "tool", "scope", "limit_w", "remarks")
    )
    types = other.gpu.dtype == np.int16 and other.t.dtype == np.float64 and other.watts.dtype == np.float64
    return bits and words and types and np.array_equal(one.gpu, other.gpu)


floats = st.one_of(
    st.floats(),
    st.sampled_from([0.0, -0.0, float("nan"), float("inf"), 5e-324, 1.7e308]),
    st.integers(-(2**55), 2**55).map(float),
    st.integers(0, 10**12).map(lambda k: k / 1000),
)
plain = st.integers(0, 10**8).map(lambda k: k / 100)


def column(n: int) -> st.SearchStrategy[Floats]:
    return st.sampled_from([floats, plain, plain | st.just(float("nan"))]).flatmap(
        lambda elements: hnp.arrays(np.float64, n, elements=elements)
    )


columns = st.integers(0, 50).flatmap(lambda n: st.tuples(hnp.arrays(np.int16, n), column(n), column(n)))
clocks: st.SearchStrategy[Clock] = st.sampled_from(["utc", "local", "none"])


@settings(max_examples=400, deadline=None)
@given(columns, st.lists(st.text(), max_size=3), clocks, st.text())
def test_round_trip(arrays: tuple[NDArray[np.int16], Floats, Floats], gpus: list[str], clock: Clock, text: str) -> None:
    gpu, t, watts = arrays
    remarks = (Remark("code", text, "row 3"),)
    log = PowerTrace(tuple(gpus), gpu, t, watts, clock, text, text, (None, 800.5), remarks)
    assert same(log, decode(encode(log)))


@pytest.mark.parametrize("first", [0.0, 1_786_500_000.0, -3.5])
def test_times_may_begin_anywhere(first: float) -> None:
    log = trace(steady("01", 0, 50), origin=first)
    assert same(log, decode(encode(log)))


def test_a_usual_log_is_small() -> None:
    """An hour of 8 GPUs at a second: whole watts and milliseconds take under 3 bytes a sample, not 18."""
    rng = np.random.default_rng(3)
    rows = [(t + g / 1000, str(g), float(rng.integers(500, 800))) for t in range(3600) for g in range(8)]
    blob = encode(trace(rows))
    assert len(blob) < 3 * len(rows)
    assert same(trace(rows), decode(blob))


def test_refusals() -> None:
    blob = encode(trace(steady("0", 0, 200, 512.25)))
    with pytest.raises(TraceBlobError, match="no stored power trace"):
        decode(b"")
    with pytest.raises(TraceBlobError, match="no stored power trace"):
        decode(b"timestamp,gpu,socket_power")
    with pytest.raises(TraceBlobError, match="version 2; this program reads version 1"):
        decode(blob[:4] + b"\x02" + blob[5:])


def test_any_damage_is_seen() -> None:
    blob = encode(trace(steady("01", 0, 30, 512.25)))
    for at in range(len(blob)):
        for flip in (1, 128):
            with pytest.raises(TraceBlobError):
                decode(blob[:at] + bytes([blob[at] ^ flip]) + blob[at + 1 :])
        with pytest.raises(TraceBlobError):
            decode(blob[:at])


def test_whole_checksum_over_senseless_bytes_is_refused() -> None:
    for header in (b"{}", b"[1]", b"\xff", b'{"n": 2, "gpu": [[1, 1]]}'):
        rest = struct.pack("<I", len(header)) + header
        blob = struct.pack("<4sBI", b"LWPT", 1, zlib.crc32(rest)) + rest
        with pytest.raises(TraceBlobError, match="damaged"):
            decode(blob)
