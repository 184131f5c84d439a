"""Published runs written down by a person, in Likewise's own YAML or JSON (docs/published-runs.md).

The file says what was printed and where; this reader turns printed text into decimals by the file's number locale and
keeps the text. Nothing is filled in: a setting that is not in the file is not stated.
"""

from decimal import Decimal
from typing import Literal

import msgspec

from runs.domain.errata import Erratum
from runs.domain.evaluations import Evaluation
from runs.domain.facts import Evidence, Party, Printed, Quantity, Setting, SettingValue, State, Status
from runs.domain.metrics import metric, setting_spec
from runs.domain.records import RunRecord, Source
from runs.domain.scenarios import Offer, Scenario
from runs.domain.units import DomainError, parse_printed, unit
from runs.readers.base import Reader, ReadErratum, ReadError, Reading, ReadRun, Upload
from runs.readers.published.plainyaml import YamlRefusedError, load_yaml
from runs.readers.published.shapes import (
    AnySetting,
    ErratumIn,
    EvaluationIn,
    FigureIn,
    FileIn,
    RunIn,
    ScenarioIn,
    SettingIn,
    SourceIn,
)

FORMAT = "published-runs"
MARK = "likewise: published-runs/1"
MAX_RUNS = 2000


def claims(upload: Upload) -> bool:
    """A file whose first lines carry the mark, as YAML or as JSON."""
    head = upload.head[:2000].replace('"', "").replace("'", "")
    return MARK in head


def read(upload: Upload) -> Reading:
    """Every run, source and scenario in the file; raises ReadError at the first thing that is not as documented."""
    try:
        data = msgspec.convert(load_yaml(upload.text), type=FileIn)
    except YamlRefusedError as refused:
        raise ReadError(upload.name, refused.place, refused.expected, refused.seen) from None
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        raise ReadError(upload.name, place.strip("`"), "the published-runs format, version 1", message) from None
    if len(data.runs) > MAX_RUNS:
        raise ReadError(upload.name, "runs", f"at most {MAX_RUNS} runs", f"{len(data.runs)}")
    sources = {key: _source(key, entry) for key, entry in data.sources.items()}
    runs = tuple(_run(upload, data, sources, index) for index in range(len(data.runs)))
    scenarios = tuple(_scenario(upload, index, entry) for index, entry in enumerate(data.scenarios))
    return Reading(
        FORMAT,
        runs=runs,
        sources=tuple(sources.values()),
        scenarios=scenarios,
        evaluations=tuple(_evaluation(upload, sources, index, one) for index, one in enumerate(data.evaluations)),
        errata=tuple(_erratum(upload, data, index, runs) for index in range(len(data.errata))),
    )


def _evaluation(upload: Upload, sources: dict[str, Source], index: int, entry: EvaluationIn) -> Evaluation:
    source = sources.get(entry.source)
    if source is None:
        raise ReadError(upload.name, f"evaluations[{index}]", f"a source among {', '.join(sources)}", entry.source)
    try:
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
            settings={key: _setting(key, value, entry.source, "") for key, value in entry.settings.items()},
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
    except DomainError as error:
        raise ReadError(upload.name, place, "an erratum", str(error)) from None
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


def _source(key: str, entry: SourceIn) -> Source:
    return Source(key=key, **msgspec.structs.asdict(entry))


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
    if entry.setup and entry.setup not in data.setups:
        raise ReadError(upload.name, place, f"a setup among {', '.join(data.setups) or '(none)'}", entry.setup)
    source = sources[entry.source]
    party = Party(entry.party.name, entry.party.relation) if entry.party else Party(source.publisher, source.relation)
    given = {**(data.setups[entry.setup].settings if entry.setup else {}), **entry.settings}
    try:
        settings = {key: _setting(key, value, entry.source, entry.via) for key, value in given.items()}
        quantities = tuple(_quantity(key, value, entry, party, sources) for key, value in entry.figures.items())
    except DomainError as error:
        raise ReadError(upload.name, place, "settings and figures of the catalogue", str(error)) from None
    record = RunRecord(
        label=entry.label,
        provenance=entry.provenance,
        party=party,
        settings=settings,
        quantities=quantities,
        setup=entry.setup,
        notes=entry.notes,
    )
    return ReadRun(f"{place} {entry.key}".strip(), record)


def _setting(key: str, value: AnySetting, source: str, via: str) -> Setting:
    spec = setting_spec(key)
    if value is None or value == State.NOT_STATED:
        return Setting(key, State.NOT_STATED)
    if value == State.NOT_APPLICABLE:
        return Setting(key, State.NOT_APPLICABLE)
    entry = value if isinstance(value, SettingIn) else SettingIn(value=value)
    exact: SettingValue = tuple(entry.value) if isinstance(entry.value, list) else entry.value
    if exact is not None and not _fits(spec.kind, exact):
        raise DomainError(f"setting {key}: expected {spec.kind}, saw {exact!r}")
    evidence = Evidence("document", entry.source or source, quote=entry.quote, via=via)
    return Setting(key, entry.state, exact, entry.nominal, (evidence,), tuple(entry.claims), entry.note)


def _fits(kind: str, value: SettingValue) -> bool:
    if kind == "bool":
        return isinstance(value, bool)
    if kind == "int":
        return isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if kind == "float":
        return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    if kind == "indices":
        return isinstance(value, tuple)
    return isinstance(value, str)


def _quantity(key: str, given: str | FigureIn, run: RunIn, party: Party, sources: dict[str, Source]) -> Quantity:
    entry = given if isinstance(given, FigureIn) else FigureIn(printed=given)
    name, _, stat = key.partition(":")
    symbol = entry.unit or metric(key).unit
    unit(symbol)
    source = entry.source or run.source
    if source not in sources:
        raise DomainError(f"figure {key}: source {source!r} is none of {', '.join(sources)}")
    locale = entry.locale or sources[run.via or source].locale

    def number(text: str | None) -> Decimal | None:
        return None if text is None else parse_printed(text, locale)

    low, high, value = number(entry.low), number(entry.high), number(entry.printed)
    if value is None and low is None and entry.status not in (Status.NOT_MEASURED, Status.NOT_STATED, Status.WITHDRAWN):
        raise DomainError(f"figure {key}: a printed value, a range, or a status that says why there is none")
    text = entry.printed if entry.printed is not None else f"{entry.low}-{entry.high}" if entry.low else ""
    repeats = run.repeats if entry.repeats is None else None if entry.repeats == "not stated" else entry.repeats
    return Quantity(
        metric=name,
        unit=symbol,
        basis=entry.basis,
        stat=stat,
        value=value,
        low=low,
        high=high,
        status=entry.status,
        party=Party(entry.party.name, entry.party.relation) if entry.party else party,
        evidence=(Evidence("document", source, quote=entry.quote or text, via=run.via),),
        printed=Printed(entry.quote or text, locale, entry.circa) if text else None,
        repeats=repeats,
        repeat_values=tuple(parse_printed(one, locale) for one in entry.repeat_values),
        definition=entry.definition,
        note=entry.note,
    )


READER = Reader(FORMAT, "Likewise published runs (YAML or JSON)", claims, read)
