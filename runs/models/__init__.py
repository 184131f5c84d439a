from runs.models.accounts import ApiToken, User
from runs.models.artifact import Artifact
from runs.models.power import PowerLog, PowerSamples, RunPower
from runs.models.run import Run, RunArtifact, RunBody
from runs.models.scenario import ScenarioRow
from runs.models.source import RunSource, Source
from runs.models.upload import UploadRecord

__all__ = [
    "ApiToken",
    "Artifact",
    "PowerLog",
    "PowerSamples",
    "Run",
    "RunArtifact",
    "RunBody",
    "RunPower",
    "RunSource",
    "ScenarioRow",
    "Source",
    "UploadRecord",
    "User",
]
