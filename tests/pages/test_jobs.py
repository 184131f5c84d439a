"""Pages of remote benchmarks: rights, hostile text, the live part, and what a plan would run to the letter."""

import html

import pytest
from django.test import Client

from runs.models import HostKey, Job, Plan, Target, User
from runs.services.jobs import demo
from tests import factories

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


def logged_in(role: str) -> Client:
    client = Client()
    client.force_login(factories.user(role))
    return client


@pytest.fixture
def operator(db: None) -> Client:
    return logged_in("operator")


@pytest.fixture
def admin(db: None) -> Client:
    return logged_in("admin")


@pytest.fixture
def target(db: None) -> Target:
    commands = {"say": {"argv": ["echo", "{text}"], "parameters": ["text"]}}
    return Target.objects.create(name=f"t {HOSTILE}"[:60], connection="local", commands=commands, notes=HOSTILE)


def job(target: Target, **more: object) -> Job:
    fields: dict[str, object] = {
        "label": HOSTILE[:200], "spec": {}, "tail": HOSTILE, "reason": HOSTILE, "problems": [HOSTILE],
        "argv": [HOSTILE], "times": [["queued", "2026-01-01T00:00:00+00:00"]],
    }  # fmt: skip
    return Job.objects.create(target=target, **{**fields, **more})


def test_hostile_text_stays_text_everywhere(admin: Client, target: Target) -> None:
    made = job(target, state="running")
    plan = Plan.objects.create(name=HOSTILE[:100], notes=HOSTILE, spec={
        "client": "command", "command": "say", "parameters": {"text": HOSTILE}, "model": HOSTILE,
    })  # fmt: skip
    HostKey.objects.create(target=target, algorithm="a", key="k", fingerprint=HOSTILE[:90])
    for path in (
        "/jobs/", f"/jobs/{made.pk}/", f"/jobs/{made.pk}/live/", "/targets/", f"/targets/{target.pk}/",
        f"/targets/{target.pk}/edit/", "/plans/", f"/plans/{plan.pk}/?target={target.pk}", f"/plans/{plan.pk}/edit/",
    ):  # fmt: skip
        answer = admin.get(path)
        assert answer.status_code == 200, path
        page = answer.content.decode()
        assert "<script>alert" not in page, path
        assert "<img src=x" not in page, path


def test_the_live_part_asks_on_until_the_end_and_then_once_for_the_whole_page(operator: Client, target: Target) -> None:
    made = job(target, state="running")
    going = operator.get(f"/jobs/{made.pk}/live/")
    assert "every 1s" in going.content.decode()
    assert "HX-Refresh" not in going
    Job.objects.update(state="done")
    over = operator.get(f"/jobs/{made.pk}/live/")
    assert "every 1s" not in over.content.decode()
    assert over["HX-Refresh"] == "true"


def test_the_whole_page_is_fetched_when_the_state_is_not_the_one_seen(operator: Client, target: Target) -> None:
    made = job(target, state="running")
    assert f"/jobs/{made.pk}/live/?seen=running" in operator.get(f"/jobs/{made.pk}/").content.decode()
    assert "HX-Refresh" not in operator.get(f"/jobs/{made.pk}/live/?seen=running")
    assert operator.get(f"/jobs/{made.pk}/live/?seen=preflight")["HX-Refresh"] == "true"


def test_a_waiting_job_names_the_one_before_it(operator: Client, target: Target) -> None:
    first, second, third = job(target, state="running"), job(target), job(target)
    page = operator.get(f"/jobs/{third.pk}/").content.decode()
    assert "place 2 in the queue" in page
    assert f'href="/jobs/{second.pk}/"' in page
    assert f'href="/jobs/{first.pk}/"' in operator.get(f"/jobs/{second.pk}/").content.decode()
    assert "behind" not in operator.get(f"/jobs/{first.pk}/").content.decode()


