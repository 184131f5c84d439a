"""The list of runs: filters, facets, sorting and picking, all in the address."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET

from dashboard.pages.locale import locale_of
from dashboard.pages.viewstate import picked_runs
from dashboard.render.runlist import ColumnHead, ListedRun, column_heads, direction, list_rows
from dashboard.render.wording import PROVENANCE, say
from runs.domain.records import Provenance
from runs.selectors import CursorError, RunFilter, RunItem, count_runs, facets, list_runs, names
from runs.selectors.history import group_sizes
from runs.services.demo import offered_comparisons

FACETS = ("provenance", "model", "runtime", "accelerator", "workload", "basis")
NUMBERS = ("isl", "osl", "concurrency")
FIRST_SORT = "-created"
# "8,192" and "8.192" are 8192; "1.5" is no whole number and not 15.
_GROUPED = re.compile(r"(?<=[0-9])[,. ](?=[0-9]{3}(?:[^0-9]|$))")


@dataclass(frozen=True)
class ListState:
    """What the address asks of the list."""

    filters: dict[str, list[str]]
    sort: str = FIRST_SORT
    cursor: str = ""
    runs: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: QueryDict) -> "ListState":
        wanted = {name: [value for value in query.getlist(name) if value] for name in (*FACETS, *NUMBERS, "q")}
        filters = {name: values for name, values in wanted.items() if values}
        # What is no number filters nothing, and does not stand in the form as if it did.
        for name in NUMBERS:
            if name in filters and number(filters[name][0]) is None:
                del filters[name]
        return cls(filters, query.get("sort") or FIRST_SORT, query.get("cursor", ""), picked_runs(query))

    def url(self, **changes: Any) -> str:
        state = replace(self, **{"cursor": "", **changes})
        pairs = [(name, value) for name, values in state.filters.items() for value in values]
        pairs += [("sort", state.sort)] if state.sort != FIRST_SORT else []
        pairs += [("cursor", state.cursor)] if state.cursor else []
        pairs += [("runs", ",".join(state.runs))] if state.runs else []
        return f"?{urlencode(pairs, safe=',')}"

    def run_filter(self) -> RunFilter:
        many = {name: self.filters[name] for name in FACETS if name in self.filters}
        numbers = {name: number(self.filters[name][0]) for name in NUMBERS if name in self.filters}
        return RunFilter(**many, **numbers, q=self.filters.get("q", [""])[0][:200].replace("\0", ""))  # type: ignore[arg-type]


def number(text: str) -> int | None:
    """A whole number as typed, with or without separators; None where it is none."""
    digits = _GROUPED.sub("", text.strip())
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 16 else None


@require_GET
def run_list(request: HttpRequest) -> HttpResponse:
    state = ListState.of(request.GET)
    locale = locale_of(request)
    wanted = state.run_filter()
    try:
        page = list_runs(wanted, sort=state.sort, cursor=state.cursor)
    except (CursorError, ValueError):
        # An old or foreign address of a page: the first page of the same list is what is left of it.
        return redirect(reverse("runs") + replace(state, sort=FIRST_SORT).url())
    heads = [sort_link(head, state) for head in column_heads(locale)]
    repeats = group_sizes([item.configuration for item in page.items])
    on_page = {item.id for item in page.items}
    context = {
        "place": "runs",
        "rows": list_rows([listed(item, repeats) for item in page.items], locale),
        "heads": heads,
        "name_head": sort_link(ColumnHead("label", "", ""), state),
        "date_head": sort_link(ColumnHead("run_date", "", ""), state),
        "next": page.next,
        "first_url": state.url() if state.cursor else "",
        "count": count_runs(wanted),
        "facets": facet_fields(state, wanted, locale),
        "state": state,
        "filters": {name: values[0] for name, values in state.filters.items()},
        "hidden": [(name, value) for name, values in state.filters.items() for value in values],
        "offered": () if state.filters or state.cursor or state.runs else offered_comparisons(),
        "picked": set(state.runs),
        "picked_elsewhere": [run for run in state.runs if run not in on_page],
        "picked_names": names(state.runs),
        "upload_url": request.build_absolute_uri(reverse("home")).rstrip("/") + "/api/v1/uploads/",
    }
    return render(request, "runs/list.html", context)


def sort_link(head: ColumnHead, state: ListState) -> dict[str, Any]:
    """A column's head with the address that sorts by it, the other way round where it is sorted by it already."""
    now = direction(state.sort, head.sort)
    following = head.sort if now == "descending" else f"-{head.sort}"
    return {"name": head.name, "unit": head.unit, "direction": now, "url": state.url(sort=following)}


def facet_fields(state: ListState, wanted: RunFilter, locale: Any) -> list[dict[str, Any]]:
    """Each facet as a select: its values with their counts, the chosen one marked."""
    fields = []
    for name, values in facets(wanted).items():
        chosen = state.filters.get(name, [])
        options = [(value, facet_words(name, value, locale), count, value in chosen) for value, count in values]
        missing = [(value, facet_words(name, value, locale), 0, True) for value in chosen
                   if value not in {value for value, _count in values}]  # fmt: skip
        fields.append({"name": name, "options": options + missing})
    return fields


def facet_words(name: str, value: str, locale: Any) -> str:
    if name == "provenance" and value in list(Provenance):
        return say(PROVENANCE[Provenance(value)][0], locale)
    return value


def listed(item: RunItem, repeats: Mapping[str, int]) -> ListedRun:
    summary = item.summary
    return ListedRun(
        id=item.id,
        label=item.label,
        provenance=item.provenance,
        status=item.status,
        party=summary.party,
        model=item.model,
        runtime=item.runtime,
        accelerator=item.accelerator,
        workload=item.workload,
        concurrency=item.concurrency,
        active_gpus=item.active_gpus,
        node_gpus=summary.node_gpus,
        power_cap_w=summary.power_cap_w,
        date=item.run_date.isoformat() if item.run_date else "",
        not_stated=summary.not_stated,
        figures=summary.figures,
        repeats=repeats.get(item.configuration, 1),
    )
