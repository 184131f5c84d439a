"""What a power log says of a run as figures, so that an erratum can lie over them while the log's watts stay."""

from dataclasses import replace

from runs.domain.facts import Basis, Evidence, Quantity
from runs.domain.metrics import metric
from runs.domain.records import PowerAnalysis, RunRecord

MEAN, ENERGY = "gpu_power:mean", "energy"


def power_quantities(record: RunRecord) -> tuple[Quantity, ...]:
    """The figures of the run's power analysis; none where it has none, or where its mean power is given otherwise."""
    analysis = record.power
    if analysis is None or record.quantity(MEAN) is not None:
        return ()
    evidence = (Evidence("file", analysis.log_sha256, "samples within the window"),)
    values = {
        MEAN: analysis.mean_w,
        "gpu_power:peak": analysis.peak_w,
        "gpu_power:p50": analysis.p50_w,
        "gpu_power:p95": analysis.p95_w,
        ENERGY: analysis.energy_j,
    }
    found = []
    for key, value in values.items():
        if value is not None and record.quantity(key) is None:
            name, _, stat = key.partition(":")
            unit = metric(key).unit
            found.append(
                Quantity(name, unit, Basis.MEASURED, stat, value, party=record.party, evidence=evidence, repeats=1)
            )
    return tuple(found)


def with_power(record: RunRecord) -> RunRecord:
    """The record with the figures of its power log among its own."""
    found = power_quantities(record)
    return replace(record, quantities=(*record.quantities, *found)) if found else record


def is_of_log(record: RunRecord, key: str) -> bool:
    """Whether a figure of the record comes from its power log."""
    if record.power is None:
        return False
    return any(
        one.key == key and any(proof.kind == "file" and proof.ref == record.power.log_sha256 for proof in one.evidence)
        for one in with_power(record).quantities
    )


def seconds_measured(analysis: PowerAnalysis) -> float | None:
    """The part of the window that the log spans, in s: energy over mean power; None where there is no energy."""
    if analysis.energy_j is None or not analysis.mean_w:
        return None
    return analysis.energy_j / analysis.mean_w
