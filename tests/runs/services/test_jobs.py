"""Claims, leases, verdicts and mail, without processes: those are in tests/jobs."""

import datetime as dt
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core import mail as outbox
from django.db import IntegrityError, connection
from django.utils import timezone

from runs.models import Job, Target, User
from runs.runners.plans import read_plan
from runs.services.jobs import collect, held, mail, preflight, sweep, watch
from runs.services.jobs import work as working
from runs.services.jobs.evidence import job_meta, job_record
from tests import factories


@pytest.fixture
def target(db: None) -> Target:
    return Target.objects.create(name="node", connection="local")


def make(target: Target, state: str = "queued", **more: Any) -> Job:
    return Job.objects.create(
        target=target, label="a job", spec={"client": "command", "command": "c"}, state=state, **more
    )


def test_the_database_itself_keeps_a_target_to_one_active_job(target: Target) -> None:
    make(target, "running")
    with pytest.raises(IntegrityError):
        make(target, "preflight")


def test_a_held_job_is_nobody_elses_until_its_lease_runs_out(target: Target) -> None:
    job = make(target)
    mine = held.claim(target.pk)
    assert mine is not None
    assert mine.job.pk == job.pk
    assert held.claim(target.pk) is None
    Job.objects.update(lease=timezone.now() - dt.timedelta(seconds=1))
    other = held.claim(target.pk)
    assert other is not None
    with pytest.raises(held.LeaseLostError):
        mine.update(tail="late")
    with pytest.raises(held.LeaseLostError):
        mine.end("done")
    other.end("failed", "x")
    assert Job.objects.get().state == "failed"


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_job() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("threads share no in-memory database; tests/jobs has the same with real workers")
    target = Target.objects.create(name="node", connection="local")
    for _number in range(3):
        make(target)

    def take(_number: int) -> bool:
        try:
            return held.claim(target.pk) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(16))) == 1
    assert Job.objects.filter(state="preflight").count() == 1


@pytest.mark.parametrize(
    ("state", "lease_s", "woken"),
    [("queued", None, 1), ("running", 60, 0), ("running", -1, 1), ("running", None, 1), ("done", None, 0)],
)
def test_the_sweep_wakes_for_what_is_due(
    target: Target, monkeypatch: pytest.MonkeyPatch, state: str, lease_s: int | None, woken: int
) -> None:
    lease = None if lease_s is None else timezone.now() + dt.timedelta(seconds=lease_s)
    make(target, state, lease=lease)
    sent: list[tuple[object, ...]] = []
    monkeypatch.setattr(sweep, "send", lambda name, *arguments, queue="": sent.append((name, *arguments, queue)))
    assert sweep.sweep() == woken
    assert sent == [("runs.tasks.work", target.pk, "")] * woken


@pytest.mark.parametrize(
    ("agent", "cancelled", "expected"),
    [
        ({"exit_code": 0, "reason": ""}, False, "done"),
        ({"exit_code": 1, "reason": ""}, False, "failed"),
        ({"exit_code": None, "reason": "timeout"}, False, "failed"),
        ({"exit_code": None, "reason": "cancelled"}, False, "cancelled"),
        ({"exit_code": 0, "reason": ""}, True, "cancelled"),
        ({"gone": True}, False, "lost"),
        ({"exit_code": 0, "reason": "the disk of the target is full"}, False, "failed"),
    ],
)
def test_verdicts(target: Target, agent: dict[str, Any], cancelled: bool, expected: str) -> None:
    assert collect.verdict(make(target, agent=agent), cancelled)[0] == expected


def test_the_end_is_mailed_once_and_its_subject_has_no_line_break(target: Target, settings: Any) -> None:
    settings.LIKEWISE_PUBLIC_URL = "https://likewise.example"
    user = factories.user("operator")
    user.email = "operator@example.org"
    user.save()
    job = make(target, "failed", created_by=user, reason="the client ended with exit code 3")
    Job.objects.update(label="a\nBcc: someone@example.org")
    assert mail.mail_job(job_id=job.pk) is True
    assert mail.mail_job(job_id=job.pk) is False
    assert len(outbox.outbox) == 1
    message = outbox.outbox[0]
    assert message.to == ["operator@example.org"]
    assert "\n" not in message.subject
    assert "exit code 3" in str(message.body)
    assert f"https://likewise.example/jobs/{job.pk}/" in str(message.body)


def test_without_a_mail_server_a_job_is_not_marked_as_mailed(target: Target, settings: Any) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    user = factories.user("operator")
    user.email = "operator@example.org"
    user.save()
    job = make(target, "done", created_by=user)
    assert mail.mail_job(job_id=job.pk) is False
    job.refresh_from_db()
    assert job.mailed is None


def test_a_dutch_reader_is_mailed_in_dutch(target: Target) -> None:
    owner = factories.user()
    User.objects.filter(pk=owner.pk).update(email="jan@example.org", language="nl")
    at = dt.datetime(2026, 3, 5, 14, 7, tzinfo=dt.UTC)
    problems = ["GPU 2 is busy: 97 % load before the run"]
    job = make(target, "failed", reason="refused before the start", problems=problems, created_by=owner, finished=at)
    assert mail.mail_job(job_id=job.pk) is True
    (message,) = outbox.outbox
    assert "mislukt" in message.subject
    body = str(message.body)
    assert "vóór de start geweigerd" in body
    assert "GPU 2 is bezet: 97 % belasting vóór de run" in body
    assert "Geëindigd op 5 maart 2026" in body


def test_nobody_to_tell_is_no_fault(target: Target) -> None:
    assert mail.mail_job(job_id=make(target, "done").pk) is False
    assert mail.mail_job(job_id=make(target, "running").pk) is False


