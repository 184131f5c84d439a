"""What the template of a comparison gets: finished tables, charts and the addresses of its links."""

from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from dashboard.pages.exports import export_links
from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from dashboard.pages.whatif import whatif_context
from dashboard.render.cells import Origin, grade_lines, origin
from dashboard.render.charts import comparison_charts
from dashboard.render.numbers import Locale
from dashboard.render.scenario import scenario_lines
from dashboard.render.tables import Column, comparison_tables
from dashboard.render.wording import metric_name
from runs.domain.comparison import Comparison
from runs.domain.metrics import metric
from runs.services.compare import is_group


@dataclass(frozen=True)
class Head:
    """A column's head with its links; an empty address is no link."""

    column: Column
    run_url: str
    baseline_url: str
    left_url: str
    right_url: str
    remove_url: str


def compare_context(
    comparison: Comparison,
    state: CompareState,
    form: ScenarioForm,
    query: QueryDict,
    locale: Locale,
    base: str = "",
) -> dict[str, Any]:
    """Everything the page prints. ``state`` names the runs in the order of the comparison; ``base`` is the page's own
    path where that is not the comparison page's."""
    base = base or reverse("compare")
    tables = comparison_tables(comparison, locale, only_differences=state.only_differences)
    heads = [_head(column, state) for column in tables.columns]
    everything = replace(state, only_differences=False)
    differences = replace(state, only_differences=True)
    return {
        "place": "compare",
        "tables": tables,
        "heads": heads,
        "baseline": comparison.runs[comparison.baseline],
        "charts": comparison_charts(comparison, locale),
        "only_differences": state.only_differences,
        "all_url": f"?{everything.query}#settings",
        "differences_url": f"?{differences.query}#settings",
        "add_url": f"{reverse('runs')}?runs={','.join(state.runs)}",
        "span_all": len(heads) + 1,
        "query": state.query,
        "scenario": form.context(state),
        "scenario_lines": scenario_lines(comparison.scenario, locale) if comparison.scenario else (),
        "has_costs": any(section.anchor == "costs" for section in tables.sections),
        "no_idle": idle_missing(comparison),
        "whatif": whatif_context(comparison, state, query, locale),
        "origin": chosen_origin(comparison, query, locale),
        "base": base,
        "exports": export_links(base, state.query),
        "chart_base": f"{base}chart-",
    }


def idle_missing(comparison: Comparison) -> list[str]:
    """Runs whose electricity is not computed: the GPUs idle part of the time, and nobody says what they draw then."""
    scenario = comparison.scenario
    if scenario is None or scenario.price_per_kwh is None or scenario.utilisation == 1:
        return []
    row = comparison.row("gpu_power_idle")
    cells = row.cells if row else ()
    return [
        head.label for place, head in enumerate(comparison.runs) if place >= len(cells) or cells[place].figure is None
    ]


def _head(column: Column, state: CompareState) -> Head:
    place, last = state.runs.index(column.key), len(state.runs) - 1
    return Head(
        column,
        run_url="" if is_group(column.key) else reverse("run", args=[column.key]),
        baseline_url=f"?{state.with_baseline(column.key).query}",
        left_url=f"?{state.moved(column.key, -1).query}" if place > 0 else "",
        right_url=f"?{state.moved(column.key, 1).query}" if place < last else "",
        remove_url=f"?{state.without(column.key).query}" if last > 0 else "",
    )


def chosen_origin(comparison: Comparison, query: QueryDict, locale: Locale) -> Origin | None:
    """Where the figure that the address asks for comes from; None where it asks for none there is."""
    row = comparison.row(query.get("figure", ""))
    column = query.get("of", "")
    numbers = {str(number): number - 1 for number in range(1, len(row.cells) + 1)} if row is not None else {}
    if row is None or column not in numbers:
        return None
    cell = row.cells[numbers[column]]
    if cell.figure is None:
        return None
    title = f"{metric_name(metric(row.key), row.stat, locale)} · {comparison.runs[numbers[column]].label}"
    found = origin(cell.figure, title, locale, comparison.sources)
    return Origin(found.title, found.text, found.unit, (*found.lines, *grade_lines(cell, locale)), found.inputs)
