"""What the head of a column suggests: which figure or setting it holds, its unit, its basis. A person decides."""

import re
from dataclasses import dataclass

from runs.domain.facts import Basis
from runs.domain.metrics import METRICS, SETTINGS, metric, setting_spec
from runs.domain.units import DomainError, unit
from runs.readers.pasted.cells import unit_symbol

LABEL, IGNORE, UNDECIDED = "label", "ignore", ""
FIGURE, SETTING = "figure:", "setting:"


@dataclass(frozen=True)
class Column:
    """What a column holds: ``target`` is ``label``, ``ignore``, ``figure:KEY``, ``setting:KEY`` or "" (undecided)."""

    target: str
    unit: str = ""
    basis: Basis = Basis.MEASURED

    @property
    def figure(self) -> str:
        return self.target.removeprefix(FIGURE) if self.target.startswith(FIGURE) else ""

    @property
    def setting(self) -> str:
        return self.target.removeprefix(SETTING) if self.target.startswith(SETTING) else ""


_LATENCY = (
    ("ttft", r"\bttft\b|time to first|tijd tot het eerste|eerste token"),
    ("tpot", r"\btpot\b|time per (output )?token|tijd per (uitvoer)?token"),
    ("itl", r"\bitl\b|inter-?token"),
    ("e2el", r"\be2el?\b|end[- ]to[- ]end|request latency"),
)
_STATS = (
    ("median", r"\bmedian|\bmedia[an]+\b|\bp50\b"),
    ("mean", r"\bmean\b|\bavg\b|average|gemiddeld"),
    ("p90", r"\bp90\b"),
    ("p95", r"\bp95\b"),
    ("p99", r"\bp99\b"),
    ("single", r"één verzoek|one request|single"),
)
_RATE = r"tok(en)?s?\s*/\s*s|tok(en)?s? per sec|doorvoer|throughput"
_SETTINGS = (
    ("temperature", r"temperatu"),
    ("power_cap_w", r"power (cap|limit)|vermogenslimiet|\btdp\b|\bcap\b"),
    ("concurrency", r"concurren|gelijktijdig"),
    ("isl", r"\bisl\b|input (len|seq|tokens)|invoertokens|invoerlengte"),
    ("osl", r"\bosl\b|output (len|seq|tokens)|uitvoertokens|uitvoerlengte"),
    ("speculative_method", r"speculative|spec\.? ?decod|\bmtp\b"),
    ("tensor_parallel", r"\btp\b|tensor.?parallel"),
    ("expert_parallel", r"\bep\b|expert.?parallel"),
    ("prefix_caching", r"prefix.?cach"),
    ("precision", r"precision|quanti|precisie|kwanti|dtype"),
    ("num_prompts", r"num.?prompts|number of (prompts|requests)|aantal (prompts|verzoeken)"),
    ("request_rate", r"request rate|\bqps\b"),
    ("runtime_version", r"(runtime|software) version|versie"),
    ("node_gpus", r"gpus? (of|in|van) (the |de )?node|node gpus"),
    ("accelerator", r"accelerator|gpu (type|model)|^hardware$"),
    ("active_gpus", r"^(#|active|actieve|number of|aantal)?\s*gpus?$"),
    ("client", r"\bclient\b"),
    ("dataset", r"dataset"),
    ("model", r"^model"),
    ("runtime", r"^(runtime|framework|engine|backend)$"),
    ("date", r"^(date|datum)$"),
)
_UNIT = re.compile(r"[\[(,]\s*([^\[\](),]{1,20}?)\s*[\])]?\s*$")
_TOKENS_OVER = re.compile(r"(\w*?)\s?tok(?:en)?s?\s*(?:/|\bper\b)\s*([a-z]+)")
_SECONDS = frozenset({"s", "sec", "secs", "second", "seconds", "seconde"})
_SCALES = frozenset({"m", "mega", "million", "miljoen", "g", "giga", "billion", "miljard"})
_KILO = frozenset({"k", "kilo", "thousand", "duizend", "1000"})
_TIMES = re.compile(r"[x×*]\s?(?:1[.,]?000|10\s?[\^³⁶])")
_BASES = (
    (Basis.ESTIMATED, r"estimat|geschat|schatting|extrapol|project"),
    (Basis.ASSUMED, r"assum|aangenomen|aanname"),
)


