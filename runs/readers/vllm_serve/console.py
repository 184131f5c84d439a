"""What ``vllm bench serve`` prints: "Serving Benchmark Result" with figures rounded to two digits."""

import re
from collections.abc import Iterator
from decimal import Decimal

from runs.domain.facts import Basis, Evidence, Party, Printed, Quantity, Setting, SettingValue, State
from runs.domain.metrics import BY_KEY, LATENCY_STATS
from runs.domain.records import Provenance, Remark, Requests, RunRecord
from runs.readers.base import MAX_DOCUMENTS, Reader, ReadError, Reading, ReadRun, Upload, clean_text

FORMAT = "vllm_serve_console"
TITLE = "Serving Benchmark Result"
SEARCHED = 4 << 20  # progress bars can push the block far down, not for ever

_BLOCK = re.compile(r"^=+ Serving Benchmark Result =+[ \t\r]*$(.*?)(^={20,}[ \t\r]*$|\Z)", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"^[ \t]*([A-Za-z][^:\n]*?):[ \t]+(\S+)[ \t]*\r?$", re.MULTILINE)
_LATENCY = re.compile(r"(Mean|Median|P\d+(?:\.\d+)?) (TTFT|TPOT|ITL|E2EL) \(ms\)")
_ARGUMENT = r"\b{}=('[^'\n]*'|[^,)\n]+)"

_FIGURES = {
    "Total Token throughput (tok/s)": "total_throughput",
    "Total token throughput (tok/s)": "total_throughput",
    "Output token throughput (tok/s)": "output_throughput",
    "Request throughput (req/s)": "request_throughput",
    "Request goodput (req/s)": "request_goodput",
    "Peak output token throughput (tok/s)": "peak_output_throughput",
    "Benchmark duration (s)": "duration",
    "Acceptance rate (%)": "spec_acceptance",
    "Acceptance length": "spec_acceptance_length",
}
_ARGUMENTS = {"model": "model", "temperature": "temperature", "ignore_eos": "ignore_eos", "dataset_name": "dataset"}


def claims(upload: Upload) -> bool:
    return not upload.outline.is_json and not upload.head.lstrip().startswith("{") and _has_title(upload)


def _has_title(upload: Upload) -> bool:
    return TITLE in upload.head or TITLE.encode() in upload.data[:SEARCHED]


def read(upload: Upload) -> Reading:
    """One run for each printed block. Raises ReadError for a cut block, another client's, or none completed."""
    blocks = list(_BLOCK.finditer(upload.text))
    if not blocks or len(blocks) > MAX_DOCUMENTS:
        raise ReadError(upload.name, "", f"1 to {MAX_DOCUMENTS} blocks '{TITLE}'", f"{len(blocks)}; upload the JSON")
    runs = tuple(_run(upload, block, number, len(blocks)) for number, block in enumerate(blocks, 1))
    return Reading(FORMAT, runs)


def _run(upload: Upload, block: re.Match[str], number: int, count: int) -> ReadRun:
    place = f"block {number}"
    lines = {name.strip(): value for name, value in _LINE.findall(block.group(1))}
    if "Backend" in lines or "Total input text tokens" in lines:
        seen = "that of SGLang's bench_serving: upload its JSON"
        raise ReadError(upload.name, place, "the block of vllm bench serve", seen)
    if not block.group(2):
        raise ReadError(upload.name, place, "a whole block", "one that is cut off: upload the JSON")
    completed = _count(lines.get("Successful requests"))
    if not completed:
        raise ReadError(
            upload.name, f"{place}, Successful requests", "at least one completed request",
            "zero completed requests: zeros in the block are not measurements",
        )  # fmt: skip
    quantities = tuple(_quantities(lines, upload.sha256, place))
    if not any(quantity.metric != "duration" for quantity in quantities):
        raise ReadError(upload.name, place, "a throughput or a latency", "none: upload the JSON")
    failed = _count(lines.get("Failed requests"))
    said = "read from the console: figures are rounded and lack a date, the JSON has more"
    remarks = [Remark("rounded-figures", said)]
    if failed:
        remarks.append(Remark("failed-requests", f"{failed} requests failed; figures are of the others", place))
    tokens = [_count(lines.get(f"Total {kind} tokens")) for kind in ("input", "generated")]
    record = RunRecord(
        label=upload.stem if count == 1 else f"{upload.stem}, {place}", provenance=Provenance.MEASURED,
        party=Party("this house", "operator of the run"), quantities=quantities, remarks=tuple(remarks),
        settings=_settings(upload, block, lines, completed, tokens, place),
        requests=Requests(None if failed is None else completed + failed, completed, failed, tokens[0], tokens[1]),
    )  # fmt: skip
    return ReadRun(place, record)


