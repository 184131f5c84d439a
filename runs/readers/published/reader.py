"""Published runs written down by a person, in Likewise's own YAML or JSON (docs/published-runs.md).

The file says what was printed and where; this reader turns printed text into decimals by the file's number locale and
keeps the text. Nothing is filled in: a setting that is not in the file is not stated.
"""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

import msgspec

from runs.domain.errata import Erratum, applied
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Evidence, Party, Printed, Setting
from runs.domain.records import Provenance, RunRecord, Source
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError, parse_printed, unit
from runs.readers.base import Reader, ReadErratum, ReadError, Reading, ReadRun, Upload
from runs.readers.published.places import named
from runs.readers.published.plainyaml import YamlRefusedError, load_yaml
from runs.readers.published.shapes import (
    AnySetting,
    ErratumIn,
    EvaluationIn,
    FileIn,
    RunIn,
    ScenarioIn,
    SourceIn,
    explained,
)
from runs.readers.published.values import quantity_of, setting_of

FORMAT = "published-runs"
MARK = re.compile(r"""["']?likewise["']?\s*:\s*["']?published-runs/""")
MAX_RUNS = 2000
MAX_SOURCE_KEY = 100
MAX_SETUP_NAME = 200


def claims(upload: Upload) -> bool:
    """A file whose first lines carry the mark, as YAML or as JSON."""
    return MARK.search(upload.head[:2000]) is not None


def read(upload: Upload) -> Reading:
    """Every run, source and scenario in the file; raises ReadError at the first thing that is not as documented."""
    try:
        content = load_yaml(upload.text)
    except YamlRefusedError as refused:
        raise ReadError(upload.name, refused.place, refused.expected, refused.seen) from None
    try:
        data = msgspec.convert(content, type=FileIn)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        where = named(content, place.strip("`"), str(error))
        raise ReadError(upload.name, where, *explained(message, place)) from None
    if len(data.runs) > MAX_RUNS:
        raise ReadError(upload.name, "runs", f"at most {MAX_RUNS} runs", f"{len(data.runs)}")
    for name, keys in (
        ("runs", [one.key for one in data.runs if one.key]),
        ("scenarios", [one.key for one in data.scenarios]),
        ("evaluations", [one.key for one in data.evaluations]),
    ):
        twice = [key for key, count in Counter(keys).items() if count > 1]
        if twice:
            raise ReadError(upload.name, name, "each key once", f"{twice[0]} twice")
    sources = {key: _source(upload, key, entry) for key, entry in data.sources.items()}
    setups = {name: _setup(upload, data, sources, name) for name in data.setups}
    runs = tuple(_run(upload, data, sources, index) for index in range(len(data.runs)))
    scenarios = tuple(_scenario(upload, index, entry) for index, entry in enumerate(data.scenarios))
    return Reading(
        FORMAT,
        runs=runs,
        sources=tuple(sources.values()),
        scenarios=scenarios,
        evaluations=tuple(_evaluation(upload, sources, index, one) for index, one in enumerate(data.evaluations)),
        errata=tuple(_erratum(upload, data, index, runs) for index in range(len(data.errata))),
        setups=setups,
    )


def _setup(upload: Upload, data: FileIn, sources: dict[str, Source], name: str) -> dict[str, Setting]:
    """What a setup says by itself: with the source of the first run of it, else the first of the file."""
    named = (run for run in data.runs if run.setup == name and run.source in sources and run.via in {"", *sources})
    run = next(named, RunIn(label=name, source=next(iter(sources), "")))
    found = _settings(upload, f"setups.{name}", data.setups[name].settings, sources, run)
    if found and not (name.isprintable() and 0 < len(name) <= MAX_SETUP_NAME):
        raise ReadError(upload.name, "setups", f"printable names of at most {MAX_SETUP_NAME} characters", name)
    try:
        msgspec.json.encode(found)
    except UnicodeEncodeError:
        raise ReadError(upload.name, f"setups.{name}", "text that can be stored", "lone surrogates") from None
    return found


def _evaluation(upload: Upload, sources: dict[str, Source], index: int, entry: EvaluationIn) -> Evaluation:
    source = sources.get(entry.source)
    if source is None:
        raise ReadError(upload.name, f"evaluations[{index}]", f"a source among {', '.join(sources)}", entry.source)
    try:
        unit(entry.unit)
        return Evaluation(
            key=entry.key,
            task=entry.task,
            correct=entry.correct,
            total=entry.total,
            score=None if entry.score is None else parse_printed(entry.score, source.locale),
            unit=entry.unit,
            shots=entry.shots,
            full_size=entry.full_size,
            context=entry.context,
            settings={key: setting_of(key, value, sources, entry.source) for key, value in entry.settings.items()},
            counts=entry.counts,
            covers=tuple(entry.covers),
            configuration=entry.configuration,
            status=entry.status,
            party=Party(source.publisher, source.relation),
            evidence=(Evidence("document", entry.source, quote=entry.printed),),
            printed=Printed(entry.printed, source.locale) if entry.printed else None,
            date=entry.date,
            note=entry.note,
        )
    except DomainError as error:
        raise ReadError(upload.name, f"evaluations[{index}]", "an evaluation that can be", str(error)) from None


