"""What every export of a comparison carries, whatever its format."""

from dataclasses import dataclass

from dashboard.render.caveats import numbering, sentence, title
from dashboard.render.notices import notice_text
from dashboard.render.numbers import Locale
from dashboard.render.wording import _, say
from runs.domain.comparison import Comparison, Notice

FORMAT = "likewise.comparison"
VERSION = 1
"""Of the CSV and JSON schema in docs/exports.md; a change of meaning counts it up."""


@dataclass(frozen=True)
class Export:
    """A comparison to be exported. ``made`` is an ISO date-time; ``since``: notices that the comparison itself does not
    carry (a frozen one, corrected later); ``withheld``: whether something was taken out of it."""

    comparison: Comparison
    title: str
    made: str
    locale: Locale = "en"
    since: tuple[Notice, ...] = ()
    withheld: bool = False

    @property
    def notices(self) -> tuple[Notice, ...]:
        return (*self.comparison.notices, *self.since)


@dataclass(frozen=True)
class CaveatLine:
    """A caveat of a run in words. ``name`` is its number, the same where the same is said of several runs; ``run`` the
    place of its run."""

    name: str
    id: str
    run: int
    severity: str
    title: str
    sentence: str
    metrics: tuple[str, ...]
    settings: tuple[str, ...]


def caveat_lines(comparison: Comparison, locale: Locale) -> tuple[CaveatLine, ...]:
    """Every caveat in words, by run and number, numbered as on the page."""
    titles = {source.key: f"“{source.title}”" for source in comparison.sources}
    lines = []
    for place, number in sorted(numbering(comparison).items(), key=lambda pair: (_run(comparison, pair[0]), pair[1])):
        caveat = comparison.caveats[place]
        lines.append(
            CaveatLine(
                str(number),
                caveat.id,
                caveat.run,
                caveat.severity.value,
                title(caveat, locale),
                sentence(caveat, locale, titles),
                caveat.metrics,
                caveat.settings,
            )
        )
    return tuple(lines)


def _run(comparison: Comparison, place: int) -> int:
    return comparison.caveats[place].run


def notice_lines(export: Export) -> tuple[str, ...]:
    """Every erratum of a run shown, in words with its run's letter."""
    return tuple(notice_text(notice, export.comparison, export.locale) for notice in export.notices)


def withheld_line(locale: Locale) -> str:
    return say(_("[…] marks what the sender withheld. Grades and caveats were worked out on the whole."), locale)