def _quantities(lines: dict[str, str], sha256: str, place: str) -> Iterator[Quantity]:
    for name, text in lines.items():
        latency = _LATENCY.fullmatch(name)
        metric, stat = _FIGURES.get(name, ""), ""
        if latency:
            metric, stat = latency.group(2).lower(), latency.group(1).lower()
        value = _decimal(text)
        if not metric or value is None or value <= 0 or (latency and stat not in LATENCY_STATS):
            continue
        yield Quantity(
            metric=metric, stat=stat, unit=BY_KEY[metric].unit, basis=Basis.MEASURED, repeats=1,
            value=value.scaleb(-3) if latency else value, printed=Printed(f"{text} ms" if latency else text),
            evidence=(Evidence("file", sha256, f"{place}, {name}"),),
        )  # fmt: skip


def _settings(
    upload: Upload, block: re.Match[str], lines: dict[str, str], completed: int, tokens: list[int | None], place: str
) -> dict[str, Setting]:
    found: dict[str, Setting] = {}

    def put(key: str, value: SettingValue, where: str, state: State = State.OBSERVED, note: str = "") -> None:
        found[key] = Setting(key, state, value, evidence=(Evidence("file", upload.sha256, where),), note=note)

    put("client", "vllm bench serve", f"{place}, its lines", State.INFERRED, "inferred from the printed block")
    limit = _count(lines.get("Maximum request concurrency"))
    if limit:
        put("concurrency", limit, f"{place}, Maximum request concurrency")
    for key, total in zip(("isl", "osl"), tokens, strict=True):
        if total:
            note = f"mean of {completed} completed requests"
            put(key, (2 * total + completed) // (2 * completed), f"{place}, tokens / requests", note=note)
    for argument, text in _arguments(upload.text, block.start()).items():
        put(_ARGUMENTS[argument], _value(argument, text), f"Namespace(… {argument}=…)")
    return found


def _arguments(text: str, before: int) -> dict[str, str]:
    """The wanted arguments of the last ``Namespace(...)`` line before a block: what the client was called with."""
    start = text.rfind("Namespace(", 0, before)
    previous = text.rfind(TITLE, 0, before)
    if start < 0 or start < previous:
        return {}
    line = text[start : text.find("\n", start)]
    found = {key: match.group(1).strip() for key in _ARGUMENTS if (match := re.search(_ARGUMENT.format(key), line))}
    return {key: value for key, value in found.items() if value != "None"}


def _value(argument: str, text: str) -> SettingValue:
    if argument == "ignore_eos":
        return text == "True"
    if argument == "temperature":
        number = _decimal(text)
        return None if number is None else float(number)
    return clean_text(text.strip("'"))


def _decimal(text: str) -> Decimal | None:
    return Decimal(text) if re.fullmatch(r"\d{1,15}(\.\d{1,15})?", text) else None


def _count(text: str | None) -> int | None:
    return int(text) if text is not None and re.fullmatch(r"\d{1,15}", text) else None


CONSOLE = Reader(FORMAT, "vllm bench serve console output", claims, read)
