"""The worker's own machine: the same agent, started without a connection in between."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Self

from runs.runners.base import AgentError, Request, RunnerError
from runs.runners.bundle import agent


class LocalRunner:
    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._path = folder

    def __enter__(self) -> Self:
        name, content = agent()
        self._path = self._folder / name
        if not self._path.exists():
            self._folder.mkdir(parents=True, exist_ok=True)
            temporary = self._path.with_suffix(f".{id(self)}")
            temporary.write_bytes(content)
            temporary.replace(self._path)
        return self

    def __exit__(self, *error: object) -> None:
        """Nothing is held."""

    def call(self, request: Request, timeout_s: float = 60) -> bytes:
        try:
            ended = subprocess.run(
                [sys.executable, str(self._path)],
                input=json.dumps(request).encode(),
                capture_output=True,
                timeout=timeout_s,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise RunnerError(f"the agent did not answer: {error}") from None
        if ended.returncode != 0:
            raise AgentError(f"the agent failed: {ended.stderr.decode('utf-8', 'replace')[-500:]}")
        return ended.stdout
