from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path

from dashboard.pages.home import home

urlpatterns = [
    path("", home, name="home"),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("dashboard.api.urls")),
]

handler500 = "dashboard.api.errors.handler500"
