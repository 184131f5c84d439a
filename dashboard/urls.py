from django.contrib import admin
from django.contrib.auth import views as auth
from django.urls import include, path, re_path

import dashboard.paths  # noqa: F401 - makes the converter "row" known
from dashboard.api.docs import NothingHereView
from dashboard.pages import (
    account,
    errata,
    evaluations,
    exports,
    inbox,
    jobs,
    machines,
    names,
    plans,
    saved,
    setups,
    share,
    shares,
)
from dashboard.pages.compare import comparison
from dashboard.pages.home import home
from dashboard.pages.paste import paste
from dashboard.pages.run import run, run_file, run_power
from dashboard.pages.run_list import run_list
from dashboard.pages.run_picture import run_picture
from dashboard.pages.scenarios import scenario_edit, scenario_list, scenario_new
from dashboard.pages.source_answer import source_answer
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
    path("runs/<slug:key>/chart-power.<slug:extension>", run_picture, name="run-picture"),
    path("runs/<slug:key>/files/<slug:sha256>/", run_file, name="run-file"),
    path("runs/<slug:key>/history/", errata.history, name="run-history"),
    path("runs/<slug:key>/errata/", errata.run_erratum, name="run-erratum"),
    path("runs/<slug:key>/settings/", errata.run_setting, name="run-setting"),
    path("runs/<slug:key>/purge/", errata.run_purge, name="run-purge"),
    path("sources/<slug:key>/errata/", errata.source_errata, name="source-errata"),
    path("evaluations/", evaluations.evaluation_list, name="evaluations"),
    path("evaluations/new/", evaluations.evaluation_new, name="evaluation-new"),
    path("evaluations/export.<slug:extension>", evaluations.evaluation_export, name="evaluation-export"),
    path("evaluations/<slug:key>/", evaluations.evaluation, name="evaluation"),
    path("evaluations/<slug:key>/errata/", evaluations.evaluation_erratum, name="evaluation-erratum"),
    path("setups/", setups.setups, name="setups"),
    path("setups/setup/", setups.setup, name="setup"),
    path("names/", names.names, name="names"),
    path("names/<row:alias_id>/unmerge/", names.unmerge, name="name-unmerge"),
    path("sources/", source_list, name="sources"),
    path("sources/new/", source_new, name="source-new"),
    path("sources/<slug:key>/", source, name="source"),
    path("sources/<slug:key>/edit/", source_edit, name="source-edit"),
    path("sources/<slug:key>/copy/", source_copy, name="source-copy"),
    path("sources/<slug:key>/paste/", paste, name="source-paste"),
    path("sources/<slug:key>/runs/new/", source_run, name="source-run"),
    path("sources/<slug:key>/questions/<slug:setting>/", source_answer, name="source-answer"),
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
    path("shares/<row:share_id>/", shares.share_detail, name="share-detail"),
    path("shares/<row:share_id>/revoke/", shares.share_revoke, name="share-revoke"),
    path("shares/<row:share_id>/passphrase/", shares.share_passphrase, name="share-passphrase"),
    path("s/<str:token>/", share.share_page, name="share"),
    path("s/<str:token>/unlock/", share.share_unlock, name="share-unlock"),
    path("s/<str:token>/fact/", share.share_fact, name="share-fact"),
    path("s/<str:token>/export.<slug:extension>", share.share_export, name="share-export"),
    path("s/<str:token>/chart-<slug:chart_id>.<slug:extension>", share.share_chart, name="share-chart"),
    path("s/<str:token>", share.share_page),
    path("s/<path:rest>", share.share_nothing),
    path("inbox/", inbox.inbox_page, name="inbox"),
    path("inbox/<row:message_id>/", inbox.inbox_decide, name="inbox-decide"),
    path("language/", account.language, name="language"),
    path("tokens/", account.token_page, name="tokens"),
    path("tokens/<slug:token_id>/revoke/", account.token_revoke, name="token-revoke"),
    path("audit/", account.audit_page, name="audit"),
    path("jobs/", jobs.job_list, name="jobs"),
    path("jobs/demo/", jobs.job_demo, name="job-demo"),
    path("jobs/<row:pk>/", jobs.job, name="job"),
    path("jobs/<row:pk>/live/", jobs.job_live, name="job-live"),
    path("jobs/<row:pk>/cancel/", jobs.job_cancel, name="job-cancel"),
    path("jobs/<row:pk>/files/<slug:sha256>/", jobs.job_file, name="job-file"),
    path("targets/", machines.target_list, name="targets"),
    path("targets/new/", machines.target_form, name="target-new"),
    path("targets/<row:pk>/", machines.target, name="target"),
    path("targets/<row:pk>/edit/", machines.target_form, name="target-edit"),
    path("targets/<row:pk>/test/", machines.target_test, name="target-test"),
    path("targets/<row:pk>/key/", machines.target_key, name="target-key"),
    path("plans/", plans.plan_list, name="plans"),
    path("plans/new/", plans.plan_form, name="plan-new"),
    path("plans/<row:pk>/", plans.plan, name="plan"),
    path("plans/<row:pk>/edit/", plans.plan_form, name="plan-edit"),
    path("plans/<row:pk>/start/", plans.plan_start, name="plan-start"),
    path("plans/<row:pk>/schedules/", plans.plan_schedule, name="plan-schedule"),
    path("plans/<row:pk>/schedules/<row:schedule>/", plans.schedule_change, name="schedule-change"),
    path("login/", auth.LoginView.as_view(redirect_authenticated_user=True), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("dashboard.api.urls")),
    re_path(r"^api/", NothingHereView.as_view()),
]

handler500 = "dashboard.api.errors.handler500"
