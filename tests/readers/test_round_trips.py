"""Whatever form a log takes, its samples come back as they went in."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs.readers import read
from tests.readers.logs import AMD_FORMS, NVIDIA_FORMS, START, Ticks
from tests.readers.samples import upload

WATTS = st.none() | st.integers(0, 20_000)
TICKS = st.integers(1, 6).flatmap(
    lambda gpus: st.lists(st.lists(WATTS, min_size=gpus, max_size=gpus), min_size=1, max_size=6)
)


def assert_trace(data: bytes, ticks: Ticks, clock: str, step: float) -> None:
    trace = read(upload(data)).trace
    assert trace is not None
    gpus = len(ticks[0])
    watts = [float("nan") if power is None else float(power) for tick in ticks for power in tick]
    times = [START + tick + gpu * step for tick in range(len(ticks)) for gpu in range(gpus)]
    assert trace.clock == clock
    assert trace.gpus == tuple(str(gpu) for gpu in range(gpus))
    assert trace.gpu.tolist() == list(range(gpus)) * len(ticks)
    assert np.array_equal(trace.watts, watts, equal_nan=True)
    assert trace.t.tolist() == pytest.approx(times, abs=1e-6)


@pytest.mark.parametrize("form", AMD_FORMS)
@given(ticks=TICKS)
@settings(max_examples=60, deadline=None)
def test_amd_smi(form: str, ticks: Ticks) -> None:
    assert_trace(AMD_FORMS[form](ticks).encode(), ticks, "utc", 0.0)


@pytest.mark.parametrize("form", NVIDIA_FORMS)
@given(ticks=TICKS)
@settings(max_examples=60, deadline=None)
def test_nvidia_smi(form: str, ticks: Ticks) -> None:
    encoding = "utf-16-le" if form == "powershell" else "utf-8"
    assert_trace(NVIDIA_FORMS[form](ticks).encode(encoding), ticks, "local", 0.001)
