"""``read`` and ``unpack``: what no reader gets to see, and that nothing but ReadError ever leaves."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import runs.readers
from runs.readers import READERS, Reader, ReadError, Upload, read, unpack
from tests.readers.samples import FOLDER, upload

SAMPLES = sorted(path for path in FOLDER.rglob("*") if path.is_file() and not path.name.startswith("."))
RUN = '{"model_id": "a/b", "num_prompts": 4, "completed": 4, "duration": 2.0, "output_throughput": 9.0}'


def refusal(data: bytes | str, name: str = "upload.txt") -> str:
    with pytest.raises(ReadError) as refused:
        read(upload(data, name))
    return str(refused.value)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_exactly_the_reader_of_its_folder_claims_a_sample(path: Path) -> None:
    file = unpack(path.name, path.read_bytes(), 1 << 24)
    assert [reader.format for reader in READERS if reader.claims(file)] == [path.parent.name]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "saw an empty file"),
        (b" \r\n\r\n", "saw an empty file"),
        (b"PK\x03\x04 and so on", "saw a zip archive"),
        (bytes(range(256)) * 20, "saw binary data"),
        (b"hello\n", "expected one of: vllm bench serve result (JSON); "),
        (b"hello\n", "saw 'hello'"),
        ("[" * 10_000, "JSON nested too deeply"),
        ('{"a":' * 10_000, "JSON nested too deeply"),
        (RUN[:-1] + ', "deep": ' + "[" * 10_000 + "]" * 10_000 + "}", "JSON nested too deeply"),
        (RUN[:-1] + f', "pad": "{"x" * 70_000}", "deep": ' + "[" * 10_000 + "]" * 10_000 + "}", "JSON nested too"),
        (RUN + "\n{" * 20_000, "at most 10000"),
    ],
)
def test_what_is_no_file_of_ours_is_refused_in_words(data: bytes | str, words: str) -> None:
    if words == "at most 10000":
        data = (RUN + "\n") * 10_001
    assert words in refusal(data)


def test_two_readers_for_one_file_are_an_error_that_names_both(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(file: Upload) -> runs.readers.Reading:
        raise AssertionError(file.name)

    both = tuple(Reader(name, f"format {name}", lambda _file: True, never) for name in "AB")
    monkeypatch.setattr(runs.readers, "READERS", both)
    assert "format A and format B" in refusal("anything")


def test_names_and_excerpts_are_made_safe() -> None:
    said = refusal("\x1b[31mhello\u202e <script>\n", "../../<b>\x00evil\n.txt")
    assert all(char.isprintable() for char in said)


def test_gzip_is_undone_and_hashed_as_it_came() -> None:
    packed = gzip.compress(RUN.encode())
    file = unpack("run.json.gz", packed, 1 << 20)
    assert (file.name, file.data) == ("run.json", RUN.encode())
    assert file.sha256 == unpack("other", packed, 1 << 20).sha256 != unpack("run.json", RUN.encode(), 1 << 20).sha256
    assert read(file).runs[0].record.quantity("output_throughput") is not None
    two = unpack("two.gz", packed + gzip.compress(b"\n" + RUN.encode()), 1 << 20)
    assert len(read(two).runs) == 2


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (gzip.compress(bytes(50_000_000)), "at most 1000000 bytes unpacked"),
        (gzip.compress(bytes(600_000)) * 2, "gzip member 2: expected at most 1000000 bytes unpacked"),
        (gzip.compress(RUN.encode())[:-12], "cut off"),
        (gzip.compress(RUN.encode())[:12] + b"\xff" * 30, "an intact gzip file"),
        (b"x" * 1_000_001, "at most 1000000 bytes, saw 1000001 bytes"),
    ],
    ids=["bomb", "bomb in the second member", "cut", "damaged", "one byte over"],
)
def test_gzip_that_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(ReadError) as refused:
        unpack("x.gz", data, 1_000_000)
    assert words in str(refused.value)


def test_a_gzip_of_exactly_the_limit_is_taken() -> None:
    assert len(unpack("x.gz", gzip.compress(bytes(1_000_000)), 1_000_000).data) == 1_000_000


def outcome(data: bytes) -> str:
    """How reading ends: the format, or "refused"; any other exception than ReadError fails the test."""
    try:
        return read(unpack("upload", data, 1 << 24)).format
    except ReadError:
        return "refused"


STARTS = [
    b"", b"\xff\xfe", b"\xef\xbb\xbf{", b"[", b'{"model_id": "a", "num_prompts": 3, ', b"\x1f\x8b",
    b"timestamp,gpu,socket_power\n", b"gpu,max_power,socket_power\n", b"timestamp, index, power.draw [W]\n",
    b"GPU: 0\n    POWER:\n        SOCKET_POWER: ", b"GPU: 0\n    LIMIT:\n        SOCKET_POWER: ",
    b"TIMESTAMP  GPU  POWER\n1754640000  ", b"= Serving Benchmark Result =\n", b'"',
]  # fmt: skip


@given(st.sampled_from(STARTS), st.binary(max_size=300))
@settings(max_examples=400, deadline=None)
def test_random_bytes_are_read_or_refused(start: bytes, rest: bytes) -> None:
    assert outcome(start + rest) in {"refused", *(reader.format for reader in READERS)}


KEYS = st.sampled_from([
    "model_id", "num_prompts", "completed", "failed", "duration", "date", "median_ttft_ms", "p99_itl_ms", "label",
    "request_rate", "max_concurrency", "total_input_tokens", "output_throughput", "input_lens", "gpu", "gpu_data",
    "power", "socket_power", "power_usage", "timestamp", "limit", "ppt0", "value", "unit", "max_power", "xcp", "x",
    "benchmark_start_time_unix", "benchmark_end_time_unix", "tensor_parallel_size", "temperature",
    "backend", "dataset_name", "total_throughput", "server_info", "errors", "accept_length", "chunked_prefill_size",
    "benchmarks", "metrics", "config", "strategy", "request_totals", "successful", "total_sum", "start_time",
    "end_time", "count", "percentiles", "rate", "extras", "avg_ts", "n_prompt", "n_gen", "samples_ns", "test_time",
    "gpu_info", "hfId", "tokSOut", "payload", "hardware", "engineFlags", "samples", "gpuPowerWatts", "points",
])  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.just(10**400), st.floats(), st.text(max_size=8), st.just("N/A"),
    st.just("\ud800"), st.integers(0, 2000), st.just("W"),
)  # fmt: skip
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=8))
TOP = st.one_of(
    st.dictionaries(KEYS, VALUES, max_size=12).map(lambda keys: {"model_id": "a", "num_prompts": 2, **keys}),
    st.lists(st.dictionaries(KEYS, VALUES, max_size=6).map(lambda keys: {"gpu": 0, "power": {}, **keys}), max_size=3),
    st.lists(st.dictionaries(KEYS, VALUES, max_size=6).map(lambda keys: {"gpu": 0, "limit": {}, **keys}), max_size=3),
    st.dictionaries(KEYS, VALUES, max_size=12).map(
        lambda keys: {"backend": "sglang", "dataset_name": "x", "request_rate": 1, "total_throughput": 2.0, **keys}
    ),
    st.dictionaries(KEYS, VALUES, max_size=8).map(lambda keys: {"benchmarks": [{"metrics": {"x": 1}, **keys}]}),
    st.dictionaries(KEYS, VALUES, max_size=8).map(
        lambda keys: {"build_commit": "a", "avg_ts": 1.5, "n_prompt": 5, "n_gen": 0, **keys}
    ),
    st.dictionaries(KEYS, VALUES, max_size=8).map(lambda keys: {"hfId": "a/b", "tokSOut": 2.5, **keys}),
    VALUES,
)


@given(st.lists(TOP, min_size=1, max_size=3), st.integers(0, 40))
@settings(max_examples=400, deadline=None)
def test_random_json_is_read_or_refused(documents: list[object], cut: int) -> None:
    data = "\n".join(json.dumps(document) for document in documents).encode()
    assert outcome(data[: len(data) - cut] if cut < 20 else data) in {"refused", *(reader.format for reader in READERS)}


@given(st.sampled_from(SAMPLES), st.data())
@settings(max_examples=300, deadline=None)
def test_a_sample_cut_or_altered_anywhere_is_read_or_refused(path: Path, draw: st.DataObject) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(draw.draw(st.integers(0, 3))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    end = draw.draw(st.integers(1, len(data)))
    assert outcome(bytes(data[:end])) in {"refused", path.parent.name, "vllm_serve_console"}
