"""What local and remote runners have in common: an agent that takes a request and answers."""

import json
from collections.abc import Mapping
from typing import Any, Protocol, Self

Request = Mapping[str, Any]


class RunnerError(Exception):
    """The target cannot be reached, or its agent did not answer as it should. Said in words; try again later."""


class AgentError(RunnerError):
    """The target was reached and its agent failed: asking again will not help."""


class HostKeyError(RunnerError):
    """The host showed a key that nobody has accepted. ``key`` is its public text, ``fingerprint`` its SHA-256."""

    def __init__(self, host: str, algorithm: str, key: str, fingerprint: str) -> None:
        self.algorithm, self.key, self.fingerprint = algorithm, key, fingerprint
        super().__init__(f"the key of {host} is not accepted: {algorithm} {fingerprint}")


class Runner(Protocol):
    """A connection to a target; a context manager, so that one slice of work uses one connection."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *error: object) -> None: ...

    def call(self, request: Request, timeout_s: float = 60) -> bytes:
        """The agent's raw answer. Raises RunnerError."""
        ...


def ask(runner: Runner, request: Request, timeout_s: float = 60) -> dict[str, Any]:
    """The agent's answer as an object. Raises RunnerError where it is none, or is an error."""
    raw = runner.call(request, timeout_s)
    try:
        answer = json.loads(raw)
    except ValueError:
        raise RunnerError(f"the agent answered {raw[:200]!r} to {request['verb']}") from None
    if not isinstance(answer, dict) or "error" in answer:
        raise RunnerError(f"the agent refused {request['verb']}: {answer}")
    return answer