def test_output_begins_with_a_whole_line(operator: Client, target: Target) -> None:
    cut = job(target, state="running", tail="ing 3 of 9\nwarming 4 of 9\n", output_bytes=900)
    page = operator.get(f"/jobs/{cut.pk}/live/").content.decode()
    assert ">warming 4 of 9\n</pre>" in page
    Job.objects.update(output_bytes=len(cut.tail))
    assert ">ing 3 of 9\nwarming 4 of 9\n</pre>" in operator.get(f"/jobs/{cut.pk}/live/").content.decode()


def test_the_live_part_is_cheap(operator: Client, target: Target, django_assert_max_num_queries: object) -> None:
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    made = job(target, state="running")
    with CaptureQueriesContext(connection) as caught:
        operator.get(f"/jobs/{made.pk}/live/")
    assert len([one for one in caught if "runs_job" in one["sql"]]) == 1


@pytest.mark.parametrize("role", ["viewer", "analyst"])
def test_without_the_right_nothing_starts_changes_or_ends(role: str, target: Target) -> None:
    client = logged_in(role)
    demo.offer()
    made = job(target)
    plan = Plan.objects.get(name=demo.DEMO)
    assert "Run the demo" not in client.get("/jobs/").content.decode()
    for path, data in (
        ("/jobs/demo/", {}),
        (f"/jobs/{made.pk}/cancel/", {}),
        (f"/plans/{plan.pk}/start/", {"target": target.pk}),
        (f"/plans/{plan.pk}/schedules/", {"target": target.pk, "cron": "0 2 * * *", "time_zone": "UTC"}),
        ("/plans/new/", {"name": "x", "client": "command", "command": "say"}),
        ("/targets/new/", {"name": "x", "connection": "local"}),
        (f"/targets/{target.pk}/key/", {"fingerprint": "x"}),
        (f"/targets/{target.pk}/test/", {}),
    ):
        client.post(path, data)
    assert Job.objects.count() == 1
    assert Job.objects.get().cancel is False
    assert Job.objects.get().state == "queued"
    assert Target.objects.count() == 2
    assert Plan.objects.count() == 2


def test_operators_do_not_change_targets(operator: Client, target: Target) -> None:
    assert operator.post(f"/targets/{target.pk}/edit/", {"name": "mine", "connection": "local"}).status_code == 403
    assert Target.objects.get(pk=target.pk).name == target.name


def test_a_plan_is_shown_to_the_letter_and_started(operator: Client, target: Target) -> None:
    odd = "a b; $(id) --flag"
    spec = {"client": "command", "command": "say", "parameters": {"text": odd}, "matrix": {"isl": [1, 2]}}
    target.commands["say"] = {"argv": ["echo", "{text}", "--isl={isl}"], "parameters": ["text", "isl"]}
    target.save()
    plan = Plan.objects.create(name="p", spec=spec)
    page = html.unescape(operator.get(f"/plans/{plan.pk}/?target={target.pk}").content.decode())
    assert f"<code>{odd}</code>" in page
    assert "Start 2 jobs" in page
    operator.post(f"/plans/{plan.pk}/start/", {"target": target.pk})
    assert [made.argv for made in Job.objects.order_by("pk")] == [
        ["echo", odd, "--isl=1"],
        ["echo", odd, "--isl=2"],
    ]


def test_a_matrix_that_the_command_is_not_told_of_starts_nothing(operator: Client, target: Target) -> None:
    spec = {"client": "command", "command": "say", "parameters": {"text": "x"}, "matrix": {"temperature": [0, 1.0]}}
    plan = Plan.objects.create(name="p", spec=spec)
    page = html.unescape(operator.get(f"/plans/{plan.pk}/?target={target.pk}").content.decode())
    assert "temperature: expected nothing: the arguments of say have no {temperature}, saw 0" in page
    operator.post(f"/plans/{plan.pk}/start/", {"target": target.pk})
    assert not Job.objects.exists()


def test_what_cannot_run_is_said_before_it_does(operator: Client, target: Target) -> None:
    plan = Plan.objects.create(name="p", spec={"client": "vllm", "model": "m"})
    page = html.unescape(operator.get(f"/plans/{plan.pk}/?target={target.pk}").content.decode())
    assert "temperature: expected a value" in page
    assert "Start 1 job" not in page


