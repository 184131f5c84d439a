from runs.models.accounts import ApiToken, User
from runs.models.alias import AliasRow
from runs.models.artifact import Artifact
from runs.models.audit import AuditEntry
from runs.models.comparison import ComparisonVersion, SavedComparison
from runs.models.evaluation import EvaluationCover, EvaluationRow
from runs.models.history import ErratumRow, SettingEdit, Tombstone
from runs.models.jobs import HostKey, Job, JobArtifact, JobRun, Occurrence, Plan, Schedule, Target
from runs.models.power import PowerLog, PowerSamples, RunPower
from runs.models.run import Run, RunArtifact, RunBody
from runs.models.scenario import ScenarioRow
from runs.models.setup import SetupProfile
from runs.models.share import FactMessage, Share, ShareAccess
from runs.models.source import RunSource, Source
from runs.models.upload import UploadRecord

__all__ = [
    "AliasRow",
    "ApiToken",
    "Artifact",
    "AuditEntry",
    "ComparisonVersion",
    "ErratumRow",
    "EvaluationCover",
    "EvaluationRow",
    "FactMessage",
    "HostKey",
    "Job",
    "JobArtifact",
    "JobRun",
    "Occurrence",
    "Plan",
    "PowerLog",
    "PowerSamples",
    "Run",
    "RunArtifact",
    "RunBody",
    "RunPower",
    "RunSource",
    "SavedComparison",
    "ScenarioRow",
    "Schedule",
    "SettingEdit",
    "SetupProfile",
    "Share",
    "ShareAccess",
    "Source",
    "Target",
    "Tombstone",
    "UploadRecord",
    "User",
]
