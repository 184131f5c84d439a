"""``amd-smi``: values read off the sample files by eye."""

import numpy as np
import pytest

from runs.domain.trace import GpuCap, PowerTrace
from runs.readers import ReadError, read
from tests.readers.samples import FOLDER, sample, upload

ROCM7_8GPU = [
    [1240, 1331, 1319, 1213, 1274, 1334, 1301, 1340],
    [1328, 1196, 1335, 1183, 1394, 1300, 1246, 1321],
    [1239, 1229, 1363, 1300, 1318, 1394, 1320, 1301],
]
HEADER = "timestamp,gpu,socket_power,gfx_voltage,power_management\r\n"


def trace_of(name: str) -> PowerTrace:
    return checked(read(sample("amdsmi_metric", name)).trace)


def checked(trace: PowerTrace | None) -> PowerTrace:
    assert trace is not None
    return trace


def codes(trace: PowerTrace) -> list[str]:
    return [remark.code for remark in trace.remarks]


@pytest.mark.parametrize("form", ["stdout.csv", "stdout.json", "stdout.txt", "file.csv", "file.json"])
def test_every_form_of_a_watch_has_the_same_samples(form: str) -> None:
    trace = trace_of(f"rocm7_metric_p_w1_i3_8gpu_{form}")
    assert trace.gpus == tuple("01234567")
    assert trace.clock == "utc"
    assert trace.watts.reshape(3, 8).tolist() == ROCM7_8GPU
    assert trace.t[::8].tolist() == [1786553852, 1786553853, 1786553854]
    assert trace.gpu.tolist() == list(range(8)) * 3
    assert (trace.tool, trace.scope, codes(trace)) == ("amd-smi metric", "GPUs", [])


@pytest.mark.parametrize(
    ("name", "watts"),
    [
        ("rocm6.3_metric_p_w1_i3_1gpu.txt", [142, 699, 715]),
        ("rocm6.3_metric_p_w1_i3_1gpu_stdout.csv", [142, 699, 715]),
        ("rocm6.3_metric_p_w1_i3_1gpu_stdout.json", [142, 699, 715]),
        ("rocm6.3_metric_p_w1_i3_1gpu_file.csv", [142, 699]),  # the tool loses the last tick there
        ("rocm6.3_metric_p_w1_i3_1gpu_file.json", [142, 699]),
        ("rocm6.3_metric_p_w1_i3_1gpu_file.txt", [142, 699]),
    ],
)
def test_a_watch_of_one_gpu(name: str, watts: list[float]) -> None:
    trace = trace_of(name)
    assert trace.watts.tolist() == watts
    assert trace.t.tolist() == [1754640000 + tick for tick in range(len(watts))]


@pytest.mark.parametrize("form", ["csv", "json", "txt"])
@pytest.mark.parametrize(("version", "watts"), [("rocm6.3", 142.0), ("rocm7", 1240.0)])
def test_one_shot_has_no_clock(version: str, watts: float, form: str) -> None:
    trace = trace_of(f"{version}_metric_p_8gpu.{form}")
    assert (len(trace), trace.clock, trace.watts[0]) == (8, "none", watts)
    assert np.isnan(trace.t).all()
    assert codes(trace) == ["no-time"]


def test_monitor_in_its_three_forms() -> None:
    first = [142, 136, 144, 152, 133, 134, 158, 149]
    for form in ("csv", "json"):
        trace = trace_of(f"rocm6.3_monitor_p_8gpu.{form}")
        assert trace.watts.tolist() == first
        assert trace.tool == "amd-smi monitor"
    table = trace_of("rocm6.3_monitor_p_w1_i3_8gpu.txt")
    assert table.watts[:8].tolist() == first
    assert table.watts[16:].tolist() == [717, 716, 694, 705, 695, 725, 717, 693]
    assert table.t[::8].tolist() == [1754640000, 1754640001, 1754640002]


def test_monitor_with_caps_and_partitions() -> None:
    rows = "timestamp,gpu,xcp,power_usage,max_power\n1754640000,0,0,700,750\n1754640000,0,1,N/A,N/A\n"
    trace = checked(read(upload(rows)).trace)
    assert (trace.watts.tolist(), trace.limit_w) == ([700.0], (750.0,))
    assert codes(trace) == ["partitions"]


def test_the_filled_field_is_taken_whatever_its_generation() -> None:
    rows = "timestamp,gpu,current_socket_power,average_socket_power\n1754640000,0,N/A,510\n1754640001,0,N/A,520\n"
    trace = checked(read(upload(rows)).trace)
    assert trace.watts.tolist() == [510, 520]
    assert codes(trace) == ["power-field"]


