"""Caveats as numbered sentences, grouped by run."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dashboard.render.numbers import Locale, format_number, tidy
from dashboard.render.telling import formula
from dashboard.render.wording import FAMILIES, SEVERITY, Badge, _, say
from runs.domain.caveat_texts import TEXTS
from runs.domain.comparison import Caveat, Comparison, Param, Severity
from runs.domain.metrics import SETTING_BY_KEY, metric

EMPTY: Mapping[str, str] = MappingProxyType({})
_ORDER = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True)
class Note:
    """One caveat of the page, lettered by run and numbered within it: B3."""

    name: str
    anchor: str
    title: str
    sentence: str
    severity: Badge
    concerns: str
    ceiling: str = ""


@dataclass(frozen=True)
class RunNotes:
    """The caveats of one run, the serious ones first."""

    anchor: str
    letter: str
    label: str
    notes: tuple[Note, ...]


@dataclass(frozen=True)
class Mark:
    """A superscript beside a figure: one number or a run of them, and where it leads."""

    text: str
    anchor: str


def letter(run: int) -> str:
    """The letter of a run's column: A, B … Z, AA."""
    return ("" if run < 26 else letter(run // 26 - 1)) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[run % 26]


def numbering(comparison: Comparison) -> dict[int, int]:
    """Which number each caveat (by its place in the comparison) has within its run: the serious ones first."""
    order = sorted(
        range(len(comparison.caveats)), key=lambda place: (_ORDER[comparison.caveats[place].severity], place)
    )
    counts: dict[int, int] = {}
    numbers = {}
    for place in order:
        run = comparison.caveats[place].run
        counts[run] = numbers[place] = counts.get(run, 0) + 1
    return numbers


def sentence(caveat: Caveat, locale: Locale, titles: Mapping[str, str] = EMPTY) -> str:
    """The caveat in full words, its numbers as the language prints them; ``titles`` of sources by their keys."""
    text = TEXTS[caveat.id]
    names = ", ".join(setting_name(key, locale) for key in caveat.settings)
    filling = {name: _param(value, locale, titles) for name, value in caveat.params.items()}
    return (text.nl if locale == "nl" else text.en).format_map({**filling, "settings": names})


def title(caveat: Caveat, locale: Locale) -> str:
    """The caveat in few words."""
    text = TEXTS[caveat.id]
    return text.title_nl if locale == "nl" else text.title_en


def _param(value: Param, locale: Locale, titles: Mapping[str, str]) -> str:
    if isinstance(value, str):
        return titles.get(value) or formula(value, locale)
    exact = tidy(value)
    exponent = exact.as_tuple().exponent
    # A ratio worked out in floats has digits that mean nothing; a setting such as 0.7 keeps its own.
    computed = isinstance(exponent, int) and exponent < -3
    return format_number(exact, locale, 1 if computed else None)


def setting_name(key: str, locale: Locale) -> str:
    known = SETTING_BY_KEY.get(key)
    return say(known.name, locale) if known else key


def run_notes(comparison: Comparison, locale: Locale) -> tuple[RunNotes, ...]:
    """Every caveat of the comparison, grouped by the run it belongs to; runs without one are left out."""
    numbers = numbering(comparison)
    titles = {source.key: f"“{source.title}”" for source in comparison.sources}
    groups: dict[int, list[Note]] = {}
    for place, number in sorted(numbers.items(), key=lambda pair: pair[1]):
        caveat = comparison.caveats[place]
        groups.setdefault(caveat.run, []).append(_note(caveat, number, locale, titles))
    return tuple(
        RunNotes(f"caveats-{letter(run)}", letter(run), comparison.runs[run].label, tuple(notes))
        for run, notes in sorted(groups.items())
    )


def _note(caveat: Caveat, number: int, locale: Locale, titles: Mapping[str, str]) -> Note:
    badge = Badge(f"severity-{caveat.severity.value}", say(SEVERITY[caveat.severity], locale))
    ceiling = ""
    if caveat.ceiling is not None:
        template = _("allows at most: {grade}")
        ceiling = say(template, locale).format(grade=say(caveat.ceiling.value, locale))
    name = f"{letter(caveat.run)}{number}"
    return Note(
        name,
        f"caveat-{name}",
        title(caveat, locale),
        sentence(caveat, locale, titles),
        badge,
        _concerns(caveat, locale),
        ceiling,
    )


def _concerns(caveat: Caveat, locale: Locale) -> str:
    if not caveat.metrics:
        return say(_("all figures"), locale)
    names = dict.fromkeys(say(metric(key).name, locale) for key in caveat.metrics)
    if len(names) > 2:
        names = dict.fromkeys(say(FAMILIES[metric(key).family], locale) for key in caveat.metrics)
    return f"{say(_('concerns'), locale)} {'; '.join(names)}"


def marks(places: tuple[int, ...], numbers: dict[int, int], run: int) -> tuple[Mark, ...]:
    """The superscripts of a cell, runs of numbers drawn together: B1–3, 5."""
    parts: list[list[int]] = []
    for number in sorted(numbers[place] for place in places):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    found = []
    for place, part in enumerate(parts):
        text = str(part[0]) if len(part) == 1 else f"{part[0]}–{part[-1]}"
        found.append(Mark(text if place else f"{letter(run)}{text}", f"caveat-{letter(run)}{part[0]}"))
    return tuple(found)
