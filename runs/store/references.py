"""Sources and scenarios into rows and back."""

import datetime as dt
from collections.abc import Collection
from dataclasses import replace

import msgspec
from django.db.models import Count, Max

from runs.domain.records import RunRecord, Source
from runs.domain.scenarios import Scenario
from runs.models import RunSource, ScenarioRow
from runs.models import Source as SourceRow
from runs.store.codec import text

_source = msgspec.json.Decoder(Source)
_scenario = msgspec.json.Decoder(Scenario)


def save_source(source: Source) -> None:
    """A source under its key; a later statement of the same source replaces the earlier."""
    SourceRow.objects.update_or_create(
        key=source.key,
        defaults={
            "title": text(source.title, 300),
            "publisher": text(source.publisher, 200),
            "url": text(source.url, 1000),
            "record": msgspec.json.encode(source),
        },
    )


def source_keys(records: Collection[RunRecord]) -> set[str]:
    """Keys of the sources that some records rest on, directly or via."""
    found: set[str] = set()
    for record in records:
        settings = [setting.evidence for setting in record.settings.values()]
        for evidence in (*settings, *(quantity.evidence for quantity in record.quantities)):
            for one in evidence:
                if one.kind == "document":
                    found.update(filter(None, (one.ref, one.via)))
    return found


def sources(keys: Collection[str]) -> tuple[Source, ...]:
    """The sources of some keys, ordered by key, in one query."""
    if not keys:
        return ()
    rows = SourceRow.objects.filter(key__in=keys).order_by("key").values_list("record", flat=True)
    return tuple(_source.decode(bytes(blob)) for blob in rows)


def every_source() -> tuple[Source, ...]:
    """Every source by title, in one query."""
    rows = SourceRow.objects.order_by("title", "key").values_list("record", flat=True)
    return tuple(_source.decode(bytes(blob)) for blob in rows)


def archived_hashes() -> set[str]:
    """SHA-256 of every archived copy of a source; one query."""
    blobs = SourceRow.objects.values_list("record", flat=True).iterator()
    return {_source.decode(bytes(blob)).archived_sha256 for blob in blobs} - {""}


def sources_of(run_ids: Collection[str]) -> tuple[Source, ...]:
    """The sources that some runs, by public id, rest on, ordered by key, in one query."""
    resting = RunSource.objects.filter(run__public_id__in=run_ids).values("key")
    rows = SourceRow.objects.filter(key__in=resting).order_by("key").values_list("record", flat=True)
    return tuple(_source.decode(bytes(blob)) for blob in rows)


def all_sources() -> tuple[tuple[Source, int], ...]:
    """Every source by title, with how many runs rest on it."""
    resting = dict(RunSource.objects.values_list("key").annotate(runs=Count("run_id")))
    rows = SourceRow.objects.order_by("title", "key").values_list("record", flat=True)
    return tuple((source, resting.get(source.key, 0)) for source in (_source.decode(bytes(blob)) for blob in rows))


def runs_of(source_key: str) -> tuple[str, ...]:
    """Public ids of the runs that rest on a source, oldest first."""
    resting = RunSource.objects.filter(key=source_key).order_by("run_id")
    return tuple(resting.values_list("run__public_id", flat=True))


def save_scenario(scenario: Scenario) -> Scenario:
    """The scenario under its next version; what is the same as the latest version stays that version."""
    latest = scenario_of(scenario.key)
    if latest is not None and replace(scenario, version=latest.version) == latest:
        return latest
    kept = replace(scenario, version=latest.version + 1 if latest else 1)
    ScenarioRow.objects.create(
        key=text(kept.key, 60), version=kept.version, name=text(kept.name, 120), record=msgspec.json.encode(kept)
    )
    return kept


def scenario_of(key: str, version: int | None = None) -> Scenario | None:
    """A scenario in its latest version or the one asked for."""
    rows = ScenarioRow.objects.filter(key=key).order_by("-version")
    if version is not None:
        rows = rows.filter(version=version)
    blob = rows.values_list("record", flat=True).first()
    return None if blob is None else _scenario.decode(bytes(blob))


def scenarios() -> tuple[Scenario, ...]:
    """Every scenario in its latest version, by name."""
    latest = dict(ScenarioRow.objects.order_by().values_list("key").annotate(latest=Max("version")))
    rows = ScenarioRow.objects.order_by("name", "key").values_list("key", "version", "record")
    return tuple(_scenario.decode(bytes(blob)) for key, version, blob in rows if latest[key] == version)


def scenario_versions(key: str) -> tuple[tuple[int, str, dt.datetime], ...]:
    """Version, name and time of each version of a scenario, latest first."""
    return tuple(ScenarioRow.objects.filter(key=key).order_by("-version").values_list("version", "name", "created"))
