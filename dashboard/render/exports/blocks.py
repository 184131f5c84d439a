"""A comparison as headings, tables and lists for an article: what Markdown and HTML both print, in one language."""

from dataclasses import dataclass

from dashboard.render.cells import FigureCell
from dashboard.render.exports.document import Export, notice_lines, withheld_line
from dashboard.render.numbers import NBSP
from dashboard.render.scenario import scenario_lines
from dashboard.render.tables import ComparisonTables, SettingCell, SourceItem, comparison_tables
from dashboard.render.wording import Badge, _, say


@dataclass(frozen=True)
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Block:
    """A heading with paragraphs, a table and a list of a name and a text, each of which may be empty."""

    heading: str
    paragraphs: tuple[str, ...] = ()
    table: Table | None = None
    items: tuple[tuple[str, str], ...] = ()


def blocks(export: Export) -> tuple[Block, ...]:
    """Notices first, then figures, settings that differ, caveats, sources."""
    locale = export.locale
    tables = comparison_tables(export.comparison, locale)
    first = Block(export.title, _opening(export, tables))
    found = [first]
    notices = notice_lines(export)
    if notices:
        found.append(Block(say(_("Corrections and notices"), locale), items=tuple(("", text) for text in notices)))
    for section in tables.sections:
        for group in (*section.groups, *section.folded):
            head = (say(_("Figure"), locale), *_columns(tables))
            rows = tuple(
                (_line_name(line.name, line.unit, line.spans), *(_cell(cell) for cell in line.cells))
                for line in group.lines
            )
            found.append(Block(group.name, table=Table(head, rows)))
    scenario = export.comparison.scenario
    if scenario is not None:
        assumed = say(_("Assumptions of the reader's; none of them was measured."), locale)
        found.append(Block(say(_("What the costs assume"), locale), (assumed,), items=scenario_lines(scenario, locale)))
    found.append(Block(say(_("Settings"), locale), table=_settings(export, tables)))
    found.append(
        Block(
            say(_("Caveats"), locale),
            items=tuple(
                (f"{note.name} ({', '.join(note.letters)})", f"{note.title}. {note.sentence}") for note in tables.notes
            ),
        )
    )
    if tables.sources:
        found.append(
            Block(say(_("Sources"), locale), items=tuple(("", _source(one, export)) for one in tables.sources))
        )
    return tuple(found)


def _opening(export: Export, tables: ComparisonTables) -> tuple[str, ...]:
    locale = export.locale
    runs = "; ".join(
        f"{column.letter} = {column.label} ({column.provenance.text}, {column.party})" for column in tables.columns
    )
    baseline = export.comparison.runs[export.comparison.baseline].label
    lines = [runs + ".", f"{say(_('Baseline'), locale)}: {baseline}. {export.made[:10]}."]
    return (*lines, withheld_line(locale)) if export.withheld else tuple(lines)


def _columns(tables: ComparisonTables) -> tuple[str, ...]:
    return tuple(f"{column.letter} · {column.label}" for column in tables.columns)


def _line_name(name: str, unit: str, spans: tuple[str, ...]) -> str:
    head = f"{name}, {unit}" if unit else name
    return " · ".join((head, *spans))


def _cell(cell: FigureCell) -> str:
    """The figure, its basis and status, its ratio with the grade or the reason for none, and its caveats."""
    if not cell.text:
        return _with_marks(cell.absent, cell)
    about = [badge.text for badge in (cell.basis, cell.status) if badge]
    about += [*filter(None, (cell.repeats, cell.by, cell.was)), *cell.about]
    text = f"{cell.text} ({', '.join(about)})" if about else cell.text
    against = [part for part in (cell.ratio, cell.grade.text if cell.grade else "", cell.span, cell.why) if part]
    return _with_marks(f"{text}; {', '.join(against)}" if against else text, cell)


def _with_marks(text: str, cell: FigureCell) -> str:
    marks = ",".join(mark.text for mark in cell.marks)
    return f"{text}{NBSP}[{marks}]" if marks else text


def _settings(export: Export, tables: ComparisonTables) -> Table:
    head = (say(_("Setting"), export.locale), *_columns(tables))
    rows = tuple(
        (f"{line.name} ≠" if line.differs else line.name, *(_setting(cell) for cell in line.cells))
        for group in tables.settings
        for line in group.lines
    )
    return Table(head, rows)


def _setting(cell: SettingCell) -> str:
    badge: Badge = cell.state
    quoted = f", “{cell.quote}”" if cell.quote else ""
    return cell.text if cell.absent else f"{cell.text} ({badge.text}{quoted})"


def _source(source: SourceItem, export: Export) -> str:
    address = source.url or say(_("URL not stated"), export.locale)
    parts = [f"{source.title}. {source.publisher} ({source.relation}), {source.dates}. {address}"]
    parts += [source.note] if source.note and source.note not in parts[0] else []
    parts += [f"SHA-256 {source.archived}"] if source.archived else []
    return " ".join(parts)
