"""What a target has: GPUs with their caps and load, drivers, clients. Programs get lists, never a shell."""

from __future__ import annotations

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from typing import Any

VERSIONS = {
    "vllm": ["--version"], "guidellm": ["--version"], "aiperf": ["--version"], "llama-bench": ["--version"],
    "lm_eval": ["--version"], "lmx": ["--version"], "sglang": ["-c", "import sglang; print(sglang.__version__)"],
}  # fmt: skip
NVIDIA_FIELDS = "index,name,power.limit,power.max_limit,utilization.gpu,memory.used,driver_version"
LONGEST = 20_000


def environment(allowed: dict[str, str]) -> dict[str, str]:
    """The little that a program needs, and what the target allows: a worker's own environment holds secrets."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "USER", "LOGNAME", "TMPDIR") if name in os.environ}
    kept.setdefault("PATH", os.defpath)
    # UTC, so that the local times which tools write are known; unbuffered, so that a line's moment is its own.
    return {**kept, "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", **allowed, "TZ": "UTC", "PYTHONUNBUFFERED": "1"}


def ask(argv: list[str], env: dict[str, str], timeout_s: float = 15) -> str | None:
    """What a program prints; None where it is not there, fails or takes too long."""
    try:
        ended = subprocess.run(
            argv, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout_s, check=False
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return None
    return ended.stdout.decode("utf-8", "replace") if ended.returncode == 0 else None


def find(name: str, programs: dict[str, str], env: dict[str, str]) -> str | None:
    return shutil.which(programs.get(name) or name, path=env.get("PATH"))


def gpus(programs: dict[str, str], env: dict[str, str]) -> dict[str, Any]:
    """``tool``, its version text, driver, and per GPU: index, name, cap_w, max_w, load (percent), memory_mb."""
    amd = find("amd-smi", programs, env)
    if amd:
        found = _amd(amd, env)
        if found["gpus"]:
            return found
    nvidia = find("nvidia-smi", programs, env)
    if nvidia:
        return _nvidia(nvidia, env)
    return {"tool": "", "version": "", "driver": "", "gpus": []}


def caps(programs: dict[str, str], env: dict[str, str]) -> dict[str, float]:
    """The power cap of each GPU in W, by index; empty where no tool tells."""
    found = gpus(programs, env)
    return {one["index"]: one["cap_w"] for one in found["gpus"] if one.get("cap_w") is not None}


def _amd(program: str, env: dict[str, str]) -> dict[str, Any]:
    limits = _entries(ask([program, "static", "--limit", "--json"], env))
    names = {one.get("gpu"): one for one in _entries(ask([program, "static", "--asic", "--json"], env))}
    loads = {one.get("gpu"): one for one in _entries(ask([program, "metric", "--usage", "--json"], env))}
    found = []
    for entry in limits:
        limit = _object(entry, "limit")
        package = _object(limit, "ppt0")
        cap = _watts(package.get("socket_power_limit") or limit.get("socket_power"))
        most = _watts(package.get("max_power_limit") or limit.get("max_power"))
        asic = _object(names.get(entry.get("gpu"), {}), "asic")
        usage = _object(loads.get(entry.get("gpu"), {}), "usage")
        found.append({"index": str(entry.get("gpu")), "name": str(asic.get("market_name", ""))[:100], "cap_w": cap,
                      "max_w": most, "load": _watts(usage.get("gfx_activity")), "memory_mb": None})  # fmt: skip
    version = (ask([program, "version"], env) or "").strip()[:300]
    rocm = re.search(r"ROCm version: *([\w.]+)", version)
    return {"tool": "amd-smi", "version": version, "driver": f"ROCm {rocm.group(1)}" if rocm else "", "gpus": found}


class LoadWatch(threading.Thread):
    """The highest load of each GPU while the client ran, in percent: which GPUs were at work."""

    def __init__(self, programs: dict[str, str], env: dict[str, str], every_s: float) -> None:
        super().__init__(daemon=True)
        self._programs, self._env, self._every_s = programs, env, every_s
        self._stop = threading.Event()
        self.most: dict[str, float] = {}

    def run(self) -> None:
        while not self._stop.wait(self._every_s):
            found = gpus(self._programs, self._env)["gpus"]
            for gpu in found:
                if gpu["load"] is not None:
                    self.most[gpu["index"]] = max(gpu["load"], self.most.get(gpu["index"], 0.0))
            if not found:
                return

    def stop(self) -> None:
        self._stop.set()


def _entries(text: str | None) -> list[dict[str, Any]]:
    """ROCm 6 prints a list, ROCm 7 an object around it."""
    try:
        told = json.loads(text or "")
    except ValueError:
        return []
    listed = told.get("gpu_data") if isinstance(told, dict) else told
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []


def _object(entry: dict[str, Any], key: str) -> dict[str, Any]:
    found = entry.get(key)
    return found if isinstance(found, dict) else {}


def _watts(value: Any) -> float | None:
    value = value.get("value") if isinstance(value, dict) else value
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _nvidia(program: str, env: dict[str, str]) -> dict[str, Any]:
    text = ask([program, f"--query-gpu={NVIDIA_FIELDS}", "--format=csv,noheader,nounits"], env)
    found, driver = [], ""
    for row in csv.reader((text or "").splitlines(), skipinitialspace=True):
        if len(row) == len(NVIDIA_FIELDS.split(",")):
            index, name, cap, most, load, memory, driver = (cell.strip() for cell in row)
            found.append({"index": index, "name": name, "cap_w": _number(cap), "max_w": _number(most),
                          "load": _number(load), "memory_mb": _number(memory)})  # fmt: skip
    version = (ask([program, "--version"], env) or "").strip()[:300]
    cuda = re.search(r"CUDA Version *: *([\d.]+)", version)
    told = f"driver {driver}" + (f", CUDA {cuda.group(1)}" if cuda else "") if driver else ""
    return {"tool": "nvidia-smi", "version": version, "driver": told, "gpus": found}


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def probe(programs: dict[str, str], env: dict[str, str]) -> dict[str, Any]:
    """Everything that "test connection" shows."""
    clients = {}
    for name, arguments in VERSIONS.items():
        program = find("python3" if name == "sglang" and name not in programs else name, programs, env)
        told = ask([program, *arguments], env, 60) if program else None
        if told is not None:
            clients[name] = {"path": program, "version": " ".join(told.split())[:120]}
    return {
        "host": os.uname().nodename, "system": f"{os.uname().sysname} {os.uname().release}",
        "python": sys.version.split()[0], "time": time.time(), "gpus": gpus(programs, env), "clients": clients,
    }  # fmt: skip


def sampler(kind: str, interval_s: float, programs: dict[str, str], env: dict[str, str]) -> list[str] | None:
    """The argument list of a power sampler. None where it is not on the target."""
    if kind == "amd-smi":
        program = find("amd-smi", programs, env)
        return [program, "metric", "--power", "--csv", "--watch", str(max(1, round(interval_s)))] if program else None
    program = find("nvidia-smi", programs, env)
    fields = "--query-gpu=timestamp,index,power.draw,power.limit"
    milliseconds = str(max(100, round(interval_s * 1000)))
    return [program, fields, "--format=csv", "-lms", milliseconds] if program else None
