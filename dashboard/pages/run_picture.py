"""The chart of a run's power: on its page, and as a file of its own."""

import datetime as dt

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.views.decorators.http import require_GET

from dashboard.pages.exports import as_file, refusals_in_words
from dashboard.pages.locale import locale_of
from dashboard.render.exports.files import PICTURES
from dashboard.render.exports.power_picture import power_picture
from dashboard.render.numbers import Locale
from dashboard.render.power_chart import PowerLines, power_chart
from dashboard.render.power_series import is_thinned, power_series
from runs import selectors
from runs.domain.records import RunRecord
from runs.domain.zones import localise


def power_lines(key: str, record: RunRecord, locale: Locale) -> PowerLines | None:
    """None where the run has no power log; `DomainError` where the stored copy cannot be read."""
    found = selectors.run_trace(key) if record.power else None
    if found is None or record.power is None:
        return None
    trace = localise(found.trace, found.time_zone) if found.trace.clock == "local" else found.trace
    cap = record.setting("power_cap_w")
    watts = float(cap.value) if cap.is_known and isinstance(cap.value, int | float) else None
    series = power_series(trace, record.power)
    return PowerLines(power_chart(record.power, series, watts, locale, thinned=is_thinned(trace)), series, watts)


@require_GET
def run_picture(request: HttpRequest, key: str, extension: str) -> HttpResponse:
    return refusals_in_words(lambda: _picture(key, extension, locale_of(request)))


def _picture(key: str, extension: str, locale: Locale) -> HttpResponse:
    detail, media_type = selectors.run_detail(key), PICTURES.get(extension)
    drawn = power_lines(key, detail.record, locale) if detail is not None and media_type else None
    if detail is None or drawn is None or media_type is None:
        raise Http404
    made = dt.datetime.now(dt.UTC).date().isoformat()
    content = power_picture(detail.record, drawn, detail.errata, made, locale, "svg" if extension == "svg" else "png")
    name = slugify(detail.record.label)[:60] or key
    return as_file(content or b"", media_type, f"{name}-power.{extension}")
