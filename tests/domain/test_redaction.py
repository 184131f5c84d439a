"""What is withheld is nowhere in the object, and the grades are those of the whole."""

from dataclasses import replace
from typing import Any

import pytest

from runs.domain import snapshot
from runs.domain.compare import compare
from runs.domain.comparison import Comparison, RunEntry
from runs.domain.facts import Evidence, Setting, State
from runs.domain.records import Remark, RunRecord
from runs.domain.redaction import WITHHELD, Redactions, redact, redact_text
from runs.domain.units import DomainError
from tests.builders import record

NODE = "gpu-node07"


def _run(label: str, node: str) -> RunRecord:
    made = record(label, node=node, dataset=f"/data/{node}/prompts.jsonl")
    evidence = (Evidence("file", "ab" * 32, f"results/{node}_8k/run.json", f"host={node}"),)
    cap = Setting("power_cap_w", State.STATED, 800.0, evidence=evidence)
    noted = made.with_settings(cap)
    return replace(noted, notes=f"ran on {node.upper()}", remarks=(Remark("seen", f"{node} was warm", f"{node}.log"),))


@pytest.fixture
def whole() -> Comparison:
    runs = [RunEntry("a", _run(f"Six on {NODE}", NODE)), RunEntry("b", _run("Eight", "other-node"))]
    return compare(runs)


def test_no_text_names_the_node(whole: Comparison) -> None:
    shown = redact(whole, Redactions(nodes=True))
    text = snapshot.to_json(shown).decode().casefold()
    assert NODE in snapshot.to_json(whole).decode()
    assert NODE not in text
    assert "other-node" not in text
    assert WITHHELD in text
    assert snapshot.from_json(snapshot.to_json(shown)) == shown


def test_grades_and_caveats_are_those_of_the_whole(whole: Comparison) -> None:
    shown = redact(whole, Redactions(nodes=True, notes=True, files=True))
    verdicts = [[cell.verdict for cell in row.cells] for row in shown.rows]
    assert verdicts == [[cell.verdict for cell in row.cells] for row in whole.rows]
    assert [caveat.id for caveat in shown.caveats] == [caveat.id for caveat in whole.caveats]
    assert "node-differs" in [caveat.id for caveat in shown.caveats]


def test_notes_and_files_go(whole: Comparison) -> None:
    text = snapshot.to_json(redact(whole, Redactions(notes=True, files=True))).decode()
    for gone in ("ran on", "ab" * 32, "run.json", f"{NODE}.log"):
        assert gone not in text


def test_a_withheld_setting_has_neither_row_nor_value(whole: Comparison) -> None:
    shown = redact(whole, Redactions(settings=("runtime", "active_gpus")))
    assert {"runtime", "active_gpus"}.isdisjoint(row.key for row in shown.settings)
    assert "vLLM" not in " ".join(head.label for head in shown.runs)
    inputs = [one.name for row in shown.rows for cell in row.cells if cell.figure for one in cell.figure.inputs]
    assert "active_gpus" not in inputs


@pytest.mark.parametrize("chosen", [{"settings": ("power_cap_w",)}, {"labels": (("a", "Ours"),)}])
def test_the_name_of_a_setup_goes_with_the_settings_and_labels_it_tells(chosen: dict[str, Any]) -> None:
    named = replace(record("Six"), setup="paiton-6x800w")
    whole = compare([RunEntry("a", named), RunEntry("b", record("Eight"))])
    assert whole.runs[0].setup == "paiton-6x800w"
    assert redact(whole, Redactions(files=True)).runs[0].setup == "paiton-6x800w"
    assert b"6x800w" not in snapshot.to_json(redact(whole, Redactions(**chosen)))


def test_texts_that_go_with_it(whole: Comparison) -> None:
    hidden = redact_text(f"For {NODE.upper()}: see node07", whole, Redactions(nodes=True))
    assert hidden == f"For {WITHHELD}: see node07"


def test_an_unknown_setting_is_refused() -> None:
    with pytest.raises(DomainError, match="unknown setting"):
        Redactions(settings=("nodes",))


def test_nothing_withheld_is_the_same_object(whole: Comparison) -> None:
    assert redact(whole, Redactions()) is whole
