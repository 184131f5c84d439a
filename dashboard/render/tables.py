"""A comparison as finished tables: settings, sections of metrics, heads of runs, sources."""

from dataclasses import dataclass
from urllib.parse import quote

from dashboard.render.caveats import Note, letter, notes, numbering
from dashboard.render.cells import FigureCell, figure_cell, span_text
from dashboard.render.conditions import Condition, conditions
from dashboard.render.errata import Notice, notices, old_values, was_text
from dashboard.render.numbers import Locale, change
from dashboard.render.wording import (
    BETTER,
    FAMILIES,
    GROUPS,
    Badge,
    _,
    metric_name,
    provenance_badge,
    say,
    setting_value,
    state_badge,
    unit_head,
)
from runs.domain.comparison import Comparison, Row, SettingRow, Span
from runs.domain.facts import Setting
from runs.domain.metrics import Metric, metric, setting_spec
from runs.domain.records import Source
from runs.telling import tell

SECTIONS = (
    ("speed", _("Throughput and latency"), ("throughput", "latency", "load", "quality")),
    ("power", _("Power and throughput per kW"), ("power", "efficiency")),
    ("costs", _("Electricity and rental"), ("electricity", "rental")),
    ("hardware", _("Of the node and the model"), ("configuration",)),
)
# Rows that fold away under their section: they say the same for another token or another span of time.
FOLDED = ("electricity_output", "electricity_year", "rental_output", "rental_year")


@dataclass(frozen=True)
class Column:
    """The head of a run's column."""

    letter: str
    key: str
    label: str
    provenance: Badge
    party: str
    relation: str
    setup: str
    baseline: bool
    conditions: tuple[Condition, ...] = ()


@dataclass(frozen=True)
class SettingCell:
    """``absent``: the text says the state itself, and there is no value beside it."""

    text: str
    state: Badge
    quote: str = ""
    absent: bool = False


@dataclass(frozen=True)
class SettingLine:
    name: str
    differs: bool
    cells: tuple[SettingCell, ...]
    slug: str = ""


@dataclass(frozen=True)
class SettingGroup:
    name: str
    lines: tuple[SettingLine, ...]


@dataclass(frozen=True)
class MetricLine:
    """One row of figures. The unit stands once, in its head; ``spans`` come before any single ratio. ``slug`` is the
    key as it stands in an address."""

    slug: str
    name: str
    unit: str
    better: str
    definition: str
    spans: tuple[str, ...]
    cells: tuple[FigureCell, ...]
    companion: bool = False


@dataclass(frozen=True)
class MetricGroup:
    name: str
    lines: tuple[MetricLine, ...]


@dataclass(frozen=True)
class Section:
    anchor: str
    name: str
    groups: tuple[MetricGroup, ...]
    folded: tuple[MetricGroup, ...] = ()


@dataclass(frozen=True)
class SourceItem:
    key: str
    title: str
    publisher: str
    relation: str
    url: str
    dates: str
    note: str
    archived: str
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ComparisonTables:
    columns: tuple[Column, ...]
    settings: tuple[SettingGroup, ...]
    differing: int
    total_settings: int
    sections: tuple[Section, ...]
    notes: tuple[Note, ...]
    sources: tuple[SourceItem, ...]
    notices: tuple[Notice, ...] = ()


def comparison_tables(comparison: Comparison, locale: Locale, *, only_differences: bool = False) -> ComparisonTables:
    """Everything that the comparison page prints, in one language."""
    return ComparisonTables(
        columns=columns(comparison, locale),
        settings=setting_groups(comparison, locale, only_differences=only_differences),
        differing=sum(row.differs for row in comparison.settings),
        total_settings=len(comparison.settings),
        sections=sections(comparison, locale),
        notes=notes(comparison, locale),
        sources=tuple(source_item(source, locale, quotes(source.key, comparison)) for source in comparison.sources),
        notices=notices(comparison, locale),
    )


def columns(comparison: Comparison, locale: Locale) -> tuple[Column, ...]:
    return tuple(
        Column(
            letter=letter(place),
            key=head.key,
            label=head.label,
            provenance=provenance_badge(head.provenance, locale),
            party=tell(head.party.name, locale),
            relation=tell(head.party.relation, locale),
            setup=head.setup,
            baseline=place == comparison.baseline,
            conditions=conditions(comparison, place, locale),
        )
        for place, head in enumerate(comparison.runs)
    )


def setting_groups(comparison: Comparison, locale: Locale, *, only_differences: bool) -> tuple[SettingGroup, ...]:
    """Settings by group in catalogue order; rows that differ only, if so asked."""
    groups: dict[str, list[SettingLine]] = {}
    for row in comparison.settings:
        if row.differs or not only_differences:
            groups.setdefault(setting_spec(row.key).group, []).append(_setting_line(row, locale))
    return tuple(SettingGroup(say(GROUPS[group], locale), tuple(lines)) for group, lines in groups.items())


def _setting_line(row: SettingRow, locale: Locale) -> SettingLine:
    cells = tuple(setting_cell(setting, locale) for setting in row.cells)
    return SettingLine(say(setting_spec(row.key).name, locale), row.differs, cells, row.key)


