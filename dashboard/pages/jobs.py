"""Remote benchmarks as pages: the list with each target's queue, one job with its live output, cancel, files."""

from django.contrib import messages
from django.http import FileResponse, Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from dashboard.pages.job_words import job_view, output_view, queue_view
from dashboard.pages.locale import locale_of
from runs.services.answers import MissingError, RefusedError
from runs.services.jobs import demo, queue, reads
from runs.services.jobs.rights import may_run


@require_GET
def job_list(request: HttpRequest) -> HttpResponse:
    before = request.GET.get("before", "")
    jobs = reads.jobs(before=int(before) if before.isascii() and before.isdigit() and len(before) < 16 else None)
    machines = [(target, queue_view(reads.queue_of(target.id))) for target in reads.targets()]
    context = {
        "place": "jobs",
        "rows": queue_view(jobs),
        "machines": machines,
        "older": jobs[-1].id if len(jobs) == reads.PAGE else None,
        "may_run": may_run(request.user),
        "installed": demo.aiperf_is_installed(),
        "has_demo": demo.is_offered(),
    }
    return render(request, "jobs/list.html", context)


@require_GET
def job(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        detail, output = reads.job(pk), reads.output(pk)
    except MissingError:
        raise Http404 from None
    view = {**job_view(detail, locale_of(request)), **output_view(pk, output)}
    context = {"place": "jobs", "may_run": may_run(request.user), **view}
    return render(request, "jobs/job.html", context)


@require_GET
def job_live(request: HttpRequest, pk: int) -> HttpResponse:
    """The part that changes, in one small query. Where the state is not ``seen`` any more the page is fetched whole."""
    try:
        output = reads.output(pk)
    except MissingError:
        raise Http404 from None
    answer = render(request, "jobs/_live.html", output_view(pk, output))
    if output.ended or request.GET.get("seen", output.state) != output.state:
        answer["HX-Refresh"] = "true"
    return answer


@require_POST
def job_cancel(request: HttpRequest, pk: int) -> HttpResponse:
    try:
        queue.cancel(job_id=pk, user=request.user)  # type: ignore[arg-type]
        messages.success(request, _("The job is being cancelled."), extra_tags="good")
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
    return redirect("job", pk)


@require_GET
def job_file(_request: HttpRequest, pk: int, sha256: str) -> FileResponse:
    found = reads.job_file(pk, sha256)
    if found is None:
        raise Http404
    artifact, name = found
    # Never shown in place: a file is whatever a client made of it.
    return FileResponse(artifact.open(), as_attachment=True, filename=name, content_type="application/octet-stream")


@require_POST
def job_demo(request: HttpRequest) -> HttpResponse:
    try:
        made = demo.start_demo(user=request.user)  # type: ignore[arg-type]
    except RefusedError as error:
        messages.error(request, str(error), extra_tags="serious")
        return redirect("jobs")
    return redirect("job", made[-1].pk)
