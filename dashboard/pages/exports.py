"""Downloads of a comparison: the same for an address, a saved comparison and (dashboard/pages/share.py) a share."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from dashboard.pages.asked import Asked, asked, asked_saved, export_of
from dashboard.pages.locale import locale_of
from dashboard.pages.viewstate import CompareState
from dashboard.render.exports.document import Export
from dashboard.render.exports.files import BY_EXTENSION, FORMATS, PICTURES
from dashboard.render.exports.pictures import picture
from dashboard.templatetags.telling import told
from runs.domain.units import DomainError
from runs.services.answers import MissingError, RefusedError
from runs.services.saved import saved


@require_GET
def export(request: HttpRequest, extension: str) -> HttpResponse:
    return refusals_in_words(lambda: download(_by_address(request), extension))


@require_GET
def chart(request: HttpRequest, chart_id: str, extension: str) -> HttpResponse:
    return refusals_in_words(lambda: drawing(_by_address(request), chart_id, extension))


@require_GET
def saved_export(request: HttpRequest, slug: str, extension: str) -> HttpResponse:
    return refusals_in_words(lambda: download(_by_slug(request, slug), extension))


@require_GET
def saved_chart(request: HttpRequest, slug: str, chart_id: str, extension: str) -> HttpResponse:
    return refusals_in_words(lambda: drawing(_by_slug(request, slug), chart_id, extension))


def download(found: Export, extension: str) -> HttpResponse:
    """A table export as a file."""
    form = BY_EXTENSION.get(extension)
    if form is None:
        raise Http404
    return as_file(form.make(found), form.media_type, f"{_name(found)}.{extension}")


def drawing(found: Export, chart_id: str, extension: str) -> HttpResponse:
    """A chart as a file."""
    media_type = PICTURES.get(extension)
    content = picture(found, chart_id, "svg" if extension == "svg" else "png") if media_type else None
    if content is None or media_type is None:
        raise Http404
    return as_file(content, media_type, f"{_name(found)}-{chart_id}.{extension}")


def export_links(base: str, query: str = "") -> list[tuple[str, str]]:
    """Name and address of every table export below ``base``."""
    tail = f"?{query}" if query else ""
    return [(form.name, f"{base}export.{form.extension}{tail}") for form in FORMATS]


def _by_address(request: HttpRequest) -> Export:
    return _export(asked(CompareState.of(request.GET)), request.GET.get("title", "")[:120], request)


def _by_slug(request: HttpRequest, slug: str) -> Export:
    found = saved(slug=slug)
    return _export(asked_saved(found, request.GET), found.name, request)


def _export(found: Asked, title: str, request: HttpRequest) -> Export:
    return export_of(found.comparison, title or _("Comparison"), locale_of(request))


def refusals_in_words(make: Callable[[], HttpResponse]) -> HttpResponse:
    """The answer, or in plain text why there is none."""
    try:
        return make()
    except MissingError:
        raise Http404 from None
    except (RefusedError, DomainError) as error:
        return HttpResponse(told(str(error)), status=400, content_type="text/plain; charset=utf-8")


def as_file(content: bytes, media_type: str, name: str) -> HttpResponse:
    # An SVG or HTML file opened in place would run under this site's address.
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "Cache-Control": "no-store"}
    return HttpResponse(content, content_type=media_type, headers=headers)


def _name(found: Export) -> str:
    return slugify(found.title)[:60] or "comparison"
