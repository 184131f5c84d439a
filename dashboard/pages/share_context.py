"""What the template of a share gets, for its reader and for its owner's preview alike."""

from dataclasses import replace
from typing import Any, cast

from django.http import HttpRequest
from django.utils import formats, timezone, translation
from django.utils.safestring import SafeString

from dashboard.pages.compare_context import Head, chosen_origin
from dashboard.pages.exports import export_links
from dashboard.render.charts import comparison_charts
from dashboard.render.errata import Notice, notices
from dashboard.render.exports.document import Export
from dashboard.render.notes import notes_html
from dashboard.render.numbers import Locale
from dashboard.render.scenario import scenario_lines
from dashboard.render.tables import comparison_tables
from dashboard.render.wording import metric_name, say
from runs.domain.metrics import metric, setting_spec
from runs.services.sharing import OpenShare, Shown

LANGUAGES = ("en", "nl")


def locale_of_share(request: HttpRequest, share: OpenShare | None) -> Locale:
    """The language the share fixes, else the one asked for in the address, else the reader's."""
    fixed = share.language if share is not None else ""
    wanted = fixed or request.GET.get("lang", "") or translation.get_language() or "en"
    return cast("Locale", wanted[:2] if wanted[:2] in LANGUAGES else "en")


def share_context(request: HttpRequest, share: OpenShare, shown: Shown, base: str) -> dict[str, Any]:
    """Finished tables, charts, notices and addresses. ``base`` is the share's own path; "" in a preview."""
    locale = locale_of_share(request, share)
    comparison = shown.comparison
    tables = comparison_tables(comparison, locale)
    query = _query(request, shown, share)
    return {
        "shared": True,
        "share": share,
        "shown": shown,
        "title": share.title,
        "made": formats.date_format(timezone.localtime(share.created), "DATE_FORMAT"),
        "expires": formats.date_format(timezone.localtime(share.expires), "DATE_FORMAT") if share.expires else "",
        "notes": SafeString(notes_html(share.spec.notes)),  # sanitised there
        "tables": tables,
        "heads": [Head(column, "", "", "", "", "") for column in tables.columns],
        "span_all": len(tables.columns) + 1,
        "baseline": comparison.runs[comparison.baseline],
        "charts": comparison_charts(comparison, locale),
        "notices": _notices(shown, locale),
        "withheld": withheld(share, locale),
        "scenario_lines": scenario_lines(comparison.scenario, locale) if comparison.scenario else (),
        "query": query,
        "origin": chosen_origin(comparison, request.GET, locale),
        "origin_key": request.GET.get("figure", ""),
        "base": base,
        "fact_url": f"{base}fact/" if base else "",
        "exports": export_links(base, query) if base else [],
        "chart_base": f"{base}chart-" if base else "",
        "languages": [] if share.language else [(one, one == locale) for one in LANGUAGES],
        "subjects": subjects(shown, locale),
    }


def _notices(shown: Shown, locale: Locale) -> list[Notice]:
    """What was said of the runs, without what it rests on: files, quotes and runs that are not shared."""
    found = notices(shown.comparison, locale, shown.since)
    return [replace(one, evidence=(), successor="") for one in found]


def export_of(request: HttpRequest, share: OpenShare, shown: Shown) -> Export:
    """The share as an export: its own time of making, its notices since, whether anything is withheld."""
    return Export(
        shown.comparison,
        share.title,
        share.created.isoformat(timespec="seconds"),
        locale_of_share(request, share),
        since=() if shown.corrected else shown.since,
        withheld=not share.spec.redactions.nothing,
    )


def withheld(share: OpenShare, locale: Locale) -> tuple[str, ...]:
    """What the sender took out, by kind."""
    found = share.spec.redactions
    kinds = [
        (found.nodes, translation.gettext("names of nodes")),
        (found.notes, translation.gettext("notes")),
        (found.files, translation.gettext("names and digests of files")),
        (bool(found.labels), translation.gettext("labels of the runs")),
    ]
    names = [words for is_set, words in kinds if is_set]
    return (*names, *(say(setting_spec(key).name, locale) for key in found.settings))


def subjects(shown: Shown, locale: Locale) -> list[tuple[str, list[tuple[str, str]]]]:
    """Everything a reader can say something about: settings and figures by their names."""
    settings = [(f"setting:{row.key}", say(setting_spec(row.key).name, locale)) for row in shown.comparison.settings]
    figures = [
        (f"figure:{row.key}", metric_name(metric(row.metric), row.stat, locale)) for row in shown.comparison.rows
    ]
    return [(translation.gettext("Settings"), settings), (translation.gettext("Figures"), figures)]


def _query(request: HttpRequest, shown: Shown, share: OpenShare) -> str:
    """The state of the page that its links keep."""
    pairs = []
    if not share.language and request.GET.get("lang", "") in LANGUAGES:
        pairs.append(f"lang={request.GET['lang']}")
    if shown.corrected:
        pairs.append("corrected=1")
    return "&".join(pairs)
