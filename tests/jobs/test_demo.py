"""The demo in three clicks, nothing pretended but the endpoint: real browser, web server, worker, agent and aiperf."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from runs.services.jobs.demo import AIPERF
from tests import live
from tests.browser.pages import log_in
from tests.jobs import clients
from tools.run import CELERY
from tools.supervise import Child, stop


def test_the_pinned_client_is_the_one_that_is_tested() -> None:
    assert clients.AIPERF == AIPERF


@pytest.fixture
def demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[live.Server]:
    """What `make run` starts, with the client of this checkout, on SQLite and the broker of files."""
    folder, port = clients.installed_aiperf(), live.free_port()
    # What is not of the installation reaches its processes by the environment.
    monkeypatch.setenv("LIKEWISE_SIMULATOR_PORT", str(port))
    monkeypatch.setenv("LIKEWISE_JOB_POLL_MS", "200")
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.delenv("REDIS_URL", raising=False)
    (tmp_path / "clients").symlink_to(folder)
    simulator = Child("simulator", [sys.executable, "-m", "runs.runners.simulator", "--port", str(port)], {})
    with live.installed(tmp_path, demo=False) as installation, ExitStack() as stack:
        installation.shell("from runs.services.jobs import demo; demo.offer()")
        simulator.start(time.monotonic())
        stack.callback(stop, [simulator])
        stack.enter_context(live.working(installation))
        stack.enter_context(
            live.running("beat", [*CELERY, "beat", "--pidfile=", "--loglevel", "WARNING"], installation)
        )
        yield stack.enter_context(live.serving(installation))


@pytest.mark.timeout(1800)
def test_three_clicks_from_the_jobs_to_a_run_that_says_it_is_simulated(browser: Browser, demo: live.Server) -> None:
    errors: list[str] = []
    with browser.new_context(base_url=demo.url, locale="en-GB") as context:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        log_in(page, demo)
        page.get_by_role("link", name="Jobs").first.click()
        page.get_by_role("button", name="Run the demo").click()
        # The page asks by itself until the job has ended, and shows itself anew then.
        run = page.get_by_role("link", name="Open the run")
        expect(run).to_be_visible(timeout=180_000)
        expect(page.get_by_text("Simulated, not a measurement:")).to_be_visible()
        run.click()
        page.wait_for_url("**/runs/*/")
        expect(page.locator(".provenance-simulated").first).to_be_visible()
        expect(page.get_by_text("likewise-simulator").first).to_be_visible()
    assert errors == []
    told = json.loads(demo.shell(LOOK))
    assert told["state"] == "done"
    assert told["provenance"] == "simulated"
    assert told["requests"] == [60, 60, 0]
    assert told["settings"] == {
        "client": "aiperf", "client_version": AIPERF, "temperature": 0.0, "concurrency": 4, "isl": 128, "osl": 64,
        "seed": 1, "ignore_eos": True,
    }  # fmt: skip
    assert told["window"][0] == "observed"
    # 60 requests of 64 tokens at 10 ms each, 4 at a time, take 10 s at least.
    assert 10 <= told["window"][1] <= 60
    assert 0.05 <= told["ttft"] <= 1
    assert {"output.log", "job-record.json", "aiperf/profile_export_aiperf.json"} <= set(told["files"])
    assert told["roles"] == ["job", "result"]


LOOK = """
import json
from runs import selectors
from runs.models import Job, JobArtifact, RunArtifact
job = Job.objects.get()
run = job.job_runs.get().run
record = selectors.run_detail(run.public_id).record
keys = ("client", "client_version", "temperature", "concurrency", "isl", "osl", "seed", "ignore_eos")
print(json.dumps({
    "state": job.state, "provenance": record.provenance.value,
    "requests": [record.requests.attempted, record.requests.completed, record.requests.failed],
    "settings": {key: record.setting(key).value for key in keys},
    "window": [record.window.state.value, record.window.duration_s] if record.window else None,
    "ttft": record.quantity("ttft:median").value,
    "files": list(JobArtifact.objects.values_list("name", flat=True)),
    "roles": sorted(RunArtifact.objects.filter(run=run).values_list("role", flat=True)),
}))
"""
