"""Argument lists: every value stays the value that it is, for every client."""

import json

import pytest

from runs.runners.clients import Command, Invocation, invocation
from runs.runners.plans import PlanError, PlanSpec, cells_of, check_endpoint, read_plan

ODD = ["--flag=1", "-rf", 'it\'s "quoted"', "$(id)", "`id`", "a\nb", "a b", "; rm -rf /", "ü|&<>*?~"]
FULL = {
    "endpoint": "http://127.0.0.1:8000", "model": "m", "temperature": 0.0, "isl": 100, "osl": 10, "num_prompts": 5,
    "concurrency": 1, "tasks": "gsm8k",
}  # fmt: skip
NOT_TOLD = {
    "vllm": ("tasks",), "sglang": ("tasks",), "guidellm": ("tasks",), "aiperf": ("tasks",), "lmx": ("tasks",),
    "llama-bench": ("tasks", "temperature"), "lm-eval": ("isl", "osl"),
    "command": ("tasks", "temperature", "isl", "osl", "num_prompts", "concurrency"),
}  # fmt: skip
CLIENTS = ("vllm", "sglang", "guidellm", "aiperf", "lm-eval", "llama-bench", "lmx")
SERVED = ("vllm", "sglang", "guidellm", "aiperf")


def spec(client: str, **more: object) -> PlanSpec:
    own = {name: value for name, value in FULL.items() if name not in NOT_TOLD.get(client, ())}
    return read_plan({"client": client, **own, **more})


def told(client: str, **more: object) -> Invocation:
    return invocation(spec(client, **more), {}, {})


def option(client: str, name: str, **more: object) -> str:
    """The value of an option in the client's argument list."""
    found = [part for part in told(client, **more).argv if part.startswith(f"--{name}=")]
    assert len(found) == 1, found
    return found[0].partition("=")[2]


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("odd", ODD)
def test_a_model_name_never_becomes_an_option_or_another_argument(client: str, odd: str) -> None:
    if (client, odd) in (("lm-eval", "--flag=1"), ("llama-bench", "; rm -rf /")):
        with pytest.raises(PlanError, match="splits"):
            told(client, model=odd)
        return
    plain, hostile = told(client, model="PLAIN").argv, told(client, model=odd).argv
    # guidellm's values are JSON: there the name is quoted, which parses back to what it was.
    written = json.dumps(odd)[1:-1] if client == "guidellm" else odd
    assert [part.replace("PLAIN", written) for part in plain] == list(hostile)
    beginning = [part for part in hostile if part.startswith(odd)]
    # llama-bench takes what follows -m as it is, whatever it begins with.
    assert beginning == ([odd] if client == "llama-bench" else [])
    if client == "guidellm":
        assert json.loads(option(client, "backend", model=odd))["model"] == odd


@pytest.mark.parametrize("client", [*SERVED, "lm-eval", "lmx"])
def test_the_temperature_is_always_passed_and_never_assumed(client: str) -> None:
    assert told(client, temperature=0.7).sampling["temperature"] == 0.7
    said = " ".join(told(client, temperature=0.7).argv)
    assert any(form in said for form in ("temperature=0.7", '"temperature": 0.7'))
    zero = " ".join(told(client, temperature=0).argv)
    assert any(form in zero for form in ("temperature=0", '"temperature": 0'))
    with pytest.raises(PlanError, match="temperature"):
        told(client, temperature=None)


@pytest.mark.parametrize("client", [*SERVED, "lm-eval"])
def test_further_sampling_is_passed_and_recorded_only_where_the_plan_says_it(client: str) -> None:
    plain, drawn = told(client), told(client, top_p=0.9, top_k=20, seed=7)
    assert not {"top_p", "top_k"} & set(plain.sampling)
    assert not any("top_" in part or "top-" in part for part in plain.argv)
    assert (drawn.sampling["top_p"], drawn.sampling["top_k"], drawn.sampling["seed"]) == (0.9, 20, 7)
    said = " ".join(drawn.argv)
    assert any(form in said for form in ("--top-p=0.9", '"top_p": 0.9', "top_p=0.9"))
    assert any(form in said for form in ("--top-k=20", '"top_k": 20', "top_k=20"))
    assert any(form in said for form in ("seed=7", '"value": 7'))
    assert plain.sampling["seed"] == 1


@pytest.mark.parametrize("client", SERVED)
def test_end_of_sequence_is_ignored_unless_the_plan_says_otherwise(client: str) -> None:
    assert told(client).sampling["ignore_eos"] is True
    assert told(client, ignore_eos=False).sampling["ignore_eos"] is False
    assert told(client).argv != told(client, ignore_eos=False).argv