def _erratum(upload: Upload, data: FileIn, index: int, runs: tuple[ReadRun, ...]) -> ReadErratum:
    entry, place = data.errata[index], f"errata[{index}]"
    target, key = _target(upload, place, entry)
    known = {
        "run": {one.key: run.place for one, run in zip(data.runs, runs, strict=True) if one.key},
        "evaluation": {one.key: one.key for one in data.evaluations},
        "source": {one: one for one in data.sources},
    }[target]
    if key not in known or entry.source not in data.sources:
        seen = key if key not in known else entry.source
        raise ReadError(upload.name, place, f"a {target} and a source of this file", seen)
    try:
        erratum = Erratum(
            kind=entry.kind,
            date=entry.date,
            reason=entry.reason,
            who=entry.who,
            metric=entry.metric,
            old=entry.old,
            new=entry.new,
            locale=data.sources[entry.source].locale,
            successor=entry.successor,
            evidence=(Evidence("document", entry.source, quote=entry.quote),),
            key=f"{target}:{key}:{index}",
        )
        if target == "run":
            applied(next(run.record for run in runs if run.place == known[key]), [erratum])
    except DomainError as error:
        raise ReadError(upload.name, place, "an erratum that fits its run", str(error)) from None
    return ReadErratum(target, known[key], erratum)


def _target(upload: Upload, place: str, entry: ErratumIn) -> tuple[Literal["run", "evaluation", "source"], str]:
    given = [
        (kind, key)
        for kind, key in (("run", entry.run), ("evaluation", entry.evaluation), ("source", entry.about_source))
        if key
    ]
    if len(given) != 1:
        raise ReadError(upload.name, place, "one of run, evaluation or about_source", f"{len(given)} of them")
    return given[0]  # type: ignore[return-value]


def _source(upload: Upload, key: str, entry: SourceIn) -> Source:
    """A source; a date "not stated" is an empty one."""
    given = msgspec.structs.asdict(entry)
    for name in ("published", "accessed"):
        given[name] = "" if given[name] == "not stated" else given[name]
    if not entry.published.strip():
        raise ReadError(upload.name, f"sources.{key}.published", "a date, or “not stated”", "nothing")
    if len(key) > MAX_SOURCE_KEY:
        raise ReadError(upload.name, "sources", f"keys of at most {MAX_SOURCE_KEY} characters", key)
    try:
        return Source(key=key, **given)
    except DomainError as error:
        raise ReadError(upload.name, f"sources.{key}", "a source with its dates", str(error)) from None


def _scenario(upload: Upload, index: int, entry: ScenarioIn) -> Scenario:
    place = f"scenarios[{index}]"
    try:
        offers = tuple(
            Offer(one.name, parse_printed(one.rate_per_gpu_hour, "plain"), one.includes, one.unit_gpus, one.source,
                  one.checked)
            for one in entry.offers
        )  # fmt: skip
        price = None if entry.price_per_kwh is None else parse_printed(entry.price_per_kwh, "plain")
        pue, utilisation = parse_printed(entry.pue, "plain"), parse_printed(entry.utilisation, "plain")
        return Scenario(entry.key, entry.name, entry.currency, price, pue, utilisation, offers, entry.note)
    except DomainError as error:
        raise ReadError(upload.name, place, "a scenario with prices as plain decimals in quotes", str(error)) from None


def _run(upload: Upload, data: FileIn, sources: dict[str, Source], index: int) -> ReadRun:
    entry = data.runs[index]
    place = f"runs[{index}]"
    for name in filter(None, (entry.source, entry.via)):
        if name not in sources:
            raise ReadError(upload.name, place, f"a source among {', '.join(sources)}", name)
    if entry.provenance is Provenance.MEASURED:
        raise ReadError(upload.name, f"{place}.provenance", "published or house document", "measured, which has files")
    source = sources[entry.source]
    party = Party(entry.party.name, entry.party.relation) if entry.party else Party(source.publisher, source.relation)
    shared = data.setups[entry.setup].settings if entry.setup in data.setups else {}
    settings = _settings(upload, f"setups.{entry.setup}", shared, sources, entry)
    settings |= _settings(upload, place, entry.settings, sources, entry)
    quantities = []
    for key, given in entry.figures.items():
        with _refusing(upload, f"{place}.figures.{key}", "a figure as printed"):
            quantities.append(quantity_of(key, given, entry, party, sources))
    record = RunRecord(
        label=entry.label,
        provenance=entry.provenance,
        party=party,
        settings=settings,
        quantities=tuple(quantities),
        setup=entry.setup,
        notes=entry.notes,
    )
    return ReadRun(f"{place} {entry.key}".strip(), record)


def _settings(
    upload: Upload, place: str, given: dict[str, AnySetting], sources: dict[str, Source], run: RunIn
) -> dict[str, Setting]:
    found = {}
    for key, value in given.items():
        with _refusing(upload, f"{place}.settings.{key}", "a setting of the catalogue"):
            found[key] = setting_of(key, value, sources, run.source, run.via)
    return found


@contextmanager
def _refusing(upload: Upload, place: str, expected: str) -> Iterator[None]:
    """What the domain refuses becomes a ReadError with its place."""
    try:
        yield
    except DomainError as error:
        raise ReadError(upload.name, place, expected, str(error)) from None


READER = Reader(FORMAT, "Likewise published runs (YAML or JSON)", claims, read)
