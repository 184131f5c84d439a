"""Evaluations, repeats and setups as finished texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.render.caveats import setting_name
from dashboard.render.cells import evidence_text
from dashboard.render.errata import Notice, notice
from dashboard.render.numbers import Locale, format_number, in_display_unit, percent, sensible_places
from dashboard.render.tables import SettingCell, setting_cell
from dashboard.render.wording import Badge, _, metric_name, say, setting_value, status_badge, unit_head
from runs.domain.errata import Erratum
from runs.domain.evaluations import Difference, Evaluation, wilson
from runs.domain.facts import Setting, Status
from runs.domain.matters import same
from runs.domain.metrics import SETTINGS, metric
from runs.domain.records import RunRecord, Source
from runs.domain.repeats import Spread
from runs.domain.units import as_decimal

Line = tuple[str, str]
LEAST_P = 0.001


@dataclass(frozen=True)
class EvaluationRow:
    """An evaluation in a list. ``was`` is the score before a correction."""

    key: str
    task: str
    score: str
    share: str
    interval: str
    subset: str
    shots: str
    configuration: str
    context: str
    status: Badge | None
    was: str
    party: str
    date: str
    printed: str
    counts: str


def evaluation_row(evaluation: Evaluation, original: Evaluation, locale: Locale) -> EvaluationRow:
    """An evaluation as it stands, beside what it was."""
    score, before = score_text(evaluation, locale), score_text(original, locale)
    return EvaluationRow(
        key=evaluation.key,
        task=evaluation.task,
        score=score,
        share=_share(evaluation, locale),
        interval=interval_text(evaluation, locale),
        subset=subset_text(evaluation, locale),
        shots="" if evaluation.shots is None else say(_("{n}-shot"), locale).format(n=evaluation.shots),
        configuration=evaluation.configuration,
        context=evaluation.context,
        status=None if evaluation.status is Status.CURRENT else status_badge(evaluation.status, locale),
        was=say(_("was {old}"), locale).format(old=before) if before != score else "",
        party=evaluation.party.name if evaluation.party else "",
        date=evaluation.date,
        printed=f"“{evaluation.printed.text}”" if evaluation.printed else "",
        counts=counts_text(evaluation, locale),
    )


def counts_text(evaluation: Evaluation, locale: Locale) -> str:
    """What a score was taken over: ``rows: 47; positions: 85,152``."""
    return "; ".join(f"{name}: {format_number(value, locale)}" for name, value in evaluation.counts.items())


def score_text(evaluation: Evaluation, locale: Locale) -> str:
    """``197 / 200``, or the score with its unit; why there is none, where there is none."""
    if evaluation.correct is not None and evaluation.total is not None:
        return f"{format_number(evaluation.correct, locale)} / {format_number(evaluation.total, locale)}"
    if evaluation.score is None:
        return say(evaluation.status.value, locale)
    places = max(0, -int(as_decimal(evaluation.score).as_tuple().exponent))
    unit = "" if evaluation.unit in ("as stated", "correct/total", "ratio") else f"\u00a0{evaluation.unit}"
    return f"{format_number(evaluation.score, locale, min(places, 6))}{unit}"


def _share(evaluation: Evaluation, locale: Locale) -> str:
    if evaluation.correct is None or evaluation.total is None:
        return ""
    return percent(evaluation.correct / evaluation.total, locale, 1)


def interval_text(evaluation: Evaluation, locale: Locale) -> str:
    """The 95 % Wilson interval of a counted score."""
    if evaluation.correct is None or evaluation.total is None:
        return ""
    low, high = wilson(evaluation.correct, evaluation.total)
    ends = {"low": percent(low, locale, 1), "high": percent(high, locale, 1)}
    return say(_("{low} to {high}"), locale).format(**ends)


def subset_text(evaluation: Evaluation, locale: Locale) -> str:
    """That only a part of the task was run, and how much of it where that is known."""
    if not evaluation.is_subset:
        return ""
    if evaluation.total is None or evaluation.full_size is None:
        return say(_("part of the task"), locale)
    numbers = {"n": format_number(evaluation.total, locale), "whole": format_number(evaluation.full_size, locale)}
    return say(_("{n} of {whole} items"), locale).format(**numbers)


@dataclass(frozen=True)
class EvaluationView:
    """An evaluation's page: facts, settings, evidence, notices."""

    row: EvaluationRow
    facts: tuple[Line, ...]
    evidence: tuple[str, ...]
    notices: tuple[Notice, ...]
    note: str


