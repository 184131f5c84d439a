"""Files and statements together: how what an uploader says and what tools report settle into a run's settings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from runs.domain.facts import Evidence, Setting, State
from runs.domain.records import Remark, RunRecord
from runs.domain.settling import settle
from runs.domain.setups import Profile, with_profile
from runs.services.meta import Meta


@dataclass(frozen=True)
class CapClaim:
    """A cap of one GPU as one file reports it, in W."""

    gpu: str
    cap_w: float
    evidence: Evidence


def with_meta(record: RunRecord, meta: Meta, *, label: str) -> RunRecord:
    """The record with the uploader's statements beside what the file says."""
    settings = [settle(record.setting(key), given) for key, given in meta.settings.items()]
    return replace(
        record.with_settings(*settings, *_active(record, meta)),
        label=label or record.label,
        notes=meta.notes or record.notes,
        setup=meta.setup or record.setup,
    )


def with_setup(record: RunRecord, meta: Meta, profile: Profile, *, said: Iterable[str] = ()) -> RunRecord:
    """The record with what its setup says of what neither the file nor the uploader does."""
    gpus = ("active_gpus", "active_gpu_indices") if meta.active_gpus else ()
    return with_profile(record, profile, {*meta.settings, *gpus, *said})


def _active(record: RunRecord, meta: Meta) -> Iterable[Setting]:
    """The active GPUs named at upload, as count and, where they are indices, as indices."""
    if not meta.active_gpus:
        return
    evidence = (Evidence("statement", place="active_gpus"),)
    given = meta.settings.get("active_gpus") or record.setting("active_gpus")
    yield settle(given, Setting("active_gpus", State.STATED, len(meta.active_gpus), evidence=evidence))
    indices = gpu_indices(meta.active_gpus)
    if indices is not None:
        known = record.setting("active_gpu_indices")
        yield settle(known, Setting("active_gpu_indices", State.STATED, indices, evidence=evidence))


def gpu_indices(labels: Sequence[str]) -> tuple[int, ...] | None:
    """GPU labels as indices; None where one of them is none, such as a UUID."""
    if all(gpu.isascii() and gpu.isdigit() for gpu in labels):
        return tuple(int(gpu) for gpu in labels)
    return None


def with_caps(record: RunRecord, gpus: Sequence[str], caps: Sequence[CapClaim]) -> RunRecord:
    """The power cap per GPU as tools reported it for the run's GPUs (all of the report where they are not known)."""
    mine = [cap for cap in caps if not gpus or cap.gpu in gpus]
    if not mine:
        return record
    watts = {cap.cap_w for cap in mine}
    evidence = tuple(dict.fromkeys(cap.evidence for cap in mine))
    if len(watts) == 1:
        observed = Setting("power_cap_w", State.OBSERVED, watts.pop(), evidence=evidence)
        return record.with_settings(settle(record.setting("power_cap_w"), observed))
    by_gpu = _by_gpu(mine)
    claims = tuple(f"GPU {gpu}: {' and '.join(f'{cap:g}' for cap in caps)} W" for gpu, caps in by_gpu.items())
    disputed = Setting("power_cap_w", State.DISPUTED, None, "", evidence, claims)
    remark = Remark("caps-differ", f"the power caps of the run's GPUs differ: {'; '.join(claims)}")
    return replace(record.with_settings(disputed), remarks=(*record.remarks, remark))


def _by_gpu(caps: Sequence[CapClaim]) -> Mapping[str, list[float]]:
    found: dict[str, list[float]] = {}
    for cap in caps:
        values = found.setdefault(cap.gpu, [])
        if cap.cap_w not in values:
            values.append(cap.cap_w)
    return found
