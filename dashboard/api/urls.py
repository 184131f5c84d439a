from django.urls import path, re_path

from dashboard.api import auth, comparisons, docs, runs, uploads

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
    path("schema", docs.SchemaView.as_view(), name="schema"),
    path("docs", docs.DocsView.as_view(), name="docs"),
    re_path(r"^(?P<path>[\s\S]*)$", docs.NothingHereView.as_view(), name="nothing"),
]
