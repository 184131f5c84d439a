"""Kombu's filesystem transport with atomic writes.

The stock one writes a message in place, so that a reader can take it half written, and it stops for good at one empty
or broken file. Here every file appears by rename, is claimed by rename, and a broken one is set aside.
"""

import fcntl
import logging
import os
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty
from typing import Any

from kombu.transport import filesystem
from kombu.transport.virtual import BrokerState
from kombu.utils.json import dumps, loads

log = logging.getLogger(__name__)

LONGEST_WAIT_S = 0.3


def transport_options(folder: Path) -> dict[str, Any]:
    """Makes the broker's folders, readable by the owner only, and names them for kombu."""
    places = {name: folder / name for name in ("messages", "claimed", "broken", "control")}
    for place in places.values():
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "data_folder_in": str(places["messages"]),
        "data_folder_out": str(places["messages"]),
        "processed_folder": str(places["claimed"]),
        "broken_folder": str(places["broken"]),
        "control_folder": str(places["control"]),
        "polling_interval": 0.1,
    }


def write_atomically(target: Path, content: str) -> None:
    # The temporary name must not end in ".msg": a reader lists the folder meanwhile.
    temporary = target.with_name(f".{uuid.uuid4().hex}.part")
    try:
        with temporary.open("w", encoding="utf-8") as handle:
            handle.write(content)
            handle.flush()
            os.fsync(handle.fileno())
        temporary.replace(target)
    finally:
        temporary.unlink(missing_ok=True)


class Channel(filesystem.Channel):
    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        # Names sort by time across reboots, which the stock monotonic clock does not.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.{queue}.msg"
        write_atomically(Path(self.data_folder_out) / name, dumps(payload))

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        wanted = f"{queue}.msg"
        for name in sorted(entry.name for entry in os.scandir(self.data_folder_in)):
            if name.partition(".")[2] != wanted:
                continue
            claimed = Path(self.processed_folder) / name
            try:
                (Path(self.data_folder_in) / name).rename(claimed)
            except FileNotFoundError:
                continue  # another worker was faster
            payload = self._read(claimed)
            if payload is not None:
                return payload
        raise Empty

    def _read(self, claimed: Path) -> Any:
        try:
            payload = loads(claimed.read_bytes())
        except (ValueError, TypeError) as error:
            payload = error
        if isinstance(payload, dict):
            claimed.unlink()
            return payload
        aside = Path(self.transport_options["broken_folder"]) / claimed.name
        claimed.replace(aside)
        log.warning("broken message set aside as %s: %r", aside, payload)
        return None

    def get_table(self, exchange: str) -> list[Any]:
        try:
            rows = loads(self._table_file(exchange).read_bytes())
            return [filesystem.exchange_queue_t(*row) for row in rows]
        except FileNotFoundError:
            return []
        except (ValueError, TypeError) as error:
            # Every worker and publisher declares its bindings anew, so an empty table heals itself.
            log.warning("broken exchange table of %r ignored: %s", exchange, error)
            return []

    def _queue_bind(self, exchange: str, routing_key: str | None, pattern: str | None, queue: str) -> None:
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        with self._table(exchange) as rows:
            if row not in rows:
                rows.insert(0, row)

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *args: Any, **kwargs: Any) -> None:
        row = filesystem.exchange_queue_t(routing_key or "", pattern or "", queue or "")
        self._purge(queue)
        with self._table(exchange) as rows:
            if row in rows:
                rows.remove(row)

    def _table_file(self, exchange: str) -> Path:
        found: Path = self._exchange_file(exchange)  # type: ignore[attr-defined]  # newer than its type stubs
        return found

    @contextmanager
    def _table(self, exchange: str) -> Iterator[list[Any]]:
        """The bindings, to be changed in place; written back if they were. One process at a time."""
        target = self._table_file(exchange)
        with (self.control_folder / "lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            rows = self.get_table(exchange)
            before = list(rows)
            yield rows
            if rows != before:
                write_atomically(target, dumps(rows))


class Transport(filesystem.Transport):
    Channel = Channel

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        # The stock state is one per process: a second folder would never get its bindings, and its messages vanish.
        self.state = BrokerState()

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        # A worker asks for two seconds and looks at its stop signal in between: that alone would make a stop take five.
        super().drain_events(connection, timeout=min(timeout or LONGEST_WAIT_S, LONGEST_WAIT_S))
