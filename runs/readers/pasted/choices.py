"""What a person decided about a paste: how numbers are printed, what each column holds, whose the runs are."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from runs.domain.records import Provenance
from runs.domain.units import NumberLocale
from runs.readers.pasted.columns import Column


@dataclass(frozen=True)
class Whose:
    """Whose figures a row has: the key of their source, and of the document they were read in where it is another."""

    source: str
    provenance: Provenance = Provenance.PUBLISHED
    via: str = ""


@dataclass(frozen=True)
class Choices:
    """Empty or missing entries take what the table suggests.

    ``locale`` None: how the source prints numbers is not stated. ``common`` are settings given once for the whole
    table, as typed; ``labels`` and ``repeats`` go by row, ``whose`` by the row's head (rows of one head are a group).
    ``repeats`` is a number, or the repeats' own figures with semicolons between them. ``conditions`` are the columns
    of the conditions' lines. ``one_setup`` declares the rows of a group to be one setup. ``heads_speak``: settings are
    read in the rows' heads ("6 GPUs × 800 W").
    """

    source: str
    locale: NumberLocale | None = None
    columns: Mapping[int, Column] = field(default_factory=dict)
    common: Mapping[str, str] = field(default_factory=dict)
    labels: Mapping[int, str] = field(default_factory=dict)
    repeats: Mapping[int, str] = field(default_factory=dict)
    whose: Mapping[str, Whose] = field(default_factory=dict)
    conditions: Mapping[int, Column] = field(default_factory=dict)
    one_setup: bool = False
    heads_speak: bool = True

    def whose_of(self, head: str) -> Whose:
        return self.whose.get(head, Whose(self.source))
