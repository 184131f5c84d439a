import pytest

from dashboard import env


@pytest.fixture
def setenv(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.delenv("X", raising=False)
    return monkeypatch


def test_an_empty_variable_counts_as_not_set(setenv: pytest.MonkeyPatch) -> None:
    setenv.setenv("X", "  ")
    assert env.text("X", "default") == "default"
    assert env.boolean("X", default=True)
    assert env.integer("X", 7, least=1, most=9) == 7
    assert env.words("X") == []
    assert env.database("X") is None
    assert env.redis("X") is None
    assert env.json_object("X") == {}
    with pytest.raises(env.EnvError, match="X: expected a secret, it is not set"):
        env.required("X", "a secret")


@pytest.mark.parametrize(
    ("read", "value", "said"),
    [
        (lambda: env.boolean("X", default=False), "maybe", "X: expected true or false, got 'maybe'"),
        (lambda: env.integer("X", 1, least=0, most=5), "many", "X: expected a whole number, got 'many'"),
        (lambda: env.integer("X", 1, least=0, most=5), "6", "X: expected a whole number from 0 to 5, got '6'"),
        (lambda: env.choice("X", "a", {"a", "b"}), "c", "X: expected one of a, b, got 'c'"),
        (lambda: env.origins("X"), "https://ok.example, bad.example", "X: expected origins .* got 'bad.example'"),
        (lambda: env.database("X"), "mysql://me:secret@host/db", "X: expected postgres://"),
        (lambda: env.database("X"), "postgres://me:secret@host:port/db", "X: expected a database URL"),
        (lambda: env.database("X"), "postgres://me:secret@host/", "name"),
        (lambda: env.redis("X"), "http://:secret@host", "X: expected redis://"),
        (lambda: env.json_object("X"), "[1]", "X: expected a JSON object"),
        (lambda: env.json_object("X"), "{", "X: expected a JSON object"),
    ],
)
def test_a_bad_value_is_refused_in_words_without_repeating_a_password(
    setenv: pytest.MonkeyPatch, read: object, value: str, said: str
) -> None:
    setenv.setenv("X", value)
    assert callable(read)
    with pytest.raises(env.EnvError, match=said) as refusal:
        read()
    assert "secret" not in str(refusal.value)


def test_a_database_url_is_taken_apart(setenv: pytest.MonkeyPatch) -> None:
    setenv.setenv("X", "postgres://me:p%40ss@db.example:5433/likewise?sslmode=require")
    found = env.database("X")
    assert found is not None
    assert (found["USER"], found["PASSWORD"], found["HOST"], found["PORT"], found["NAME"]) == (
        "me",
        "p@ss",
        "db.example",
        5433,
        "likewise",
    )
    assert found["OPTIONS"] == {"sslmode": "require"}


@pytest.mark.parametrize(("value", "read"), [("Yes", True), ("0", False), ("on", True), ("FALSE", False)])
def test_booleans(setenv: pytest.MonkeyPatch, value: str, read: bool) -> None:
    setenv.setenv("X", value)
    assert env.boolean("X", default=not read) is read