def evaluation_view(
    evaluation: Evaluation,
    original: Evaluation,
    errata: Sequence[Erratum],
    locale: Locale,
    sources: Sequence[Source] = (),
) -> EvaluationView:
    row = evaluation_row(evaluation, original, locale)
    unknown = say(_("not stated"), locale)
    counts = ((name, format_number(value, locale)) for name, value in evaluation.counts.items())
    settings = ((setting_name(key, locale), setting_value(one, locale)) for key, one in evaluation.settings.items())
    facts = (
        (say(_("Score"), locale), f"{row.score} {row.share}".strip()),
        (say(_("95 % interval (Wilson)"), locale), row.interval or say(_("none: the score is not counted"), locale)),
        (say(_("Shots"), locale), row.shots or unknown),
        (say(_("Items"), locale), row.subset or say(_("whole task, as far as stated"), locale)),
        (say(_("Configuration"), locale), row.configuration or unknown),
        (say(_("Context"), locale), row.context or unknown),
        (say(_("Date"), locale), row.date or unknown),
        (say(_("Who says so"), locale), row.party or unknown),
        *counts,
        *settings,
    )
    evidence = tuple(evidence_text(one, locale, tuple(sources)) for one in evaluation.evidence)
    return EvaluationView(row, facts, evidence, tuple(notice(one, locale, sources) for one in errata), evaluation.note)


def difference_text(found: Difference, locale: Locale) -> str:
    """``differ (Fisher's exact test, p = 0.006)``; why nothing was tested, where nothing was."""
    if found.p is None:
        return f"{say(found.words, locale)}: {say(found.reason, locale)}"
    number = format_number(found.p, locale, 3)
    p = f"p = {number}" if found.p >= LEAST_P else f"p < {format_number(LEAST_P, locale, 3)}"
    return f"{say(found.words, locale)} ({say(found.test, locale)}, {p})"


@dataclass(frozen=True)
class SpreadLine:
    """A figure over the runs of one configuration; no range for a single run."""

    name: str
    unit: str
    mean: str
    span: str
    n: str


def spread_lines(spreads: Sequence[Spread], locale: Locale) -> tuple[SpreadLine, ...]:
    """Figures of the repeats in the units that tables show."""
    return tuple(_spread_line(one, locale) for one in spreads)


def _spread_line(spread: Spread, locale: Locale) -> SpreadLine:
    def shown(value: object) -> str:
        number = in_display_unit(value, spread.key, spread.unit)  # type: ignore[arg-type]
        return format_number(number, locale, sensible_places(number, 0))

    span = ""
    if spread.low is not None and spread.high is not None:
        ends = {"low": shown(spread.low), "high": shown(spread.high)}
        span = say(_("{low} to {high}"), locale).format(**ends)
    name = metric_name(metric(spread.key), spread.key.partition(":")[2], locale)
    return SpreadLine(
        name, unit_head(spread.key, locale, spread.unit), shown(spread.mean), span, f"n\u00a0=\u00a0{spread.n}"
    )


@dataclass(frozen=True)
class SetupView:
    """What the runs of a declared setup share, and in what they differ."""

    shared: tuple[tuple[str, SettingCell], ...]
    differing: tuple[tuple[str, tuple[str, ...]], ...]
    silent: tuple[str, ...]


def profile_lines(settings: Mapping[str, Setting], locale: Locale) -> list[tuple[str, SettingCell]]:
    """The settings that a setup brings, in the catalogue's order."""
    keys = [spec.key for spec in SETTINGS if spec.key in settings]
    return [(setting_name(key, locale), setting_cell(settings[key], locale)) for key in keys]


def setup_view(records: Sequence[RunRecord], locale: Locale) -> SetupView:
    """Settings that are known the same in every run, those that are not, and those that no run states."""
    shared, differing, silent = [], [], []
    for spec in SETTINGS:
        found = [record.setting(spec.key) for record in records]
        name = setting_name(spec.key, locale)
        if not any(one.is_known or one.claims for one in found):
            silent.append(name)
        elif all(same(found[0], one) for one in found):
            shared.append((name, setting_cell(found[0], locale)))
        else:
            differing.append((name, tuple(dict.fromkeys(setting_value(one, locale) for one in found))))
    return SetupView(tuple(shared), tuple(differing), tuple(silent))
