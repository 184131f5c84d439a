"""Results of EleutherAI's lm-evaluation-harness, v0.3 and v0.4, as evaluations: every metric and filter of every task.

The file has shares, not counts. A share of n items that is a whole number of items within rounding is counted;
anything else stays a score without a known noise.
"""

import datetime as dt
import math
from collections.abc import Iterator
from typing import Any

from runs.domain.evaluations import Evaluation
from runs.domain.facts import Evidence, Party, Setting, State, Status
from runs.domain.records import Remark
from runs.readers.base import Reader, ReadError, Reading, Upload, clean_text, excerpt, json_documents
from runs.readers.lm_eval.keys import HEADLINE_FILTERS, Score, scores

FORMAT = "lm_eval"
TITLE = "lm-evaluation-harness results (JSON)"
MAX_EVALUATIONS = 2000
NEAR = 1e-6


def claims(upload: Upload) -> bool:
    """By the keys that both versions write beside each other, in whatever order they survive the first 64 KiB."""
    keys = upload.outline
    if not keys.has("results"):
        return False
    return keys.any("n-shot", "n-samples", "group_subtasks", "higher_is_better") or keys.has("versions", "config.model")


def read(upload: Upload) -> Reading:
    """Raises ReadError for documents without tasks."""
    documents = json_documents(upload)
    evaluations: list[Evaluation] = []
    remarks = list(documents.remarks)
    for place, document in enumerate(documents.documents):
        results = document.get("results") if isinstance(document, dict) else None
        if not isinstance(results, dict) or not results:
            raise ReadError(upload.name, f"document {place + 1}", "results with tasks", excerpt(str(results)))
        found = list(_document(upload, document, place, len(documents.documents) > 1))
        evaluations += found
        remarks += [Remark("partial", f"{one.task}: only a part of the task was run") for one in _parts(found)]
    if not evaluations:
        raise ReadError(upload.name, "results", "a task with a score", "tasks without any")
    if len(evaluations) > MAX_EVALUATIONS:
        raise ReadError(upload.name, "results", f"at most {MAX_EVALUATIONS} scores", str(len(evaluations)))
    return Reading(FORMAT, evaluations=tuple(evaluations), remarks=tuple(remarks))


def _parts(found: list[Evaluation]) -> list[Evaluation]:
    each = {one.task.partition(", ")[0]: one for one in found if one.is_subset}
    return list(each.values())


def _document(upload: Upload, document: dict[str, Any], place: int, several: bool) -> Iterator[Evaluation]:
    for task, entry in document["results"].items():
        if not isinstance(entry, dict):
            raise ReadError(upload.name, f"results.{task}", "an object of scores", excerpt(str(entry)))
        items = _items(document, task, entry)
        found = scores(entry)
        headline = next((one for name in HEADLINE_FILTERS for one in found if one.filter == name), None)
        for score in found:
            yield _evaluation(upload, document, task, score, items, score is headline or len(found) == 1,
                              f"{place}-" if several else "")  # fmt: skip


def _evaluation(
    upload: Upload,
    document: dict[str, Any],
    task: str,
    score: Score,
    items: tuple[int | None, int | None],
    headline: bool,
    prefix: str,
) -> Evaluation:
    effective, original = items
    name = clean_text(task, 120)
    label = f"{name}, {score.name}" if not headline else name
    correct = _counted(score.value, effective)
    missing = score.value is None
    return Evaluation(
        key=_key(upload, f"{prefix}{name}-{score.name}"),
        task=label,
        correct=correct,
        total=effective if correct is not None else None,
        score=None if missing or correct is not None else score.value,
        unit="correct/total" if correct is not None else "ratio",
        shots=_shots(document, task),
        full_size=original,
        settings=_settings(upload, document),
        counts={} if correct is not None or effective is None else {"items": effective},
        configuration=_configuration(document),
        status=Status.NOT_MEASURED if missing else Status.CURRENT,
        partial=_is_partial(document, items),
        party=Party("this house"),
        evidence=(Evidence("file", upload.sha256, f"results.{name}.{score.key}"),),
        date=_date(document),
        note="; ".join(filter(None, (score.name, score.note))),
    )


def _key(upload: Upload, name: str) -> str:
    kept = "".join(char if char.isascii() and (char.isalnum() or char in "-_") else "-" for char in name)
    return f"{kept[:80]}-{upload.sha256[:8]}".strip("-")


def _counted(value: float | None, effective: int | None) -> int | None:
    """How many of the items were right, where the share says so exactly."""
    if value is None or not effective or not 0 <= value <= 1:
        return None
    right = round(value * effective)
    return right if math.isclose(right / effective, value, rel_tol=0, abs_tol=NEAR / effective) else None


def _items(document: dict[str, Any], task: str, entry: dict[str, Any]) -> tuple[int | None, int | None]:
    """Items that were run and items of the whole task; a group's are the sums over its subtasks."""
    samples = document.get("n-samples")
    samples = samples if isinstance(samples, dict) else {}
    tasks = [task]
    if task not in samples and isinstance(document.get("group_subtasks"), dict):
        below = document["group_subtasks"].get(task)
        tasks = [one for one in below if isinstance(one, str)] if isinstance(below, list) and below else [task]
    known = [samples.get(one) for one in tasks]
    totals = []
    for name in ("effective", "original"):
        counts = [_whole(one.get(name)) if isinstance(one, dict) else None for one in known]
        numbers = [count for count in counts if count is not None]
        totals.append(sum(numbers) if numbers and len(numbers) == len(counts) else None)
    return (totals[0] or _whole(entry.get("sample_len")), totals[1])


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**53 else None


def _is_partial(document: dict[str, Any], items: tuple[int | None, int | None]) -> bool:
    effective, original = items
    if effective is not None and original is not None:
        return effective < original
    return bool(_config(document).get("limit"))


def _shots(document: dict[str, Any], task: str) -> int | None:
    shots = document.get("n-shot")
    found = shots.get(task) if isinstance(shots, dict) else _config(document).get("num_fewshot")
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found < 10_000 else None


def _config(document: dict[str, Any]) -> dict[str, Any]:
    config = document.get("config")
    return config if isinstance(config, dict) else {}


def _settings(upload: Upload, document: dict[str, Any]) -> dict[str, Setting]:
    name = document.get("model_name")
    if not isinstance(name, str) or not name.strip():
        return {}
    evidence = (Evidence("file", upload.sha256, "model_name"),)
    return {"model": Setting("model", State.OBSERVED, clean_text(name, 200), evidence=evidence)}


def _configuration(document: dict[str, Any]) -> str:
    """The model's name and the harness's back end, as the file has them."""
    config = _config(document)
    parts = [document.get("model_name"), config.get("model"), document.get("lm_eval_version")]
    named = [clean_text(str(part), 120) for part in parts if isinstance(part, str) and part.strip()]
    return " · ".join(dict.fromkeys(named))[:200]


def _date(document: dict[str, Any]) -> str:
    """The day of the start in UTC; v0.4 writes it as epoch seconds."""
    seconds = document.get("date")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 946_684_800 <= seconds <= 4_102_444_800:
        return ""
    return dt.datetime.fromtimestamp(seconds, dt.UTC).date().isoformat()


READER = Reader(FORMAT, TITLE, claims, read)