def setting_cell(setting: Setting, locale: Locale) -> SettingCell:
    """A setting's value with its state; the quoted evidence where there is one."""
    quoted = next((found.quote for found in setting.evidence if found.quote), "")
    text, badge = setting_value(setting, locale), state_badge(setting.state, locale)
    return SettingCell(text, badge, quoted, absent=text == badge.text)


def sections(comparison: Comparison, locale: Locale) -> tuple[Section, ...]:
    """The rows of figures in their sections, sections without a row left out."""
    numbers = numbering(comparison)
    found = []
    for anchor, name, families in SECTIONS:
        rows = {family: [row for row in comparison.rows if metric(row.key).family == family] for family in families}
        plain = _groups(rows, comparison, locale, numbers, folded=False)
        folded = _groups(rows, comparison, locale, numbers, folded=True)
        if plain or folded:
            found.append(Section(anchor, say(name, locale), plain, folded))
    return tuple(found)


def _groups(
    rows: dict[str, list[Row]], comparison: Comparison, locale: Locale, numbers: dict[int, int], *, folded: bool
) -> tuple[MetricGroup, ...]:
    groups = []
    for family, all_rows in rows.items():
        wanted = node_beside_gpu([row for row in all_rows if row.metric.startswith(FOLDED) is folded])
        lines = tuple(metric_line(row, comparison, locale, numbers) for row in wanted)
        if lines:
            groups.append(MetricGroup(say(FAMILIES[family], locale), lines))
    return tuple(groups)


def node_beside_gpu(rows: list[Row]) -> list[Row]:
    """Rows with every node total directly under its per-GPU figure, so that six of eight GPUs are not flattered."""
    pairs = {"per_gpu_total": "total_throughput", "per_gpu_output": "output_throughput"}
    by_key = {row.key: row for row in rows}
    ordered: list[Row] = []
    for row in rows:
        if row in ordered or (row.key in pairs.values() and any(pairs.get(key) == row.key for key in by_key)):
            continue
        ordered.append(row)
        companion = by_key.get(pairs.get(row.key, ""))
        if companion is not None:
            ordered.append(companion)
    return ordered


def metric_line(row: Row, comparison: Comparison, locale: Locale, numbers: dict[int, int]) -> MetricLine:
    known = metric(row.metric)
    before = old_values(comparison) if comparison.notices else {}
    return MetricLine(
        slug=quote(row.key, safe=":"),
        name=metric_name(known, row.stat, locale),
        unit=unit_head(row.metric, locale, row.unit),
        better=say(BETTER[known.better], locale),
        definition=say(known.definition, locale),
        spans=tuple(span_sentence(span, comparison, locale) for span in row.spans),
        cells=tuple(
            figure_cell(
                cell,
                locale,
                numbers,
                baseline=place == comparison.baseline,
                was=was_text(before.get((place, row.key), ()), locale),
                party=comparison.runs[place].party,
            )
            for place, cell in enumerate(row.cells)
        ),
        companion=_is_companion(known, comparison),
    )


def _is_companion(known: Metric, comparison: Comparison) -> bool:
    pairs = {"total_throughput": "per_gpu_total", "output_throughput": "per_gpu_output"}
    return known.key in pairs and comparison.row(pairs[known.key]) is not None


def span_sentence(span: Span, comparison: Comparison, locale: Locale) -> str:
    """The span in words: −19 % to +1 % over the runs at T = 0 and 1.0."""
    values = [_span_value(span.setting, run, comparison, locale) for run in span.runs]
    joined = f" {say(_('and'), locale)} ".join(filter(None, [", ".join(values[:-1]), values[-1]]))
    template = _("over runs {letters} at {setting}")
    letters = ", ".join(letter(run) for run in span.runs)
    runs = say(template, locale).format(letters=letters, setting=_short_setting(span.setting, joined, locale))
    return f"{span_text(change(span.low, locale, 0), change(span.high, locale, 0), locale)} {runs}"


def _short_setting(key: str, values: str, locale: Locale) -> str:
    if key == "temperature":
        return f"T = {values}"
    return f"{say(setting_spec(key).name, locale)} {values}"


def _span_value(key: str, run: int, comparison: Comparison, locale: Locale) -> str:
    row = next((row for row in comparison.settings if row.key == key), None)
    return setting_value(row.cells[run], locale) if row else comparison.runs[run].label


def quotes(source: str, comparison: Comparison) -> tuple[str, ...]:
    """What the settings of the comparison quote from a source, each once. Quoted cells stand with their figures."""
    found = [
        evidence.quote
        for row in comparison.settings
        for setting in row.cells
        for evidence in setting.evidence
        if evidence.ref == source and evidence.quote
    ]
    return tuple(dict.fromkeys(found))


def source_item(source: Source, locale: Locale, quoted: tuple[str, ...] = ()) -> SourceItem:
    published = f"{say(_('published'), locale)} {source.published or say(_('on a date not stated'), locale)}"
    accessed = f", {say(_('read'), locale)} {source.accessed}" if source.accessed else ""
    return SourceItem(
        key=source.key,
        title=source.title,
        publisher=source.publisher,
        relation=source.relation,
        url=source.url if source.url.startswith(("https://", "http://")) else "",
        dates=f"{published}{accessed}",
        note=source.note,
        archived=source.archived_sha256,
        quotes=quoted,
    )
