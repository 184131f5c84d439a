"""The demo's own comparisons: the two throughput tables, each beside its published runs, for whoever comes first."""

from collections.abc import Mapping

from runs.services.saved import Draft, offer_comparison, offered
from runs.services.scenarios import find_scenario

SCENARIO = "article"
_SIX, _EIGHT = "Paiton · 6 × 800 W · T={} · {}", "{} · 8 GPUs · {}"
COMPARISONS = (
    ("the-article-8k-1k", "The article: six GPUs at 800 W beside eight, 8K in and 1K out", "8K/1K"),
    ("the-article-128k-100", "The article: six GPUs at 800 W beside eight, 128K in and 100 out", "128K/100"),
)
"""Address, name and workload."""
NOTES = """One model on six GPUs capped at 800 W each, at two sampling temperatures, beside two published results on
eight GPUs whose power cap and sampling temperature are not stated. The baseline is ATOM on eight GPUs.

What to look at first: the row **per GPU** with its span over both temperatures, the node's total under it, and the
grades. Per kW and per unit of electricity nothing is compared: one side rests on an assumed 1,400 W.
"""


def offer_comparisons(ids: Mapping[str, str]) -> int:
    """Saves the comparisons that are not here yet, of runs by their labels. How many were made."""
    scenario = find_scenario(key=SCENARIO)
    made = 0
    for slug, name, workload in COMPARISONS:
        labels = [_EIGHT.format("ATOM", workload), *(_SIX.format(one, workload) for one in ("0", "1.0")),
                  _EIGHT.format("vLLM", workload)]  # fmt: skip
        runs = [ids[label] for label in labels if label in ids]
        if len(runs) == len(labels):
            view = {"runs": ",".join(runs), "scenario": f"{scenario.key}@{scenario.version}"}
            made += offer_comparison(slug=slug, draft=Draft(name, view, scenario.key, scenario.version, NOTES))
    return made


def offered_comparisons() -> tuple[tuple[str, str], ...]:
    """Address and name of the demo's comparisons, for a newcomer; none where the demo was not loaded."""
    return offered([slug for slug, _name, _workload in COMPARISONS])
