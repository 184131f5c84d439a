"""The private servers that `make test` starts where none answers."""

import psycopg
import pytest
import redis

from tests.conftest import not_run
from tools import services


@pytest.fixture
def nothing_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LIKEWISE_TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:1/postgres")
    monkeypatch.setenv("LIKEWISE_TEST_REDIS_URL", "redis://127.0.0.1:1/0")


@pytest.mark.usefixtures("nothing_answers")
def test_a_private_postgresql_lives_as_long_as_it_is_used() -> None:
    url = ""
    try:
        with services.postgres() as url, psycopg.connect(url) as connection:
            assert connection.execute("SELECT 1").fetchone() == (1,)
    except services.NotInstalled as missing:
        not_run(str(missing))
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url, connect_timeout=2)


@pytest.mark.usefixtures("nothing_answers")
def test_a_private_redis_lives_as_long_as_it_is_used() -> None:
    url = ""
    try:
        with services.redis_server() as url, redis.Redis.from_url(url) as client:
            assert client.ping()
    except services.NotInstalled as missing:
        not_run(str(missing))
    with redis.Redis.from_url(url) as client, pytest.raises(redis.ConnectionError):
        client.ping()


@pytest.mark.usefixtures("nothing_answers")
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(services, "_postgres_programs", lambda: None)
    with pytest.raises(services.NotInstalled, match="apt install postgresql"), services.postgres():
        pass
    with pytest.raises(services.NotInstalled, match="apt install redis-server"), services.redis_server():
        pass
