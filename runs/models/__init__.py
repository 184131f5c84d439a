from runs.models.accounts import ApiToken, User
from runs.models.alias import AliasRow
from runs.models.artifact import Artifact
from runs.models.evaluation import EvaluationCover, EvaluationRow
from runs.models.history import ErratumRow, SettingEdit, Tombstone
from runs.models.power import PowerLog, PowerSamples, RunPower
from runs.models.run import Run, RunArtifact, RunBody
from runs.models.scenario import ScenarioRow
from runs.models.source import RunSource, Source
from runs.models.upload import UploadRecord

__all__ = [
    "AliasRow",
    "ApiToken",
    "Artifact",
    "ErratumRow",
    "EvaluationCover",
    "EvaluationRow",
    "PowerLog",
    "PowerSamples",
    "Run",
    "RunArtifact",
    "RunBody",
    "RunPower",
    "RunSource",
    "ScenarioRow",
    "SettingEdit",
    "Source",
    "Tombstone",
    "UploadRecord",
    "User",
]
