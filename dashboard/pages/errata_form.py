"""What people type into the forms of errata, settings and evaluations, as services take it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import get_language, gettext

from dashboard.pages.upload_form import typed_value
from dashboard.render.wording import metric_name
from runs.domain.errata import ErratumKind
from runs.domain.facts import Evidence, State
from runs.domain.metrics import SETTING_BY_KEY, metric
from runs.domain.powerfigures import with_power
from runs.domain.records import RunRecord, Source
from runs.domain.units import NumberLocale
from runs.services.answers import Problem, RefusedError
from runs.services.correcting import Given, quantity_text
from runs.services.editing import STATES, Claimed
from runs.services.evaluating import GivenEvaluation

if TYPE_CHECKING:
    from dashboard.render.numbers import Locale

LOCALES = ("plain", "en", "nl")


@dataclass(frozen=True)
class Typed:
    """What was typed, as typed; shown again where it was refused."""

    values: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, data: QueryDict) -> "Typed":
        return cls({name: value.strip() for name, value in data.items() if isinstance(value, str)})

    def get(self, name: str) -> str:
        return self.values.get(name, "")

    def count(self, name: str) -> int | None:
        """A whole number; None where nothing was typed. Raises RefusedError for anything else."""
        text = self.get(name)
        if not text:
            return None
        if not (text.isascii() and text.isdigit() and len(text) < 16):
            raise refused(Problem("", name, "a whole number", text[:40]))
        return int(text)

    @property
    def seen(self) -> int:
        return self.count("revision") or 0

    @property
    def locale(self) -> NumberLocale:
        found = self.get("locale")
        return cast("NumberLocale", found) if found in LOCALES else "plain"

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The document chosen with the words quoted from it, or the words alone as a statement."""
        source, quote = self.get("source"), self.get("quote")
        if source:
            return (Evidence("document", source, quote=quote),)
        return (Evidence("statement", quote=quote),) if quote else ()


def refused(*problems: Problem) -> RefusedError:
    return RefusedError("invalid_form", "The form cannot be taken as it is; nothing was written.", *problems)


def given_erratum(typed: Typed) -> Given:
    """Raises RefusedError for a kind that is none."""
    kinds = {one.value: one for one in ErratumKind}
    if typed.get("kind") not in kinds:
        raise refused(Problem("", "kind", f"one of: {', '.join(kinds)}", typed.get("kind")[:40] or "nothing"))
    return Given(
        kind=kinds[typed.get("kind")],
        reason=typed.get("reason"),
        date=typed.get("date"),
        metric=typed.get("metric"),
        new=typed.get("new"),
        locale=typed.locale,
        who=typed.get("who")[:150],
        successor=typed.get("successor")[:100],
        evidence=typed.evidence,
    )


def claimed_setting(typed: Typed) -> Claimed:
    """Raises RefusedError for a setting or a state that is none."""
    spec = SETTING_BY_KEY.get(typed.get("key"))
    states = {one.value: one for one in STATES}
    if spec is None or typed.get("state") not in states:
        place, known = ("key", SETTING_BY_KEY) if spec is None else ("state", states)
        raise refused(Problem("", place, f"one of: {', '.join(known)}", typed.get(place)[:40] or "nothing"))
    text = typed.get("value")
    return Claimed(
        key=spec.key,
        state=states[typed.get("state")],
        value=typed_value(spec, text) if text else None,
        nominal=typed.get("nominal"),
        note=typed.get("note"),
        evidence=typed.evidence,
        replaces=typed.get("replaces") == "1",
    )


def given_evaluation(typed: Typed) -> GivenEvaluation:
    """Raises RefusedError for a count that is no whole number."""
    covers = tuple(dict.fromkeys(part.strip() for part in typed.get("covers").split("\n") if part.strip()))
    return GivenEvaluation(
        task=typed.get("task"),
        correct=typed.count("correct"),
        total=typed.count("total"),
        score=typed.get("score"),
        unit=typed.get("unit")[:40] or "as stated",
        locale=typed.locale,
        shots=typed.count("shots"),
        full_size=typed.count("full_size"),
        context=typed.get("context")[:200],
        configuration=typed.get("configuration")[:200],
        covers=covers,
        source=typed.get("source"),
        quote=typed.get("quote")[:500],
        date=typed.get("date"),
        note=typed.get("note")[:1000],
    )


def form_choices(record: RunRecord, sources: tuple[Source, ...]) -> dict[str, Any]:
    """What the forms of a run offer: its figures with their values, settings, sources, today's date."""
    locale: Locale = "nl" if (get_language() or "en").startswith("nl") else "en"
    stated = [state for state in STATES if state is not State.NOT_APPLICABLE]
    figures = [
        (one.key, metric_name(metric(one.key), one.stat, locale), quantity_text(one))
        for one in with_power(record).quantities
    ]
    return {
        "figure_choices": figures,
        "setting_choices": [(spec.key, gettext(spec.name), spec.unit) for spec in SETTING_BY_KEY.values()],
        "state_choices": [(state.value, gettext(state.value)) for state in (*stated, State.NOT_APPLICABLE)],
        "source_choices": [(source.key, source.title) for source in sources],
        "today": timezone.localdate().isoformat(),
    }
