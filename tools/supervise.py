"""Keeps a handful of processes running until told to stop, then leaves none behind."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 30.0
STEADY_AFTER_S = 60.0
GRACE_S = 12.0


@dataclass
class Child:
    """One program. It leads a session of its own, so that a Ctrl-C at the terminal reaches the supervisor only."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    delay_s: float = FIRST_DELAY_S
    due: float = 0.0

    def start(self, now: float) -> None:
        environment = {**os.environ, **self.environment}
        self.process = subprocess.Popen(
            [*_tied_to_this_process(), *self.command],
            env=environment,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        self.started = now

    @property
    def running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def signal_group(self, number: int) -> None:
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def _tied_to_this_process() -> list[str]:
    """Where util-linux has it, the kernel ends a child whose supervisor was killed outright."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM", "--"] if setpriv else []


@dataclass
class Supervisor:
    children: Sequence[Child]
    say: Callable[[str], None]
    ready: Callable[[], bool]
    when_ready: Callable[[], None]
    stopping: bool = False
    announced: bool = False

    def run(self) -> int:
        """Returns the exit code: 0 when stopped by a signal, 1 when a program would not even start."""
        previous = {number: signal.signal(number, self._on_signal) for number in STOP_SIGNALS}
        try:
            for child in self.children:
                child.start(time.monotonic())
            return self._watch()
        finally:
            stop(self.children, self.say)
            for number, handler in previous.items():
                signal.signal(number, handler)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        self.stopping = True

    def _watch(self) -> int:
        while not self.stopping:
            now = time.monotonic()
            for child in self.children:
                if not child.running and not self._revive(child, now):
                    return 1
            if not self.announced and self.ready():
                self.announced = True
                self.when_ready()
            time.sleep(0.1)
        return 0

    def _revive(self, child: Child, now: float) -> bool:
        """Starts a child that ended, after a delay that doubles. False when it ended before all were ready."""
        if not self.announced:
            self.say(f"{child.name} ended with code {_code(child)} before it was ready; its messages are above.")
            return False
        if not child.due:
            steady = now - child.started > STEADY_AFTER_S
            child.delay_s = FIRST_DELAY_S if steady else child.delay_s
            child.due = now + child.delay_s
            self.say(f"{child.name} ended with code {_code(child)}; starting it again in {child.delay_s:g} s.")
            child.delay_s = min(child.delay_s * 2, LONGEST_DELAY_S)
            child.signal_group(signal.SIGKILL)  # what it may have left of its group
        elif now >= child.due:
            child.due = 0.0
            child.start(now)
        return True


def stop(children: Sequence[Child], say: Callable[[str], None] = print) -> None:
    """The leader is asked first, so that it can stop its own workers; what is left of a group is then killed."""
    for child in children:
        if child.running and child.process is not None:
            child.process.terminate()
    deadline = time.monotonic() + GRACE_S
    for child in children:
        if child.process is None:
            continue
        try:
            child.process.wait(max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(f"{child.name} did not stop within {GRACE_S:g} s and is killed.")
        child.signal_group(signal.SIGKILL)
        child.process.wait()


def _code(child: Child) -> int | None:
    return None if child.process is None else child.process.returncode
