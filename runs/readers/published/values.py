"""One setting and one figure as written down, into the domain's own; what is wrong raises DomainError in words."""

from collections.abc import Mapping
from decimal import Decimal

from runs.domain.facts import Evidence, Party, Printed, Quantity, Setting, SettingValue, State, Status
from runs.domain.metrics import metric, setting_spec, why_impossible
from runs.domain.records import Source
from runs.domain.units import DomainError, convert, parse_printed
from runs.readers.published.shapes import AnySetting, FigureIn, RunIn, SettingIn

Sources = Mapping[str, Source]

KINDS = {
    "bool": "true or false",
    "int": "a whole number of 0 or more",
    "float": "a number of 0 or more",
    "indices": "a list of whole numbers, each once",
    "text": "text",
}
_WITHOUT_VALUE = (Status.NOT_MEASURED, Status.NOT_STATED)


def setting_of(key: str, given: AnySetting, sources: Sources, source: str, via: str = "") -> Setting:
    """The setting of a key; ``source`` is where it was read unless it says so itself."""
    spec = setting_spec(key)
    if given is None or given == State.NOT_STATED:
        return Setting(key, State.NOT_STATED)
    if given == State.NOT_APPLICABLE:
        return Setting(key, State.NOT_APPLICABLE)
    entry = given if isinstance(given, SettingIn) else SettingIn(value=given)
    exact: SettingValue = tuple(entry.value) if isinstance(entry.value, list) else entry.value
    if exact is not None and not _fits(spec.kind, exact):
        raise DomainError(f"{spec.name} is {KINDS[spec.kind]}, not {exact!r}")
    if exact is not None and not spec.means(exact):
        raise DomainError(f"{spec.name} cannot be {exact!r}: what is not known is left out, or written 'not stated'")
    _check_state(spec.name, entry)
    read_in = _known(sources, entry.source or source)
    evidence = Evidence("document", read_in, quote=entry.quote, via=via)
    return Setting(key, entry.state, exact, entry.nominal, (evidence,), tuple(entry.claims), entry.note)


def _check_state(name: str, entry: SettingIn) -> None:
    has_value = entry.value is not None or entry.nominal != ""
    if entry.state in (State.STATED, State.INFERRED) and not has_value:
        raise DomainError(f"{name} is {entry.state} without a value or a nominal one")
    if entry.state in (State.NOT_STATED, State.NOT_APPLICABLE) and has_value:
        raise DomainError(f"{name} is {entry.state} and has a value")
    if entry.state is State.DISPUTED and len(entry.claims) < 2:
        raise DomainError(f"{name} is disputed: both claims are kept, not {len(entry.claims)}")
    if entry.state is State.OBSERVED:
        raise DomainError(f"{name}: what a document says is stated; observed is read off a system")


def _fits(kind: str, value: SettingValue) -> bool:
    match kind:
        case "bool":
            return isinstance(value, bool)
        case "int":
            return isinstance(value, int) and not isinstance(value, bool) and value >= 0
        case "float":
            return isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
        case "indices":
            return isinstance(value, tuple) and min(value, default=0) >= 0 and len(set(value)) == len(value)
    return isinstance(value, str)


def _known(sources: Sources, key: str) -> str:
    if key not in sources:
        raise DomainError(f"source {key!r} is none of {', '.join(sources)}")
    return key


def quantity_of(key: str, given: str | FigureIn, run: RunIn, party: Party, sources: Sources) -> Quantity:
    """The figure of a key; source, party, number locale and repeats are the run's unless it says its own."""
    entry = given if isinstance(given, FigureIn) else FigureIn(printed=given)
    symbol = _unit(key, entry)
    source = _known(sources, entry.source or run.source)
    locale = entry.locale or sources[run.via or source].locale

    def number(text: str | None) -> Decimal | None:
        return None if text is None else parse_printed(text, locale)

    low, high, value = number(entry.low), number(entry.high), number(entry.printed)
    _check_value(entry)
    repeated = tuple(parse_printed(one, locale) for one in entry.repeat_values)
    _check_possible(key, low, *(one for one in (value, high, *repeated) if one is not None))
    text = entry.printed if entry.printed is not None else f"{entry.low}-{entry.high}" if entry.low else ""
    repeats = run.repeats if entry.repeats is None else None if entry.repeats == "not stated" else entry.repeats
    if entry.repeat_values and len(entry.repeat_values) != repeats:
        raise DomainError(f"{len(entry.repeat_values)} repeat values of {repeats or 'not stated'} repeats")
    name, _, stat = key.partition(":")
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
        repeat_values=repeated,
        definition=entry.definition,
        note=entry.note,
    )


def _check_possible(key: str, low: Decimal | None, *values: Decimal) -> None:
    """Refuses what the figure cannot be. A range may begin at 0."""
    whys = [why_impossible(key, value) for value in (*values, *((low,) if low else ()))]
    if any(whys):
        raise DomainError(next(filter(None, whys)))


def _unit(key: str, entry: FigureIn) -> str:
    """The unit printed, which must measure what the metric is."""
    known = metric(key)
    if known.family in ("electricity", "rental"):
        raise DomainError(f"{known.name} follows from a scenario: its prices are written down there")
    stat = key.partition(":")[2]
    if stat not in known.stats:
        raise DomainError(f"{known.name} is which statistic? One of: {', '.join(known.stats)}")
    symbol = entry.unit or known.unit
    convert(1, symbol, known.unit)
    return symbol


def _check_value(entry: FigureIn) -> None:
    has_range = entry.low is not None or entry.high is not None
    if entry.printed is not None and has_range:
        raise DomainError("a printed value or a range, not both")
    if entry.printed is None and not has_range:
        if entry.status not in (*_WITHOUT_VALUE, Status.WITHDRAWN):
            raise DomainError("neither a printed value, nor a range, nor a status that says why there is none")
    elif entry.status in _WITHOUT_VALUE:
        raise DomainError(f"a value, and the status {entry.status}")
