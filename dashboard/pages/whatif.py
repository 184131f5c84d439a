"""What if it had been stated: the range that an address supposes for a run of a comparison."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from dashboard.pages.viewstate import CompareState, typed_decimal
from dashboard.render.numbers import Locale
from dashboard.render.whatif import band_view, input_options
from runs.domain.comparison import Comparison
from runs.services.answers import RefusedError
from runs.services.whatif import suppose

FIELDS = ("suppose_run", "suppose_input", "suppose_low", "suppose_high")


@dataclass(frozen=True)
class Asked:
    """What was asked, as typed."""

    run: str = ""
    input: str = ""
    low: str = ""
    high: str = ""


def whatif_context(
    comparison: Comparison, state: CompareState, query: Mapping[str, Any], locale: Locale
) -> dict[str, Any]:
    """The form, and the bands where a range was given; what is wrong with it is said and nothing else is lost."""
    asked = Asked(*(str(query.get(name, "")).strip() for name in FIELDS))
    context: dict[str, Any] = {
        "asked": asked,
        "runs": [(head.key, head.label) for head in comparison.runs],
        "inputs": input_options(locale),
        "hidden": list(state.pairs()),
        "open": bool(asked.run),
        "clear_url": f"?{state.query}#whatif",
    }
    if not asked.run:
        return context
    low, high = typed_decimal(asked.low), typed_decimal(asked.high)
    if low is None or high is None:
        seen = f"{asked.low or '—'} / {asked.high or '—'}"
        return {**context, "error": _("A range has two numbers, such as 700 and 1400; saw %(seen)s.") % {"seen": seen}}
    try:
        found = suppose(comparison=comparison, run_id=asked.run, input_name=asked.input, low=low, high=high)
    except RefusedError as error:
        return {**context, "error": str(error)}
    bands = [
        band_view(comparison, one.run, one.band, [(a.run, a.key, a.value, a.survival) for a in one.against], locale)
        for one in found
    ]
    return {**context, "bands": bands}
