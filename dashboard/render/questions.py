"""Questions to a publisher: a list for the page, and a text to send."""

from collections.abc import Sequence
from dataclasses import dataclass

from dashboard.render.caveats import setting_name
from dashboard.render.numbers import Locale
from dashboard.render.wording import _, say
from runs.domain.question_texts import ask
from runs.domain.questions import Question
from runs.domain.records import Source

_OPENING = {
    "en": "You published the results below in “{title}”{dated}. To compare them with other results without guessing, "
    "we would like to know the following. “Not recorded” is a useful answer too.",
    "nl": "U publiceerde de onderstaande resultaten in “{title}”{dated}. Om ze zonder gissen met andere resultaten te "
    "vergelijken, willen we graag het volgende weten. Ook “niet vastgelegd” is een bruikbaar antwoord.",
}
_DATED = {"en": " ({date})", "nl": " ({date})"}
_ABOUT = {"en": "About: {runs}", "nl": "Over: {runs}"}
_ALL = {"en": "all of the results", "nl": "alle resultaten"}
_INFERRED = {
    "en": "(we inferred a value; please confirm it or correct us)",
    "nl": "(we hebben een waarde afgeleid; bevestig die of corrigeer ons)",
}
_RESULTS = {"en": "The results:", "nl": "De resultaten:"}
_NOTHING = {
    "en": "Nothing that matters is left unsaid about these results.",
    "nl": "Over deze resultaten is niets van belang onvermeld.",
}


@dataclass(frozen=True)
class QuestionView:
    """A question as the page lists it."""

    setting: str
    name: str
    text: str
    runs: str
    inferred: bool


def question_views(found: Sequence[Question], total: int, locale: Locale) -> tuple[QuestionView, ...]:
    """Questions in catalogue order; ``total`` runs are "all of them"."""
    return tuple(
        QuestionView(
            one.setting,
            setting_name(one.setting, locale),
            ask(one.setting, locale),
            say(_("all runs"), locale) if len(one.runs) == total else ", ".join(one.runs),
            one.inferred,
        )
        for one in found
    )


def question_text(source: Source, found: Sequence[Question], language: Locale) -> str:
    """A text ready to be sent to the publisher, in English or Dutch."""
    labels = list(dict.fromkeys(label for one in found for label in one.runs))
    dated = _DATED[language].format(date=source.published) if source.published not in ("", "not stated") else ""
    lines = [_OPENING[language].format(title=source.title, dated=dated), ""]
    if not found:
        return f"{_NOTHING[language]}\n"
    for number, one in enumerate(found, 1):
        about = _ALL[language] if len(one.runs) == len(labels) else "; ".join(one.runs)
        lines.append(f"{number}. {ask(one.setting, language)}")
        lines.append(f"   {_ABOUT[language].format(runs=about)}{' ' + _INFERRED[language] if one.inferred else ''}")
    lines += ["", _RESULTS[language], *(f"- {label}" for label in labels)]
    return "\n".join(lines) + "\n"
