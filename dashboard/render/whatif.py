"""A band and what it means for the ranking, in words and as a small picture whose numbers stand beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from dashboard.render.caveats import letter
from dashboard.render.numbers import Locale, format_number, sensible_places, value_with_unit
from dashboard.render.wording import _, metric_name, say, unit_text
from runs.domain.comparison import Comparison
from runs.domain.metrics import metric
from runs.domain.units import Number, as_decimal
from runs.domain.whatif import OF_EVERY_RUN, Band, Survival

INPUT_NAMES = {
    "power_per_gpu_w": (_("GPU power, W per GPU"), _("{low} to {high} W per GPU"), _("{at} W per GPU")),
    "gpus_billed": (_("GPUs billed"), _("{low} to {high} GPUs billed"), _("{at} GPUs billed")),
    "price_per_kwh": (_("Price per kWh"), _("a price of {low} to {high} per kWh"), _("{at} per kWh")),
    "utilisation": (_("Utilisation, share of 1"), _("a utilisation of {low} to {high}"), _("a utilisation of {at}")),
}
WIDTH, LEFT, BAR, STEP = 1000, 20, 34, 26
_ABOVE, _BELOW = _("above"), _("below")
_STAYS = _("{run} stays {side} over the whole range")
_TURNS = _("the ranking turns at {at}")
_MEETS = _("the figure lies in the band")


@dataclass(frozen=True)
class Mark:
    """Another run's figure: its letter, its number, the verdict, and where it stands in the picture."""

    letter: str
    label: str
    name: str
    text: str
    verdict: str
    survives: bool
    x: int
    y: int


@dataclass(frozen=True)
class BandView:
    """A band as finished texts and positions in a picture of ``WIDTH`` by ``height``."""

    title: str
    supposed: str
    text: str
    unit: str
    letter: str
    marks: tuple[Mark, ...]
    x: int
    width: int
    height: int
    alternative: str
    of_every_run: bool


def input_options(locale: Locale) -> list[tuple[str, str]]:
    return [(key, say(names[0], locale)) for key, names in INPUT_NAMES.items()]


def band_view(
    comparison: Comparison, run: int, band: Band, against: Sequence[tuple[int, str, Number, Survival]], locale: Locale
) -> BandView:
    """``against`` are (run, key, value, survival) of the other runs' figures."""
    ends = [as_decimal(one) for one in (band.low, band.high, *(value for _run, _key, value, _kept in against))]
    least, most = min(ends), max(ends)
    room = (most - least) * Decimal("0.06") or Decimal(1)
    scale = Scale(least - room, most + room)
    marks = tuple(
        _mark(comparison, band, entry, place, scale, locale, comparison.runs[run].label)
        for place, entry in enumerate(against)
    )
    low, high = (_shown(value, locale) for value in (band.low, band.high))
    words = say(INPUT_NAMES[band.input][1], locale)
    supposed = words.format(low=_plain(band.low_input, locale), high=_plain(band.high_input, locale))
    name = metric_name(metric(band.metric), band.metric.partition(":")[2], locale)
    title = f"{comparison.runs[run].label}: {name}"
    text = low if low == high else f"{low}–{high}"
    verdicts = "; ".join(f"{mark.label} {mark.text}: {mark.verdict}" for mark in marks)
    return BandView(
        title=title,
        supposed=supposed,
        text=text,
        unit=unit_text(band.unit, locale),
        letter=letter(run),
        marks=marks,
        x=scale.at(band.low),
        width=max(scale.at(band.high) - scale.at(band.low), 3),
        height=BAR + 20 + STEP * max(len(marks), 1),
        alternative=f"{title}, {supposed}: {text} {unit_text(band.unit, locale)}. {verdicts}",
        of_every_run=band.input in OF_EVERY_RUN,
    )


@dataclass(frozen=True)
class Scale:
    low: Decimal
    high: Decimal

    def at(self, value: Number) -> int:
        share = (as_decimal(value) - self.low) / (self.high - self.low)
        return LEFT + int(share * (WIDTH - 2 * LEFT))


def _mark(
    comparison: Comparison,
    band: Band,
    entry: tuple[int, str, Number, Survival],
    place: int,
    scale: Scale,
    locale: Locale,
    label: str,
) -> Mark:
    run, key, value, kept = entry
    return Mark(
        letter=letter(run),
        label=comparison.runs[run].label,
        name=metric_name(metric(key), key.partition(":")[2], locale),
        text=f"{_shown(value, locale)} {unit_text(band.unit, locale)}",
        verdict=_verdict(band, value, kept, locale, label),
        survives=kept.survives,
        x=scale.at(value),
        y=BAR + 20 + STEP * place,
    )


def _verdict(band: Band, value: Number, kept: Survival, locale: Locale, label: str) -> str:
    if kept.survives:
        side = _ABOVE if as_decimal(band.low) > as_decimal(value) else _BELOW
        return say(_STAYS, locale).format(run=label, side=say(side, locale))
    if kept.turns_at is None:
        return say(_MEETS, locale)
    at = _plain(kept.turns_at, locale, 3)
    return say(_TURNS, locale).format(at=say(INPUT_NAMES[band.input][2], locale).format(at=at))


def _shown(value: Number, locale: Locale) -> str:
    return format_number(value, locale, sensible_places(value, 0 if as_decimal(value) >= 100 else 2, 2))


def _plain(value: Decimal, locale: Locale, digits: int = 6) -> str:
    exact = value if digits == 6 else Decimal(f"{value:.{digits}g}")
    return value_with_unit(exact, "", locale)