def suggest(head: str, place: int = 1) -> Column:
    """The suggestion for a column's head, in English or Dutch; undecided where the head does not say enough."""
    words = " ".join(head.casefold().split())
    exact = _by_key(head)
    if exact is not None:
        return exact
    figure = _figure(words)
    if figure:
        return Column(FIGURE + figure, _unit_of(head, figure), _basis(words, figure))
    if place == 0:
        return Column(LABEL)
    for key, pattern in _SETTINGS:
        if re.search(pattern, words):
            return Column(SETTING + key)
    return Column(IGNORE if re.search(r"[$€£]|cost|kosten|note|opmerking", words) else UNDECIDED)


def _by_key(head: str) -> Column | None:
    """A head that is a key of the catalogue, or the very name of a setting or a metric."""
    for spec in SETTINGS:
        if head in (spec.key, spec.name):
            return Column(SETTING + spec.key)
    for known in METRICS:
        if head in (known.key, known.name) and "" in known.stats:
            return Column(FIGURE + known.key, known.unit, _basis("", known.key))
    return None


def _figure(words: str) -> str:
    for name, pattern in _LATENCY:
        if re.search(pattern, words):
            stat = next((stat for stat, sign in _STATS if re.search(sign, words)), "")
            return f"{name}:{stat}" if stat else ""
    if re.search(r"req(uest)?s?\s*/\s*s", words):
        return "request_throughput"
    if re.search(_RATE, words) and "kw" not in words.split("/"):
        return _throughput(words)
    if re.search(r"(joint|total|gezamenlijk)\w*.*(power (cap|limit)|vermogenslimiet)", words):
        return "gpu_power_cap"
    if re.search(r"(measured|gemeten|mean|gemiddeld)\w*.*(power|draw|vermogen|verbruik)", words):
        return "gpu_power:mean"
    return ""


def _throughput(words: str) -> str:
    each = bool(re.search(r"/\s*gpu|per gpu", words))
    if re.search(r"output|uitvoer|generat|decode", words):
        return "per_gpu_output" if each else "output_throughput"
    if re.search(r"prefill|input|invoer", words):
        return "prefill_throughput" if not each else ""
    if re.search(r"total|totaal|totale", words):
        return "per_gpu_total" if each else "total_throughput"
    return ""


def _unit_of(head: str, figure: str) -> str:
    """The unit that a head names; "" where it names none and the cells must."""
    if figure.startswith(("total_throughput", "output_throughput", "prefill")) and "tok" in head.casefold():
        return _token_rate(head.casefold())
    if figure.startswith("per_gpu"):
        rate = _token_rate(head.casefold()) if "tok" in head.casefold() else "tok/s"
        return "tok/s/GPU" if rate == "tok/s" else ""
    if figure == "request_throughput":
        return "req/s"
    found = _UNIT.search(head)
    return unit_symbol(found[1]) if found else ""


def _token_rate(words: str) -> str:
    """tok/s or ktok/s; "" for tokens in millions, by the minute, or scaled in another way: the cells must say."""
    found = _TOKENS_OVER.search(words)
    if found is None or found[2] not in _SECONDS or found[1] in _SCALES or _TIMES.search(words):
        return ""
    return "ktok/s" if found[1] in _KILO else "tok/s"


def _basis(words: str, figure: str) -> Basis:
    for basis, pattern in _BASES:
        if re.search(pattern, words):
            return basis
    return Basis.DERIVED if figure.startswith(("per_gpu", "gpu_power_cap")) else Basis.MEASURED


def column_of(target: str, symbol: str = "", basis: str = "") -> Column:
    """A column as a person chose it. Raises DomainError for a figure, setting, unit or basis that is not known."""
    column = Column(target, symbol, Basis(basis) if basis in set(Basis) else Basis.MEASURED)
    if column.figure:
        name, _, stat = column.figure.partition(":")
        if stat not in metric(column.figure).stats:
            raise DomainError(f"{name}: say which statistic it is: {', '.join(metric(name).stats)}")
        if symbol and unit(symbol).dimension != unit(metric(name).unit).dimension:
            raise DomainError(f"{metric(name).name} is not measured in {symbol}")
    elif column.setting:
        setting_spec(column.setting)
    elif target not in (LABEL, IGNORE, UNDECIDED):
        raise DomainError(f"a column is a label, a figure, a setting or left out, not {target!r}")
    return column
