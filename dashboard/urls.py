from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, re_path

from dashboard.api.docs import NothingHereView
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
    path("compare/", comparison, name="compare"),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("dashboard.api.urls")),
    re_path(r"^api/", NothingHereView.as_view()),
]

handler500 = "dashboard.api.errors.handler500"
