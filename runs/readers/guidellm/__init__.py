"""guidellm's ``benchmarks.json``, from 0.2 to 0.8: one run for every benchmark of a sweep."""

from runs.readers.guidellm.reader import READER

__all__ = ["READER"]
