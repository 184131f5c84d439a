"""Caveats as numbered sentences, each said once with the letters of the runs that it holds for."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from dashboard.render.numbers import Locale, format_number, tidy
from dashboard.render.telling import formula, is_formula
from dashboard.render.wording import FAMILIES, SEVERITY, Badge, _, say
from runs.domain.caveat_texts import TEXTS
from runs.domain.comparison import Caveat, Comparison, Param, Severity
from runs.domain.metrics import SETTING_BY_KEY, metric
from runs.telling import tell

EMPTY: Mapping[str, str] = MappingProxyType({})
_ORDER = {Severity.SERIOUS: 0, Severity.WARNING: 1, Severity.INFO: 2}


@dataclass(frozen=True)
class Note:
    """One caveat of the page with its number and the letters of its runs."""

    name: str
    anchor: str
    letters: tuple[str, ...]
    title: str
    sentence: str
    severity: Badge
    concerns: str
    ceiling: str = ""


@dataclass(frozen=True)
class Mark:
    """A superscript beside a figure: one number or a run of them, and where it leads."""

    text: str
    anchor: str


def letter(run: int) -> str:
    """The letter of a run's column: A, B … Z, AA."""
    return ("" if run < 26 else letter(run // 26 - 1)) + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[run % 26]


def numbering(comparison: Comparison) -> dict[int, int]:
    """Which number each caveat (by its place in the comparison) has: the serious ones first, and one number for what is
    said of several runs in the very same words."""
    order = sorted(
        range(len(comparison.caveats)), key=lambda place: (_ORDER[comparison.caveats[place].severity], place)
    )
    known: dict[object, int] = {}
    return {place: known.setdefault(_said(comparison.caveats[place]), len(known) + 1) for place in order}


def _said(caveat: Caveat) -> object:
    return (caveat.id, caveat.severity, caveat.ceiling, caveat.settings, tuple(sorted(caveat.params.items())))


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
        return titles.get(value) or (formula if is_formula(value) else tell)(value, locale)
    exact = tidy(value)
    exponent = exact.as_tuple().exponent
    # A ratio worked out in floats has digits that mean nothing; a setting such as 0.7 keeps its own.
    computed = isinstance(exponent, int) and exponent < -3
    return format_number(exact, locale, 1 if computed else None)


def setting_name(key: str, locale: Locale) -> str:
    known = SETTING_BY_KEY.get(key)
    return say(known.name, locale) if known else key


def notes(comparison: Comparison, locale: Locale) -> tuple[Note, ...]:
    """Every caveat of the comparison once, the serious ones first."""
    titles = {source.key: f"“{source.title}”" for source in comparison.sources}
    groups: dict[int, list[Caveat]] = {}
    for place, number in numbering(comparison).items():
        groups.setdefault(number, []).append(comparison.caveats[place])
    return tuple(_note(same, number, locale, titles) for number, same in groups.items())


def _note(same: list[Caveat], number: int, locale: Locale, titles: Mapping[str, str]) -> Note:
    caveat = same[0]
    ceiling = ""
    if caveat.ceiling is not None:
        template = _("allows at most: {grade}")
        ceiling = say(template, locale).format(grade=say(caveat.ceiling.value, locale))
    return Note(
        str(number),
        f"caveat-{number}",
        tuple(letter(run) for run in sorted({one.run for one in same})),
        title(caveat, locale),
        sentence(caveat, locale, titles),
        Badge(f"severity-{caveat.severity.value}", say(SEVERITY[caveat.severity], locale)),
        _concerns(same, locale),
        ceiling,
    )


def _concerns(same: list[Caveat], locale: Locale) -> str:
    if not all(one.metrics for one in same):
        return say(_("all figures"), locale)
    keys = [key for one in same for key in one.metrics]
    names = dict.fromkeys(say(metric(key).name, locale) for key in keys)
    if len(names) > 2:
        names = dict.fromkeys(say(FAMILIES[metric(key).family], locale) for key in keys)
    return f"{say(_('concerns'), locale)} {'; '.join(names)}"


def marks(places: tuple[int, ...], numbers: dict[int, int]) -> tuple[Mark, ...]:
    """The superscripts of a cell, runs of numbers drawn together: 1–3, 5."""
    parts: list[list[int]] = []
    for number in sorted({numbers[place] for place in places}):
        if parts and number == parts[-1][-1] + 1:
            parts[-1].append(number)
        else:
            parts.append([number])
    return tuple(
        Mark(str(part[0]) if len(part) == 1 else f"{part[0]}–{part[-1]}", f"caveat-{part[0]}") for part in parts
    )
