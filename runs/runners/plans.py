"""A typed plan: what a benchmark is to be, before it is an argument list of some client. Values are data, always."""

import ipaddress
import itertools
import socket
import unicodedata
from collections.abc import Iterator
from typing import Annotated, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta

from runs.runners.agent.endpoint import NAMES, forbidden

Client = Literal["vllm", "sglang", "guidellm", "aiperf", "llama-bench", "lm-eval", "lmx", "command"]
Text = Annotated[str, Meta(max_length=500)]
Name = Annotated[str, Meta(max_length=200)]
Count = Annotated[int, Meta(ge=0, le=10_000_000)]
MATRIX_KEYS = ("concurrency", "temperature", "isl", "osl", "num_prompts", "request_rate")
MOST_CELLS = 200


class PlanError(ValueError):
    """A plan that cannot be: which key, what was expected and what was seen."""

    def __init__(self, place: str, expected: str, seen: object) -> None:
        self.place, self.expected, self.seen = place, expected, str(seen)[:200]
        super().__init__(f"{place}: expected {expected}, saw {self.seen}")


class PlanSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A workload for a client. ``matrix`` lists values that fan out into jobs; ``settings`` are stated for the runs.

    ``temperature`` has no default: what a client or a server would take by itself is never recorded. ``seed`` is 1 and
    ``ignore_eos`` true for the clients that take them, and refused by those that don't. Without a ``dataset`` prompts
    are random tokens.
    ``power_cap_w`` is checked against the target's caps. ``pre`` and ``post`` name commands of the target's own list.
    """

    client: Client
    endpoint: Annotated[str, Meta(max_length=500)] = ""
    model: Name = ""
    temperature: Annotated[float, Meta(ge=0, le=10)] | None = None
    isl: Count | None = None
    osl: Count | None = None
    num_prompts: Count | None = None
    concurrency: Count | None = None
    request_rate: Annotated[float, Meta(gt=0, le=1e6)] | None = None
    dataset: Name = ""
    top_p: Annotated[float, Meta(gt=0, le=1)] | None = None
    top_k: Annotated[int, Meta(ge=1, le=1_000_000)] | None = None
    ignore_eos: bool | None = None
    tokenizer: Text = ""
    seed: Annotated[int, Meta(ge=0, le=2**31)] | None = None
    quantization: Name = ""
    tasks: Name = ""
    command: Name = ""
    parameters: dict[Name, Text] = msgspec.field(default_factory=dict)
    matrix: dict[Name, list[float | int]] = msgspec.field(default_factory=dict)
    repeats: Annotated[int, Meta(ge=1, le=100)] = 1
    timeout_s: Annotated[int, Meta(ge=1, le=7 * 86400)] = 3600
    pre: list[Name] = msgspec.field(default_factory=list)
    post: list[Name] = msgspec.field(default_factory=list)
    power_cap_w: Annotated[float, Meta(gt=0, le=20_000)] | None = None
    active_gpus: list[Annotated[int, Meta(ge=0, le=1023)]] = msgspec.field(default_factory=list)
    setup: Name = ""
    settings: dict[Name, str | int | float | bool] = msgspec.field(default_factory=dict)


def read_plan(data: object) -> PlanSpec:
    """The plan of decoded JSON. Raises PlanError for whatever is no plan, and for values no argument list can hold."""
    try:
        spec = msgspec.convert(data, PlanSpec)
    except msgspec.ValidationError as error:
        said, _at, path = str(error).partition(" - at `$.")
        expected, comma, seen = said.removeprefix("Expected ").partition(", got ")
        place = path.rstrip("`").partition("[")[0] or "plan"
        raise PlanError(place, expected if comma or path else "a plan", seen or _shown(data, place, error)) from None
    for place, text in _texts(spec):
        if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
            raise PlanError(place, "text without NUL characters and lone surrogates", text.replace("\0", "\\0"))
    for key in spec.matrix:
        if key not in MATRIX_KEYS:
            raise PlanError("matrix", f"one of: {', '.join(MATRIX_KEYS)}", key)
    if not all(spec.matrix.values()):
        raise PlanError("matrix", "at least one value for each key", "an empty list")
    cells = list(itertools.islice(cells_of(spec), MOST_CELLS + 1))
    if len(cells) * spec.repeats > MOST_CELLS:
        raise PlanError("matrix", f"at most {MOST_CELLS} jobs", "more")
    return spec


def _shown(data: object, place: str, error: object) -> object:
    """What stood at a place, for an error that says only what was expected there."""
    return data.get(place, error) if isinstance(data, dict) else error


def _texts(spec: PlanSpec) -> Iterator[tuple[str, str]]:
    for place, value in msgspec.to_builtins(spec).items():
        if isinstance(value, str):
            yield place, value
        elif isinstance(value, dict):
            for key, inner in value.items():
                yield f"{place}.{key}", key
                yield f"{place}.{key}", str(inner)
        elif isinstance(value, list):
            yield from ((place, str(one)) for one in value)


def cells_of(spec: PlanSpec) -> Iterator[PlanSpec]:
    """One plan without a matrix for every combination of its values."""
    names = list(spec.matrix)
    for values in itertools.product(*spec.matrix.values()):
        chosen = dict(zip(names, values, strict=True))
        try:
            data = {**msgspec.to_builtins(spec), **chosen, "matrix": {}}
            yield msgspec.convert(data, PlanSpec)
        except msgspec.ValidationError as error:
            raise PlanError("matrix", "values of the key's own kind", error) from None


def cell_values(spec: PlanSpec, cell: PlanSpec) -> dict[str, float | int]:
    """Which values of the matrix a cell has."""
    return {name: getattr(cell, name) for name in spec.matrix}


def check_endpoint(url: str, *, allow_link_local: bool) -> None:
    """Refuses what is no plain HTTP address, and link-local and metadata addresses in whatever way they are written.

    Names are looked up on the target, where they mean something; the agent refuses there by the same rule.
    """
    expected = "an address such as http://127.0.0.1:8000"
    parts = urlsplit(url)
    try:
        host, _port = parts.hostname or "", parts.port
    except ValueError:
        raise PlanError("endpoint", expected, url) from None
    odd = any(char.isspace() or not char.isprintable() or char in "\"'<>\\^`{|}$;&" for char in url)
    if odd or parts.scheme not in ("http", "https") or not host or parts.username is not None:
        raise PlanError("endpoint", expected, url)
    if parts.query or parts.fragment:
        raise PlanError("endpoint", f"{expected}, without ? and #", url)
    if not allow_link_local and (_literal(host).lower() in NAMES or forbidden(_literal(host))):
        raise PlanError("endpoint", "no link-local or metadata address (the target does not allow them)", url)


def _literal(host: str) -> str:
    """The address that a host is written as, also in the short and numeric forms that the C library takes, with a dot
    behind it, or in the wide letters that a look-up takes for plain ones."""
    host = unicodedata.normalize("NFKC", host).replace("\u3002", ".").rstrip(".")
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return socket.inet_ntoa(socket.inet_aton(host))
    except OSError:
        return host