def test_the_clock_is_compared() -> None:
    spec = read_plan({"client": "command", "command": "c"})
    found: dict[str, Any] = {
        "endpoint": None,
        "program": "/x",
        "sampler": True,
        "free_bytes": 10**12,
        "gpus": {"gpus": []},
    }
    target = Target(name="t")
    assert list(preflight.reasons(spec, target, found, 0.4)) == []
    assert "+9.0 s off" in preflight.reasons(spec, target, found, 9.0)[0]


def test_what_a_job_saw_is_observed_with_its_record_as_evidence(target: Target) -> None:
    gpus = [{"index": str(n), "name": "MI355X", "cap_w": 800.0, "max_w": 1400.0, "load": 0.0} for n in range(8)]
    spec = read_plan(
        {
            "client": "vllm",
            "temperature": 0,
            "active_gpus": [0, 1],
            "settings": {"runtime": "vllm", "tensor_parallel": 2},
        }
    )
    job = make(
        target,
        found={"gpus": {"gpus": gpus}},
        agent={
            "caps_before": {str(n): 800.0 for n in range(8)}, "caps_after": {str(n): 800.0 for n in range(8)},
            "loads": {"0": 99.0, "1": 98.0, "2": 0.0}, "window_start": 1.75e9, "window_end": 1.75e9 + 60,
        },
    )  # fmt: skip
    from runs.runners.clients import Invocation

    passed = {"temperature": 0, "top_p": 0.9, "seed": 3, "ignore_eos": True}
    meta = job_meta(job, spec, Invocation("vllm", ("vllm",), sampling=passed), b"{}", "f" * 64)
    assert meta.window == (1.75e9, 1.75e9 + 60)
    assert meta.observed is not None
    assert meta.observed.ref == "f" * 64
    told = {key: (setting.state.value, setting.value) for key, setting in meta.settings.items()}
    assert told["power_cap_w"] == ("observed", 800.0)
    assert told["temperature"] == ("observed", 0.0)
    assert (told["top_p"], told["seed"], told["ignore_eos"]) == (("observed", 0.9), ("observed", 3), ("observed", True))
    assert "top_k" not in told
    assert told["client"] == ("observed", "vllm bench serve")
    assert told["active_gpus"] == ("observed", 2)
    assert told["node_gpus"] == ("observed", 8)
    assert told["accelerator"] == ("observed", "MI355X")
    assert told["runtime"] == ("stated", "vllm")
    assert "HF_TOKEN" not in str(job_record(job))


@pytest.mark.parametrize(
    ("client", "result", "expected"),
    [
        ("sglang", b'{"server_info": null}', {"num_prompts": 6, "model": "m"}),
        ("sglang", b'{"server_info": {"model_path": "/models/m"}}', {"num_prompts": 6}),
        ("vllm", b"{}", {}),
    ],
)
def test_what_sglangs_client_does_not_write_comes_from_what_it_was_told(
    target: Target, client: str, result: bytes, expected: dict[str, Any]
) -> None:
    spec = read_plan({"client": client, "model": "m", "num_prompts": 6})
    meta = job_meta(make(target), spec, None, result, "f" * 64)
    found = {key: meta.settings[key].value for key in ("num_prompts", "model") if key in meta.settings}
    assert found == expected


def test_the_tail_is_bounded(target: Target) -> None:
    make(target)
    mine = held.claim(target.pk)
    assert mine is not None
    told = {"state": {"phase": "client"}, "output": "x" * 100_000 + "\0end", "offset": 100_004, "known": True}
    watch._note(mine, told)
    assert len(Job.objects.get().tail) == watch.TAIL_CHARS
    assert Job.objects.get().tail.endswith("\ufffdend")


def test_an_error_of_ours_does_not_hold_a_target_for_ever(target: Target, monkeypatch: pytest.MonkeyPatch) -> None:
    job = make(target)
    monkeypatch.setattr(working, "_slice", lambda *_args: 1 / 0)
    monkeypatch.setattr(working, "wake", lambda *_args: None)
    monkeypatch.setattr("runs.services.jobs.work.time.sleep", lambda *_args: None)
    for _number in range(working.MOST_ERRORS):
        working.work(target_id=target.pk)
    job.refresh_from_db()
    assert job.state == "lost"
    assert "ZeroDivisionError" in job.reason
    assert job.remote_open is True


class Folder:
    """A target's answers to ``files``, ``fetch`` and ``clean`` of one job's folder."""

    def __init__(self, **sizes: int) -> None:
        self.sizes = {name.replace("_", "."): size for name, size in sizes.items()}

    def call(self, request: Any, _timeout: float = 0) -> bytes:
        if request["verb"] == "fetch":
            return b"x" * self.sizes[request["name"]]
        listed = [{"name": name, "size": size} for name, size in self.sizes.items()]
        return json.dumps({"ok": True, "files": listed}).encode()


def test_a_result_too_large_to_keep_is_not_said_to_be_missing(target: Target, settings: Any) -> None:
    settings.LIKEWISE_MAX_FILE_BYTES = 2000
    target.commands = {"c": {"argv": ["bench"], "results": ["result.json"]}}
    target.save()
    make(target, agent={"exit_code": 0})
    mine = held.claim(target.pk)
    assert mine is not None
    collect.collect(mine, Folder(result_json=2001, output_log=5), 0.0)  # type: ignore[arg-type]
    job = Job.objects.get()
    assert (job.state, job.reason) == ("failed", "the client wrote no result that could be kept")
    assert job.problems == ["not kept: result.json has 2001 bytes, more than the 2000 of one file"]
    assert {one.name for one in job.job_artifacts.all()} == {"output.log", "job-record.json"}
