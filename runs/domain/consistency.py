"""Whether a run's figures can all be true at once: caveats where a printed figure cannot follow from its inputs."""

from collections.abc import Callable
from decimal import Decimal

from runs.domain.caveat_rule import SPEED, Rule, Subject
from runs.domain.comparison import Caveat, Severity
from runs.domain.derived import usable
from runs.domain.figures import Figure
from runs.domain.units import Interval, as_decimal, point, round_half_away

LITTLE_LIMIT = Decimal("1.05")
"""Only a measured concurrency above 1.05 times the limit is flagged: a run's drain lowers it honestly."""


FigureRule = Callable[[Subject, Figure], Caveat | None]
"""A rule on one figure that has another way to it."""


def printed_cannot_follow(it: Subject, figure: Figure) -> Caveat | None:
    """A printed derived figure lies outside the interval of its printed inputs."""
    failed = next((check for check in figure.checks if not check.agrees and check.kind != "printed"), None)
    if failed is None:
        return None
    return it.say(
        "cannot-follow",
        Severity.SERIOUS,
        (figure.key,),
        printed=figure.printed.text if figure.printed else as_decimal(figure.value or 0),
        computed=as_decimal(failed.value),
        formula=failed.formula,
    )


def agrees_within_rounding(it: Subject, figure: Figure) -> Caveat | None:
    """A printed derived figure rounds otherwise than the recomputed one, but both fit the printed rounding."""
    if figure.printed is None or figure.value is None or not all(check.agrees for check in figure.checks):
        return None
    printed = as_decimal(figure.value)
    places = -int(printed.as_tuple().exponent)
    other = next((check for check in figure.checks if round_half_away(check.value, places) != printed), None)
    if other is None:
        return None
    return it.say(
        "agrees-within-rounding",
        Severity.INFO,
        (figure.key,),
        printed=figure.printed.text,
        computed=as_decimal(other.value),
        formula=other.formula,
    )


def total_against_output(it: Subject) -> Caveat | None:
    """Total throughput must be output throughput x (ISL + OSL) / OSL where every request has the same lengths."""
    total, output = usable(it.side.figures, "total_throughput"), usable(it.side.figures, "output_throughput")
    isl, osl = it.side.record.setting("isl"), it.side.record.setting("osl")
    if total is None or output is None or total.printed is None or total.interval is None or output.interval is None:
        return None
    if not (isl.is_firm and osl.is_firm):
        return None
    if not (isinstance(isl.value, int) and isinstance(osl.value, int) and osl.value > 0):
        return None
    factor = Decimal(isl.value + osl.value) / osl.value
    expected = output.interval * point(factor)
    if expected.overlaps(total.interval) or _near(expected, total.interval):
        return None
    return it.say(
        "total-output-mismatch",
        Severity.SERIOUS,
        tuple(key for key in ("total_throughput", "output_throughput") if key in it.keys),
        ("isl", "osl"),
        total=as_decimal(total.value or 0),
        expected=as_decimal(output.value or 0) * factor,
    )


def _near(left: Interval, right: Interval) -> bool:
    """Within 1 %: random prompts differ a little from their nominal length."""
    middle, other = (left.low + left.high) / 2, (right.low + right.high) / 2
    return abs(middle - other) <= Decimal("0.01") * max(middle, other)


def above_its_concurrency(it: Subject) -> Caveat | None:
    """Little's law: request throughput x mean latency is the concurrency that really was."""
    limit = it.count("concurrency")
    rate, latency = usable(it.side.figures, "request_throughput"), usable(it.side.figures, "e2el:mean")
    if limit is None or rate is None or latency is None:
        return None
    measured = as_decimal(rate.value or 0) * as_decimal(latency.value or 0)
    if measured <= LITTLE_LIMIT * limit:
        return None
    return it.say("above-concurrency", Severity.SERIOUS, it.of(SPEED), ("concurrency",), measured=measured, limit=limit)


def requests_disagree(it: Subject) -> Caveat | None:
    """Output tokens over the duration must be the output throughput that the file gives."""
    done = it.side.record.requests
    output, duration = usable(it.side.figures, "output_throughput"), usable(it.side.figures, "duration")
    if done.output_tokens is None or output is None or duration is None or not duration.value:
        return None
    tokens = as_decimal(output.value or 0)
    expected = as_decimal(done.output_tokens) / as_decimal(duration.value)
    if abs(expected - tokens) <= Decimal("0.01") * max(expected, tokens):
        return None
    return it.say(
        "tokens-mismatch",
        Severity.SERIOUS,
        tuple(key for key in it.keys if key == "output_throughput") or it.of(SPEED),
        throughput=tokens,
        expected=expected,
    )


FIGURE_RULES: tuple[FigureRule, ...] = (printed_cannot_follow, agrees_within_rounding)

CONSISTENCY_RULES: tuple[Rule, ...] = (
    total_against_output,
    above_its_concurrency,
    requests_disagree,
)
