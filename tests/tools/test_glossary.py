"""The glossary is what the catalogues say, and the catalogues are wholly in it."""

import ast
from pathlib import Path

from dashboard.render.wording import BASIS, GRADE, REASONS, STATE, STATUS
from runs.domain.caveat_texts import TEXTS
from runs.domain.comparison import Grade
from runs.domain.facts import Basis, State, Status
from runs.domain.metrics import METRICS, SETTINGS
from tests.domain.test_caveats import CASES
from tools import glossary

TEXT = glossary.PATH.read_text(encoding="utf-8")


def test_the_file_is_up_to_date() -> None:
    assert glossary.document() == TEXT, "run python -m tools.glossary"


def test_everything_has_its_line() -> None:
    keys = [one.key for one in METRICS] + [spec.key for spec in SETTINGS] + list(TEXTS) + list(REASONS)
    assert [key for key in keys if f"| `{key}` |" not in TEXT] == []
    for text in TEXTS.values():
        assert text.en in TEXT
        assert text.nl in TEXT


def test_every_word_of_the_vocabulary_is_explained() -> None:
    assert set(BASIS) == set(Basis)
    assert set(STATUS) == set(glossary.STATUS_MEANINGS) == set(Status)
    assert set(STATE) == set(State)
    assert set(GRADE) == set(Grade)
    assert set(glossary.SETTING_MEANINGS) == {spec.key for spec in SETTINGS}


def test_ceilings_are_those_of_the_rules() -> None:
    assert {case.id: case.ceiling for case in CASES if case.ceiling is not None} == glossary.CEILINGS


def test_every_derived_metric_has_its_formula() -> None:
    known = glossary.formulas()
    assert known["per_gpu_total"] == "`total_throughput / active_gpus`"
    assert known["gpu_power_cap"] == "`power_cap_w x active_gpus`"
    costed = {one.key for one in METRICS if one.family in ("electricity", "rental", "efficiency")}
    assert costed <= set(known)


def test_every_reason_of_a_grade_has_its_words() -> None:
    source = ast.parse((Path(glossary.__file__).parents[1] / "runs/domain/grades.py").read_text(encoding="utf-8"))
    given = set()
    for call in ast.walk(source):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in ("_no", "Verdict"):
            place = 0 if call.func.id == "_no" else 1
            if len(call.args) > place and isinstance(call.args[place], ast.Constant):
                given.add(call.args[place].value)  # type: ignore[attr-defined]
    assert given == set(REASONS)
