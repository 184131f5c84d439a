from django.apps import AppConfig
from django.contrib.staticfiles.apps import StaticFilesConfig


class DashboardConfig(AppConfig):
    name = "dashboard"

    def ready(self) -> None:
        # Makes this project's Celery app the default one in every process that runs Django.
        from dashboard import celery  # noqa: F401, PLC0415


class StaticFiles(StaticFilesConfig):
    # Only the Swagger half of the schema sidecar is served; Redoc breaks the content security policy.
    ignore_patterns = ["CVS", ".*", "*~", "redoc"]  # noqa: RUF012  Django declares it on the instance
