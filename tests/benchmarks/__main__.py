"""All ratios in one table: ``make bench``. Ends with 1 where a target is missed."""

import sys

from tests.benchmarks import bench_readers, bench_web
from tests.benchmarks.ratios import table

if __name__ == "__main__":
    measured = [*bench_web.ratios(), *bench_readers.ratios()]
    print(table(measured))  # noqa: T201 - that is what it is run for
    sys.exit(int(any(ratio.missed for ratio in measured)))
