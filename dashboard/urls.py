from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, re_path

from dashboard.api.docs import NothingHereView
from dashboard.pages import errata, evaluations, names
from dashboard.pages.compare import comparison
from dashboard.pages.home import home
from dashboard.pages.run import run, run_file, run_power
from dashboard.pages.run_list import run_list
from dashboard.pages.upload import upload

urlpatterns = [
    path("", home, name="home"),
    path("runs/", run_list, name="runs"),
    path("runs/upload/", upload, name="upload"),
    path("runs/<slug:key>/", run, name="run"),
    path("runs/<slug:key>/power/", run_power, name="run-power"),
    path("runs/<slug:key>/files/<slug:sha256>/", run_file, name="run-file"),
    path("runs/<slug:key>/history/", errata.history, name="run-history"),
    path("runs/<slug:key>/errata/", errata.run_erratum, name="run-erratum"),
    path("runs/<slug:key>/settings/", errata.run_setting, name="run-setting"),
    path("runs/<slug:key>/purge/", errata.run_purge, name="run-purge"),
    path("sources/<slug:key>/errata/", errata.source_errata, name="source-errata"),
    path("evaluations/", evaluations.evaluation_list, name="evaluations"),
    path("evaluations/new/", evaluations.evaluation_new, name="evaluation-new"),
    path("evaluations/<slug:key>/", evaluations.evaluation, name="evaluation"),
    path("evaluations/<slug:key>/errata/", evaluations.evaluation_erratum, name="evaluation-erratum"),
    path("setups/", names.setups, name="setups"),
    path("setups/setup/", names.setup, name="setup"),
    path("names/", names.names, name="names"),
    path("names/<int:alias_id>/unmerge/", names.unmerge, name="name-unmerge"),
    path("compare/", comparison, name="compare"),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("dashboard.api.urls")),
    re_path(r"^api/", NothingHereView.as_view()),
]

handler500 = "dashboard.api.errors.handler500"