def test_python_lists_in_cells_do_not_shift_columns() -> None:
    rows = (
        "timestamp,gpu,vcn_activity,socket_power,edge\n"
        "1754640000,0,\"['N/A', 'N/A']\",238,N/A\n\n1754640000,1,\"[0, 0, 0]\",0,N/A\n1754640001,0,\"['N/A'"
    )
    trace = checked(read(upload(rows)).trace)
    assert trace.watts.tolist() == [238, 0]
    assert set(codes(trace)) == {"cut-last-line", "zero-watts"}


def test_a_cut_last_value_is_not_taken_for_a_whole_one() -> None:
    rows = HEADER + "1754640000,0,700,N/A,ENABLED\r\n1754640001,0,71"
    trace = checked(read(upload(rows)).trace)
    assert trace.watts.tolist() == [700]
    assert codes(trace) == ["cut-last-line"]
    ends = checked(read(upload(HEADER + "1754640000,0,700,N/A,ENAB")).trace)
    assert ends.watts.tolist() == [700]


def test_a_json_log_cut_inside_an_array_keeps_its_whole_elements() -> None:
    data = (FOLDER / "amdsmi_metric" / "rocm7_metric_p_w1_i3_1gpu_file.json").read_bytes()
    trace = checked(read(upload(data[: data.index(b"1319") + 2])).trace)
    assert trace.watts.tolist() == [1240, 1331]
    assert codes(trace) == ["truncated"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ("1754640000,0,lots,N/A,ENABLED\r\n", "line 2, column socket_power: expected a power in W, saw 'lots'"),
        ("1754640000,0,-5,N/A,ENABLED\r\n", "line 2, column socket_power: expected 0 to 20000 W"),
        ("1754640000,0,5,N/A,ENABLED\r\n1754640001,0,999999,N/A,E\r\n", "line 3, column socket_power"),
        ("noon,0,5,N/A,ENABLED\r\n", "line 2, column timestamp: expected a time"),
        ("12,0,5,N/A,ENABLED\r\n", "expected a time in seconds since 1970"),
        ("", "expected samples of GPU power, saw none"),
    ],
)
def test_a_row_that_is_refused_names_its_place(rows: str, words: str) -> None:
    with pytest.raises(ReadError) as refusal:
        read(upload(HEADER + rows, "watch.csv"))
    assert words in str(refusal.value)
    assert str(refusal.value).startswith("watch.csv")


def test_json_that_is_no_power_names_its_place() -> None:
    with pytest.raises(ReadError, match=r"document 1, element 0 \(GPU 3\), socket_power: expected a power in W"):
        read(upload('[{"gpu": 3, "power": {"socket_power": {"value": 7, "unit": "V"}}}]'))


@pytest.mark.parametrize("name", sorted(path.name for path in (FOLDER / "amdsmi_static").iterdir()))
def test_the_power_of_static_is_a_cap_and_no_sample(name: str) -> None:
    reading = read(sample("amdsmi_static", name))
    watts = 750.0 if name.startswith("rocm6.3") else 1400.0
    count = 1 if "1gpu" in name else 8
    assert reading.caps == tuple(GpuCap(str(gpu), watts, watts) for gpu in range(count))
    assert reading.trace is None


def test_a_cap_below_the_maximum_and_one_not_stated() -> None:
    rows = "gpu,max_power,min_power,socket_power\n0,1400,0,800\n1,1400,0,N/A\n"
    reading = read(upload(rows))
    assert reading.caps == (GpuCap("0", 800.0, 1400.0),)
    assert [remark.code for remark in reading.remarks] == ["no-cap"]
    with pytest.raises(ReadError, match="one cap for GPU 0"):
        read(upload(rows + "0,1400,0,700\n"))
    with pytest.raises(ReadError, match="the power cap of a GPU"):
        read(upload("gpu,max_power,min_power,socket_power\n0,1400,0,N/A\n"))


@pytest.mark.parametrize("time", ["0", "-5", "1754640000000", "1e300"])
def test_a_time_of_no_clock_is_refused_in_its_own_column(time: str) -> None:
    with pytest.raises(ReadError, match="line 3, column timestamp: expected a time in seconds since 1970"):
        read(upload(HEADER + f"1754640000,0,5,N/A,ENABLED\r\n{time},0,5,N/A,ENABLED\r\n"))


def test_a_row_without_its_gpu_is_refused() -> None:
    with pytest.raises(ReadError, match="sample 2: expected the GPU of every sample"):
        read(upload(HEADER + "1754640000,0,5,N/A,ENABLED\r\n1754640001,,5,N/A,ENABLED\r\n"))


@pytest.mark.parametrize("unit", ["[]", "{}", "[1]"])
def test_a_unit_that_is_no_text_is_refused_in_words(unit: str) -> None:
    power = f'{{"socket_power": {{"value": 142, "unit": {unit}}}}}'
    with pytest.raises(ReadError) as caught:
        read(upload(f'[{{"gpu": 0, "timestamp": 1786553852, "power": {power}}}]', "power.json"))
    assert caught.value.expected == "a power in W"
