"""Argument lists: every value stays the value that it is, for every client."""

import json

import pytest

from runs.runners.clients import Command, invocation
from runs.runners.plans import PlanError, PlanSpec, cells_of, check_endpoint, read_plan

ODD = ["--flag=1", "-rf", 'it\'s "quoted"', "$(id)", "`id`", "a\nb", "a b", "; rm -rf /", "ü|&<>*?~"]
FULL = {
    "endpoint": "http://127.0.0.1:8000", "model": "m", "temperature": 0.0, "isl": 100, "osl": 10, "num_prompts": 5,
    "concurrency": 4, "tasks": "gsm8k",
}  # fmt: skip
CLIENTS = ("vllm", "sglang", "guidellm", "aiperf", "lm-eval", "llama-bench", "lmx")


def spec(client: str, **more: object) -> PlanSpec:
    return read_plan({"client": client, **FULL, **more})


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("odd", ODD)
def test_a_model_name_never_becomes_an_option_or_another_argument(client: str, odd: str) -> None:
    if (client, odd) in (("lm-eval", "--flag=1"), ("llama-bench", "; rm -rf /")):
        with pytest.raises(PlanError, match="splits"):
            invocation(spec(client, model=odd), {}, {})
        return
    plain, told = invocation(spec(client, model="PLAIN"), {}, {}), invocation(spec(client, model=odd), {}, {})
    assert [part.replace("PLAIN", odd) for part in plain.argv] == list(told.argv)
    beginning = [part for part in told.argv if part.startswith(odd)]
    # llama-bench takes what follows -m as it is, whatever it begins with.
    assert beginning == ([odd] if client == "llama-bench" else [])


@pytest.mark.parametrize("client", ["vllm", "sglang", "guidellm", "aiperf", "lm-eval"])
def test_the_temperature_is_always_passed_and_never_assumed(client: str) -> None:
    said = " ".join(invocation(spec(client, temperature=0.7), {}, {}).argv)
    assert "temperature" in said
    assert "0.7" in said
    zero = " ".join(invocation(spec(client, temperature=0), {}, {}).argv)
    assert any(form in zero for form in ("temperature=0", '"temperature": 0'))
    with pytest.raises(PlanError, match="temperature"):
        invocation(spec(client, temperature=None), {}, {})


@pytest.mark.parametrize("client", ["llama-bench", "lmx"])
def test_clients_that_take_no_temperature_state_none(client: str) -> None:
    assert invocation(spec(client), {}, {}).states_temperature is False


@pytest.mark.parametrize(("client", "model"), [("aiperf", "a,b"), ("llama-bench", "a,b"), ("lm-eval", "a,b=c")])
def test_what_a_client_would_split_is_refused(client: str, model: str) -> None:
    with pytest.raises(PlanError, match="splits"):
        invocation(spec(client, model=model), {}, {})


def test_programs_of_the_target_are_used() -> None:
    told = invocation(spec("vllm"), {"vllm": "/opt/vllm/bin/vllm"}, {})
    assert told.program == "/opt/vllm/bin/vllm"
    assert told.argv[:3] == ("/opt/vllm/bin/vllm", "bench", "serve")


class TestDeclaredCommand:
    COMMAND = Command(("bench", "--model={model}", "{mode}"), ("model", "mode"), ("out.json",))

    def test_parameters_fill_their_own_argument(self) -> None:
        given = spec("command", command="c", parameters={"mode": "a b; $(id)"})
        assert invocation(given, {}, {"c": self.COMMAND}).argv == ("bench", "--model=m", "a b; $(id)")

    def test_a_dash_where_the_parameter_stands_alone_is_refused(self) -> None:
        with pytest.raises(PlanError, match="begins with a dash"):
            invocation(spec("command", command="c", parameters={"mode": "--delete"}), {}, {"c": self.COMMAND})

    def test_unknown_parameters_and_commands_are_refused(self) -> None:
        with pytest.raises(PlanError, match="one of: model, mode"):
            invocation(spec("command", command="c", parameters={"x": "1"}), {}, {"c": self.COMMAND})
        with pytest.raises(PlanError, match="one of the target's"):
            invocation(spec("command", command="other"), {}, {"c": self.COMMAND})

    def test_a_parameter_is_not_filled_in_twice(self) -> None:
        given = spec("command", command="c", parameters={"mode": "{model}"})
        assert invocation(given, {}, {"c": self.COMMAND}).argv[-1] == "{model}"


def test_the_matrix_fans_out() -> None:
    cells = list(cells_of(spec("vllm", matrix={"concurrency": [1, 4, 16], "temperature": [0, 1.0]})))
    assert [(cell.concurrency, cell.temperature) for cell in cells] == [
        (1, 0), (1, 1.0), (4, 0), (4, 1.0), (16, 0), (16, 1.0),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"client": "nc"}, {"client": "vllm", "unknown": 1}, {"client": "vllm", "matrix": {"model": [1]}},
        {"client": "vllm", "matrix": {"concurrency": []}}, {"client": "vllm", "matrix": {"concurrency": [1.5]}},
        {"client": "vllm", "matrix": {"isl": list(range(20)), "osl": list(range(20))}},
        {"client": "vllm", "model": "a\0b"}, {"client": "vllm", "model": "\ud800"}, {"client": "vllm", "isl": -1},
        {"client": "vllm", "temperature": "0"}, {"client": "vllm", "timeout_s": 0}, [], "x", None,
        {"client": "command", "parameters": {"a\0": "b"}}, {"client": "vllm", "repeats": 1000},
    ],
)  # fmt: skip
def test_what_is_no_plan_is_refused(wrong: object) -> None:
    with pytest.raises(PlanError):
        read_plan(wrong)


@pytest.mark.parametrize(
    "url",
    [
        "http://169.254.169.254", "http://169.254.1.1:8000/x", "http://[fe80::1]:8000", "http://[fe80::1%25eth0]",
        "http://2852039166", "http://0xa9fea9fe", "http://0251.0376.0251.0376", "http://[::ffff:169.254.169.254]",
        "http://metadata.google.internal", "http://METADATA.google.internal.", "http://[fd00:ec2::254]",
        "http://100.100.100.200",
    ],
)  # fmt: skip
def test_link_local_and_metadata_addresses_are_refused_unless_allowed(url: str) -> None:
    with pytest.raises(PlanError):
        check_endpoint(url, allow_link_local=False)
    if "%25" not in url:
        check_endpoint(url, allow_link_local=True)


@pytest.mark.parametrize(
    "url",
    [
        "", "127.0.0.1:8000", "ftp://127.0.0.1", "file:///etc/passwd", "http://", "http://a b", "http://a\nb",
        "http://user:secret@host", "http://host?x=1", "http://host#x", "http://host;id", "http://$(id)", "http://`id`",
        "http://host:99999", "javascript:alert(1)", "http://host/'x'",
    ],
)  # fmt: skip
def test_what_is_no_plain_http_address_is_refused(url: str) -> None:
    with pytest.raises(PlanError):
        check_endpoint(url, allow_link_local=True)


@pytest.mark.parametrize("url", ["http://127.0.0.1:8000", "https://host.example/prefix", "http://[::1]:8000"])
def test_plain_addresses_are_taken(url: str) -> None:
    check_endpoint(url, allow_link_local=False)


def test_json_arguments_are_json() -> None:
    for client, option in (("sglang", "--extra-request-body="), ("aiperf", "--extra-inputs=")):
        argv = invocation(spec(client, temperature=0.5), {}, {}).argv
        part = next(part for part in argv if part.startswith(option))
        assert json.loads(part.removeprefix(option))["temperature"] == 0.5
