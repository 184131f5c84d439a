"""One figure as a finished cell: text, badges, ratio or the reason for none, and where the number comes from."""

from dataclasses import dataclass

from dashboard.render.caveats import Mark, marks, setting_name
from dashboard.render.numbers import (
    NBSP,
    Locale,
    change,
    figure_text,
    format_number,
    in_display_unit,
    sensible_places,
    value_with_unit,
)
from dashboard.render.telling import formula
from dashboard.render.wording import (
    BASIS,
    REASONS,
    Badge,
    _,
    basis_badge,
    grade_badge,
    repeats_text,
    say,
    status_badge,
    unit_head,
    with_unit,
)
from runs.domain.comparison import Cell, Grade, Ratio, Verdict
from runs.domain.facts import Basis, Evidence, Party
from runs.domain.figures import Check, Figure, Input
from runs.domain.records import Source
from runs.telling import tell

Line = tuple[str, str]


@dataclass(frozen=True)
class FigureCell:
    """A cell of the metrics table. ``absent`` stands in place of a number; ``why`` in place of a ratio."""

    text: str
    unit: str = ""
    absent: str = ""
    basis: Badge | None = None
    status: Badge | None = None
    repeats: str = ""
    ratio: str = ""
    span: str = ""
    grade: Badge | None = None
    why: str = ""
    baseline: bool = False
    marks: tuple[Mark, ...] = ()
    was: str = ""
    by: str = ""
    about: tuple[str, ...] = ()


def figure_cell(
    cell: Cell,
    locale: Locale,
    numbers: dict[int, int],
    *,
    baseline: bool,
    was: str = "",
    party: Party | None = None,
) -> FigureCell:
    """A cell of a comparison, ready to be printed; ``was`` says what a corrected figure was before, ``party`` who
    says the run's figures: another one is named beside the figure."""
    found = marks(cell.caveats, numbers)
    if cell.figure is None or figure_text(cell.figure, locale) == "":
        return FigureCell("", absent=absent_text(cell, locale), marks=found)
    figure = cell.figure
    ratio, span = ratio_texts(cell.ratio, cell.verdict, locale)
    return FigureCell(
        text=_circa(figure, locale) + figure_text(figure, locale),
        unit=unit_head(figure.key, locale, figure.unit),
        basis=basis_badge(figure.basis, figure.system_basis, locale),
        status=status_badge(figure.status, locale),
        repeats=short_repeats(figure, locale),
        ratio=ratio,
        span=span,
        grade=grade_badge(cell.verdict.grade, locale) if cell.verdict else None,
        why=why_text(cell.verdict, cell.ratio, locale),
        baseline=baseline,
        marks=found,
        was=was,
        by=by_text(figure, party, locale),
        about=figure_notes(figure, locale),
    )


def by_text(figure: Figure, party: Party | None, locale: Locale) -> str:
    """Who says the figure, where that is not who says the run's."""
    if figure.party is None or party is None or figure.party == party:
        return ""
    return say(_("by {party}"), locale).format(party=figure.party.name)


def figure_notes(figure: Figure, locale: Locale) -> tuple[str, ...]:
    """How it was printed, the repeats beneath it, and its note: what a page without a second look must say."""
    printed = printed_text(figure, locale)
    said = f"{say(_('printed'), locale)} {printed}" if printed else ""
    return tuple(filter(None, (said, repeat_values(figure, locale), figure.note)))


def repeat_values(figure: Figure, locale: Locale) -> str:
    """The values of the repeats: ``runs: 5,673; 5,648``; nothing for what is computed from them here."""
    if not figure.repeat_values or figure.formula:
        return ""
    shown = [in_display_unit(value, figure.key, figure.unit) for value in figure.repeat_values]
    values = "; ".join(format_number(value, locale, sensible_places(value, 0)) for value in shown)
    return say(_("runs: {values}"), locale).format(values=values)


def _circa(figure: Figure, locale: Locale) -> str:
    return f"{say(_('circa'), locale)}{NBSP}" if figure.printed and figure.printed.circa else ""


def absent_text(cell: Cell, locale: Locale) -> str:
    """Why there is no number: never 0, never a dash that says nothing."""
    if cell.absent:
        return say(cell.absent, locale)
    if cell.figure is not None:
        return say(cell.figure.status.value, locale)
    return say(_("not stated"), locale)


def short_repeats(figure: Figure, locale: Locale) -> str:
    """``n = 2`` where it is known; nothing for figures that are computed here, and for what nobody measures again."""
    if figure.basis in (Basis.CONFIGURED, Basis.ASSUMED):
        return ""
    if figure.repeats is not None:
        return f"n{NBSP}={NBSP}{figure.repeats}"
    return say(_("n not stated"), locale) if figure.formula == "" and figure.printed is not None else ""


def ratio_texts(ratio: Ratio | None, verdict: Verdict | None, locale: Locale) -> tuple[str, str]:
    """The ratio to the baseline and its span. Both empty where the grade allows no ratio."""
    if ratio is None or (verdict is not None and verdict.grade is Grade.NOT_COMPARABLE):
        return "", ""
    low, high = change(ratio.low, locale), change(ratio.high, locale)
    text = change(ratio.value, locale)
    return text, "" if low == high else span_text(low.removesuffix(f"{NBSP}%"), high, locale)


def span_text(low: str, high: str, locale: Locale) -> str:
    return say(_("{low} to {high}"), locale).format(low=low, high=high)


def why_text(verdict: Verdict | None, ratio: Ratio | None, locale: Locale) -> str:
    """Beside a grade, in few words: why there is no ratio, or that the difference names no winner."""
    if verdict is None:
        return ""
    if verdict.grade is Grade.NOT_COMPARABLE:
        return reason_text(verdict, locale)
    if ratio is not None and ratio.too_close:
        return say(_("too close to name a winner"), locale)
    return ""


