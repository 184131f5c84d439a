from django.urls import path, re_path

from dashboard.api import auth, benchmarks, comparisons, docs, jobs, runs, uploads

app_name = "api"

urlpatterns = [
    path("auth/login", auth.LoginView.as_view(), name="login"),
    path("auth/logout", auth.LogoutView.as_view(), name="logout"),
    path("auth/tokens", auth.TokenListView.as_view(), name="tokens"),
    path("auth/tokens/<slug:token_id>", auth.TokenView.as_view(), name="token"),
    path("uploads", uploads.UploadsView.as_view(), name="uploads"),
    path("runs", runs.RunsView.as_view(), name="runs"),
    path("runs/facets", runs.FacetsView.as_view(), name="facets"),
    path("runs/<slug:run_id>", runs.RunView.as_view(), name="run"),
    path("runs/<slug:run_id>/files/<slug:sha256>", runs.RunFileView.as_view(), name="run-file"),
    path("runs/<slug:run_id>/power", uploads.RunPowerView.as_view(), name="run-power"),
    path("runs/<slug:run_id>/power/series", runs.PowerSeriesView.as_view(), name="power-series"),
    path("comparisons", comparisons.ComparisonView.as_view(), name="comparisons"),
    path("metrics", comparisons.MetricsView.as_view(), name="metrics"),
    path("settings", comparisons.SettingsView.as_view(), name="settings"),
    path("targets", benchmarks.TargetsView.as_view(), name="targets"),
    path("targets/<int:target_id>", benchmarks.TargetView.as_view(), name="target"),
    path("targets/<int:target_id>/test", benchmarks.TargetTestView.as_view(), name="target-test"),
    path("targets/<int:target_id>/host-key", benchmarks.HostKeyView.as_view(), name="host-key"),
    path("plans", benchmarks.PlansView.as_view(), name="plans"),
    path("plans/preview", benchmarks.PreviewView.as_view(), name="plan-preview"),
    path("plans/<int:plan_id>", benchmarks.PlanView.as_view(), name="plan"),
    path("plans/<int:plan_id>/jobs", benchmarks.StartView.as_view(), name="plan-start"),
    path("schedules", benchmarks.SchedulesView.as_view(), name="schedules"),
    path("schedules/<int:schedule_id>", benchmarks.ScheduleView.as_view(), name="schedule"),
    path("jobs", jobs.JobsView.as_view(), name="jobs"),
    path("jobs/metrics", jobs.JobMetricsView.as_view(), name="job-metrics"),
    path("jobs/<int:job_id>", jobs.JobView.as_view(), name="job"),
    path("jobs/<int:job_id>/output", jobs.JobOutputView.as_view(), name="job-output"),
    path("jobs/<int:job_id>/cancel", jobs.JobCancelView.as_view(), name="job-cancel"),
    path("jobs/<int:job_id>/files/<slug:sha256>", jobs.JobFileView.as_view(), name="job-file"),
    path("schema", docs.SchemaView.as_view(), name="schema"),
    path("docs", docs.DocsView.as_view(), name="docs"),
    re_path(r"^(?P<path>[\s\S]*)$", docs.NothingHereView.as_view(), name="nothing"),
]
