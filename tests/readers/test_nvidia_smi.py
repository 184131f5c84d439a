"""``nvidia-smi --query-gpu``: values read off the sample files by eye."""

from datetime import UTC, datetime

import numpy as np
import pytest

from runs.domain.trace import PowerTrace
from runs.readers import ReadError, read
from tests.readers.samples import sample, upload

NAN = float("nan")


def trace(text: str | bytes) -> PowerTrace:
    found = read(upload(text)).trace
    assert found is not None
    return found


def from_sample(name: str) -> PowerTrace:
    return trace(sample("nvidia_smi", name).data)


def at(*when: int) -> float:
    return datetime(*when, tzinfo=UTC).timestamp()  # type: ignore[misc, arg-type]


def codes(found: PowerTrace) -> list[str]:
    return [remark.code for remark in found.remarks]


def test_words_for_no_value_and_half_a_last_row() -> None:
    found = from_sample("na_and_errors.csv")
    assert found.gpus == ("0", "1", "2", "3")
    assert np.array_equal(found.watts, [187.8, NAN, NAN, NAN, 688.12, NAN, 412.0, NAN], equal_nan=True)
    assert found.gpu.tolist() == [0, 1, 2, 3, 0, 1, 2, 3]
    assert found.t[0] == pytest.approx(at(2026, 8, 12, 14, 15, 30) + 0.123, abs=1e-6)
    assert found.limit_w == (700.0, None, 700.0, 700.0)
    assert found.clock == "local"
    assert codes(found) == ["cut-last-line", "missing-values", "no-watts"]


def test_utf16_of_powershell() -> None:
    found = from_sample("utf16_bom_crlf_powershell.csv")
    assert (found.watts.tolist(), found.limit_w) == ([87.8, 91.02], (250.0,))
    assert np.diff(found.t).tolist() == pytest.approx([1.002], abs=1e-6)


def test_a_spreadsheet_with_semicolons_and_decimal_commas() -> None:
    found = from_sample("semicolon_decimal_comma_excel.csv")
    assert found.watts.tolist() == [187.8, 688.12]
    assert found.t.tolist() == [at(2026, 8, 12, 14, 15, 30), at(2026, 8, 12, 14, 15, 31)]


def test_the_end_of_summer_time_keeps_the_order_of_the_file() -> None:
    found = from_sample("dst_fold_local.csv")
    assert found.watts.tolist() == [200, 210, 220, 230]
    assert found.t[2] < found.t[1]
    assert codes(found) == ["clock-fold"]


def test_without_a_header_it_is_refused() -> None:
    with pytest.raises(ReadError, match="line 1: expected the header line"):
        from_sample("noheader_nounits.csv")


def test_dmon_is_refused_with_what_to_log_instead() -> None:
    with pytest.raises(ReadError, match=r"--query-gpu=timestamp,index,power\.draw.*dmon"):
        from_sample("dmon_o_DT.txt")


def test_without_a_timestamp_it_is_a_snapshot() -> None:
    found = trace(
        "index, temperature.gpu, power.draw [W], memory.used [MiB]\n0, 40, 356.29 W, 1 MiB\n1, 3, 117.36 W, 2 MiB\n"
    )
    assert (found.watts.tolist(), found.clock, codes(found)) == ([356.29, 117.36], "none", ["no-time"])


def test_a_repeated_header_and_no_units() -> None:
    header = "timestamp, index, power.draw [W], temperature.gpu\n"
    row = "2026/08/12 14:15:3{}.000, 0, {}, 40\n"
    found = trace(header + row.format(0, "180.00") + header + row.format(1, "480.00"))
    assert found.watts.tolist() == [180, 480]


def test_power_draw_goes_before_its_kin_and_limits_never_count() -> None:
    header = "timestamp, index, power.max_limit [W], power.draw.instant [W], power.draw [W], enforced.power.limit [W]\n"
    found = trace(header + "2026/08/12 14:15:30.000, 0, 999.00 W, 111.00 W, 222.00 W, 700.00 W\n")
    assert (found.watts.tolist(), found.limit_w) == ([222], (700.0,))
    assert codes(found) == ["power-field"]
    with pytest.raises(ReadError, match="expected one of"):
        trace("timestamp, index, power.limit [W]\n2026/08/12 14:15:30.000, 0, 700.00 W\n")


