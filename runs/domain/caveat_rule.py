"""What a caveat's rule gets and gives back, and the families of metrics that it may concern."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from runs.domain.comparison import Caveat, Grade, Severity, params
from runs.domain.facts import Setting, State
from runs.domain.matters import Side
from runs.domain.metrics import metric

SPEED = frozenset({"throughput", "latency", "load"})
POWERED = frozenset({"power", "efficiency", "electricity"})
EVERY = SPEED | POWERED | {"rental", "quality"}


@dataclass(frozen=True)
class Subject:
    """One run of a comparison, by its place, and the keys of the metrics that are compared."""

    side: Side
    run: int
    keys: tuple[str, ...]
    _of: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict, repr=False, compare=False)

    def of(self, families: Iterable[str]) -> tuple[str, ...]:
        """The compared metrics of some families of which the run has a figure."""
        wanted = frozenset(families)
        cached = self._of.get(wanted)
        if cached is None:
            figures = self.side.figures
            cached = tuple(key for key in self.keys if key in figures and metric(key).family in wanted)
            self._of[wanted] = cached
        return cached

    def say(
        self,
        caveat_id: str,
        severity: Severity,
        metrics: tuple[str, ...],
        settings: tuple[str, ...] = (),
        ceiling: Grade | None = None,
        **values: object,
    ) -> Caveat | None:
        """The caveat, or None where it concerns nothing that is compared."""
        if not metrics:
            return None
        return Caveat(caveat_id, severity, self.run, None, metrics, settings, params(values), ceiling)

    def is_silent(self, key: str) -> bool:
        """Whether nothing is said of a setting. A disputed one is spoken of twice: that is another caveat."""
        setting = self.side.record.setting(key)
        return not setting.is_known and setting.state is not State.DISPUTED

    def count(self, key: str) -> int | None:
        """A setting that counts something; None where it is not known as a number."""
        setting = self.side.record.setting(key)
        value = setting.value if setting.is_known else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None


Rule = Callable[[Subject], Caveat | None]


def called(setting: Setting) -> str:
    """A setting's value as text, exact before nominal; "" where it is not known."""
    return str(setting.value if setting.value is not None else setting.nominal) if setting.is_known else ""