def grade_lines(cell: Cell, locale: Locale) -> list[Line]:
    """The grade of a ratio with everything that decided it."""
    if cell.verdict is None:
        return []
    words = f"{grade_badge(cell.verdict.grade, locale).text}: {reason_text(cell.verdict, locale)}"
    if cell.verdict.declared:
        words = f"{words}; {say(_('what neither run states is the same by declaration'), locale)}"
    lines = [(say(_("Grade"), locale), words)]
    ratio, span = ratio_texts(cell.ratio, cell.verdict, locale)
    if ratio:
        lines.append((say(_("Against the baseline"), locale), f"{ratio} ({span})" if span else ratio))
    return lines


def reason_text(verdict: Verdict, locale: Locale) -> str:
    """The reason of a grade in words, with the settings that decided it."""
    words = say(REASONS.get(verdict.reason, verdict.reason), locale)
    names = ", ".join(setting_name(key, locale) for key in verdict.settings)
    return f"{words}: {names}" if names else words


@dataclass(frozen=True)
class Origin:
    """Where a figure comes from, in lines of a name and a text."""

    title: str
    text: str
    unit: str
    lines: tuple[Line, ...]
    inputs: tuple[tuple[str, str, str], ...] = ()


def origin(figure: Figure, title: str, locale: Locale, sources: tuple[Source, ...] = ()) -> Origin:
    """Printed original, basis, formula with its inputs, repeats and checks, evidence."""
    party = f"{figure.party.name} ({figure.party.relation})" if figure.party else ""
    lines = [
        (_("Basis"), basis_badge(figure.basis, figure.system_basis, locale).text),
        (_("As printed"), printed_text(figure, locale)),
        (_("Formula"), formula(figure.formula, locale)),
        (_("Repeats"), _repeats(figure, locale)),
        *((_("Check"), check_text(check, figure, locale)) for check in figure.checks),
        (_("Definition"), tell(figure.definition, locale)),
        (_("Who says so"), party),
        *((_("Evidence"), evidence_text(found, locale, sources)) for found in figure.evidence),
        (_("Note"), tell(figure.note, locale)),
    ]
    said = tuple((say(name, locale), text) for name, text in lines if text)
    inputs = tuple(_input_cells(found, locale) for found in figure.inputs)
    return Origin(title, figure_text(figure, locale), unit_head(figure.key, locale, figure.unit), said, inputs)


def printed_text(figure: Figure, locale: Locale) -> str:
    """The original text in quotation marks, with the number language it was printed in."""
    if figure.printed is None:
        return ""
    language = {"en": _("English digits"), "nl": _("Dutch digits"), "plain": ""}[figure.printed.locale]
    text = f"“{figure.printed.text}”" + (f" ({say(language, locale)})" if language else "")
    return f"{text}, {say(_('called approximate'), locale)}" if figure.printed.circa else text


def _repeats(figure: Figure, locale: Locale) -> str:
    if figure.formula and figure.repeats is None:
        return ""
    text = repeats_text(figure.repeats, locale)
    if figure.repeat_values:
        shown = [in_display_unit(value, figure.key, figure.unit) for value in figure.repeat_values]
        text = f"{text}: {', '.join(format_number(v, locale, sensible_places(v, 0)) for v in shown)}"
    return text


def check_text(check: Check, figure: Figure, locale: Locale) -> str:
    """Another way to the same number, and whether both agree."""
    value = value_with_unit(in_display_unit(check.value, figure.key, figure.unit), "", locale)
    if check.kind == "printed":
        return say(_("{value} was printed, before what it follows from was corrected"), locale).format(value=value)
    verdict = say(_("agrees within rounding") if check.agrees else _("does not agree"), locale)
    kind = say(_("from the repeats") if check.kind == "repeats" else _("recomputed"), locale)
    return f"{value} {kind} ({formula(check.formula, locale)}): {verdict}"


def _input_cells(found: Input, locale: Locale) -> tuple[str, str, str]:
    words = _("scenario, the reader's assumption") if found.scenario else BASIS[found.basis][0]
    return (
        formula(found.name, locale),
        with_unit(found.value, found.unit, locale),
        say(words, locale),
    )


def evidence_text(evidence: Evidence, locale: Locale, sources: tuple[Source, ...] = ()) -> str:
    """Evidence in words: the document with its quoted cell, the file with its place, somebody's statement."""
    where, what = evidence_parts(evidence, locale, sources)
    return (f"{where}, " if ": " in where else f"{where}: ") + what if what else where


def evidence_parts(evidence: Evidence, locale: Locale, sources: tuple[Source, ...] = ()) -> Line:
    """Evidence in two: the document or file that much else may rest on too, and the place and the quoted cell in it."""
    titles = {source.key: source.title for source in sources}
    name = titles.get(evidence.ref, evidence.ref[:12] if evidence.kind == "file" else evidence.ref)
    kind = {"file": _("file"), "document": _("document"), "statement": _("statement"), "rule": _("rule")}[evidence.kind]
    if evidence.via:
        via = say(_("read via {source}"), locale).format(source=titles.get(evidence.via, evidence.via))
        name = f"{name}, {via}" if name else via
    place = formula(evidence.place, locale) if evidence.kind == "rule" else tell(evidence.place, locale)
    quote = f"“{evidence.quote}”" if evidence.quote else ""
    return f"{say(kind, locale)}: {name}".rstrip(": "), ", ".join(filter(None, (place, quote)))
