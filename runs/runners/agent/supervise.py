"""The process that holds one job: sampler, client, and the record of both. Nothing of the job outlives it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from . import processes, tools
from .output import Recorder
from .state import CANCEL, FULL, OUTPUT, REQUEST, STATE, Folder

if TYPE_CHECKING:
    from collections.abc import Callable

TICK_S = 0.1
BEAT_S = 1.0


class Stopped(Exception):  # noqa: N818  the reason a job ended early, not a fault of the program
    """``cancelled``, ``timeout`` or a sentence."""


class Supervisor:
    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self.request = folder.read(REQUEST) or {}
        self.programs: dict[str, str] = self.request.get("programs", {})
        allowed = self.request.get("env", {})
        self.env = {**tools.environment(allowed), processes.MARK: folder.key}
        self.grace_s = float(self.request.get("grace_s", 10))
        self.deadline = time.monotonic() + float(self.request["timeout_s"])
        self.state: dict[str, Any] = {
            "phase": "starting", "started_at": time.time(), "pid": os.getpid(),
            "pid_started": processes.started(os.getpid()), "boot": processes.boot_id(), "exit_code": None, "reason": "",
            "caps_before": {}, "caps_after": {}, "commands": [],
        }  # fmt: skip
        self.recorder: Recorder | None = None
        self._beaten = 0.0

    def run(self) -> None:
        try:
            self._run()
        except Stopped as stopped:
            self.state["reason"] = str(stopped)
        except OSError as error:
            full = error.errno in FULL
            self.state["reason"] = "the disk of the target is full" if full else f"the agent failed: {error}"
        finally:
            left = processes.kill(self.folder.key, self.grace_s)
            if self.recorder:
                self.recorder.join(5)
                if self.recorder.full and not self.state["reason"]:
                    self.state["reason"] = "the disk of the target is full"
            self.state.update(left_alive=left, finished_at=time.time())
            self.save("finished")

    def _run(self) -> None:
        for number, argv in enumerate(self.request.get("pre", [])):
            self._command("pre", number, argv)
        self.state["caps_before"] = tools.caps(self.programs, self.env)
        self.save("sampling")
        interval = float(self.request.get("interval_s", 1))
        sampler = self._start_sampler(interval)
        try:
            if sampler:
                self._wait(lambda: self._sampled() or sampler.poll() is not None, 10 * interval + 5)
                self._pause(interval)
            self._client()
            # One interval late, so that the window lies between two samples.
            self._pause(2 * interval if sampler else 0)
        finally:
            if sampler:
                self.state["sampler_exit"] = sampler.poll()
                _end(sampler)
            self.state["caps_after"] = tools.caps(self.programs, self.env)
            for number, argv in enumerate(self.request.get("post", [])):
                self._command("post", number, argv)

    def _start_sampler(self, interval: float) -> subprocess.Popen[bytes] | None:
        kind = self.request.get("sampler", "")
        argv = tools.sampler(kind, interval, self.programs, self.env) if kind else None
        if argv is None:
            return None
        self.state["sampler"] = argv
        with (self.folder.path / "power.csv").open("wb") as log:
            return subprocess.Popen(
                argv, env=self.env, cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip

    def _sampled(self) -> bool:
        return (self.folder.path / "power.csv").stat().st_size > 150

    def _client(self) -> None:
        client, pipe = self._open_client([str(one) for one in self.request["argv"]])
        self.recorder = self._recorder(pipe)
        self.save("client")
        loads = tools.LoadWatch(self.programs, self.env, float(self.request.get("load_every_s", 5)))
        loads.start()
        try:
            self._wait(lambda: client.poll() is not None, None)
        finally:
            loads.stop()
            self.state["loads"] = loads.most
        self.state.update(client_ended_at=time.time(), exit_code=client.returncode)
        self.recorder.join(2)
        self.save("after")

    def _open_client(self, argv: list[str]) -> tuple[subprocess.Popen[bytes], IO[bytes]]:
        """The client, and the pipe of what it says. Where its result is what it prints, that goes into a file alone."""
        name = self.request.get("stdout", "")
        with (self.folder.path / name if name else Path(os.devnull)).open("wb") as result:
            printed = (result, subprocess.PIPE) if name else (subprocess.PIPE, subprocess.STDOUT)
            try:
                # Set before the start: the client's first line may come at once.
                self.state["client_started_at"] = time.time()
                client = subprocess.Popen(
                    argv, env=self.env, cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=printed[0],
                    stderr=printed[1], start_new_session=True,
                )  # fmt: skip
            except OSError as error:
                raise Stopped(f"the client {argv[0]!r} could not be started: {error.strerror}") from None
        pipe = client.stderr if name else client.stdout
        if pipe is None:
            raise AssertionError("the client's output is a pipe")
        return client, pipe

    def _recorder(self, pipe: IO[bytes]) -> Recorder:
        limit = int(self.request.get("max_output_bytes", 16 * 1024 * 1024))
        starts, ends = self.request.get("window_starts", []), self.request.get("window_ends", [])
        recorder = Recorder(pipe, self.folder.path / OUTPUT, limit, starts, ends)
        recorder.start()
        return recorder

    def _command(self, when: str, number: int, argv: list[str]) -> None:
        """A command of the target's list; one that fails ends the job before its client, and is noted after it."""
        name = f"{when}-{number}.log"
        with (self.folder.path / name).open("wb") as log:
            try:
                running = subprocess.Popen(
                    argv, env=self.env, cwd=self.folder.path, stdin=subprocess.DEVNULL, stdout=log,
                    stderr=subprocess.STDOUT, start_new_session=True,
                )  # fmt: skip
                self._wait(lambda: running.poll() is not None, float(self.request.get("command_timeout_s", 600)))
                code = running.poll()
            except OSError:
                code = 127
        self.state["commands"].append({"when": when, "argv": argv, "exit_code": code})
        if when == "pre" and code != 0:
            raise Stopped(f"the command before the run, {argv[0]!r}, ended with code {code} (see {name})")

    def _wait(self, done: Callable[[], bool], most_s: float | None) -> None:
        """Until done or the time is up. Raises Stopped at a cancel or at the job's own timeout."""
        until = None if most_s is None else time.monotonic() + most_s
        while not done():
            if (self.folder.path / CANCEL).exists():
                raise Stopped("cancelled")
            if time.monotonic() > self.deadline:
                raise Stopped("timeout")
            if until is not None and time.monotonic() > until:
                return
            if time.monotonic() - self._beaten > BEAT_S:
                self.save(self.state["phase"])
            time.sleep(TICK_S)

    def _pause(self, seconds: float) -> None:
        self._wait(lambda: False, seconds)

    def save(self, phase: str) -> None:
        self._beaten = time.monotonic()
        if self.recorder:
            recorder = self.recorder
            self.state.update(output_total=recorder.total, output_kept=recorder.kept,
                              window_start=recorder.window_start, window_end=recorder.window_end,
                              tail=recorder.tail[-8192:].decode("utf-8", "replace"))  # fmt: skip
        self.state.update(phase=phase, heartbeat=time.time())
        self.folder.write(STATE, self.state)


def _end(sampler: subprocess.Popen[bytes]) -> None:
    """SIGINT first: amd-smi writes what it holds back at Ctrl-C."""
    for number, wait in ((signal.SIGINT, 2.0), (signal.SIGTERM, 1.0), (signal.SIGKILL, 5.0)):
        with contextlib.suppress(OSError):
            os.killpg(sampler.pid, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            sampler.wait(wait)
            return


def detach(folder: Folder) -> None:
    """Leaves a supervisor behind that belongs to nobody: its own session, no terminal, no pipe of the caller's."""
    sys.stdout.flush()
    if os.fork():
        os.wait()
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    os.closerange(3, 256)
    os.chdir("/")
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    code = 1
    try:
        Supervisor(folder).run()
        code = 0
    finally:
        os._exit(code)
