"""A simulated run is compared with nothing, and says why in both languages."""

from dataclasses import replace

from runs.domain.caveat_rule import Subject
from runs.domain.caveat_texts import TEXTS
from runs.domain.caveats import RULES
from runs.domain.comparison import Grade
from runs.domain.derived import figures
from runs.domain.grades import grade
from runs.domain.matters import Side
from runs.domain.records import Provenance
from tests.builders import record


def test_it_blocks_every_metric_either_way_round() -> None:
    measured = record()
    simulated = replace(measured, provenance=Provenance.SIMULATED)
    sides = [Side(one, figures(one)) for one in (measured, simulated)]
    for key in sides[0].figures:
        for left, right in ((0, 1), (1, 0), (1, 1)):
            verdict = grade(sides[left], sides[right], key)
            assert verdict.grade is Grade.NOT_COMPARABLE
    assert grade(sides[0], sides[1], "total_throughput").reason == "simulated"


def test_it_is_said() -> None:
    made = replace(record(), provenance=Provenance.SIMULATED)
    side = Side(made, figures(made))
    said = [caveat for rule in RULES if (caveat := rule(Subject(side, 0, tuple(side.figures)))) is not None]
    found = next(caveat for caveat in said if caveat.id == "simulated-run")
    assert found.ceiling is Grade.NOT_COMPARABLE
    assert "published-by-document" not in {caveat.id for caveat in said}
    assert TEXTS["simulated-run"].nl
