import threading
from pathlib import Path
from typing import Any

import pytest
from kombu import Connection

from dashboard import filebroker
from dashboard.filebroker import Transport, transport_options


@pytest.fixture
def options(tmp_path: Path) -> dict[str, Any]:
    return transport_options(tmp_path / "broker")


def connection(options: dict[str, Any]) -> Any:
    return Connection("filesystem://localhost//", transport=Transport, transport_options=options)


def messages(options: dict[str, Any]) -> list[Path]:
    return sorted(Path(options["data_folder_in"]).glob("*.msg"))


def send(options: dict[str, Any], *numbers: int) -> None:
    with connection(options) as broker:
        queue = broker.SimpleQueue("likewise")
        for number in numbers:
            queue.put({"number": number})
        queue.close()


def receive(options: dict[str, Any], count: int) -> list[int]:
    with connection(options) as broker:
        queue = broker.SimpleQueue("likewise")
        found = []
        for _ in range(count):
            message = queue.get(timeout=5)
            found.append(message.payload["number"])
            message.ack()
        queue.close()
        return found


def test_messages_arrive_in_order_and_leave_nothing_behind(options: dict[str, Any]) -> None:
    send(options, *range(20))
    assert len(messages(options)) == 20
    assert receive(options, 20) == list(range(20))
    folder = Path(options["data_folder_in"]).parent
    left = [path for path in folder.rglob("*") if path.is_file() and path.parent.name != "control"]
    assert left == []


@pytest.mark.parametrize("content", [b"", b"{", b"[1, 2]", b"\xff\xfe\x00"])
def test_a_broken_file_is_set_aside_and_the_next_message_is_read(options: dict[str, Any], content: bytes) -> None:
    broken = Path(options["data_folder_in"]) / "00000000000000000000_x.likewise.msg"
    broken.write_bytes(content)
    send(options, 7)
    assert receive(options, 1) == [7]
    assert [path.name for path in Path(options["broken_folder"]).iterdir()] == [broken.name]


def test_a_broken_exchange_table_heals_when_a_queue_is_declared(options: dict[str, Any]) -> None:
    send(options, 1)
    table = next(Path(options["control_folder"]).glob("*.exchange"))
    table.write_bytes(b"")
    send(options, 2)
    assert receive(options, 2) == [1, 2]


def test_a_message_is_invisible_until_it_is_whole(options: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(number: int) -> None:
        assert messages(options) == []
        raise OSError("disk full")

    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(OSError, match="disk full"):
        filebroker.write_atomically(Path(options["data_folder_in"]) / "1_x.likewise.msg", "{}")
    assert list(Path(options["data_folder_in"]).iterdir()) == []


def test_nothing_is_lost_or_doubled_between_many_writers_and_readers(options: dict[str, Any]) -> None:
    writers, readers, each = 4, 4, 100
    found: list[int] = []
    wrote = [threading.Thread(target=send, args=(options, *range(n * each, (n + 1) * each))) for n in range(writers)]
    share = writers * each // readers
    read = [threading.Thread(target=lambda: found.extend(receive(options, share))) for _ in range(readers)]
    for thread in wrote + read:
        thread.start()
    for thread in wrote + read:
        thread.join(60)
    assert sorted(found) == list(range(writers * each))
