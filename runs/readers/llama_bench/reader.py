"""Every test of a llama-bench file into one record. It runs the model file itself: no server, no requests, no sampling.

Its rates are tokens over the time of one evaluation, without tokenising and sampling. They have a timing definition of
their own, by which they compare with nothing but themselves.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from runs.domain.facts import Party, State
from runs.domain.records import Provenance, Remark, RunRecord, Window
from runs.readers.base import (
    Findings,
    Reader,
    ReadError,
    Reading,
    ReadRun,
    Upload,
    clean_text,
    excerpt,
    finite,
    json_documents,
    short_name,
    whole,
)

FORMAT = "llama_bench"
TITLE = "llama-bench result (JSON, JSON lines)"
OPERATOR = Party("this house", "operator of the run")
DEFINITION = "llama-bench: tokens over the evaluation's time, without server, tokenising and sampling"
MOST_TESTS = 2000
STAMP_S = 1.0


def claims(upload: Upload) -> bool:
    return upload.outline.has("build_commit", "avg_ts") and upload.outline.any("n_prompt", "n_gen")


def read(upload: Upload) -> Reading:
    """A run of every test. Raises ReadError where no test has a rate."""
    documents = json_documents(upload)
    tests = [
        one for document in documents.documents for one in (document if isinstance(document, list) else [document])
    ]
    if len(tests) > MOST_TESTS:
        raise ReadError(upload.name, "", f"at most {MOST_TESTS} tests", str(len(tests)))
    runs: list[ReadRun] = []
    remarks, refused = list(documents.remarks), list[ReadError]()
    for number, test in enumerate(tests):
        try:
            runs.append(ReadRun(f"[{number}]", _record(upload, test, f"test {number + 1}")))
        except ReadError as error:
            refused.append(error)
            remarks.append(Remark("left-out", f"test {number + 1} was left out: {error.seen}", error.place))
    if not runs:
        raise refused[0] if refused else ReadError(upload.name, "", "at least one test", "none")
    return Reading(FORMAT, tuple(runs), remarks=tuple(remarks))


def _record(upload: Upload, test: object, place: str) -> RunRecord:
    if not isinstance(test, dict):
        raise ReadError(upload.name, place, "an object", excerpt(str(test)))
    prompt, generated = whole(test.get("n_prompt")), whole(test.get("n_gen"))
    if not prompt and not generated:
        raise ReadError(upload.name, place, "n_prompt or n_gen above 0", f"{test.get('n_prompt')}, {test.get('n_gen')}")
    found = Findings(upload.sha256, place)
    rates = [one for value in _list(test, "samples_ts") if (one := finite(value)) and one > 0]
    more: dict[str, Any] = {"definition": DEFINITION, "repeats": max(1, len(rates))}
    if len(rates) > 1:
        more["repeat_values"] = tuple(rates)
    metric = "prefill_throughput" if not generated else "output_throughput" if not prompt else "total_throughput"
    found.figure(metric, test.get("avg_ts"), "avg_ts", **more)
    if found.is_empty:
        seen = excerpt(str(test.get("avg_ts")))
        raise ReadError(upload.name, found.at("avg_ts"), "tokens per second above 0", seen)
    _settings(test, prompt, generated, found)
    name = f"{'pp' + str(prompt) if prompt else ''}{'+' if prompt and generated else ''}" + (
        f"tg{generated}" if generated else ""
    )
    depth = whole(test.get("n_depth"))
    model = found.settings.get("model")
    label = f"{model.value if model else 'llama-bench'} {name}" + (f" @ d{depth}" if depth else "")
    return RunRecord(
        label=clean_text(label, 120), provenance=Provenance.MEASURED, party=OPERATOR, settings=found.settings,
        quantities=tuple(found.figures.values()), window=_window(test, found), remarks=tuple(found.remarks),
    )  # fmt: skip


def _settings(test: Mapping[str, Any], prompt: int | None, generated: int | None, found: Findings) -> None:
    found.setting("client", "llama-bench", "build_commit, avg_ts")
    build, commit = whole(test.get("build_number")), clean_text(str(test.get("build_commit") or ""), 60)
    version = " ".join(filter(None, (f"b{build}" if build else "", f"({commit})" if commit else "")))
    if version:
        found.setting("client_version", version, "build_number, build_commit")
        found.setting("runtime_version", version, "build_number, build_commit")
    backend = clean_text(str(test.get("backends") or ""), 60)
    found.setting("runtime", "llama.cpp", "backends", note=f"back end {backend}" if backend else "")
    file, kind = test.get("model_filename"), clean_text(str(test.get("model_type") or ""), 80)
    if isinstance(file, str) and file.strip():
        found.text("model", short_name(file), "model_filename", note=kind)
    devices = test.get("gpu_info")
    names = {one.strip() for one in devices.split(",") if one.strip()} if isinstance(devices, str) else set()
    if len(names) == 1 and test.get("n_gpu_layers") != 0:
        found.text("accelerator", names.pop(), "gpu_info")
    depth = whole(test.get("n_depth"))
    said = f"at a context that holds {depth} tokens already" if depth else ""
    for key, count, source in (("isl", prompt, "n_prompt"), ("osl", generated, "n_gen")):
        if count:
            found.setting(key, count, source, note=said)
        else:
            found.setting(key, None, source, state=State.NOT_APPLICABLE, note="the test has none of these")
    found.setting("concurrency", 1, "the layout of the file", note="llama-bench evaluates one sequence at a time")
    found.setting("temperature", None, "the layout of the file", state=State.NOT_APPLICABLE, note="nothing is sampled")
    # A workload of its own: at another depth nothing is comparable.
    behind = f" behind a context of {depth} tokens" if depth else ""
    found.setting("prompts", f"random tokens{behind}", "n_depth" if depth else "the layout of the file")
    found.text("date", test.get("test_time"), "test_time", note="start of the test, UTC")


def _window(test: Mapping[str, Any], found: Findings) -> Window | None:
    """From the start, in whole seconds and before the warm-up, to the end of the last repetition."""
    nanoseconds = [one for value in _list(test, "samples_ns") if (one := finite(value)) and 0 < one < 1e16]
    stamp = test.get("test_time")
    if not nanoseconds or not isinstance(stamp, str):
        return None
    try:
        started = datetime.fromisoformat(stamp)
        start = (started if started.tzinfo else started.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        found.remark("date", f"test_time is {clean_text(stamp, 40)!r}, no time: no window", "test_time")
        return None
    seconds = sum(nanoseconds) / 1e9
    note = "the start is in whole seconds and before a warm-up of about one repetition"
    off = STAMP_S + max(nanoseconds) / 1e9
    return Window(start, start + seconds, State.INFERRED, off, found.evidence("test_time, samples_ns"), note)


def _list(test: Mapping[str, Any], key: str) -> list[Any]:
    found = test.get(key)
    return found if isinstance(found, list) else []


READER = Reader(FORMAT, TITLE, claims, read)