@pytest.mark.parametrize(
    ("client", "key", "value"),
    [
        *(("llama-bench", key, value) for key, value in (
            ("temperature", 0.0), ("top_p", 0.5), ("top_k", 5), ("seed", 1), ("ignore_eos", True), ("concurrency", 4),
            ("request_rate", 2.0))),
        *(("lmx", key, value) for key, value in (
            ("top_p", 0.5), ("top_k", 5), ("seed", 1), ("ignore_eos", False), ("concurrency", 4),
            ("request_rate", 2.0))),
        ("lm-eval", "ignore_eos", True), ("lm-eval", "request_rate", 1.0), ("lm-eval", "isl", 100),
        ("guidellm", "dataset", "sharegpt"), ("aiperf", "dataset", "sharegpt"), ("vllm", "quantization", "fp8"),
        ("sglang", "tasks", "gsm8k"), ("llama-bench", "tokenizer", "/t"),
    ],
)  # fmt: skip
def test_what_a_client_cannot_be_told_is_refused_in_words(client: str, key: str, value: object) -> None:
    with pytest.raises(PlanError) as refused:
        told(client, **{key: value})
    assert refused.value.place == key
    assert client in refused.value.expected


def test_llama_bench_prints_its_result_into_a_file_of_its_own() -> None:
    found = told("llama-bench")
    assert (found.stdout, found.results) == ("llama-bench.json", ("llama-bench.json",))
    assert found.sampling == {}
    assert found.argv == ("llama-bench", "-m", "m", "-p", "100", "-n", "10", "-r", "5", "-o", "json")


def test_guidellm_is_told_a_rate_or_a_number_of_streams() -> None:
    assert json.loads(option("guidellm", "profile", concurrency=8)) == {"kind": "concurrent", "streams": 8}
    assert json.loads(option("guidellm", "profile", concurrency=8, request_rate=2.5)) == {
        "kind": "constant", "rate": 2.5, "max_concurrency": 8,
    }  # fmt: skip


def test_lmx_asks_a_running_server_and_submits_nothing() -> None:
    argv = told("lmx").argv
    assert argv[:4] == ("lmx", "benchmark", "run", "vllm")
    assert {"--mode=remote", "--max-tokens=10", "--prompt-tokens=100", "--temperature=0", "--iterations=5"} <= set(argv)
    assert not any("submit" in part for part in argv)


@pytest.mark.parametrize(("client", "model"), [("aiperf", "a,b"), ("llama-bench", "a,b"), ("lm-eval", "a,b=c")])
def test_what_a_client_would_split_is_refused(client: str, model: str) -> None:
    with pytest.raises(PlanError, match="splits"):
        invocation(spec(client, model=model), {}, {})


def test_programs_of_the_target_are_used() -> None:
    found = invocation(spec("vllm"), {"vllm": "/opt/vllm/bin/vllm"}, {})
    assert found.program == "/opt/vllm/bin/vllm"
    assert found.argv[:3] == ("/opt/vllm/bin/vllm", "bench", "serve")


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

    def test_only_sampling_that_stands_in_the_command_is_recorded(self) -> None:
        command = Command(("bench", "-t{temperature}"), ("temperature",))
        assert invocation(spec("command", command="c", temperature=0.0), {}, {"c": command}).sampling == {
            "temperature": 0.0
        }
        by_hand = spec("command", command="c", parameters={"temperature": "hot"})
        assert invocation(by_hand, {}, {"c": command}).sampling == {}

    @pytest.mark.parametrize(
        ("key", "value"), [("temperature", 0.7), ("isl", 8), ("concurrency", 4), ("ignore_eos", False), ("tasks", "x")]
    )
    def test_what_the_command_is_not_told_is_refused(self, key: str, value: object) -> None:
        given = spec("command", command="c", parameters={"mode": "x"}, **{key: value})
        with pytest.raises(PlanError, match=f"the arguments of c have no {{{key}}}") as refused:
            invocation(given, {}, {"c": self.COMMAND})
        assert refused.value.place == key

    def test_one_value_is_not_said_twice(self) -> None:
        command = Command(("bench", "-t{temperature}"), ("temperature",))
        given = spec("command", command="c", temperature=0.0, parameters={"temperature": "hot"})
        with pytest.raises(PlanError, match=r"parameters\.temperature says it"):
            invocation(given, {}, {"c": command})

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
        "http://100.100.100.200", "http://169.254.169.254.", "http://\u2460\u2465\u2468.254.169.254",
        "http://169\u3002254\u3002169\u3002254", "http://[64:ff9b::a9fe:a9fe]", "http://[64:ff9b:1::a9fe:a9fe]",
        "http://[::169.254.169.254]", "http://[fd20:ce::254]", "http://metadata.goog",
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