def test_a_wrong_form_comes_back_with_its_reasons(admin: Client) -> None:
    answer = admin.post("/targets/new/", {"name": "x", "connection": "ssh", "host": "-oProxyCommand=id", "user": "u",
                                          "port": "22", "programs": "{nonsense"})  # fmt: skip
    assert answer.status_code == 400
    assert "programs" in answer.content.decode()


def test_an_unknown_key_is_shown_and_accepted_by_an_administrator(admin: Client, target: Target) -> None:
    HostKey.objects.create(target=target, algorithm="ssh-ed25519", key="k", fingerprint="SHA256:abc")
    assert "SHA256:abc" in admin.get(f"/targets/{target.pk}/").content.decode()
    admin.post(f"/targets/{target.pk}/key/", {"fingerprint": "SHA256:abc"})
    key = HostKey.objects.get()
    assert key.accepted is not None
    assert key.accepted_by is not None


def test_a_second_press_is_the_same_demo(operator: Client, db: None) -> None:
    demo.offer()
    first, second = operator.post("/jobs/demo/"), operator.post("/jobs/demo/")
    assert first["Location"] == second["Location"]
    assert Job.objects.filter(plan__name=demo.DEMO).count() == 1
    Job.objects.update(state=Job.State.CANCELLED)
    assert operator.post("/jobs/demo/")["Location"] != first["Location"]


def test_a_demo_whose_target_was_renamed_is_refused_in_words(operator: Client, db: None) -> None:
    demo.offer()
    Target.objects.update(name="mine")
    answer = operator.post("/jobs/demo/", follow=True)
    assert answer.status_code == 200
    assert "The demo&#x27;s target or plan is not here" in answer.content.decode()


def test_the_demo_is_one_press(operator: Client, db: None) -> None:
    demo.offer()
    demo.offer()
    answer = operator.post("/jobs/demo/")
    jobs = list(Job.objects.order_by("pk"))
    assert [one.plan.name for one in jobs if one.plan] == [demo.INSTALL, demo.DEMO]
    assert answer["Location"] == f"/jobs/{jobs[-1].pk}/"
    assert User.objects.get().role == "operator"


def test_what_is_not_there_is_404(admin: Client) -> None:
    for path in ("/jobs/9/", "/jobs/9/live/", "/targets/9/", "/plans/9/", "/targets/9/edit/", "/jobs/9/files/abc/"):
        assert admin.get(path).status_code == 404, path


@pytest.fixture
def dutch(client: Client, db: None) -> Client:
    client.force_login(User.objects.create_user("jan", role="operator", language="nl"))
    return client


def test_the_state_of_a_queue_is_a_dutch_readers_word(dutch: Client, target: Target) -> None:
    made = job(target, state="running")
    assert f">job {made.pk}: loopt</a>" in dutch.get("/jobs/").content.decode()
    assert '<span class="muted">loopt</span>' in dutch.get(f"/targets/{target.pk}/").content.decode()


def test_numbers_of_a_job_are_in_the_readers_language(dutch: Client, operator: Client, target: Target) -> None:
    times = [["queued", "2026-01-01T00:00:00+00:00"], ["running", "2026-01-01T00:00:01.500000+00:00"]]
    agent = {"caps_before": {"0": 1202.5}, "caps_after": {"0": None}, "client_started_at": 1.0, "client_ended_at": 3.25}
    found = {"clock_offset_s": -0.0125}
    made = job(target, times=times, agent=agent, found=found, cell={"request_rate": 2.5})
    path = f"/jobs/{made.pk}/"
    here, there = (client.get(path).content.decode().replace("\xa0", " ") for client in (dutch, operator))
    for text in ("1,5 s", "1.202,5 W", "niet vermeld", "2,3 s", "\u22120,013 s", "request_rate 2,5"):
        assert text in here, text
    for text in ("1.5 s", "1,202.5 W", "not stated", "2.3 s", "\u22120.013 s", "request_rate 2.5"):
        assert text in there, text
