"""One request in, one answer out: JSON from standard input; ``fetch`` answers with the bytes of a file."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import time
from typing import Any

from . import endpoint, processes, tools
from .state import CANCEL, OUTPUT, STATE, Folder
from .supervise import detach

CHUNK = 1024 * 1024
MOST_OUTPUT = 128 * 1024


def main() -> int:
    request = json.loads(sys.stdin.buffer.read())
    verb = request["verb"]
    if verb == "fetch":
        return fetch(request)
    try:
        answer = VERBS[verb](request)
    except (OSError, ValueError, KeyError) as error:
        answer = {"error": f"{type(error).__name__}: {error}"[:500]}
    sys.stdout.write(json.dumps(answer))
    sys.stdout.flush()
    return 0


def _folder(request: dict[str, Any]) -> Folder:
    return Folder(request["root"], request["key"])


def probe(request: dict[str, Any]) -> dict[str, Any]:
    return tools.probe(request.get("programs", {}), tools.environment(request.get("env", {})))


def preflight(request: dict[str, Any]) -> dict[str, Any]:
    """What is so right now: the endpoint, the GPUs with caps and load, the clock, the client's program, free space."""
    env, programs = tools.environment(request.get("env", {})), request.get("programs", {})
    root = Folder(request["root"], "0").path.parent
    root.mkdir(parents=True, exist_ok=True)
    url = request.get("endpoint", "")
    asked = endpoint.check(url, request["model"], request["allow_link_local"], request["timeout_s"]) if url else None
    program = request["program"]
    return {
        "endpoint": asked, "gpus": tools.gpus(programs, env), "time": time.time(),
        "program": shutil.which(program, path=env["PATH"]), "free_bytes": shutil.disk_usage(root).free,
        "sampler": bool(not request["sampler"] or tools.sampler(request["sampler"], 1, programs, env)),
    }  # fmt: skip


def launch(request: dict[str, Any]) -> dict[str, Any]:
    """Starts the job once: where its folder is here already, what became of it is the answer."""
    folder = _folder(request)
    if folder.create(request["job"]):
        detach(folder)
    return poll(request)


def poll(request: dict[str, Any]) -> dict[str, Any]:
    """``known``, the state, whether its supervisor lives, and the output from an offset on."""
    folder = _folder(request)
    state = folder.read(STATE)
    if state is None:
        return {"known": folder.path.exists(), "state": {}, "alive": False, "output": "", "offset": 0}
    alive = processes.is_alive(state.get("pid"), state.get("pid_started"), state.get("boot"))
    if state.get("phase") == "starting" and not state.get("pid"):
        # Between the folder and the supervisor's first word.
        alive = time.time() - float(state.get("at", 0)) < request.get("start_s", 10)
    offset = int(request.get("offset", 0))
    chunk = b""
    with contextlib.suppress(OSError), (folder.path / OUTPUT).open("rb") as file:
        file.seek(offset)
        chunk = file.read(MOST_OUTPUT)
    return {"known": True, "state": state, "alive": alive, "output": chunk.decode("utf-8", "replace"),
            "offset": offset + len(chunk), "time": time.time()}  # fmt: skip


def cancel(request: dict[str, Any]) -> dict[str, Any]:
    """Asks the supervisor, which kills its own; where there is none left, the job's processes are ended from here."""
    folder = _folder(request)
    if folder.path.exists():
        with contextlib.suppress(OSError):
            (folder.path / CANCEL).touch()
    state = poll({**request, "offset": 0})
    if not state["alive"]:
        state["left_alive"] = processes.kill(folder.key, float(request.get("grace_s", 10)))
    return state


def files(request: dict[str, Any]) -> dict[str, Any]:
    return {"files": _folder(request).files()}


def clean(request: dict[str, Any]) -> dict[str, Any]:
    """Takes a job's folder away, once nothing of it is alive."""
    folder = _folder(request)
    processes.kill(folder.key, float(request.get("grace_s", 10)))
    shutil.rmtree(folder.path, ignore_errors=True)
    return {"gone": not folder.path.exists()}


def fetch(request: dict[str, Any]) -> int:
    """The bytes of one file, at most ``limit``: its beginning where it is longer."""
    left = int(request["limit"])
    try:
        path = _folder(request).inside(request["name"])
        with path.open("rb") as file:
            while left > 0 and (chunk := file.read(min(CHUNK, left))):
                sys.stdout.buffer.write(chunk)
                left -= len(chunk)
        sys.stdout.buffer.flush()
    except (OSError, ValueError) as error:
        sys.stderr.write(str(error)[:300])
        return 1
    return 0


VERBS = {
    "probe": probe, "preflight": preflight, "launch": launch, "poll": poll, "cancel": cancel, "files": files,
    "clean": clean,
}  # fmt: skip
