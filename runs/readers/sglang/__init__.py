"""SGLang's ``bench_serving``: JSON lines, one aggregated run each."""

from runs.readers.sglang.reader import READER

__all__ = ["READER"]
