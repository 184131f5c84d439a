from django.apps import AppConfig


class RunsConfig(AppConfig):
    name = "runs"

    def ready(self) -> None:
        # Models exist only now.
        from runs.services import audit  # noqa: PLC0415

        audit.connect()
