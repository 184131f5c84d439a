"""The settings of a run's page: a document that many of them rest on is named once."""

from dataclasses import replace

from dashboard.render.run_settings import settings_view
from runs.domain.facts import Evidence, Setting, State
from tests.builders import record


def test_what_much_rests_on_is_named_once() -> None:
    def stated(key: str, value: object, *evidence: Evidence) -> Setting:
        return Setting(key, State.STATED, value, evidence=evidence)  # type: ignore[arg-type]

    paper = Evidence("document", "paper", quote="8 GPUs")
    settings = (
        stated("active_gpus", 8, paper),
        stated("node_gpus", 8, Evidence("document", "paper", place="table 1", quote="8 of 8")),
        stated("power_cap_w", 800, Evidence("statement", "the operator", quote="capped")),
    )
    run = replace(record(), settings={one.key: one for one in settings})
    view = settings_view(run, "en")
    lines = {line.name: line.evidence for group in view.groups for line in group.lines}
    assert view.references == ("document: paper",)
    assert lines["Active GPUs"] == ("[1] “8 GPUs”",)
    assert lines["GPUs of the node"] == ("[1] table 1, “8 of 8”",)
    assert lines["Power cap per GPU"] == ("statement: the operator, “capped”",)
