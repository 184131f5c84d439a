from django.urls import path, re_path

from dashboard.api import auth, comparisons, docs, errata, evaluations, runs, uploads

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
    path("runs/<slug:run_id>/errata", errata.RunErrataView.as_view(), name="run-errata"),
    path("runs/<slug:run_id>/settings/<slug:key>", errata.RunSettingView.as_view(), name="run-setting"),
    path("runs/<slug:run_id>/history", errata.RunHistoryView.as_view(), name="run-history"),
    path("runs/<slug:run_id>/group", evaluations.RunGroupView.as_view(), name="run-group"),
    path("runs/<slug:run_id>/purge", errata.RunPurgeView.as_view(), name="run-purge"),
    path("evaluations", evaluations.EvaluationsView.as_view(), name="evaluations"),
    path("evaluations/difference", evaluations.EvaluationPairView.as_view(), name="evaluation-pair"),
    path("evaluations/<slug:key>", evaluations.EvaluationView.as_view(), name="evaluation"),
    path("evaluations/<slug:key>/errata", errata.EvaluationErrataView.as_view(), name="evaluation-errata"),
    path("sources/<slug:key>/errata", errata.SourceErrataView.as_view(), name="source-errata"),
    path("setups", evaluations.SetupsView.as_view(), name="setups"),
    path("names", evaluations.NamesView.as_view(), name="names"),
    path("names/<int:alias_id>", evaluations.NameView.as_view(), name="name"),
    path("comparisons", comparisons.ComparisonView.as_view(), name="comparisons"),
    path("metrics", comparisons.MetricsView.as_view(), name="metrics"),
    path("settings", comparisons.SettingsView.as_view(), name="settings"),
    path("schema", docs.SchemaView.as_view(), name="schema"),
    path("docs", docs.DocsView.as_view(), name="docs"),
    re_path(r"^(?P<path>[\s\S]*)$", docs.NothingHereView.as_view(), name="nothing"),
]
