from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, re_path

from dashboard.api.docs import NothingHereView
from dashboard.pages import account, exports, inbox, jobs, machines, plans, saved, share, shares
from dashboard.pages.compare import comparison
from dashboard.pages.home import home
from dashboard.pages.paste import paste
from dashboard.pages.run import run, run_file, run_power
from dashboard.pages.run_list import run_list
from dashboard.pages.scenarios import scenario_edit, scenario_list, scenario_new
from dashboard.pages.source_run import source_run
from dashboard.pages.sources import (
    source,
    source_copy,
    source_edit,
    source_list,
    source_new,
    source_questions,
)
from dashboard.pages.upload import upload

urlpatterns = [
    path("", home, name="home"),
    path("runs/", run_list, name="runs"),
    path("runs/upload/", upload, name="upload"),
    path("runs/<slug:key>/", run, name="run"),
    path("runs/<slug:key>/power/", run_power, name="run-power"),
    path("runs/<slug:key>/files/<slug:sha256>/", run_file, name="run-file"),
    path("sources/", source_list, name="sources"),
    path("sources/new/", source_new, name="source-new"),
    path("sources/<slug:key>/", source, name="source"),
    path("sources/<slug:key>/edit/", source_edit, name="source-edit"),
    path("sources/<slug:key>/copy/", source_copy, name="source-copy"),
    path("sources/<slug:key>/paste/", paste, name="source-paste"),
    path("sources/<slug:key>/runs/new/", source_run, name="source-run"),
    path("sources/<slug:key>/questions.txt", source_questions, name="source-questions"),
    path("scenarios/", scenario_list, name="scenarios"),
    path("scenarios/new/", scenario_new, name="scenario-new"),
    path("scenarios/<slug:key>/", scenario_edit, name="scenario-edit"),
    path("compare/", comparison, name="compare"),
    path("compare/export.<slug:extension>", exports.export, name="compare-export"),
    path("compare/chart-<slug:chart_id>.<slug:extension>", exports.chart, name="compare-chart"),
    path("comparisons/", saved.saved_comparisons, name="saved"),
    path("comparisons/save/", saved.save, name="save"),
    path("comparisons/<slug:slug>/", saved.saved_comparison, name="saved-comparison"),
    path("comparisons/<slug:slug>/save/", saved.save_version, name="save-version"),
    path("comparisons/<slug:slug>/export.<slug:extension>", exports.saved_export, name="saved-export"),
    path("comparisons/<slug:slug>/chart-<slug:chart_id>.<slug:extension>", exports.saved_chart, name="saved-chart"),
    path("shares/", shares.share_list, name="shares"),
    path("shares/new/", shares.share_new, name="share-new"),
    path("shares/<int:share_id>/", shares.share_detail, name="share-detail"),
    path("shares/<int:share_id>/revoke/", shares.share_revoke, name="share-revoke"),
    path("shares/<int:share_id>/passphrase/", shares.share_passphrase, name="share-passphrase"),
    path("s/<str:token>/", share.share_page, name="share"),
    path("s/<str:token>/unlock/", share.share_unlock, name="share-unlock"),
    path("s/<str:token>/fact/", share.share_fact, name="share-fact"),
    path("s/<str:token>/export.<slug:extension>", share.share_export, name="share-export"),
    path("s/<str:token>/chart-<slug:chart_id>.<slug:extension>", share.share_chart, name="share-chart"),
    path("s/<str:token>", share.share_page),
    path("s/<path:rest>", share.share_nothing),
    path("inbox/", inbox.inbox_page, name="inbox"),
    path("inbox/<int:message_id>/", inbox.inbox_decide, name="inbox-decide"),
    path("language/", account.language, name="language"),
    path("tokens/", account.token_page, name="tokens"),
    path("tokens/<slug:token_id>/revoke/", account.token_revoke, name="token-revoke"),
    path("audit/", account.audit_page, name="audit"),
    path("jobs/", jobs.job_list, name="jobs"),
    path("jobs/demo/", jobs.job_demo, name="job-demo"),
    path("jobs/<int:pk>/", jobs.job, name="job"),
    path("jobs/<int:pk>/live/", jobs.job_live, name="job-live"),
    path("jobs/<int:pk>/cancel/", jobs.job_cancel, name="job-cancel"),
    path("jobs/<int:pk>/files/<slug:sha256>/", jobs.job_file, name="job-file"),
    path("targets/", machines.target_list, name="targets"),
    path("targets/new/", machines.target_form, name="target-new"),
    path("targets/<int:pk>/", machines.target, name="target"),
    path("targets/<int:pk>/edit/", machines.target_form, name="target-edit"),
    path("targets/<int:pk>/test/", machines.target_test, name="target-test"),
    path("targets/<int:pk>/key/", machines.target_key, name="target-key"),
    path("plans/", plans.plan_list, name="plans"),
    path("plans/new/", plans.plan_form, name="plan-new"),
    path("plans/<int:pk>/", plans.plan, name="plan"),
    path("plans/<int:pk>/edit/", plans.plan_form, name="plan-edit"),
    path("plans/<int:pk>/start/", plans.plan_start, name="plan-start"),
    path("plans/<int:pk>/schedules/", plans.plan_schedule, name="plan-schedule"),
    path("plans/<int:pk>/schedules/<int:schedule>/", plans.schedule_change, name="schedule-change"),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("dashboard.api.urls")),
    re_path(r"^api/", NothingHereView.as_view()),
]

handler500 = "dashboard.api.errors.handler500"
