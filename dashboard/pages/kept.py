"""The body of a comparison page, kept by everything it depends on."""

import hashlib

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from dashboard import stamps
from dashboard.pages.compare_context import compare_context
from dashboard.pages.locale import locale_of
from dashboard.pages.scenario_form import ScenarioForm
from dashboard.pages.viewstate import CompareState
from dashboard.render.notes import notes_html
from runs.selectors import revisions as revisions_of
from runs.selectors.documents import sources_of
from runs.services.compare import compare
from runs.services.rights import rights_of
from runs.services.saved import SavedView

# A kept body is of one release: static files carry hashes, and rules change with the code.
VERSION = stamps.fingerprint(
    [settings.BASE_DIR / folder for folder in ("dashboard", "runs", "static", "templates", "locale")]
)
SECONDS = 3600


def kept_body(
    request: HttpRequest, state: CompareState, form: ScenarioForm, base: str = "", saved: SavedView | None = None
) -> SafeString:
    """By the runs' revisions, their sources, the address, scenarios, language, rights, and whose page it is.

    Raises what comparing raises.
    """
    locale = locale_of(request)
    rights = sorted(rights_of(request.user))
    seen = (sorted(revisions_of(state.runs).items()), sources_of(state.runs), form.stored, form.known)
    depends = repr((VERSION, state, request.GET.urlencode(), seen, locale, rights, base, saved))
    key = f"comparison:{hashlib.sha256(depends.encode(errors='replace')).hexdigest()}"
    body = cache.get(key)
    if body is None:
        found = compare(run_ids=state.runs, baseline=state.baseline, scenario=form.used, metrics=state.metrics)
        context = compare_context(found, state, form, request.GET, locale, base)
        body = render_to_string("compare/_body.html", {**context, "rights": set(rights), **_of(saved, state)})
        cache.set(key, str(body), SECONDS)
    return SafeString(body)  # what the template above rendered


def _of(saved: SavedView | None, state: CompareState) -> dict[str, object]:
    """What a saved comparison says of itself: its notes, and whether the state is still the one saved."""
    if saved is None:
        return {}
    changed = dict(state.pairs()) != dict(saved.view)
    return {"saved": saved, "changed": changed, "notes": SafeString(notes_html(saved.notes))}  # sanitised there
