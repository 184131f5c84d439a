"""A pasted table as the preview shows it: every cell with its reading, every choice with its options."""

from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from dashboard.pages.paste_form import OWN_HOUSE, OWN_PUBLISHED, PasteForm
from dashboard.render.caveats import setting_name
from dashboard.render.numbers import Locale, format_number
from dashboard.render.wording import FAMILIES, GROUPS, metric_name, say, setting_value
from runs.domain.facts import Basis, Setting, State
from runs.domain.metrics import LATENCY_STATS, METRICS, SETTINGS, metric
from runs.domain.records import Source
from runs.domain.units import UNITS
from runs.readers.pasted import FIGURE, IGNORE, LABEL, SETTING, Sheet, SheetCell, SheetRow

_FAMILIES = ("throughput", "latency", "load", "power")
# The statistics that tables print most; the rest of a latency's stand in the form for one run.
_STATS = ("median", "mean", "p90", "p95", "p99", "single")
MAIN = ("model", "isl", "osl", "concurrency", "num_prompts", "prompts", "dataset", "client", "node_gpus",
        "accelerator", "prefix_caching", "ignore_eos")  # fmt: skip

Options = list[tuple[str, list[tuple[str, str]]]]


@dataclass(frozen=True)
class HeadView:
    """A column with its choice; ``at`` is its number in the form's fields."""

    at: int
    head: str
    target: str
    unit: str
    basis: str
    is_figure: bool


@dataclass(frozen=True)
class CellView:
    """What was printed, how it is read (one reading, or each that is possible), and what is wrong."""

    text: str
    kind: str
    readings: tuple[str, ...]
    problem: str
    absent: str


@dataclass(frozen=True)
class RowView:
    at: int
    label: str
    repeats: str
    cells: tuple[CellView, ...]
    settings: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class GroupView:
    at: int
    head: str
    whose: str


def target_options(locale: Locale) -> Options:
    """What a column may hold: label, nothing, a figure, a setting."""
    first = [(LABEL, _("the run’s label")), (IGNORE, _("leave out"))]
    options: Options = [("", first)]
    for family in _FAMILIES:
        known = [one for one in METRICS if one.family == family]
        found = [
            (f"{FIGURE}{one.key}{':' if stat else ''}{stat}", metric_name(one, stat, locale))
            for one in known
            for stat in (_STATS if one.stats is LATENCY_STATS else one.stats)
        ]
        options.append((say(FAMILIES[family], locale), found))
    for group, words in GROUPS.items():
        keys = [spec.key for spec in SETTINGS if spec.group == group]
        options.append((say(words, locale), [(f"{SETTING}{key}", setting_name(key, locale)) for key in keys]))
    return options


def whose_options(source: Source, others: list[Source]) -> list[tuple[str, str]]:
    options = [
        (OWN_PUBLISHED, _("%(publisher)s’s, published here") % {"publisher": source.publisher}),
        (OWN_HOUSE, _("this house’s, by this document only")),
    ]
    read = _("%(publisher)s’s (%(title)s), read in this document")
    return options + [
        (f"via:{one.key}", read % {"publisher": one.publisher, "title": one.title})
        for one in others
        if one.key != source.key
    ]


def heads(sheet: Sheet) -> list[HeadView]:
    return [
        HeadView(at, head, column.target, column.unit, column.basis.value, bool(column.figure))
        for at, (head, column) in enumerate(zip(sheet.grid.head, sheet.columns, strict=True))
    ]


def rows(sheet: Sheet, locale: Locale) -> list[RowView]:
    return [_row(row, sheet, locale) for row in sheet.rows]


def groups(sheet: Sheet, form: PasteForm) -> list[GroupView]:
    chosen = form.whose_by_head()
    return [GroupView(at, head, chosen.get(head, "")) for at, head in enumerate(sheet.groups)]


def _row(row: SheetRow, sheet: Sheet, locale: Locale) -> RowView:
    figures = [column.figure for column in sheet.columns]
    cells = tuple(_cell(one, key, locale) for one, key in zip(row.cells, figures, strict=True))
    said = tuple(
        (setting_name(key, locale), _statement(key, value, locale))
        for key, value in row.settings.items()
        if key not in sheet.common
    )
    return RowView(row.place, row.label, row.repeats, cells, said)


def _statement(key: str, value: object, locale: Locale) -> str:
    if value is None:
        return say("not stated", locale)
    if not isinstance(value, dict):
        return say(str(value), locale)
    exact = value.get("value")
    state = State(value.get("state", State.STATED))
    setting = Setting(key, state, tuple(exact) if isinstance(exact, list) else exact, value.get("nominal", ""))
    text = setting_value(setting, locale)
    return f"{text} ({say(state.value, locale)})" if state is State.INFERRED else text


def _cell(one: SheetCell, figure: str, locale: Locale) -> CellView:
    cell = one.cell
    absent = say(cell.absent, locale) if cell and cell.absent else ""
    readings: tuple[str, ...] = ()
    if cell is not None and one.kind in ("figure", "undecided", "setting"):
        unit = one.unit or (metric(figure).unit if figure and len(cell.readings) > 1 else cell.unit)
        many = len(cell.readings) > 1
        readings = tuple(
            " ".join(filter(None, (f"{reading.locale}:" if many else "", _number(reading, locale), unit)))
            for reading in cell.readings
        )
    return CellView(one.text, one.kind, readings, one.problem, absent)


def _number(reading: object, locale: Locale) -> str:
    ends = [getattr(reading, name) for name in ("value", "low", "high")]
    return "–".join(format_number(end, locale) for end in ends if isinstance(end, Decimal))


def unit_options() -> list[str]:
    return [symbol for symbol in UNITS if symbol]


def basis_options(locale: Locale) -> list[tuple[str, str]]:
    return [(basis.value, say(basis.value, locale)) for basis in Basis]
