"""Formulas and what was told in English, in a page's language. The telling itself is `runs.telling`'s."""

import re

from dashboard.render.numbers import Locale
from dashboard.render.wording import _, metric_name, say
from runs.domain.metrics import BY_KEY, SETTING_BY_KEY
from runs.telling import tell

_KEY = re.compile(r"\b([a-z][a-z0-9]*(?:_[a-z0-9]+)*)(?::([a-z0-9]+))?\b")
_COMPOUND = re.compile(r"[a-z0-9](?:_|:)[a-z0-9]")
FORMULA_NAMES = {
    "price_per_kwh": _("price per kWh"),
    "pue": "PUE",
    "utilisation": _("utilisation"),
    "gpus_billed": _("GPUs billed"),
    "rate_per_gpu_hour": _("rate per GPU and hour"),
    "input_tokens": _("input tokens"),
    "output_tokens": _("output tokens"),
}
"""Inputs of formulas that are neither a figure nor a setting, or more than the figure of that key: all tokens."""


def is_formula(text: str) -> bool:
    """Whether a text names a figure or setting by its key, as no sentence does."""
    return bool(_COMPOUND.search(text))


def formula(text: str, locale: Locale) -> str:
    """A formula with its inputs by their names: "active GPUs" for ``active_gpus``, and × for x."""
    named = _KEY.sub(lambda key: _input_name(key[1], key[2] or "", locale) or key[0], tell(text, locale))
    return named.replace(" x ", " × ")


def _input_name(key: str, stat: str, locale: Locale) -> str:
    if key in FORMULA_NAMES:
        name = say(FORMULA_NAMES[key], locale)
    elif key in BY_KEY:
        name = metric_name(BY_KEY[key], stat, locale)
    else:
        name = say(SETTING_BY_KEY[key].name, locale) if key in SETTING_BY_KEY else ""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


HOUSE = (_("this house"), _("operator of the run"), _("what the tool reads"))
"""What uploads say of themselves; records keep it in English."""
