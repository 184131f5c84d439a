"""A target over SSH. Its host key is pinned; the only string its shell ever sees is fixed here."""

import asyncio
import json
import logging
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar

import asyncssh

from runs.runners.base import AgentError, HostKeyError, Request, RunnerError
from runs.runners.bundle import agent

FOLDER = ".likewise"
# At its usual level it writes several lines a connection.
logging.getLogger("asyncssh").setLevel(logging.WARNING)
T = TypeVar("T")


@dataclass(frozen=True)
class Address:
    """Where and as whom. ``key_file`` is a path on the worker; empty means the worker's SSH agent. No key is stored."""

    host: str
    port: int
    user: str
    key_file: str = ""
    host_keys: tuple[str, ...] = ()
    connect_timeout_s: float = 10


class SshRunner:
    def __init__(self, address: Address) -> None:
        self._address = address
        self._loop = asyncio.new_event_loop()
        self._connection: asyncssh.SSHClientConnection | None = None

    def __enter__(self) -> Self:
        try:
            self._wait(self._connect(), self._address.connect_timeout_s * 3)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        if self._connection is not None:
            self._connection.abort()
            self._connection = None
        self._loop.run_until_complete(asyncio.sleep(0))
        self._loop.close()

    def call(self, request: Request, timeout_s: float = 60) -> bytes:
        return self._wait(self._call(request), timeout_s)

    def _wait(self, work: Coroutine[Any, Any, T], timeout_s: float) -> T:
        try:
            return self._loop.run_until_complete(asyncio.wait_for(work, timeout_s))
        except asyncssh.HostKeyNotVerifiable:
            raise self._unknown_key() from None
        except (asyncssh.Error, OSError, TimeoutError) as error:
            said = str(error) or type(error).__name__
            raise RunnerError(f"{self._address.host}:{self._address.port} by SSH: {said}"[:500]) from None

    async def _connect(self) -> None:
        at = self._address
        known = [asyncssh.import_public_key(key) for key in at.host_keys]
        self._connection = await asyncssh.connect(
            at.host,
            at.port,
            username=at.user,
            known_hosts=(known, [], []),
            # Nothing of the worker's own SSH configuration, no password, no guessing of keys.
            config=[],
            client_keys=[at.key_file] if at.key_file else [],
            agent_path=None if at.key_file else (),
            preferred_auth="publickey",
            connect_timeout=at.connect_timeout_s,
            login_timeout=at.connect_timeout_s,
            keepalive_interval=5,
            keepalive_count_max=3,
        )
        await self._place_agent(self._connection)

    async def _place_agent(self, connection: asyncssh.SSHClientConnection) -> None:
        name, content = agent()
        async with connection.start_sftp_client() as sftp:
            if await sftp.exists(f"{FOLDER}/{name}"):
                return
            await sftp.makedirs(FOLDER, exist_ok=True)
            temporary = f"{FOLDER}/{name}.{id(self):x}"
            async with sftp.open(temporary, "wb") as file:
                await file.write(content)
            await sftp.posix_rename(temporary, f"{FOLDER}/{name}")

    async def _call(self, request: Request) -> bytes:
        if self._connection is None:
            raise RunnerError("there is no connection")
        command = f"python3 {FOLDER}/{agent()[0]}"
        ended = await self._connection.run(command, input=json.dumps(request).encode(), encoding=None)
        if ended.exit_status != 0:
            told = ended.stderr if isinstance(ended.stderr, bytes) else b""
            raise AgentError(f"the agent failed: {told.decode('utf-8', 'replace')[-500:]}")
        return ended.stdout if isinstance(ended.stdout, bytes) else b""

    def _unknown_key(self) -> RunnerError:
        """The key that the host shows, fetched without logging in, for a person to look at."""
        at = self._address
        try:
            shown = asyncssh.get_server_host_key(at.host, at.port, config=[])
            key = self._loop.run_until_complete(asyncio.wait_for(shown, at.connect_timeout_s))
        except (asyncssh.Error, OSError, TimeoutError) as error:
            return RunnerError(f"{at.host}:{at.port} by SSH: {error}")
        if key is None:
            return RunnerError(f"{at.host}:{at.port} by SSH: it shows no host key")
        text = key.export_public_key("openssh").decode().strip()
        return HostKeyError(at.host, key.get_algorithm(), text, key.get_fingerprint())


def key_exists(path: str) -> bool:
    return Path(path).is_file()
