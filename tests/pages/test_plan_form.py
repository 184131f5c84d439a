"""The form of a plan: every field of a plan goes in and comes back, and what is wrong stands beside its field."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from dashboard.pages.plan_typed import spec_of, typed_of
from runs.models import Plan, Target
from runs.runners.argvs import WORKLOAD
from runs.runners.plans import PlanSpec, read_plan
from tests import factories

FULL: dict[str, Any] = {
    "client": "command", "endpoint": "http://127.0.0.1:8000", "model": "org/model", "temperature": 0.7, "isl": 8192,
    "osl": 1024, "num_prompts": 640, "concurrency": 4, "request_rate": 2.5, "dataset": "random", "top_p": 0.9,
    "top_k": 20, "ignore_eos": False, "tokenizer": "/t", "seed": 0, "quantization": "fp8", "tasks": "gsm8k",
    "command": "say", "parameters": {"text": "a = b; $(id)"},
    "matrix": {"concurrency": [1, 4], "temperature": [0.0, 1.0]},
    "repeats": 3, "timeout_s": 60, "pre": ["warm"], "post": ["cool"], "power_cap_w": 800.0, "active_gpus": [0, 1, 5],
    "setup": "s", "settings": {"tensor_parallel": 8, "prefix_caching": True, "runtime": "vLLM"},
}  # fmt: skip


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(factories.user("operator"))
    return client


@pytest.fixture
def target(db: None) -> Target:
    commands = {"say": {"argv": ["echo", "{text}"], "parameters": ["text"]}, "warm": {"argv": ["true"]}}
    return Target.objects.create(name="t", connection="local", commands=commands)


def typed(**more: Any) -> dict[str, Any]:
    """The form as a browser posts it."""
    return {"name": "p", **typed_of(FULL), **more}


def page_of(answer: Any) -> str:
    return html.unescape(answer.content.decode())


def test_every_field_of_a_plan_is_in_the_form() -> None:
    assert set(FULL) == set(PlanSpec.__struct_fields__)
    spec, problems = spec_of(typed_of(FULL))
    assert problems == []
    assert spec == FULL
    assert read_plan(spec) == read_plan(FULL)


def test_what_is_typed_is_kept_and_comes_back(operator: Client) -> None:
    answer = operator.post("/plans/new/", typed())
    plan = Plan.objects.get()
    assert answer["Location"] == f"/plans/{plan.pk}/"
    assert {key: plan.spec[key] for key in FULL} == FULL
    page = page_of(operator.get(f"/plans/{plan.pk}/edit/"))
    assert 'value="http://127.0.0.1:8000"' in page
    assert re.search(r"<textarea[^>]*>text = a = b; \$\(id\)</textarea>", page)
    assert '"parameters": {' in page


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("isl", "8K", "expected a whole number, saw 8K"),
        ("temperature", "hot", "expected a number such as 0.7, saw hot"),
        ("temperature", "nan", "expected a number such as 0.7, saw nan"),
        ("top_p", "2", "expected `float` <= 1.0, saw 2.0"),
        ("isl", "99999999999", "saw 99999999999"),
        ("matrix.concurrency", "1; 4", "expected numbers with commas between them, such as 1, 4, 16, saw 1; 4"),
        ("active_gpus", "5-0", "expected indices such as 0-5 or 0, 1, 7, saw 5-0"),
        ("active_gpus", "0-9999", "saw 0-9999"),
        ("parameters", "no equals", "expected a line of the form name = value each"),
        ("ignore_eos", "maybe", "expected yes, no or nothing, saw maybe"),
        ("endpoint", "ftp://x", "expected an address such as http://127.0.0.1:8000, saw ftp://x"),
        ("client", "bash", "saw bash"),
    ],
)
def test_what_is_wrong_stands_beside_its_field_and_nothing_is_lost(
    operator: Client, field: str, text: str, words: str
) -> None:
    answer = operator.post("/plans/new/", typed(**{field: text, "notes": "kept"}))
    assert answer.status_code == 400
    page = page_of(answer)
    beside = re.search(rf'<span class="error" id="{field.replace(".", "-")}-error">(.*?)</span>', page, re.DOTALL)
    assert beside, field
    assert words in " ".join(beside[1].split()).replace(" ,", ",")
    assert "kept</textarea>" in page
    assert 'value="org/model"' in page
    assert f"{text}" in page
    assert not Plan.objects.exists()


def test_a_name_is_missing(operator: Client) -> None:
    page = page_of(operator.post("/plans/new/", typed(name=" ")))
    assert re.search(r'id="name-error">\s*expected a name, saw none', page)


def test_a_stated_setting_that_is_none_is_said(operator: Client) -> None:
    answer = operator.post("/plans/new/", typed(settings="colour = blue"))
    assert answer.status_code == 400
    assert "an unknown setting" in page_of(answer)


def test_what_would_run_is_shown_before_anything_is_kept(operator: Client, target: Target) -> None:
    told = sorted(WORKLOAD - {"ignore_eos"})
    target.commands["say"] = {
        "argv": ["echo", "{text}", *(f"{{{key}}}" for key in told)],
        "parameters": ["text", *told],
    }
    target.save()
    given = typed(pre=["warm"], post=[], preview="1", target=str(target.pk), ignore_eos="")
    page = page_of(operator.post("/plans/new/", given))
    shown = page.partition('id="preview"')[2]
    assert shown.count("<code>a = b; $(id)</code>") == 4
    assert "<code>true</code>" in shown
    assert not Plan.objects.exists()
    wrong = page_of(operator.post("/plans/new/", {**given, "isl": "many"}))
    assert "expected a whole number, saw many" in wrong.partition('id="preview"')[2]
    unfit = page_of(operator.post("/plans/new/", {**given, "client": "lmx"}))
    assert "lmx has no option for dataset, seed, tasks, tokenizer, top_k, top_p" in unfit.partition('id="preview"')[2]


def test_commands_before_and_after_are_those_of_the_targets(operator: Client, target: Target) -> None:
    page = page_of(operator.get("/plans/new/"))
    boxes = re.findall(r'type="checkbox"\s+name="pre"\s+value="([^"]+)"', page)
    assert boxes == ["warm"]  # "say" takes parameters
    assert '<option value="say">' in page


def test_hostile_text_stays_text(operator: Client) -> None:
    hostile = "</textarea><script>alert(1)</script>\"'"
    answer = operator.post("/plans/new/", typed(model=hostile, parameters=hostile, isl=hostile, notes=hostile))
    assert answer.status_code == 400
    assert "<script>alert" not in answer.content.decode()
