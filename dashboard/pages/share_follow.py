"""A live share that follows its saved comparison: the newest version as what the share shows."""

from django.http import QueryDict

from dashboard.pages.asked import saved_state, scenario_form
from runs.services import sharing
from runs.services.saved import SavedView
from runs.services.shares import ShareSpec
from runs.services.sharing import OpenShare


def current(share: OpenShare | None) -> OpenShare | None:
    """The share as it is to be shown today; what follows nothing is unchanged."""
    newest = sharing.following(share) if share is not None else None
    if share is None or newest is None:
        return share
    return sharing.followed(share=share, newest=spec_of(newest))


def spec_of(saved: SavedView) -> ShareSpec:
    """What a version of a saved comparison shows, with the prices that were set in it."""
    state = saved_state(saved, QueryDict())
    scenario = scenario_form(state).used
    return ShareSpec(state.runs, state.baseline, state.metrics, scenario, notes=saved.notes, saved_version=saved.number)
