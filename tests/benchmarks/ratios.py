"""A thing and its yardstick, measured in turns, so that what else the machine does weighs on both."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

Clock = Callable[[], float]
Action = Callable[[], object]


@dataclass(frozen=True)
class Turn:
    """How long one turn took: by the clock on the wall, and of the processor (all threads), in s."""

    wall: float
    cpu: float


@dataclass(frozen=True)
class Ratio:
    """A thing against its yardstick over some rounds, and what it may cost at most (None: only shown)."""

    name: str
    limit: float | None
    thing: Sequence[Turn]
    yardstick: Sequence[Turn]

    @property
    def least(self) -> float:
        """The shortest turn of the one over the shortest of the other: what the target is held against."""
        return min(turn.wall for turn in self.thing) / min(turn.wall for turn in self.yardstick)

    @property
    def middle(self) -> float:
        return median(turn.wall for turn in self.thing) / median(turn.wall for turn in self.yardstick)

    @property
    def processor(self) -> float:
        return min(turn.cpu for turn in self.thing) / min(turn.cpu for turn in self.yardstick)

    @property
    def missed(self) -> bool:
        return self.limit is not None and self.least > self.limit

    def cells(self) -> tuple[str, ...]:
        took, yard = (min(turn.wall for turn in side) * 1000 for side in (self.thing, self.yardstick))
        target = "-" if self.limit is None else f"{self.limit:g}x"
        ratios = (f"{ratio:.1f}x" for ratio in (self.least, self.middle, self.processor))
        return (self.name, target, *ratios, f"{took:.1f} ms", f"{yard:.1f} ms", "MISSED" if self.missed else "")


HEAD = ("", "target", "least", "median", "CPU", "took", "yardstick", "")


def table(ratios: Sequence[Ratio]) -> str:
    """The ratios in columns: of the shortest turns, of the median ones, and of processor time."""
    rows = [HEAD, *(ratio.cells() for ratio in ratios)]
    widths = [max(len(row[place]) for row in rows) for place in range(len(HEAD))]
    lines = [
        "  ".join(
            cell.ljust(width) if place in (0, len(HEAD) - 1) else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    return "\n".join([lines[0], "-" * max(map(len, lines)), *lines[1:]])


def timed(action: Action, cpu: Clock, repeats: int = 1) -> Turn:
    """One turn: the median of some repeats on the wall, their mean of the processor."""
    walls = []
    spent = cpu()
    for _ in range(repeats):
        start = time.perf_counter()
        action()
        walls.append(time.perf_counter() - start)
    return Turn(median(walls), (cpu() - spent) / repeats)


def against(
    name: str, limit: float | None, thing: Action, yardstick: Action, *, rounds: int = 5, repeats: int = 1,
    clocks: tuple[Clock, Clock] = (time.process_time, time.process_time),
) -> Ratio:  # fmt: skip
    """Both in turns, after one turn each that does not count. ``clocks`` are of the processes that do the two."""
    things, yards = [], []
    for counted in range(rounds + 1):
        yard = timed(yardstick, clocks[1], repeats)
        turn = timed(thing, clocks[0], repeats)
        if counted:
            yards.append(yard)
            things.append(turn)
    return Ratio(name, limit, things, yards)


def clock_of(pids: Sequence[int]) -> Clock:
    """The processor time of some other processes, ended threads included (Linux: CPUCLOCK_SCHED of each)."""
    return lambda: sum(time.clock_gettime((~pid << 3) | 2) for pid in pids)
