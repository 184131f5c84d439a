"""What a reader's message is about, in words."""

from dashboard.render.numbers import Locale
from dashboard.render.wording import _, metric_name, say
from runs.domain.metrics import metric, setting_spec
from runs.domain.units import DomainError


def subject_words(subject: str, locale: Locale) -> str:
    """``setting:temperature`` is "Setting: Sampling temperature"; nothing is "About the whole"."""
    kind, _colon, key = subject.partition(":")
    name, _other, stat = key.partition(":")
    try:
        if kind == "setting":
            return f"{say(_('Setting'), locale)}: {say(setting_spec(key).name, locale)}"
        if kind == "figure":
            return f"{say(_('Figure'), locale)}: {metric_name(metric(key), stat, locale)}"
    except DomainError:
        return name
    return say(_("About the whole"), locale)
