"""The agent by itself: folders that cannot be left, writes that are whole, output that is bounded."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from runs.runners.agent import endpoint, processes
from runs.runners.agent.state import Folder
from runs.runners.base import ask
from runs.runners.bundle import agent
from runs.runners.local import LocalRunner
from tests.live import wait_for


def test_the_bundle_is_one_file_named_by_its_content() -> None:
    name, content = agent()
    assert name.startswith("agent-")
    assert name.endswith(".pyz")
    assert len(content) < 100_000


def test_the_agent_imports_the_standard_library_only(tmp_path: Path) -> None:
    path = tmp_path / agent()[0]
    path.write_bytes(agent()[1])
    ended = subprocess.run(
        [sys.executable, "-I", "-S", str(path)],
        input=json.dumps({"verb": "files", "root": str(tmp_path), "key": "none"}).encode(),
        capture_output=True,
        check=False,
    )
    assert json.loads(ended.stdout) == {"files": []}, ended.stderr


@pytest.mark.parametrize("key", ["../x", "a/b", "", "a b", "x" * 65, "$(id)"])
def test_a_key_is_no_path(tmp_path: Path, key: str) -> None:
    with pytest.raises(ValueError, match="letters and digits"):
        Folder(str(tmp_path), key)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "link", "sub/../../secret"])
def test_no_file_outside_the_folder_is_fetched(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret").write_text("s", encoding="ascii")
    folder = Folder(str(tmp_path), "k")
    folder.create({})
    (folder.path / "link").symlink_to(tmp_path / "secret")
    with pytest.raises(ValueError, match="outside"):
        folder.inside(name)
    assert "link" not in {one["name"] for one in folder.files()}


def test_a_job_is_made_once(tmp_path: Path) -> None:
    assert Folder(str(tmp_path), "k").create({"a": 1}) is True
    assert Folder(str(tmp_path), "k").create({"a": 2}) is False
    assert Folder(str(tmp_path), "k").read("job.json") == {"a": 1}


def test_an_unknown_job_is_said_to_be_unknown(tmp_path: Path) -> None:
    with LocalRunner(tmp_path / "agent") as runner:
        assert ask(runner, {"verb": "poll", "root": str(tmp_path), "key": "none"})["known"] is False


def test_marked_processes_are_found_and_killed() -> None:
    key = f"test{os.getpid()}"
    child = subprocess.Popen(["sleep", "60"], env={**os.environ, processes.MARK: key})
    try:
        assert processes.marked(key) == [child.pid]
        assert processes.kill(key, 0.2) == 0
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_an_endpoint_that_does_not_answer_is_said_so(name: str) -> None:
    told = endpoint.check(f"http://{name}:9", "m", False, 1)
    assert told["ok"] is False
    assert "does not answer" in told["reason"]


def test_a_name_that_leads_to_a_metadata_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(endpoint, "addresses", lambda *_where: ["169.254.169.254"])
    told = endpoint.check("http://innocent.example", "m", False, 1)
    assert told["ok"] is False
    assert "forbids" in told["reason"]


def test_a_job_gets_no_secret_of_the_worker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", "a-secret-of-the-worker")
    monkeypatch.setenv("DATABASE_URL", "postgres://u:secret@h/d")
    show = "import os, json; print(json.dumps(dict(os.environ)))"
    with LocalRunner(tmp_path / "agent") as runner:
        job = {"argv": [sys.executable, "-c", show], "timeout_s": 20, "env": {"ALLOWED": "yes"}}
        ask(runner, {"verb": "launch", "root": str(tmp_path), "key": "k", "job": job})
        told = ask(runner, {"verb": "poll", "root": str(tmp_path), "key": "k"})
        while told["alive"]:
            told = ask(runner, {"verb": "poll", "root": str(tmp_path), "key": "k"})
    seen = json.loads(told["output"])
    assert seen["ALLOWED"] == "yes"
    assert seen["TZ"] == "UTC"
    assert "secret" not in told["output"]


def test_a_client_that_prints_its_result_has_its_log_apart_from_it(tmp_path: Path) -> None:
    say = "import sys; print('{\"a\": 1}'); print('loading', file=sys.stderr)"
    request = {"argv": [sys.executable, "-c", say], "timeout_s": 20, "grace_s": 0, "stdout": "result.json"}
    root = str(tmp_path / "jobs")
    with LocalRunner(tmp_path / "agent") as runner:
        ask(runner, {"verb": "launch", "root": root, "key": "apart", "job": request})
        finished = lambda: ask(runner, {"verb": "poll", "root": root, "key": "apart"})["state"]["phase"] == "finished"  # noqa: E731
        wait_for(finished, "the client to end")
        files = {name: runner.call({"verb": "fetch", "root": root, "key": "apart", "name": name, "limit": 1000})
                 for name in ("result.json", "output.log")}  # fmt: skip
    assert files == {"result.json": b'{"a": 1}\n', "output.log": b"loading\n"}
