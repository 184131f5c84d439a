"""Power logs as the tools write them, from given samples: for round trips and for measuring."""

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

Ticks = Sequence[Sequence[int | None]]  # watts by tick and GPU, None for "no value"

START = 1754640000
HEADER = "timestamp,gpu,socket_power,gfx_voltage,soc_voltage,mem_voltage,throttle_status,power_management\r\n"
PREAMBLE = "'CTRL' + 'C' to stop watching output:\n"


def amd_rows(tick: int, watts: Sequence[int | None]) -> str:
    return "".join(
        f"{START + tick},{gpu},{'N/A' if power is None else power},N/A,N/A,N/A,N/A,ENABLED\r\n"
        for gpu, power in enumerate(watts)
    )


def amd_csv_stdout(ticks: Ticks) -> str:
    return PREAMBLE + "".join(HEADER + amd_rows(tick, watts) + "\n" for tick, watts in enumerate(ticks))


def amd_csv_file(ticks: Ticks) -> str:
    return HEADER + "".join(amd_rows(tick, watts) for tick, watts in enumerate(ticks))


def amd_elements(tick: int, watts: Sequence[int | None]) -> list[object]:
    return [
        {
            "timestamp": START + tick,
            "gpu": gpu,
            "power": {"socket_power": "N/A" if power is None else {"value": power, "unit": "W"}},
        }
        for gpu, power in enumerate(watts)
    ]


def amd_json_stdout(ticks: Ticks) -> str:
    arrays = (json.dumps(amd_elements(tick, watts), indent=4) for tick, watts in enumerate(ticks))
    return PREAMBLE + "\n".join(arrays) + "\n"


def amd_json_file(ticks: Ticks) -> str:
    return json.dumps([element for tick, watts in enumerate(ticks) for element in amd_elements(tick, watts)], indent=4)


def amd_text(ticks: Ticks) -> str:
    blocks = (
        f"GPU: {gpu}\n    TIMESTAMP: {START + tick}\n    POWER:\n"
        f"        SOCKET_POWER: {'N/A' if power is None else f'{power} W'}\n        GFX_VOLTAGE: N/A mV\n"
        f"    TEMPERATURE:\n        EDGE: 40 W\n"
        for tick, watts in enumerate(ticks)
        for gpu, power in enumerate(watts)
    )
    return PREAMBLE + "\n".join(blocks)


def nvidia_csv(ticks: Ticks, unit: str = " W", separator: str = ", ", decimal: str = ".") -> str:
    cells = separator.join(["timestamp", "index", "power.draw [W]", "temperature.gpu"])
    lines = [f"{cells}\n"]
    for tick, watts in enumerate(ticks):
        stamp = datetime.fromtimestamp(START + tick, UTC).strftime("%Y/%m/%d %H:%M:%S")
        for gpu, power in enumerate(watts):
            value = "[N/A]" if power is None else f"{power}{decimal}00{unit}"
            lines.append(separator.join([f"{stamp}.{gpu:03d}", str(gpu), value, "41"]) + "\n")
    return "".join(lines)


AMD_FORMS: dict[str, Callable[[Ticks], str]] = {
    "csv, stdout": amd_csv_stdout,
    "csv, file": amd_csv_file,
    "json, stdout": amd_json_stdout,
    "json, file": amd_json_file,
    "text": amd_text,
}
NVIDIA_FORMS: dict[str, Callable[[Ticks], str]] = {
    "units": nvidia_csv,
    "nounits": lambda ticks: nvidia_csv(ticks, unit=""),
    "spreadsheet": lambda ticks: nvidia_csv(ticks, unit="", separator=";", decimal=","),
    "powershell": lambda ticks: "\ufeff" + nvidia_csv(ticks).replace("\n", "\r\n"),
}