def test_a_limit_that_changes_is_no_limit() -> None:
    header = "timestamp, index, power.draw [W], power.limit [W], name\n"
    row = "2026/08/12 14:15:3{}.000, 0, 600.00 W, {}.00 W, H200\n"
    found = trace(header + row.format(0, 700) + row.format(1, 500))
    assert found.limit_w == ()
    assert any("500 W, 700 W" in remark.text for remark in found.remarks)


def test_gpus_by_bus_id_or_by_their_place_in_the_tick() -> None:
    by_bus = trace(
        "timestamp, pci.bus_id, power.draw [W]\n"
        "2026/08/12 14:15:30.000, 00000000:17:00.0, 100.00 W\n2026/08/12 14:15:30.002, 00000000:3D:00.0, 200.00 W\n"
    )
    assert by_bus.gpus == ("00000000:17:00.0", "00000000:3D:00.0")
    ticks = "".join(
        f"2026/08/12 14:15:3{tick}.{gpu:03d}, {100 * gpu + tick}.00 W\n" for tick in range(4) for gpu in (1, 2, 3)
    )
    found = trace("timestamp, power.draw [W]\n" + ticks)
    assert found.gpus == ("0", "1", "2")
    assert found.watts[found.gpu == 1].tolist() == [200, 201, 202, 203]
    assert codes(found) == ["gpu-by-position"]
    ragged = ticks.splitlines(keepends=True)
    del ragged[4]
    with pytest.raises(ReadError, match=r"a column index, uuid or pci\.bus_id"):
        trace("timestamp, power.draw [W]\n" + "".join(ragged))


def test_one_gpu_without_a_name() -> None:
    rows = "".join(f"2026/08/12 14:15:{second:02d}.000, {second}.00 W\n" for second in range(10, 20))
    assert trace("timestamp, power.draw [W]\n" + rows).gpus == ("0",)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("2026/08/12 14:15:30.000, 0, much, 40\n", "line 2, column power.draw [W]: expected a power in W, saw 'much'"),
        ("2026/08/12 14:15:30.000, 0, -1.00 W, 40\n", "line 2, column power.draw [W]: expected 0 to 20000 W"),
        ("08/12/2026 14:15, 0, 1.00 W, 40\n", "line 2, column timestamp: expected a time like"),
        ("2026/08/12 14:15:30.000, 0, 1.00 W, 40\nsoon, 0, 1.00 W, 40\n", "line 3, column timestamp"),
    ],
)
def test_a_row_that_is_refused_names_its_place(row: str, words: str) -> None:
    with pytest.raises(ReadError) as refusal:
        trace("timestamp, index, power.draw [W], temperature.gpu\n" + row)
    assert words in str(refusal.value)


def test_power_of_a_module_does_not_pass_for_power_of_its_gpu() -> None:
    found = trace("timestamp, index, module.power.draw.average [W]\n2026/08/12 14:15:30.000, 0, 1500.00 W\n")
    assert found.scope == "GPU modules with their CPUs" and found.remarks[0].code == "module-power"
    assert trace("timestamp, index, power.draw [W]\n2026/08/12 14:15:30.000, 0, 500.00 W\n").scope == "GPUs"


@pytest.mark.parametrize("cell", ["712,55 W", "712,55"])
def test_a_decimal_comma_in_a_table_of_commas_is_refused(cell: str) -> None:
    rows = ["2026/08/12 14:15:30.100, 0, 712.55 W, 800.00 W", f"2026/08/12 14:15:31.100, 0, {cell}, 800.00 W"]
    text = "\n".join(["timestamp, index, power.draw [W], power.limit [W]", *rows, ""])
    with pytest.raises(ReadError) as caught:
        read(upload(text, "power.csv"))
    assert (caught.value.place, caught.value.expected) == ("line 3", "4 cells, as in the header")
    assert caught.value.seen.startswith("5 cells: ")


@pytest.mark.parametrize("head", ["power.draw [kW], power.limit [W]", "power.draw [W], power.limit [mW]"])
def test_watts_in_another_unit_are_refused(head: str) -> None:
    text = f"timestamp, index, {head}\n2026/08/12 14:15:30.100, 0, 0.7, 800\n2026/08/12 14:15:31.100, 0, 0.7, 800\n"
    with pytest.raises(ReadError, match="expected watts, as the tool writes, saw"):
        read(upload(text, "power.csv"))
